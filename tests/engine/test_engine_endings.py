"""The engine on endings of Ultimate, whose values it knows exactly: positions with at most two open blocks."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

import noughts as no
from noughts.engine.instant_proofs import value_when_over

GAMES = ["ultimate:2", "ultimate:3", "ultimate:3+misere", "ultimate:3+count"]
HARD = "7xo/9/6ooo/xoo1xxoxo/xo2x1oox/x1xx1xxox/1x1oooox1/1x2ox1xo/xx2o1oxo o -"
"""Two untouched blocks, the others decided."""


def random_endings(game: no.Game, count: int) -> Iterator[no.Position]:
    chance = random.Random(17)
    while count > 0:
        position = game.start()
        while not position.is_over and len(position.open_blocks) > 2:
            position.play(chance.choice(position.legal_moves))
        if not position.is_over:
            count -= 1
            yield position


def value_of_move(position: no.Position, move: int) -> no.Value:
    after = position.after(move)
    if after.is_over:
        return value_when_over(after, position.side_to_move)
    value = no.solve(after, memory_mb=2).value
    assert value is not None
    return value.opposite


@pytest.mark.parametrize("name", GAMES)
def test_engine_knows_the_value_of_every_move(name: str) -> None:
    for position in random_endings(no.Game(name), 40):
        engine = no.Engine(threads=1, hash_mb=1)
        lines = engine.analyse(position, no.Limit(seconds=10), lines=len(position.legal_moves))
        assert {line.move: line.value for line in lines} == {
            move: value_of_move(position, move) for move in position.legal_moves
        }


@pytest.mark.parametrize("name", GAMES[1:])
def test_a_thousand_nodes_are_enough_to_play_an_ending_perfectly(name: str) -> None:
    engine = no.Engine(threads=1, hash_mb=1)
    for position in random_endings(no.Game(name), 80):
        found = engine.search(position, no.Limit(nodes=1000))
        assert found.nodes <= 1000
        assert value_of_move(position, found.move) is no.solve(position, memory_mb=2).value


def test_same_nodes_give_the_same_search_on_a_fresh_engine() -> None:
    for position in random_endings(no.Game("ultimate:3+misere"), 20):
        searches = [no.Engine(threads=1, hash_mb=1).search(position, no.Limit(nodes=50)) for _ in range(2)]
        assert searches[0].pv == searches[1].pv
        assert searches[0].nodes == searches[1].nodes


def test_engine_that_was_cleared_searches_like_a_fresh_one() -> None:
    engine = no.Engine(threads=1, hash_mb=1)
    first, *others = random_endings(no.Game("ultimate:3"), 10)
    before = engine.search(first, no.Limit(nodes=5000))
    for position in others:
        engine.search(position, no.Limit(nodes=5000))
    engine.clear()
    again = engine.search(first, no.Limit(nodes=5000))
    assert (before.pv, before.nodes, before.score) == (again.pv, again.nodes, again.score)


def test_two_threads_find_the_same_values_as_the_solver() -> None:
    engine = no.Engine(threads=2, hash_mb=1)
    for position in random_endings(no.Game("ultimate:3+misere"), 20):
        found = engine.search(position, no.Limit(seconds=20))
        assert found.value is no.solve(position, memory_mb=2).value


def test_time_limit_ends_the_search_of_an_ending() -> None:
    position = no.Game("ultimate:3+misere").parse(HARD)
    start = time.process_time()
    no.Engine(threads=1, hash_mb=1).search(position, no.Limit(seconds=0.002))
    assert time.process_time() - start < 0.5


def test_variation_of_a_drawn_ending_leads_to_the_end() -> None:
    drawn = 0
    for position in random_endings(no.Game("ultimate:3"), 20):
        found = no.Engine(threads=1, hash_mb=1).search(position, no.Limit(seconds=10))
        if found.value is no.Value.DRAW:
            drawn += 1
            position.play_all(found.pv)
            assert position.is_over
            assert position.winner is None
    assert drawn > 0


def test_solver_answers_endings_at_once() -> None:
    for name in GAMES:
        for position in random_endings(no.Game(name), 20):
            solution = no.solve(position, no.Limit(nodes=300_000), memory_mb=2)
            assert solution.value is not None
            assert solution.move is not None
            assert value_of_move(position, solution.move) is solution.value
