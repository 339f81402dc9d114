"""Values that the engine claims as proven are true whenever it stops; chains of threats really win."""

from __future__ import annotations

import random

import pytest

import noughts as no
from exhaustive import OPPOSITE, Exhaustive, has_chain, random_position, turn_of, winning_cells
from noughts import _core

# A game, and the number of free cells that exhaustive search can handle.
GAMES = [
    ("3x3", 9),
    ("3x3+misere", 9),
    ("4x4:3", 9),
    ("4x4+wrap", 9),
    ("4x4:3+exact", 9),
    ("4x4:3+misere", 9),
    ("5x4:4+gravity", 11),
    ("7x6:4+gravity", 11),
    ("7x6:4+gravity+misere", 10),
    ("3x3x3", 13),
    ("4x4x4", 9),
    ("5x5:4+exact", 8),
    ("ultimate:2", 9),
    ("ultimate:3", 9),
    ("ultimate:3+open", 8),
    ("ultimate:3+count", 8),
    ("ultimate:3+misere", 9),
]


def check_claim(position: no.Position, result: no.SearchResult, truth: Exhaustive, is_best: bool) -> None:
    """A claimed value is that of the move, for the best move that of the position, in no more than its plies."""
    if result.value is None:
        assert abs(result.score) < _core.DECIDED, f"{position!r}: {result} is not an estimate"
        return
    after = position.after(result.move)
    assert truth.value(after) == OPPOSITE[result.value], f"{position!r}: {result}"
    if is_best:
        assert truth.value(position) == result.value, f"{position!r}: {result}"
    if result.value == "draw":
        assert result.plies is None
        return
    assert result.plies is not None
    winner = turn_of(position) if result.value == "win" else turn_of(position).opponent
    assert truth.wins_within(after, winner, result.plies - 1), f"{position!r}: {result}"


@pytest.mark.parametrize(("id", "free"), GAMES)
def test_claimed_values_are_true_wherever_the_search_is_cut(id: str, free: int) -> None:
    game, dice, truth, claims = no.Game(id), random.Random(id), Exhaustive(), 0
    engine = no.Engine(hash_mb=1, book=False)
    for number in range(25):
        position = random_position(game, dice, most_free=dice.randint(free - 4, free))
        if number % 2:
            engine = no.Engine(hash_mb=1, book=False)
        for _ in range(6):
            limit = no.Limit(nodes=int(2 ** dice.uniform(0, 11)))
            for rank, result in enumerate(engine.analyse(position, limit, lines=dice.choice((1, 1, 2, 4)))):
                check_claim(position, result, truth, is_best=rank == 0)
                claims += result.value is not None
    assert claims > 0


@pytest.mark.parametrize(("id", "free"), GAMES)
def test_claimed_values_are_true_at_every_depth_and_with_two_threads(id: str, free: int) -> None:
    game, dice, truth = no.Game(id), random.Random(f"{id} depth"), Exhaustive()
    engine = no.Engine(threads=2, hash_mb=1, book=False)
    for _ in range(10):
        position = random_position(game, dice, most_free=free)
        engine.clear()
        for depth in range(1, 6):
            check_claim(position, engine.search(position, no.Limit(depth=depth)), truth, is_best=True)


# --- chains of threats --------------------------------------------------------------------------------------------

CHAIN_GAMES = ["4x4:3", "6x6:4", "7x7:5", "8x8:5+exact", "7x7:4+wrap", "7x6:4+gravity", "3x3x3", "4x4x4"]
CHAIN_GAMES += ["4x4x4+gravity"]


def middle_positions(id: str, count: int) -> list[no.Position]:
    """Positions with many marks, quiet enough that threats decide."""
    game, dice = no.Game(id), random.Random(f"{id} chains")
    fewest, most = int(game.cells * 0.35), int(game.cells * 0.8)
    return [random_position(game, dice, dice.randint(fewest, most)) for _ in range(count)]


def verify_chain(position: no.Position, line: list[int]) -> None:
    """Replay a chain: every move but the last leaves the opponent a single reply, and the last wins."""
    side, position = turn_of(position), position.copy()
    for attack, reply in zip(line[0::2], line[1::2], strict=False):
        position.play(attack)
        assert not position.is_over
        assert not winning_cells(position, side.opponent), "the opponent could win instead of answering"
        made = winning_cells(position, side)
        assert reply in made, "the reply takes a cell that did not threaten"
        if len(made) > 1:
            for other in position.legal_moves:
                assert winning_cells(position.after(other), side), "an answer meets both threats"
        position.play(reply)
    position.play(line[-1])
    assert position.winner is side


@pytest.mark.parametrize("id", CHAIN_GAMES)
def test_forced_wins_are_chains_of_threats_that_win(id: str) -> None:
    lines = []
    for position in middle_positions(id, 80):
        before = position.text, position.moves
        line = _core.forced_win(position, 5_000)
        assert (position.text, position.moves) == before
        if line:
            verify_chain(position, line)
            lines.append(len(line))
    assert max(lines, default=0) > 1, f"no chain to verify in {len(lines)}"


@pytest.mark.parametrize("id", CHAIN_GAMES)
def test_no_short_chain_of_threats_is_missed(id: str) -> None:
    engine, found = no.Engine(hash_mb=1, book=False), 0
    for position in middle_positions(id, 25):
        if not has_chain(position, threats=2):
            continue
        found += 1
        assert _core.forced_win(position, 1_000_000), f"{position!r}: no chain found"
        result = engine.search(position, no.Limit(nodes=50_000))
        assert result.value == "win", f"{position!r}: {result}"
    assert found > 0


def test_forced_win_search_never_claims_more_than_it_may_look_at() -> None:
    for position in middle_positions("6x6:4", 40):
        for nodes in (1, 2, 5, 20, 100):
            line = _core.forced_win(position, nodes)
            if line:
                verify_chain(position, line)
