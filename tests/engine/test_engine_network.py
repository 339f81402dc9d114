"""The network of an engine: the game's own, none, or one from a file, on every way to an engine."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import noughts as no
from exchanges import talk
from noughts.analysis.advice import Advisor
from noughts.analysis.evaluation import chance_of_score
from noughts.arena.plan import InvalidPlan, read_plan
from noughts.arena.worker import probe_entrants
from noughts.cli import analyse, engine, hint, play, review
from noughts.games.evaluation import network_of, scale_of
from noughts.games.spec import parse_id
from noughts.players import PlayerFailed, normalise_name, open_player

ULTIMATE, OTHER = "ultimate:3", "4x4x4"
SPREAD_AT = 12
"""Where the spread stands in a network for blocks."""
LIMIT = no.Limit(nodes=300)

pytestmark = pytest.mark.usefixtures("empty_data_folder")


@pytest.fixture
def network_file(tmp_path: Path) -> Path:
    """The network of Ultimate with twice its spread, so that its scores are twice as high."""
    file = tmp_path / "Twice.net"
    file.write_bytes(twice_the_spread())
    return file


def twice_the_spread() -> bytes:
    data = bytearray(network_of(parse_id(ULTIMATE)))
    (spread,) = struct.unpack_from("<i", data, SPREAD_AT)
    struct.pack_into("<i", data, SPREAD_AT, 2 * spread)
    return bytes(data)


def score(network: Any, game: str = ULTIMATE) -> int:
    """The static score of a position, as a search of one ply sees it."""
    found = no.Engine(hash_mb=1, book=False, network=network)
    return found.search(no.Game(game).start(), no.Limit(depth=1)).score


def test_network_is_a_file_its_bytes_none_or_the_games_own(network_file: Path) -> None:
    own = score(None)
    assert score(str(network_file)) == score(network_file) == score(twice_the_spread())
    assert score(network_file) == pytest.approx(2 * own, abs=2)
    assert score(network_of(parse_id(ULTIMATE))) == own
    assert score(False) not in (own, 2 * own)


def test_no_network_is_the_evaluation_by_weights() -> None:
    start = no.Game(ULTIMATE).start()
    weighted = no.Game(ULTIMATE, start.game.weights).start()
    by_option = no.Engine(hash_mb=1, book=False, network=False).search(start, LIMIT)
    by_game = no.Engine(hash_mb=1, book=False).search(weighted, LIMIT)
    assert by_option._replace(seconds=0) == by_game._replace(seconds=0)


def test_game_without_a_network_takes_one_that_fits() -> None:
    assert no.Engine(hash_mb=1).scale_of(no.Game("ultimate:3+open")) == scale_of(parse_id("ultimate:3+open"), 3)
    given = no.Engine(hash_mb=1, network=twice_the_spread())
    assert given.search(no.Game("ultimate:3+open").start(), LIMIT).move >= 0


@pytest.mark.parametrize("network", [True, 1, 2.0, ["a"]])
def test_network_of_another_type_is_an_error(network: Any) -> None:
    with pytest.raises(TypeError, match="expected network as a file, bytes, False or None"):
        no.Engine(network=network)


def test_file_that_cannot_be_used_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        no.Engine(network=tmp_path / "missing.net")
    text, empty = tmp_path / "text.net", tmp_path / "empty.net"
    text.write_text("hello")
    empty.touch()
    with pytest.raises(ValueError, match=r"cannot use .*text.net: expected a network, got something else"):
        no.Engine(network=text)
    with pytest.raises(ValueError, match=r"cannot use .*empty.net: expected a network, got an empty file"):
        no.Engine(network=empty)
    cut = no.Engine(hash_mb=1, network=twice_the_spread()[:-2])
    with pytest.raises(ValueError, match=r"cannot use the network for ultimate:3: expected more of the network"):
        cut.search(no.Game(ULTIMATE).start(), LIMIT)


def test_network_of_another_game_is_one_clear_error(network_file: Path) -> None:
    found = no.Engine(hash_mb=1, network=network_file)
    for ask in (found.search, found.analyse):
        with pytest.raises(ValueError, match=r"cannot use .*Twice.net for 4x4x4: expected"):
            ask(no.Game(OTHER).start(), LIMIT)
    assert found.search(no.Game(ULTIMATE).start(), LIMIT).move >= 0  # still usable


def test_chances_follow_the_scale_of_the_engine(network_file: Path) -> None:
    start = no.Game(ULTIMATE).start()
    for network in (None, network_file, False):
        advisor = Advisor(no.Engine(hash_mb=1, book=False, network=network))
        best = advisor.advise(start, LIMIT)[0]
        scale = advisor.engine.scale_of(start.game)
        assert best.evaluation.chance == chance_of_score(best.score, scale)
    scales = [no.Engine(hash_mb=1, network=network).scale_of(start.game) for network in (None, network_file, False)]
    assert scales[1] == 2 * scales[0]
    assert scales[2] == scale_of(parse_id(ULTIMATE), 3)


# --- names of players -----------------------------------------------------------------------------------------------


def test_name_of_a_player_may_name_a_network(network_file: Path) -> None:
    start = no.Game(ULTIMATE).start()
    name = f" MASTER:{network_file} "
    assert normalise_name(name) == f"master:{network_file}"
    with open_player(name, book=False) as player:
        player.start(start.game)
        assert player.choose(start, LIMIT) in start.legal_moves
        assert player.name == f"master:{network_file}"
        with pytest.raises(PlayerFailed, match="for 4x4x4: expected"):
            player.start(no.Game(OTHER))
    with open_player("master:none") as player:
        player.start(no.Game(OTHER))
    with pytest.raises(ValueError, match=r"cannot read the network 'missing.net': no such file"):
        open_player("master:missing.net")


def test_network_of_a_plan_is_found_in_its_folder_and_checked_before_it_is_played(network_file: Path) -> None:
    bots = [{"run": "master:Twice.net"}, {"run": "master:none"}]

    def plan_of(game: str) -> object:
        return probe_entrants(read_plan({"game": game, "bots": bots}, network_file.parent), print)

    plan_of(ULTIMATE)
    with pytest.raises(InvalidPlan, match=r"bots\[1\] \(master:Twice.net\): cannot use .* for 4x4x4"):
        plan_of(OTHER)
    bots[0]["run"] = "master:gone.net"
    with pytest.raises(InvalidPlan, match=r"bots\[1\] .*cannot read the network 'gone.net'"):
        plan_of(ULTIMATE)


# --- the command line -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [analyse, engine, hint, play, review], ids=lambda module: module.__name__)
def test_command_has_the_option(module: Any) -> None:
    command = module.command
    assert "--network FILE|none" in CliRunner().invoke(command, ["--help"]).output
    refused = CliRunner().invoke(command, ["--network", "missing.net"])
    assert refused.exit_code == 2
    assert "cannot read the network 'missing.net': no such file or directory" in refused.output


def test_analysis_uses_the_network(network_file: Path) -> None:
    def analysed(*options: str) -> str:
        command = [ULTIMATE, "--no-book", "--nodes", "300", "--json", *options]
        result = CliRunner().invoke(analyse.command, command)
        assert result.exit_code == 0, result.output
        return result.output.split('"moves"')[1]

    assert len({analysed(), analysed("--network", str(network_file)), analysed("--network", "none")}) == 3


def ugi(*lines: str) -> list[str]:
    return talk(f"setoption name Game value {ULTIMATE}", *lines, hash_mb=1, book=False)


def test_ugi_engine_has_an_option(network_file: Path) -> None:
    assert "option name Network type string default <empty>" in ugi("ugi")
    set_it, ask = f"setoption name Network value {network_file}", ("position startpos moves e5", "go nodes 300")
    own, given, none = ugi(*ask), ugi(set_it, *ask), ugi("setoption name Network value none", *ask)
    scores = [
        next(line for line in reversed(said) if " score " in line).split(" nodes ")[0] for said in (own, given, none)
    ]
    assert len(set(scores)) == 3
    back = ugi(set_it, "setoption name Network value <empty>", *ask)
    assert back[-1] == own[-1]
    assert f"option name Network type string default {network_file}" in ugi(set_it, "ugi")


def test_ugi_engine_reports_a_network_that_it_cannot_use(network_file: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.net"
    text.write_text("hello")
    said = ugi("setoption name Network value missing.net", f"setoption name Network value {text}", "ugi", "go nodes 50")
    assert "info string error: cannot read the network 'missing.net': no such file or directory" in said
    assert f"info string error: cannot use {text}: expected a network, got something else" in said
    assert "option name Network type string default <empty>" in said
    assert said[-1].startswith("bestmove ")
    said = ugi(f"setoption name Network value {network_file}", f"setoption name Game value {OTHER}", "go nodes 50")
    assert said[-2] == "bestmove (none)"
    assert said[-1].startswith("info string error: cannot use")
