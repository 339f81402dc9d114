"""Opponents of every strength."""

from __future__ import annotations

import random

import pytest

import noughts as no
from exhaustive import winning_cells
from noughts.engine import Level, levels

FIXED = no.LEVELS[:-1]
GAMES = ("3x3", "5x5:4", "4x4x4", "7x6:4+gravity", "7x7:5+exact", "ultimate:3", "3x3x3+misere")


def play_out(id: str, name: Level, seed: int, plies: int) -> list[int]:
    position, bot = no.Game(id).start(), no.level(name, seed=seed)
    while not position.is_over and position.ply < plies:
        position.play(bot.choose(position))
    return position.moves


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("id", ["3x3", "4x4x4", "ultimate:3", "7x6:4+gravity"])
def test_seed_makes_a_level_play_the_same_way_every_time(id: str, name: Level) -> None:
    assert play_out(id, name, seed=7, plies=6) == play_out(id, name, seed=7, plies=6)


def test_exception_of_a_watcher_ends_a_search_to_a_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(levels.DEPTHS, Level.INSANE, 20)

    def lose_patience() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        no.level("insane").choose(no.Game("15x15:5").start(), watch=lose_patience)


def test_different_seeds_play_different_games() -> None:
    assert len({tuple(play_out("4x4x4", Level.EASY, seed, plies=6)) for seed in range(8)}) > 4


def positions_with(id: str, wanted: bool, count: int) -> list[no.Position]:
    """Positions of a flat game where the side to move can win at once (wanted), or only must block (not wanted)."""
    dice, game = random.Random(f"{id} {wanted}"), no.Game(id)
    found: list[no.Position] = []
    while len(found) < count:
        position = game.start()
        while not position.is_over and position.turn is not None:
            own, theirs = (len(winning_cells(position, side)) for side in (position.turn, position.turn.opponent))
            if (own > 0) if wanted else (own == 0 and theirs == 1):
                found.append(position.copy())
                break
            position.play(dice.choice(position.legal_moves))
    return found


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("id", ["3x3", "5x5:4", "4x4x4", "7x6:4+gravity"])
def test_every_level_takes_a_win_in_one(id: str, name: Level) -> None:
    for seed, position in enumerate(positions_with(id, wanted=True, count=12)):
        move = no.level(name, seed=seed).choose(position)
        assert position.after(move).winner is position.turn, f"{position!r}: {position.format_move(move)}"


@pytest.mark.parametrize("name", ["easy", "difficult", "insane"])
@pytest.mark.parametrize("id", ["3x3", "5x5:4", "4x4x4", "7x6:4+gravity"])
def test_all_but_beginners_block_a_threat(id: str, name: Level) -> None:
    for seed, position in enumerate(positions_with(id, wanted=False, count=6)):
        assert position.turn is not None
        threat = winning_cells(position, position.turn.opponent)
        assert no.level(name, seed=seed).choose(position) in threat, f"{position!r}"


def test_beginners_overlook_some_threats_and_see_others() -> None:
    seen = []
    for seed, position in enumerate(positions_with("5x5:4", wanted=False, count=60)):
        assert position.turn is not None
        threat = winning_cells(position, position.turn.opponent)
        seen.append(no.level("beginner", seed=seed).choose(position) in threat)
    assert len(seen) / 3 < sum(seen) < len(seen)


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("name", no.LEVELS)
def test_levels_play_whole_games_of_every_family(id: str, name: Level) -> None:
    position = no.Game(id).start()
    bot, other = no.level(name, seed=1, limit=no.Limit(nodes=500)), random.Random(1)
    while not position.is_over:
        position.play(bot.choose(position) if position.turn is no.Side.X else other.choice(position.legal_moves))
        if position.ply > 14:
            break


def test_master_heeds_the_limit_it_is_given() -> None:
    master = no.level("master", limit=no.Limit(depth=1))
    position = no.Game("4x4:3").start()
    assert master.choose(position, no.Limit(depth=6)) in position.legal_moves
    won = no.Game("4x4:3").parse("xx2/oo2/4/4 x")
    assert won.after(master.choose(won)).winner is no.Side.X
