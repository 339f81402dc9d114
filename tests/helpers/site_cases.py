"""Requests to compare the answers of Python with those of the translated code: every question, and bad ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from random import Random
from typing import Any

from noughts import Game, Playthrough, Position, catalogue
from noughts.analysis import shipped_puzzles
from noughts.engine import LEVELS
from noughts.games.formats import format_plays
from noughts.teaching.comparison import ALGORITHMS, EVALUATIONS, ORDERS
from noughts.web.in_browser import BROWSER_QUESTIONS
from plays import play_randomly, position_after

__all__ = [
    "Case",
    "bad_cases",
    "game_cases",
    "lookup_cases",
    "question_cases",
    "random_bad_cases",
    "random_cases",
]

Case = dict[str, Any]
BY_NODES = ("move", "hint", "reasons", "analyse", "judge", "review", "solve")
NODES = 200
SEED = 7
OTHER_GAMES = ("5x5:4+wrap", "4x4x4+misere", "9x9:5+exact", "3x3x3x3", "6x5:4+gravity", "ultimate:2+open")
TRIANGLE = {
    "cells": 6,
    "lines": [[0, 1, 2], [2, 3, 4], [0, 5, 4]],
    "name": "Triangle",
    "layout": [[0, 0], [1, 0], [2, 0], [1.5, 1], [1, 2], [0.5, 1]],
}
TOWER = {"cells": 4, "lines": [[0, 1], [2, 3]], "rests_on": {"1": [0], "3": [2]}, "misere": True}


def lookup(name: str, request: object) -> Case:
    """Return a question that needs no engine."""
    return {"name": name, "request": json.dumps(request)}


def question(name: str, **request: object) -> Case:
    """Return a question to the engine, with a limit in nodes if it has no other, so that the answer is reproducible."""
    if name == "move":
        request = {"seed": SEED, **request}
    if name in BY_NODES and not request.keys() & {"seconds", "clock", "lines"}:
        request = {"nodes": NODES, **request}
    return lookup(name, request)


def random_position(game: Game, random: Random, most: int = 30) -> Position:
    """Return a position after random moves, sometimes one in which the game is over."""
    return play_randomly(game.start(), random, random.randrange(most))


def unfinished(game: Game, random: Random, most: int = 12) -> list[int]:
    """Return random moves after which the game is not over."""
    position = random_position(game, random, most)
    while position.is_over:
        position.undo()
    return position.moves


def game_cases() -> Iterator[Case]:
    """Yield a description and a position of every game in the catalogue, and of others."""
    random = Random(1)
    for name in (*(entry.id for entry in catalogue()), *OTHER_GAMES):
        yield lookup("game", {"game": name})
        yield lookup("position", {"game": name, "moves": random_position(Game(name), random).moves})
    for data in (TRIANGLE, TOWER):
        yield lookup("game", {"game": data})
        yield lookup("position", {"game": data, "moves": [0, 2]})


def lookup_cases() -> Iterator[Case]:
    """Yield the requests that need no engine, beside games and positions."""
    yield lookup("catalogue", {})
    yield lookup("puzzles", {})
    yield lookup("find_puzzle", {"puzzle": shipped_puzzles()[7].id})
    yield lookup("daily_puzzle", {"date": "2026-11-17"})
    yield lookup("daily_puzzle", {"date": "2000-02-29"})
    yield lookup("position", {"game": "3x3", "moves": ["b2", "5", "C1", 8]})
    yield lookup("position", {"game": "connect4", "moves": ["d", "d", "e1"], "start": None})
    yield lookup("position", {"game": "3x3", "start": "xx1/oo1/3 x", "moves": ["c3"]})
    yield lookup("setup", {"game": "3x3", "marks": "X...O...."})
    yield lookup("setup", {"game": "ultimate:3", "marks": "X" + "." * 79 + "O", "block_to_play": 4})
    yield from file_cases()
    yield from saving_cases()


def file_cases() -> Iterator[Case]:
    """Yield requests to write playthroughs, and to read them back."""
    for name in ("3x3", "7x6:4+gravity", "15x15:5"):
        game = Game(name)
        moves = unfinished(game, Random(3), 20)
        tags = {"X": "Zoë \u200b😀 [1]", "O": 'a "b" \\ c', "Date": "2026.11.17"}
        notes = {"0": "start", "1": "a } { ; \n second line [%eval 3]", "2": "\\ é"}
        body = {"game": name, "moves": moves, "tags": tags, "comments": notes}
        yield lookup("export", body)
        yield lookup("export", body | {"format": "sgf", "result": {"reason": "resignation", "winner": "O"}})
        for format in ("ngn", "sgf"):
            play = Playthrough.of(position_after(game, *moves), tags, comments={1: "hello } ] \\"})
            yield lookup("import", {"text": "\ufeff" + format_plays([play, play], format), "format": format})
            yield lookup("import", {"text": format_plays([play], format)})
    yield lookup("export", {"game": TRIANGLE, "moves": [0, 1]})
    yield lookup(
        "import", {"text": '[Game "3x3"]\n[Rules "x"]\n\n1. b2 {[%eval 12][%clk 0:01:02.5] fine} c3?! 2. a1 *\n'}
    )
    for text in ("c3 c4", "c3c4", "5/5/2x2/5/5 o", "1. b2 (1. a1 {no}) 1... b3 *", "7/7/7/3x3/2xo3/1oxo3 x"):
        yield lookup("import", {"text": text, "board": {"game": "5x5:4", "moves": ["a5"]}})
    yield lookup("import", {"text": "(;GM[4]SZ[3]PB[A\\]b]PW[B];B[bb]C[x\\\ny];W[aa](;B[ac])(;B[ca]))"})


def saving_cases() -> Iterator[Case]:
    """Yield the requests by which a page keeps games itself."""
    request = {"game": "3x3", "moves": [4, 0], "x": " Zo\u0308e\u202e ", "o": "master", "time_control": "5+3"}
    request |= {"clocks": [299.5, 300]}
    summary = {
        "id": 7,
        "game": "3x3",
        "title": "3x3",
        "x": "Zoe",
        "o": "b",
        "plies": 1,
        "outcome": None,
        "source": "web",
    }
    summary |= {"started": "2026-11-17T03:00:00Z", "updated": "2026-11-17T03:00:00Z"}
    old = {"id": 7, "request": {"game": "3x3", "moves": [4]}, "summary": summary}
    now = "2026-11-17T04:00:00Z"
    yield lookup("change_game", {"id": 7, "request": request, "old": None, "now": now})
    yield lookup("change_game", {"id": 7, "request": request, "old": old, "now": now})
    yield lookup("change_game", {"id": 7, "request": {"game": "4x4"}, "old": old, "now": now})
    yield lookup("show_game", {"id": 7, "request": request, "summary": summary})


def question_cases() -> Iterator[Case]:
    """Yield questions to the engine and to textbook searches."""
    random = Random(2)
    for name in ("3x3", "connect4", "qubic", "gomoku", "ultimate:3", "4x4+misere"):
        moves = unfinished(Game(name), random)
        for level in (*LEVELS, "elo:1234") if name in ("connect4", "ultimate:3") else ("easy", "master"):
            yield question("move", game=name, moves=moves, level=level)
        yield question("hint", game=name, moves=moves)
        yield question("hint", game=name, moves=moves, move=Game(name).start_from(None).legal_moves[0])
        yield question("judge", game=name, moves=moves, move="b2")
        yield question("reasons", game=name, moves=moves, move=Game(name).start_from(None).legal_moves[-1])
        yield question("analyse", game=name, moves=moves, lines=3, nodes=NODES)
        yield question("analyse", game=name, moves=moves, every=True)
        yield question("review", game=name, moves=moves[:4])
        if name != "gomoku":  # takes a second
            yield question("solve", game=name, moves=moves)
    yield question("move", game="connect4", clock={"control": "5+3", "left": {"X": 20.5, "O": 100}})
    yield question("hint", game=TRIANGLE, moves=[0])
    yield question("solve", game=TRIANGLE)
    yield question("puzzle", game="3x3", start="x1o/o2/x2 x")
    yield question("puzzle", game="3x3")
    yield from textbook_cases()


def textbook_cases() -> Iterator[Case]:
    """Yield traces of every algorithm with a replay, comparisons and learning curves."""
    for algorithm in ALGORITHMS:
        yield question(
            "trace", game="3x3", start="x1o/o2/x2 x", algorithm=algorithm, replay=True, nodes=200, simulations=30
        )
    for order, evaluate in zip(ORDERS, EVALUATIONS, strict=False):
        yield question("trace", game="4x3:3", moves=[5], order=order, evaluate=evaluate, depth=2, nodes=100)
    yield question("compare", game="3x3", start="x1o/1x1/o2 x", seconds=2)
    yield question("compare", game="4x4", depth=2, evaluate="lines", seconds=2)
    yield question("learn", game="3x3", playthroughs=20, seed=5)


BAD_BODIES: tuple[tuple[str, object], ...] = (
    ("game", {}),
    ("game", []),
    ("game", "3x3"),
    ("game", {"game": 5}),
    ("game", {"game": None}),
    ("game", {"game": "x" * 100}),
    ("game", {"game": "3x3", "extra": 1, "more": 2}),
    ("game", {"game": "nonsense"}),
    ("game", {"game": "ultimat"}),
    ("game", {"game": "gomuko"}),
    ("game", {"game": "3x3+gravty"}),
    ("game", {"game": "0x3"}),
    ("game", {"game": "100x100:5"}),
    ("game", {"game": {"cells": 3}}),
    ("game", {"game": {"cells": -1, "lines": []}}),
    ("game", {"game": {"cells": 3, "lines": [[0, 9]]}}),
    ("game", {"game": {"cells": 3, "lines": [[0, 1]], "colour": "red"}}),
    ("game", {"game": {"cells": 3, "lines": "abc"}}),
    ("game", {"game": {"cells": 2.5, "lines": [[0, 1]]}}),
    ("position", {"game": "3x3", "moves": {}}),
    ("position", {"game": "3x3", "moves": [4, 4]}),
    ("position", {"game": "3x3", "moves": [99]}),
    ("position", {"game": "3x3", "moves": [-1]}),
    ("position", {"game": "3x3", "moves": [True]}),
    ("position", {"game": "3x3", "moves": [1.5]}),
    ("position", {"game": "3x3", "moves": [None, "b2"]}),
    ("position", {"game": "3x3", "moves": ["zz"]}),
    ("position", {"game": "3x3", "moves": [""]}),
    ("position", {"game": "3x3", "moves": ["b" * 50]}),
    ("position", {"game": "3x3", "moves": [0] * 5000}),
    ("position", {"game": "3x3", "moves": [10**20]}),
    ("position", {"game": "3x3", "start": 3}),
    ("position", {"game": "3x3", "start": "xx"}),
    ("position", {"game": "3x3", "start": "xxx/3/3 x"}),
    ("position", {"game": "3x3", "start": "x" * 20000}),
    ("position", {"game": "qubic", "moves": ["1a1", "1a1"]}),
    ("position", {"game": "connect4", "moves": ["d9"]}),
    ("position", {"game": "ultimate:3", "moves": ["e5", "a1"]}),
    ("setup", {"game": "3x3", "marks": "XX"}),
    ("setup", {"game": "3x3", "marks": "XXX......"}),
    ("setup", {"game": "3x3", "marks": "abc......"}),
    ("setup", {"game": "3x3", "marks": "XO.......\n"}),
    ("setup", {"game": "3x3", "marks": "XXXOO...."}),
    ("setup", {"game": "ultimate:3", "marks": "." * 81, "block_to_play": -1}),
    ("setup", {"game": "ultimate:3", "marks": "." * 81, "block_to_play": "x"}),
    ("setup", {"game": "ultimate:3", "marks": "." * 81, "block_to_play": 77}),
    ("import", {"text": ""}),
    ("import", {"text": 3}),
    ("import", {"text": "hello"}),
    ("import", {"text": "x", "format": "pgn"}),
    ("import", {"text": '[Game "3x3"]\n\n1. b2 b2 *\n'}),
    ("import", {"text": '[Game "3x3"]\n\n1. b2 {open\n'}),
    ("import", {"text": '[Game "nope"]\n\n1. b2 *\n'}),
    ("import", {"text": '[Game "3x3"]\n[Setup "{\\"a\\": }"]\n\n*\n'}),
    ("import", {"text": "(;GM[4]SZ[3];B[zz])"}),
    ("import", {"text": "(;GM[1]SZ[19])"}),
    ("import", {"text": "(;GM[4]SZ[3]"}),
    ("import", {"text": "(;GM[4]CA[klingon]SZ[3];B[aa])"}),
    ("export", {"game": "3x3", "tags": {"a b": "c"}}),
    ("export", {"game": "3x3", "tags": {"X": "n" * 600}}),
    ("export", {"game": "3x3", "tags": {"k" * 70: "v"}}),
    ("export", {"game": "3x3", "tags": {f"k{at}": "v" for at in range(40)}}),
    ("export", {"game": "3x3", "tags": [1]}),
    ("export", {"game": "3x3", "comments": {"one": "x"}}),
    ("export", {"game": "3x3", "comments": {"77": "x"}}),
    ("export", {"game": "3x3", "format": "pdf"}),
    ("export", {"game": "3x3", "result": {"reason": "boredom"}}),
    ("export", {"game": "3x3", "result": {"reason": "resignation", "winner": "Z"}}),
    ("export", {"game": "3x3", "result": 3}),
    ("export", {"game": "3x3", "result": {}}),
    ("export", {"game": "4x4x4", "format": "sgf"}),
)
BAD_QUESTIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("move", {"level": "godlike"}),
    ("move", {"level": "elo:1"}),
    ("move", {"level": 3}),
    ("move", {"seconds": 0}),
    ("move", {"seconds": -1.5}),
    ("move", {"seconds": 1000}),
    ("move", {"seconds": "soon"}),
    ("move", {"seconds": "1e999"}),
    ("move", {"seconds": None}),
    ("move", {"seconds": []}),
    ("move", {"clock": 1}),
    ("move", {"clock": {"control": "5+3"}}),
    ("move", {"clock": {"control": "5+3", "left": {"X": 1}}}),
    ("move", {"clock": {"control": "5+3", "left": {"X": -1, "O": 2}}}),
    ("move", {"clock": {"control": "5+3", "left": {"X": 1, "Z": 2}}}),
    ("move", {"clock": {"control": "never", "left": {"X": 1, "O": 2}}}),
    ("move", {"moves": ["a1", "a2", "b1", "b2", "c1"]}),
    ("analyse", {"lines": 0}),
    ("analyse", {"lines": 1025}),
    ("analyse", {"lines": "many"}),
    ("analyse", {"lines": 1.5}),
    ("analyse", {"lines": {}}),
    ("analyse", {"every": "perhaps"}),
    ("analyse", {"every": 2}),
    ("analyse", {"every": []}),
    ("trace", {"algorithm": "magic"}),
    ("trace", {"algorithm": None}),
    ("trace", {"depth": 65}),
    ("trace", {"depth": True, "nodes": "0"}),
    ("trace", {"nodes": 10**30}),
    ("trace", {"game": "11x11:5"}),
    ("learn", {"game": "4x4"}),
    ("learn", {"learning_rate": 0}),
    ("learn", {"exploration": 1.01}),
    ("learn", {"seed": 2**33}),
    ("compare", {"evaluate": "luck"}),
    ("solve", {"game": "21x20:5"}),
    ("review", {"game": "33x32:5"}),
)


def bad_cases() -> Iterator[Case]:
    """Yield requests that are refused, each in its own way."""
    for path, body in BAD_BODIES:
        yield lookup(path, body)
    for name, request in BAD_QUESTIONS:
        yield question(name, **{"game": "3x3", **request})
    for text in ("", "{", '{"game": ', "[1,]", '{"a" 1}', '{"game": "3x3"} x', '"\\x"', "\x00", '{"game": "\ud800"}'):
        yield {"name": "game", "request": text}
    for body in ({}, {"date": "2026-02-30"}, {"date": "x y"}, {"date": 3}):
        yield lookup("daily_puzzle", body)


def random_cases(count: int, seed: int) -> Iterator[Case]:
    """Yield questions about random positions of all games."""
    random = Random(seed)
    yield question("learn", game="3x3", algorithm="td_learning", playthroughs=2000, seed=seed)
    names = [*(entry.id for entry in catalogue()), *OTHER_GAMES]
    for _ in range(count):
        name = random.choice(names)
        moves = unfinished(Game(name), random, 40)
        yield lookup("position", {"game": name, "moves": moves})
        yield question(
            "move", game=name, moves=moves, level=random.choice(["beginner", "easy", "difficult", "elo:1500"])
        )
        yield question(random.choice(["hint", "analyse"]), game=name, moves=moves)


LOOKUPS = ("game", "position", "setup", "import", "export", "change_game", "show_game")
NUMBERS = (0, 1, -1, 5, 40, 2**31, 2**53, 2**64, -(10**30), 0.5, 1.0, -0.0, 1e300, 1e-9, 3.999)
WORDS = "x X O 3x3 4x4x4 3X3 b2 B2 é 😀 \u200b 1 +3 1_0 1.0 0x1 1e3 inf nan true Yes off easy elo:1000 ngn X........"
JUNK: tuple[object, ...] = (
    *(None, True, False, *NUMBERS, *WORDS.split(" ")),
    *("", " 3x3 ", "\n", "a\tb", " 2 ", "x" * 90, "😀" * 50, "3/1x1/3 o", "x2/3/3 o"),
    *([], [1], ["b2", "b2"], [[]], [None], [True, 1.0]),
    *({}, {"a": 1}, {"X": 1.5, "O": "2"}, {"1": "x"}, {"reason": "time", "winner": "X"}),
    {"control": "5+3", "left": {"X": 1, "O": 2}},
    {"cells": 3, "lines": [[0, 1, 2]], "name": "é"},
    {"cells": 3, "lines": [[0, 1, 1]]},
    {"cells": "3", "lines": [[0, 1]]},
    {"cells": 4, "lines": [[0, 1.0], [2, 3]], "misere": 1},
    {"cells": 4, "lines": [[0, 1], [2, 3]], "layout": [[0, 0], [1, 0], [0, 1], ["x", 1]]},
    {"cells": 4, "lines": [[0, 1], [2, 3]], "rests_on": {"0": [1], "1": [0]}},
)


def random_bad_cases(count: int, seed: int) -> Iterator[Case]:
    """Yield requests with junk in some fields; many are refused."""
    random = Random(seed)
    for _ in range(count):
        name = random.choice([*LOOKUPS, "move", "analyse", "trace", "learn"])
        names = [field.name for field in fields(BROWSER_QUESTIONS[name].request)]
        body = {field: random.choice(JUNK) for field in names if random.random() < 0.6}
        if random.random() < 0.7:
            body["game"] = random.choice(["3x3", "4x3:3", "connect4"])
        if random.random() < 0.05:
            body["extra"] = 1
        yield lookup(name, body) if name in LOOKUPS else question(name, **body)
