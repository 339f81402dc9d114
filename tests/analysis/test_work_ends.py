"""Every search and every question ends at its limit, on the nastiest games that the limits of size allow.

What is measured is processor time, which a busy machine does not lengthen by much. The time to set up a search counts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import cache
from itertools import combinations

import pytest

import noughts as no
from noughts.analysis import Judge, advise, hint, make_puzzle, review
from noughts.teaching import compare
from plays import play_randomly

SECONDS = 0.04
LIMIT = no.Limit(seconds=SECONDS)
MOST_SECONDS = 2 * SECONDS + 3.0
"""Processor time for a question: its limit, twice for two threads, and the slowest set-up on a slow processor."""
MOST_SECONDS_PER_PLY = 0.02
"""Further processor time for each position of a review: each is searched, however short the time."""


def pairs(cells: int) -> no.Game:
    """A game of all pairs of its cells."""
    return no.Game.from_lines(f"pairs of {cells}", cells, list(combinations(range(cells), 2)))


def at_random(cells: int, lines: int, shortest: int, longest: int, guards: int = 0) -> no.Game:
    """A game of random lines, each with a number of guards."""
    chance = random.Random(f"{cells} {lines}")
    found: dict[frozenset[int], list[int]] = {}
    while len(found) < lines:
        length = chance.randint(shortest, longest)
        line = chance.sample(range(cells), length + guards)
        found[frozenset(line[:length])] = line[length:]
    return no.Game.from_lines(f"{lines} lines", cells, map(sorted, found), found.values())


def star() -> no.Game:
    """Pairs that share a cell, after pairs that share none."""
    lines = [[0, 2 * i + 1, 2 * i + 2] for i in range(2047)] + [[0, 1, i] for i in range(3, 4095)]
    return no.Game.from_lines("star", 4095, lines)


GAMES: dict[str, Callable[[], no.Game]] = {
    "all pairs of 200 cells": lambda: pairs(200),
    "2^8": lambda: no.Game("2x2x2x2x2x2x2x2"),
    "4^6": lambda: no.Game("4x4x4x4x4x4"),
    "20,000 random lines": lambda: at_random(300, 20_000, 3, 6),
    "a strip": lambda: no.Game("4096x1:5"),
    "lines of 15 on 100 cells": lambda: at_random(100, 40_000, 15, 15),
    "all pairs of 280 cells": lambda: pairs(280),
    "all triples of 60 cells": lambda: no.Game.from_lines("triples", 60, list(combinations(range(60), 3))),
    "3^7": lambda: no.Game("3x3x3x3x3x3x3"),
    "8^4": lambda: no.Game("8x8x8x8"),
    "20,000 random pairs": lambda: at_random(300, 20_000, 2, 2),
    "lines of 15 on 24 cells": lambda: at_random(24, 40_000, 15, 15),
    "lines and guards": lambda: at_random(2048, 40_000, 15, 15, guards=16),
    "lines of any length": lambda: at_random(4096, 40_000, 2, 15),
    "a star": star,
    "two strips": lambda: no.Game("2048x2:2"),
    "a large board": lambda: no.Game("64x64:5"),
    "a large torus": lambda: no.Game("64x64:5+wrap+exact"),
    "a large board with gravity": lambda: no.Game("64x64:4+gravity"),
    "a large misère board": lambda: no.Game("64x64:5+misere"),
    "Ultimate": lambda: no.Game("ultimate:5"),
}  # fmt: skip
QUICK_GAMES = list(GAMES)[:6]


def search_by(search: str, limit: no.Limit) -> Callable[[no.Position], object]:
    return lambda position: no.Engine(hash_mb=8, search=search).search(position, limit)


QUESTIONS: dict[str, Callable[[no.Position], object]] = {
    "search": search_by("alphabeta", LIMIT),
    "search with 100 nodes": search_by("alphabeta", no.Limit(nodes=100)),
    "search of one ply": search_by("alphabeta", no.Limit(depth=1)),
    "tree search": search_by("mcts", LIMIT),
    "three lines": lambda position: no.Engine(hash_mb=8).analyse(position, LIMIT, lines=3),
    "solve": lambda position: no.solve(position, LIMIT, memory_mb=16),
    "hint": lambda position: hint(position, LIMIT),
    "review": lambda position: review(no.Playthrough.of(position), seconds=SECONDS),
    "judge": lambda position: Judge(LIMIT).judge(position),
    "advice": lambda position: advise(position, LIMIT, lines=3),
    "three lines of tree search": lambda position: no.Engine(search="mcts").analyse(position, LIMIT, lines=3),
    "puzzle": lambda position: make_puzzle(position, nodes=100),
    "search with two threads": lambda position: no.Engine(threads=2, hash_mb=8).search(position, LIMIT),
    "solve with two threads": lambda position: no.solve(position, LIMIT, memory_mb=16, threads=2),
    "easy level": lambda position: no.level("easy", seed=1).choose(position, LIMIT),
    "difficult level": lambda position: no.level("difficult", seed=1).choose(position, LIMIT),
    "master": lambda position: no.level("master", seed=1).choose(position, LIMIT),
}  # fmt: skip
QUICK_QUESTIONS = list(QUESTIONS)[:9]
"""Every second of them is asked of each quick game, from the first or from the second on."""


def processor_seconds(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def before_the_end(game: no.Game, name: str, plies: int) -> no.Position:
    """Return a game's position after random moves, or the last one before they would end it."""
    position = play_randomly(game.start(), random.Random(name), plies)
    if position.is_over:
        position.undo()
    return position


@cache
def position_of(name: str, plies: int) -> no.Position:
    return before_the_end(GAMES[name](), name, plies)


def assert_ends(question: str, position: no.Position) -> None:
    used = processor_seconds(lambda: QUESTIONS[question](position.copy()))
    most = MOST_SECONDS + (MOST_SECONDS_PER_PLY * position.ply if question == "review" else 0)
    assert used <= most, f"{question} on {position.game.id} after {position.ply} plies used {used:.2f} s"


def make_in_time(name: str) -> no.Game:
    games: list[no.Game] = []
    assert processor_seconds(lambda: games.append(GAMES[name]())) <= 3
    assert processor_seconds(lambda: games[0].symmetries) <= 2
    return games[0]


@pytest.mark.parametrize("name", QUICK_GAMES)
def test_nastiest_games_are_set_up_in_time_and_every_question_ends_at_its_limit(name: str) -> None:
    position = before_the_end(make_in_time(name), name, 9)
    for question in QUICK_QUESTIONS[QUICK_GAMES.index(name) % 2 :: 2]:
        assert_ends(question, position)


@pytest.mark.parametrize("question", ["search with 100 nodes", "search of one ply", "search", "three lines", "solve"])
def test_first_move_is_found_within_the_limit_where_all_pairs_win(question: str) -> None:
    assert_ends(question, position_of("all pairs of 200 cells", 0))


@pytest.mark.parametrize("name", ["2^8", "4^6"])
def test_comparison_ends_at_its_limit_on_the_nastiest_games(name: str) -> None:
    """One limit for each of its searches, and a set-up for the few that use symmetry."""
    position, seconds = position_of(name, 9), 0.01
    used = processor_seconds(lambda: compare(position, depth=2, seconds=seconds))
    assert used <= 20 * seconds + 2 * MOST_SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_nasty_game_is_set_up_in_time_and_every_question_ends_at_its_limit(name: str) -> None:
    game = make_in_time(name)
    for plies in (0, 1, 9, 60, 400):
        position = before_the_end(game, name, plies)
        for question in QUESTIONS:
            assert_ends(question, position)
