"""A small request for every question of the table, whose answer is the same each time."""

from __future__ import annotations

from typing import Any

MOVES = ["b2", "b3"]

EXAMPLES: dict[str, dict[str, Any]] = {
    "catalogue": {},
    "game": {"game": "ultimate:2"},
    "rules": {"game": "ultimate:2"},
    "position": {"game": "3x3", "moves": [*MOVES, "a3", "c1", "a2", "c2", "a1"]},
    "setup": {"game": "3x3", "marks": "X...O...."},
    "puzzles": {},
    "find_puzzle": {"puzzle": "4491cec06a"},
    "daily_puzzle": {"date": "2026-11-16"},
    "move": {"game": "connect4", "moves": ["d"], "level": "easy", "seed": 3},
    "hint": {"game": "3x3", "moves": MOVES, "move": "c2", "nodes": 1000},
    "reasons": {"game": "3x3", "moves": MOVES, "move": "c2", "nodes": 1000},
    "analyse": {"game": "4x4x4", "lines": 2, "nodes": 1000},
    "judge": {"game": "3x3", "moves": MOVES, "move": "c2", "nodes": 1000},
    "review": {"game": "3x3", "moves": [*MOVES, "a1", "c3"], "nodes": 300},
    "solve": {"game": "3x3", "moves": MOVES, "nodes": 100_000},
    "puzzle": {"game": "3x3", "moves": MOVES},
    "trace": {"game": "3x3", "moves": ["b2", "a3", "c3", "a1", "a2"], "nodes": 20, "replay": True},
    "compare": {"game": "3x3", "moves": ["b2", "a3", "c3", "a1", "a2"], "depth": 2},
    "learn": {"game": "3x3", "playthroughs": 20},
    "courses": {"lost": {"game": "3x3", "moves": ["b2", "b3", "a1", "c3", "a3", "a2", "c1"]}},
    "import": {"text": '[Game "3x3"]\n\n1. b2 *\n'},
    "export": {"game": "3x3", "moves": MOVES, "comments": {"1": "the middle"}},
}
