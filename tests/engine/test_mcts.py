"""Tree search: its proofs, its results, and the same manners as alpha-beta."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import noughts as no
from exchanges import talk
from noughts.analysis.advice import Advisor
from noughts.analysis.evaluation import chance_of_score
from noughts.cli import analyse
from noughts.engine.evaluator import parse_search
from noughts.games.evaluation import network_of
from noughts.games.spec import parse_id
from noughts.players import PlayerFailed, normalise_name, open_player
from plays import play_randomly

SMALL_GAMES = [
    *("3x3", "3x3+misere", "4x4:3", "4x4", "4x3:3+gravity", "3x3+wrap", "4x3:3+exact", "2x2x2", "4x4:3+misere"),
    *("3x3x3+gravity", "ultimate:2", "ultimate:2+count", "ultimate:2+open", "ultimate:2+misere"),
]
GAMES = ["3x3", "4x4x4", "7x6:4+gravity", "ultimate:3", "15x15:5", "5x5:4+misere"]


def tree(**options: object) -> no.Engine:
    return no.Engine(**({"hash_mb": 4, "book": False, "search": "mcts"} | options))  # type: ignore[arg-type]


def even(positions: list[no.Position]) -> tuple[list[float], None]:
    """An evaluator that knows nothing."""
    return [0.0] * len(positions), None


def random_position(game: no.Game, chance: random.Random) -> no.Position:
    while True:
        position = play_randomly(game.start(), chance, chance.randrange(game.cells))
        if not position.is_over:
            return position


def exact_value(position: no.Position, move: int) -> str | None:
    """The value of a move by the solver, for the side that makes it."""
    after = position.after(move)
    if after.is_over:
        return "draw" if after.winner is None else "win" if after.winner is position.turn else "loss"
    value = no.solve(after, no.Limit(seconds=5)).value
    return None if value is None else value.opposite


# --- proofs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", SMALL_GAMES)
@pytest.mark.parametrize("evaluator", ["rollouts", "weights", even])
def test_proofs_agree_with_the_solver(game_id: str, evaluator: object) -> None:
    chance, game, proven = random.Random(game_id), no.Game(game_id), 0
    for number in range(12):
        position = random_position(game, chance)
        engine = tree(evaluator=evaluator, batch=(1, 5, 16)[number % 3])
        found = engine.analyse(position, no.Limit(nodes=1500), lines=len(position.legal_moves))
        assert sorted(result.move for result in found) == position.legal_moves
        for result in found:
            if result.value is not None:
                proven += 1
                assert result.value == exact_value(position, result.move), (position.text, result)
        if found[0].value is not None:
            assert found[0].value == no.solve(position).value
    assert proven > 0


@pytest.mark.parametrize("game_id", ["3x3", "4x4:3", "4x3:3+gravity", "ultimate:2"])
def test_proven_win_comes_within_its_plies(game_id: str) -> None:
    chance, won = random.Random(game_id), 0
    while won < 10:
        position = random_position(no.Game(game_id), chance)
        result = tree(evaluator="weights").search(position, no.Limit(nodes=3000))
        if result.value != "win":
            continue
        won += 1
        side, plies = position.turn, result.plies
        assert plies is not None
        for _ in range(plies):
            if position.is_over:
                break
            best = position.turn is side
            move = tree().search(position, no.Limit(nodes=3000)).move if best else chance.choice(position.legal_moves)
            position.play(move)
        assert position.winner is side


def test_small_game_is_solved_and_the_search_ends() -> None:
    result = tree().search(no.Game("3x3").start(), no.Limit(seconds=60))
    assert result.value == "draw"
    assert result.score == 0
    assert result.seconds < 30


@pytest.mark.parametrize(
    ("game_id", "text", "move"),
    [
        ("3x3", "xx1/oo1/3 x", "c3"),
        ("7x6:4+gravity", "7/7/7/7/oo5/xxx4 o", "d1"),
        ("15x15:5", "15/15/15/15/15/15/4oo9/5xxxx6/7oo6/15/15/15/15/15/15 x", None),
    ],
)
def test_tactics_are_seen(game_id: str, text: str, move: str | None) -> None:
    game = no.Game(game_id)
    position = game.parse(text)
    for evaluator in ("rollouts", "weights", even):
        result = tree(evaluator=evaluator).search(position, no.Limit(nodes=2000))
        if move is not None:
            assert game.format_cell(result.move) == move
        else:
            assert (result.value, result.plies) == ("win", 1)


def test_draw_for_certain_is_better_than_a_move_that_probably_loses() -> None:
    position = no.Game("3x3").parse("xox/1o1/1xo x")
    for nodes in (1, 5, 20, 200):
        result = tree().search(position, no.Limit(nodes=nodes))
        assert exact_value(position, result.move) != "loss" or nodes < 5


# --- results ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("options", [{}, {"batch": 16}, {"evaluator": "weights"}, {"evaluator": even}])
def test_same_seed_and_nodes_give_the_same_answer(game_id: str, options: dict[str, object]) -> None:
    position = no.Game(game_id).start()
    limit = no.Limit(nodes=700)
    first = tree(seed=3, **options)
    answers = [first.analyse(position, limit, lines=3), first.analyse(position, limit, lines=3)]
    answers.append(tree(seed=3, **options).analyse(position, limit, lines=3))
    first_answer, *others = [[result._replace(seconds=0) for result in found] for found in answers]
    assert others == [first_answer, first_answer]
    assert answers[0][0].nodes <= 700


def test_another_seed_gives_other_rollouts() -> None:
    position = no.Game("4x4x4").start()
    scores = {tree(seed=seed).search(position, no.Limit(nodes=300)).score for seed in range(4)}
    assert len(scores) > 1


@pytest.mark.parametrize("evaluator", ["rollouts", "weights"])
def test_threads_do_not_change_the_answer(evaluator: str) -> None:
    position = no.Game("4x4x4").start()
    found = [
        tree(threads=threads, batch=16, evaluator=evaluator).search(position, no.Limit(nodes=2000))._replace(seconds=0)
        for threads in (1, 2, 3)
    ]
    assert found[0] == found[1] == found[2]


def test_score_is_on_the_scale_of_the_engine() -> None:
    position = no.Game("ultimate:3").start()
    for evaluator in ("rollouts", "network", "weights"):
        engine = tree(evaluator=evaluator)
        best = Advisor(engine).advise(position, no.Limit(nodes=500))[0]
        assert best.evaluation.chance == chance_of_score(best.score, engine.scale_of(position.game))
        assert 0.4 < best.evaluation.chance < 0.75


def test_value_of_a_certain_evaluator_is_the_score() -> None:
    """A function that always says 0.5 gives scores of either sign that mean a chance of three quarters."""

    def half(positions: list[no.Position]) -> tuple[list[float], None]:
        return [0.5 if position.turn is no.Side.X else -0.5 for position in positions], None

    engine, position = tree(evaluator=half), no.Game("15x15:5").start()
    result = engine.search(position, no.Limit(nodes=200))
    assert chance_of_score(result.score, engine.scale_of(position.game)) == pytest.approx(0.75, abs=0.01)


def test_values_that_cannot_be_read_name_the_evaluator() -> None:
    pytest.importorskip("numpy")

    class Tensor:
        def __array__(self, *_: object, **__: object) -> None:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")

    engine = tree(evaluator=lambda positions: (Tensor(), None))
    with pytest.raises(TypeError, match=r"cannot read the values that the evaluator returned: Can't call numpy\(\)"):
        engine.search(no.Game("3x3").start(), no.Limit(nodes=10))


def test_memory_is_bounded_and_the_search_continues() -> None:
    engine = tree(hash_mb=1)
    result = engine.search(no.Game("15x15:5").start(), no.Limit(nodes=20_000))
    assert result.nodes == 20_000
    assert result.hashfull > 950


def test_depth_ends_the_search_when_simulations_are_that_long() -> None:
    result = tree().search(no.Game("4x4x4").start(), no.Limit(depth=4))
    assert result.depth == 4


def test_moves_known_from_the_book_are_proven() -> None:
    game = no.Game("7x6:4+gravity")
    found = no.Engine(hash_mb=4, search="mcts").analyse(game.start(), no.Limit(nodes=300), lines=7)
    assert {game.format_cell(result.move): result.value for result in found}["d1"] == "win"
    assert found[0].value == "win"


# --- evaluators ---------------------------------------------------------------------------------------------------


def test_function_gets_batches_of_positions_with_a_side_to_move() -> None:
    sizes: list[int] = []
    seen: set[tuple[int, ...]] = set()

    def evaluate(positions: list[no.Position]) -> tuple[list[float], list[list[float]]]:
        sizes.append(len(positions))
        assert all(isinstance(position, no.Position) and position.turn is not None for position in positions)
        assert all(position.game is game for position in positions)
        seen.update(tuple(position.moves) for position in positions)
        return [0.0] * len(positions), [[1.0] * game.cells for _ in positions]

    game = no.Game("4x4x4")
    start = game.start()
    start.play("1a1")
    found = tree(evaluator=evaluate, batch=8).search(start, no.Limit(nodes=400))
    assert sizes[0] == 1  # the root alone
    assert max(sizes) == 8
    assert sum(sizes) > 300
    assert sum(sizes) / len(sizes) > 6
    assert len(seen) == sum(sizes)  # no line twice
    assert found.nodes == 400


def test_priors_decide_what_is_tried_first() -> None:
    game = no.Game("5x5:4")

    def prefers_a1(positions: list[no.Position]) -> tuple[list[float], list[list[float]]]:
        return [0.0] * len(positions), [[0.9 if cell == 20 else 0.001 for cell in range(25)] for _ in positions]

    found = tree(evaluator=prefers_a1).search(game.parse("5/2x2/5/5/1o3 x"), no.Limit(nodes=60))
    assert found.move == 20


def test_function_may_return_arrays() -> None:
    np = pytest.importorskip("numpy")
    game = no.Game("3x3x3")

    def with_arrays(positions: list[no.Position]) -> tuple[Any, Any]:
        planes = np.stack([position.planes() for position in positions])
        assert planes.shape == (len(positions), *game.observation_shape)
        masks = np.stack([position.legal_mask() for position in positions])
        values = np.linspace(-0.1, 0.1, len(positions), dtype=np.float32)
        return values.reshape(-1, 1), masks.reshape(len(positions), 3, 3, 3).astype(np.float32)

    def with_lists(positions: list[no.Position]) -> tuple[list[float], list[list[float]]]:
        values, priors = with_arrays(positions)
        return [float(value) for value in values.reshape(-1)], priors.reshape(len(positions), -1).tolist()

    limit = no.Limit(nodes=300)
    answers = [tree(evaluator=each).search(game.start(), limit) for each in (with_arrays, with_lists)]
    assert answers[0]._replace(seconds=0) == answers[1]._replace(seconds=0)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: [0.0] * n, "expected the evaluator to return values and priors, got list"),
        (lambda n: ([0.0] * (n + 1), None), "values of 1 positions, got 2"),
        (lambda n: ([2.0] * n, None), "expected values from -1 to 1, got 2.0"),
        (lambda n: ([float("nan")] * n, None), "expected values from -1 to 1, got nan"),
        (lambda n: ([0.0] * n, [[1.0] * 8] * n), "expected the evaluator to return 9 priors, got 8"),
        (lambda n: ([0.0] * n, [[-1.0] * 9] * n), "expected priors of 0 or more, got -1.0"),
        (lambda n: ([0.0] * n, [[float("inf")] * 9] * n), "expected priors of 0 or more, got inf"),
        (lambda n: ([0.0] * n, [[1e308] * 9] * n), "expected priors with a finite sum"),
        (lambda n: (["much"] * n, None), "must be real number"),
    ],
)
def test_wrong_answer_of_a_function_is_an_error(answer: Callable[[int], object], message: str) -> None:
    engine = tree(evaluator=lambda positions: answer(len(positions)))
    with pytest.raises((ValueError, TypeError), match=message):
        engine.search(no.Game("3x3").start(), no.Limit(nodes=100))


def test_error_of_a_function_is_raised_and_the_engine_stays_usable() -> None:
    calls = 0

    def fails(positions: list[no.Position]) -> tuple[list[float], None]:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyError("weights")
        return even(positions)

    engine, position = tree(evaluator=fails), no.Game("4x4x4").start()
    with pytest.raises(KeyError, match="weights"):
        engine.search(position, no.Limit(nodes=1000))
    assert calls == 3
    assert engine.search(position, no.Limit(nodes=100)).nodes == 100


def test_zero_priors_for_all_legal_moves_mean_that_all_are_alike() -> None:
    found = tree(evaluator=lambda positions: ([0.0] * len(positions), [[0.0] * 9] * len(positions)))
    assert found.search(no.Game("3x3").start(), no.Limit(nodes=5000)).value == "draw"


def test_network_is_that_of_the_game_or_a_given_one(tmp_path: Path) -> None:
    game = no.Game("ultimate:3")
    own = tree(evaluator="network").search(game.start(), no.Limit(nodes=300))
    data = network_of(parse_id("ultimate:3"))
    given = tree(network=data).search(game.start(), no.Limit(nodes=300))  # a network is its evaluator by default
    assert own._replace(seconds=0) == given._replace(seconds=0)
    with pytest.raises(ValueError, match="3x3 has no network"):
        tree(evaluator="network").search(no.Game("3x3").start(), no.Limit(nodes=10))
    with pytest.raises(ValueError, match="for 4x4x4: expected"):
        tree(network=data).search(no.Game("4x4x4").start(), no.Limit(nodes=10))


def test_network_with_a_worth_of_moves_gives_priors() -> None:
    """On an open three, the first simulations go to the moves that matter."""
    game = no.Game("15x15:5")
    position = game.start()
    for move in ("h8", "a1", "h9", "o1", "h10", "a15"):
        position.play(game.parse_cell(move))
    found = tree(evaluator="network").search(position, no.Limit(nodes=50))
    assert game.format_cell(found.move) in ("h7", "h11")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "minimax"}, "expected a search of alphabeta, mcts, got 'minimax'"),
        ({"search": "alphabeta", "evaluator": "rollouts"}, "expected evaluator only with search='mcts'"),
        ({"search": "alphabeta", "seed": 1}, "expected seed only with search='mcts'"),
        ({"evaluator": "magic"}, "expected an evaluator of rollouts, network, weights, or a function, got 'magic'"),
        ({"evaluator": "network", "network": False}, "expected a network for the evaluator 'network'"),
        ({"batch": 0}, "expected batch from 1 to 4096, got 0"),
        ({"exploration": -1}, "expected exploration from 0 to 1000, got -1"),
        ({"exploration": float("nan")}, "expected exploration from 0 to 1000, got nan"),
        ({"seed": -1}, "expected seed from 0 to"),
        ({"batch": 1.5}, "expected batch as a whole number, got float"),
        ({"exploration": "much"}, "expected exploration as a number, got str"),
    ],
)
def test_wrong_option_is_one_clear_error(options: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        tree(**options)


# --- manners ------------------------------------------------------------------------------------------------------


def test_progress_is_reported_and_can_stop_the_search() -> None:
    seen: list[int] = []

    def watch(result: no.SearchResult) -> bool:
        seen.append(result.nodes)
        return result.nodes < 1000

    found = tree().search(no.Game("4x4x4").start(), no.Limit(seconds=60), progress=watch)
    assert seen == sorted(seen)
    assert len(seen) > 2
    assert seen[-1] <= found.nodes < 60_000_000
    assert found.seconds < 30


@pytest.mark.parametrize("raise_in", ["progress", "evaluator"])
def test_keyboard_interrupt_ends_the_search(raise_in: str) -> None:
    def interrupt(*_: object) -> tuple[list[float], None]:
        raise KeyboardInterrupt

    engine = tree(evaluator=interrupt if raise_in == "evaluator" else "rollouts")
    with pytest.raises(KeyboardInterrupt):
        engine.search(no.Game("4x4x4").start(), no.Limit(seconds=60), interrupt)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("threads", [1, 2])
def test_child_of_a_fork_can_search(threads: int) -> None:
    engine, position = tree(threads=threads), no.Game("4x4x4").start()
    before = engine.search(position, no.Limit(nodes=300)).move
    child = os.fork()
    if child == 0:
        os._exit(0 if engine.search(position, no.Limit(nodes=300)).move == before else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert engine.search(position, no.Limit(nodes=300)).move == before


def test_limit_in_seconds_is_kept() -> None:
    for options in ({}, {"batch": 64}, {"threads": 2}):
        found = tree(**options).search(no.Game("15x15:5").start(), no.Limit(seconds=0.1))
        assert 0.05 < found.seconds < 5
    clock = no.Limit(clock=None, seconds=0.001)
    assert tree().search(no.Game("3x3").start(), clock).move >= 0


def test_player_without_a_choice_moves_at_once() -> None:
    position = no.Game("7x6:4+gravity").parse("7/7/7/7/1oo4/1xxx3 o")
    found = tree().search(position, no.Limit(seconds=20))
    assert found.seconds < 10


# --- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mcts", "MCTS:Weights", "mcts:rollouts"])
def test_tree_search_plays_by_its_name(name: str) -> None:
    position = no.Game("3x3").parse("xx1/oo1/3 x")
    with open_player(name, seed=1) as player:
        player.start(position.game)
        assert player.choose(position, no.Limit(nodes=50)) == 2
        assert player.name == normalise_name(name)


def test_name_may_have_a_network(tmp_path: Path) -> None:
    file = tmp_path / "My.net"
    file.write_bytes(network_of(parse_id("ultimate:3")))
    start = no.Game("ultimate:3").start()
    with open_player("mcts:My.net", folder=tmp_path) as player:
        player.start(start.game)
        assert player.choose(start, no.Limit(nodes=50)) in start.legal_moves
        with pytest.raises(PlayerFailed, match="for 4x4x4"):
            player.start(no.Game("4x4x4"))
    with open_player("mcts:network") as player, pytest.raises(PlayerFailed, match="3x3 has no network"):
        player.start(no.Game("3x3"))
    with pytest.raises(ValueError, match="cannot read the network"):
        open_player("mcts:none.net")


def test_search_is_written_as_one_word() -> None:
    for text in ("alphabeta", "mcts", "mcts:network"):
        assert str(parse_search(text)) == text
    with pytest.raises(ValueError, match="expected a search of alphabeta, mcts, mcts:rollouts"):
        parse_search("alphabeta:network")


def test_analysis_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))
    command = ["4x4x4", "--search", "mcts", "--no-book", "--nodes", "2000"]
    result = CliRunner().invoke(analyse.command, command)
    assert result.exit_code == 0, result.output
    assert " nodes" in result.output
    refused = CliRunner().invoke(analyse.command, ["3x3", "--search", "mcts:magic"])
    assert refused.exit_code == 2


def test_ugi_engine_has_an_option() -> None:
    lines = ("ugi", "setoption name Search value mcts", "go nodes 100", "setoption name Search value magic")
    said = talk(*lines, hash_mb=1, book=False)
    assert any(
        line.startswith("option name Search type combo default alphabeta var alphabeta var mcts") for line in said
    )
    assert any(line.startswith("bestmove ") for line in said)
    assert any(" nodes 100 " in line for line in said)
    assert said[-1].startswith("info string error: expected a search of")
