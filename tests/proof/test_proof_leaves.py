"""The checker never accepts a false leaf: small random games, compared with exhaustive search."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations

import pytest

import noughts as no
from exhaustive import OPPOSITE, Exhaustive, random_position
from noughts import _core
from noughts.proof.claim_check import InvalidNode
from noughts.proof.reference_rules import FlatRules, cells_in, rules_of
from noughts.proof.verify import Sequences, _Check, _Theorem
from plays import play_randomly

EFFORT = 3 if os.environ.get("NOUGHTS_SLOW") else 1

Attempt = Callable[[no.Position, random.Random], Iterator[tuple[str, str, str]]]


def random_game(dice: random.Random, cells: int = 7) -> no.Game:
    """Games with random lines: some share all but one cell, some games have gravity, guards or both."""
    lines = {tuple(sorted(dice.sample(range(cells), dice.choice((2, 3, 3, 4))))) for _ in range(dice.randint(2, 7))}
    guards = [[cell for cell in range(cells) if cell not in line and dice.random() < 0.2] for line in lines]
    falls: dict[int, int | list[int]] = {cell: cell - 1 for cell in range(1, cells) if dice.random() < 0.4}
    kind = dice.randrange(4)
    return no.Game.from_lines(
        "random", cells, lines, guards=guards if kind & 1 else None, rests_on=falls if kind & 2 else None
    )


def random_positions(count: int, seed: int) -> Iterator[tuple[no.Position, random.Random]]:
    dice = random.Random(seed)
    while count:
        position = play_randomly(random_game(dice).start(), dice, dice.randrange(5))
        if not position.is_over:
            count -= 1
            yield position, dice


def check_of(position: no.Position, side: str, goal: str, *nodes: str) -> _Check:
    """The check of one claim; a claim of a draw needs another one beside it, which is not checked."""
    sides = [side] if goal == "win" else [side, "O" if side == "X" else "X"]
    value = "draw" if goal == "draw" else "win" if position.turn == side else "loss"
    body = "\n".join(line for each in sides for line in (f"claim {each} {goal}", *nodes))
    theorem = _Theorem(no.Proof(position.game, position.text, value, body))
    return _Check(theorem, theorem.claims[0], 0, 1)


def is_accepted(position: no.Position, side: str, goal: str, *nodes: str) -> bool:
    try:
        list(check_of(position, side, goal, *nodes).run())
    except no.InvalidProof:
        return False
    return True


def is_true(exhaustive: Exhaustive, position: no.Position, side: str, goal: str) -> bool:
    value = exhaustive.value(position)
    value = value if position.turn == side else OPPOSITE[value]
    return value == "win" or (goal == "draw" and value == "draw")


def sums(position: no.Position, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    for side in "XO":
        for goal in ("draw", "win"):
            yield side, goal, "s"


def pairings(position: no.Position, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    empty = [cell for cell, mark in enumerate(position.cells) if mark is None]
    for _ in range(6):
        dice.shuffle(empty)
        pairs = " ".join(f"{a}-{b}" for a, b in zip(empty[::2], empty[1::2], strict=False))
        yield from ((side, "draw", f"p {pairs}".strip()) for side in "XO")


def set_matchings(position: no.Position, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    empty = [cell for cell, mark in enumerate(position.cells) if mark is None]
    for _ in range(6):
        dice.shuffle(empty)
        cut = dice.randrange(2, len(empty) + 1) if len(empty) > 1 else 0
        sets = ["-".join(map(str, cells)) for cells in (empty[:cut], empty[cut:]) if len(cells) > 1]
        yield from ((side, "draw", " ".join(["t", *sets])) for side in "XO")


def sequences(position: no.Position, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    empty = [cell for cell, mark in enumerate(position.cells) if mark is None]
    for length in (1, 2, 3):
        for moves in permutations(empty, length):
            if length < 3 or dice.random() < 0.3:
                yield str(position.turn), "win", "f " + " ".join(map(str, moves))


def defaults(position: no.Position, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    assert position.turn is not None
    empty = [cell for cell, mark in enumerate(position.cells) if mark is None]
    yield str(position.turn.opponent), "win", "r ="
    for length in (1, 2):
        for moves in permutations(empty, length):
            yield str(position.turn.opponent), "win", "r = " + " ".join(map(str, moves))


def strategies(position: no.Position, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    """Random orders of preference, among them pairs, for either side and goal."""
    for _ in range(6):
        cells = dice.sample(range(position.game.cells), dice.randrange(position.game.cells))
        items = [str(cell) if dice.random() < 0.7 else f"{cell}-{(cell + 1) % position.game.cells}" for cell in cells]
        for side in "XO":
            for goal in ("draw", "win"):
                yield side, goal, " ".join(["g", *items])


def stealing(position: no.Position, dice: random.Random) -> Iterator[tuple[str, str, str]]:
    yield "X", "draw", "S"
    yield "O", "draw", "S"


@pytest.mark.parametrize(
    ("attempt", "count", "least"),
    [
        (sums, 120, 20),
        (pairings, 80, 30),
        (set_matchings, 160, 60),
        (sequences, 80, 20),
        (defaults, 80, 30),
        (stealing, 160, 8),
        (strategies, 80, 100),
    ],
)
def test_leaf_that_is_accepted_is_true(attempt: Attempt, count: int, least: int) -> None:
    exhaustive, seen = Exhaustive(), Counter[bool]()
    for position, dice in random_positions(count * EFFORT, seed=len(attempt.__name__)):
        for side, goal, node in attempt(position, dice):
            accepted = is_accepted(position, side, goal, node)
            seen[accepted] += 1
            if accepted:
                assert is_true(exhaustive, position, side, goal), (position.game.to_data(), position.text, side, node)
    assert seen[True] > least
    assert seen[False] > least


def test_reply_that_is_dominated_is_never_better() -> None:
    exhaustive, found = Exhaustive(), 0
    better = {"win": 2, "draw": 1, "loss": 0}
    for position, _ in random_positions(120 * EFFORT, seed=3):
        rules = rules_of(position.game)
        side = "O" if position.turn == "X" else "X"
        check = check_of(position, side, "draw", "s")
        place = rules.setup(position.text)
        for cell, by in permutations(position.legal_moves, 2):
            try:
                check._dominated(place, cell, by, rules.legal(place), {cell: by})
            except InvalidNode:
                continue
            found += 1
            values = [better[OPPOSITE[exhaustive.value(position.after(move))]] for move in (cell, by)]
            assert values[0] <= values[1], (position.game.to_data(), position.text, cell, by)
    assert found > 100


@pytest.mark.parametrize("id", ["4x4x4", "4x4:3", "5x5:4", "6x6:4", "3x3x3"])
def test_reply_claimed_to_change_nothing_changes_nothing(id: str) -> None:
    game, dice, checked = no.Game(id), random.Random(2), 0
    rules = rules_of(game)
    assert isinstance(rules, FlatRules)
    sequences = Sequences(rules)
    for _ in range(200 * EFFORT):
        position = random_position(game, dice, game.cells - dice.randrange(3, 16), careful=dice.random() < 0.8)
        chain = _core.forced_win(position, 1000)[:-2:2] or [dice.randrange(game.cells) for _ in range(3)]
        marks = rules.marks(rules.setup(position.text))
        own, other = marks if position.turn == "X" else marks[::-1]
        hopes, fears = sequences.lacking(own, other), sequences.lacking(other, own)
        for cell in cells_in(sequences.indifferent(own, other, hopes, fears, chain)):
            checked += 1
            assert sequences.replay_after(cell, own, other, hopes, fears, chain) is None, (position.text, chain, cell)
    assert checked > 80
