"""A short playthrough of every game of the catalogue, for small pictures of the games."""

from __future__ import annotations

from noughts.games import Game

__all__ = ["sample_moves"]

SAMPLES = {
    "3x3": "b2 a2 a3 c1 b3 b1 c3",
    "15x15:5": "f7 f11 e7 e10 g7 h7 f6 f9 g8 g10 e6 h9 g3 i8 d4 e12",
    "7x6:4+gravity": "e1 d1 c1 c2 c3 d2 d3 e2 d4 f1 f2 e3 d5 d6 c4 g1 e4 e5 f3 e6 f4",
    "4x4x4": "4d4 4c4 4a4 2d2 4a1 2c2 1a4 3c3 1c1 2b2 2a2 4b3 2a4 3a4 2a3 4c3 2a1",
    "ultimate:3": (
        "f9 h8 e5 f6 g9 a9 a7 a1 b3 f7 i2 g5 c4 h2 d5 b4 e1 f2 i6 g7 b1 e2 f5 g4 c1 g3 c7 h1 d2 b6 d7 b2 b7 "
        "f1 i3 i8 i5 h4 d1 c2"
    ),
    "ultimate:4+count": (
        "g3 k9 l1 n2 f7 g11 i9 d4 p16 m13 c2 l5 o2 l8 m16 a16 d13 n3 f10 f6 g7 k10 l7 o10 j7 f11 e11 a12 d15 "
        "p9 n1 g2 i7 b11 e10 a5 d1 o3 k12 l16"
    ),
    "3x3+misere": "b3 b2 b1 c2 a1 c3 a3 a2",
    "4x4:3": "c2 d2 b2 a2 b3 d4 b4",
    "4x4": "a1 c1 b1 a2 c2 b2 d4 d1 b3 a3 a4 c4 c3 d2 b4 d3",
    "5x5:4": "c3 c1 e1 d2 c4 b4 b5 d3 c5 c2 d5 e2 e5",
    "6x6:4": "c3 d4 c4 c5 e3 d3 d5 d2 d1 a2 c2 c1 b3 a4 e6",
    "5x5": "c3 c1 e1 b4 e5 d4 a4 e3 a5 d5 d2 a2 b2 b1 a1 e4 b5 e2 c5 c2 c4 d3 a3 d1 b3",
    "7x7:5": "d4 c4 e5 c3 c5 e3 d5 d3 b5 g7 f5",
    "15x15:5+exact": "j10 j13 i10 l7 h10 g10 i9 g11 h9 n7 g9 h11 h13 i12 k6 k14",
    "10x10:5+wrap": "d9 d8 e8 c10 e9 c9 d2 e7 b10 g5 f6 c8 c1 c5 e3 h10 f4",
    "4x4+wrap": "b4 b1 d2 d3 a2 c2 a4 c4 a1 c1 c3",
    "5x4+gravity": "b1 d1 d2 b2 d3 b3 d4 b4 a1 a2 e1 e2 a3 a4 e3 e4 c1 c2",
    "7x6:4+gravity+misere": "a1 g1 f1 g2 e1 b1 a2 b2 f2 e2 g3 g4 g5 g6 b3 b4 b5 b6 c1 e3 a3 c2 d1",
    "3x3x3": "2b2 1c3 2c2 2a2 1a3 3c1 3a2 1c2 1c1 3a3 3c3",
    "3x3x3+misere": "2a1 1b1 1b3 2a3 1b2 2a2 3c2 1c2 2c2 1a2 3b3 3b1 3b2 3a1 2c3 1a3",
    "4x4x4+gravity": "1d1 1b1 1a1 1d4 1a4 1a2 2d1 1b3 2b3 1b2 1b4 1d2 1c2 1d3 2c2 2a4 3c2 4c2 3d1 4d1 3b3 2a1 3a4",
    "5x5x5": "3c3 3c2 3b2 3a3 3e5 3e1 5e5 1a5 1e5 4b2 1a1 4d4 2d2 4e5 1e1 4c3 4a1 4b4 5a1 5c2 3a1 3a5 3d4",
    "4x4x4x4": (
        "3,0,3,0 3,0,2,1 3,0,1,1 3,3,1,1 1,0,1,0 2,3,1,1 0,0,0,0 2,0,2,0 3,0,0,0 2,2,1,1 3,0,3,3 3,0,2,2 "
        "3,1,3,2 2,1,1,1 2,0,1,1 0,0,3,3 1,0,1,1 3,2,3,3 2,0,2,2"
    ),
    "ultimate:2": "c1 a1 b1 c2 a4 b4 d4 c4 b3 d2 c3",
    "ultimate:3+count": (
        "f9 h8 e5 f6 g9 a9 a7 a1 b3 f7 i2 g5 c4 h2 d5 b4 e1 f2 i6 g7 b1 e2 f5 g4 c1 g3 c7 h1 d2 b6 d7 b2 b7 "
        "f1 i3 i8 i5 h4 d1 c2"
    ),
    "ultimate:3+open": (
        "e5 e6 d7 a3 c7 i3 g9 b7 f3 i7 g2 a4 c2 i5 g5 a5 a6 b8 f4 i2 g4 c3 g7 b3 e7 e2 d4 a1 c1 i1 g1 b2 f6 "
        "h8 d5 b5 d6 a7 b1 e1"
    ),
    "ultimate:3+misere": (
        "e5 f6 i9 h8 d6 b8 d4 b2 f5 h5 e4 e2 e6 f7 i1 h2 i3 i7 i2 g4 c3 h9 f9 g7 c2 h6 d7 c1 a3 a7 a2 a4 b1 "
        "d1 b3 e8 f3 h7 d3 a8"
    ),
    "ultimate:4": (
        "g3 k9 l1 n2 f7 g11 i9 d4 p16 m13 c2 l5 o2 l8 m16 a16 d13 n3 f10 f6 g7 k10 l7 o10 j7 f11 e11 a12 d15 "
        "p9 n1 g2 i7 b11 e10 a5 d1 o3 k12 l16"
    ),
}


def sample_moves(id: str) -> list[int]:
    """Return the moves of the sample of a game; empty if there is none."""
    position = Game(id).start()
    position.play_all(SAMPLES.get(id, "").split())
    return position.moves
