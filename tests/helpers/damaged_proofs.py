"""Damages the texts of proofs at random, so that the checkers can be compared on them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

__all__ = ["change_byte", "change_number", "make_relative", "mutate"]

Mutation = Callable[[bytes, random.Random], bytes]


def make_relative(data: bytes) -> bytes:
    """The same proof with references that count from their node, where they lead forward and may be relative."""
    node, may_be_relative, lines = -1, True, []

    def relative(match: re.Match[bytes]) -> bytes:
        distance = int(match[2]) - node
        return match[1] + b"+%d" % distance if distance > 0 else match[0]

    for line in data.split(b"\n"):
        if line.startswith(b"claim"):
            node, may_be_relative = -1, not line.endswith(b"block")
        elif node >= 0 and may_be_relative and line[:1] in (b"m", b"r"):
            listed, default, sequence = line.partition(b" =")
            pattern = rb"(^m \d+ )(\d+)" if line.startswith(b"m") else rb"(:|~ )(\d+)"
            line = re.sub(pattern, relative, listed) + default + sequence
        node += 1
        lines.append(line)
    return b"\n".join(lines)


def change_number(data: bytes, dice: random.Random) -> bytes:
    number = dice.choice(list(re.finditer(rb"\d+", data)))
    changed = max(0, int(number[0]) + dice.choice((-1, 1, 1, 7, -3, 1000)))
    return data[: number.start()] + str(changed).encode() + data[number.end() :]


def change_byte(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([dice.choice(b'0123456789 :/<=~-+mrcfgptsSXOxo"[],{}\n\0\x80\xff')]) + data[at + 1 :]


def change_body(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(data.index(b"\n"), len(data))
    pieces = [
        b"",
        b"0",
        b"1",
        b"7",
        b" ",
        b":",
        b"/0",
        b"<",
        b" =",
        b" ~ 1",
        b"-",
        b"+",
        b":+1",
        b" ~ +2",
        b" +1",
        b"\n",
    ]
    return data[:at] + dice.choice(pieces) + data[at + 1 :]


def change_lines(data: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    a, b = dice.randrange(len(lines)), dice.randrange(len(lines))
    kind = dice.randrange(4)
    if kind == 0:
        del lines[a]
    elif kind == 1:
        lines.insert(a, lines[b])
    elif kind == 2:
        lines[a], lines[b] = lines[b], lines[a]
    else:
        lines[a] = dice.choice(
            [
                b"s",
                b"S",
                b"p",
                b"g",
                b"g 1-0 2",
                b"t 0-1",
                b"r =",
                b"r ~ 1",
                b"r",
                b"m 0",
                b"f 0",
                b"s 0-1",
                b"c 1 2",
                b"claim X draw",
                b"claim X block",
                b"claim O win",
                b"",
            ]
        )
    return b"\n".join(lines)


def change_items(data: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = dice.randrange(1, len(lines))
    items = lines[at].split(b" ")
    item = dice.randrange(len(items))
    lines[at] = b" ".join(
        items[:item] + items[item + dice.choice((1, 0)) :] + items[item : item + 1] * dice.randrange(2)
    )
    return b"\n".join(lines)


HEADER_WORDS = [
    b'"3x3"', b'"3x3+misere"', b'"3x3+wrap"', b'"3X3 + exact"', b'"tictactoe"', b'"3\\u00d73:3"', b'"ultimate:2"',
    b'"4x3:3"', b'"win"', b'"draw"', b'"loss"', b"[[0,1,2,3,4,5,6,7,8]]", b"[[2,1,0,5,4,3,8,7,6]]", b"[]", b"null",
    b"true", b"1", b"1.0", b"1e400", b'"misere":true', b'"guards":null', b'"layout":[]', b'"3/3/3 x"',
    b'" xO1/3/0003  X\\n"', b'"4 x"', b"{}", b"-0",
]  # fmt: skip


def change_header(data: bytes, dice: random.Random) -> bytes:
    header, _, body = data.partition(b"\n")
    parts = re.finditer(rb'(?<!"name":)"(?:[^"\\]|\\.)*"|\[[^\[\]]*\]|\b[\w.]+(?=[,}\]])', header)
    part = dice.choice(list(parts))
    return header[: part.start()] + dice.choice(HEADER_WORDS) + header[part.end() :] + b"\n" + body


CHANGES: list[Mutation] = [
    change_number, change_number, change_byte, change_body, change_lines, change_items, change_header,
]  # fmt: skip


def mutate(data: bytes, dice: random.Random) -> bytes:
    change = dice.choice(CHANGES)
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        data = change(data, dice) or data
        if b"\n" not in data:
            break
    return data
