"""Sets of numbers as bits of int64 words, one set for each playthrough of a batch.

A set of up to 64 W numbers is a list of W tensors, one of whose elements belongs to each playthrough. All functions
work element by element, so that a compiler can fuse them into one kernel that keeps the words in registers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

__all__ = [
    "LineDetector",
    "Words",
    "both",
    "choose",
    "constants",
    "contains",
    "difference",
    "either",
    "is_empty",
    "member_at",
    "mix",
    "pick",
    "popcount",
    "shifted",
    "single",
    "unpack",
]

BITS = 64
Words = Sequence[Tensor]
ALTERNATE, PAIRS, NIBBLES, BYTES = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101
MOST_SHAPES = 96
"""With more shapes of lines than this, comparing with all lines at once is cheaper than shifting for each shape."""


def constants(numbers: Iterable[int], words: int) -> list[int]:
    """Return a set as signed 64-bit integers.

    >>> constants([0, 1, 63, 64], 2)
    [-9223372036854775805, 1]
    """
    found = [0] * words
    for number in numbers:
        found[number // BITS] |= 1 << number % BITS
    return [_signed(word) for word in found]


def _signed(word: int) -> int:
    word &= (1 << BITS) - 1
    return word - (1 << BITS) if word >> (BITS - 1) else word


def both(a: Words, b: Sequence[Tensor | int]) -> list[Tensor]:
    """Return the intersections."""
    return [x & y for x, y in zip(a, b, strict=True)]


def either(a: Words, b: Sequence[Tensor | int]) -> list[Tensor]:
    """Return the unions."""
    return [x | y for x, y in zip(a, b, strict=True)]


def difference(a: Sequence[Tensor | int], b: Words) -> list[Tensor]:
    """Return the members of the first sets that are not in the second."""
    return [~y & x for x, y in zip(a, b, strict=True)]


def is_empty(a: Words) -> Tensor:
    """Return whether each set is empty."""
    members = a[0]
    for word in a[1:]:
        members = members | word
    return members == 0


def single(number: Tensor, words: int) -> list[Tensor]:
    """Return the sets with one member each."""
    bit = torch.ones_like(number) << (number & (BITS - 1))
    return [bit] if words == 1 else [torch.where(number >> 6 == w, bit, 0) for w in range(words)]


def contains(a: Words, number: Tensor) -> Tensor:
    """Return whether each set contains its number, which must be in the range of the words."""
    return pick(a, number >> 6) >> (number & (BITS - 1)) & 1 == 1


def pick(a: Words, index: Tensor) -> Tensor:
    """Return the word with this index of each set."""
    found = a[0]
    for w in range(1, len(a)):
        found = torch.where(index == w, a[w], found)
    return found


def choose(condition: Tensor, a: Sequence[Tensor | int], b: Words) -> list[Tensor]:
    """Return the first sets where the condition is true, elsewhere the second."""
    return [torch.where(condition, x, y) for x, y in zip(a, b, strict=True)]


def shifted(a: Words, by: int) -> list[Tensor]:
    """Return the sets of all numbers ``n`` for which ``n + by`` is a member."""
    whole, bits = divmod(by, BITS)
    zero = torch.zeros_like(a[0])
    at = [a[w + whole] if 0 <= w + whole < len(a) else zero for w in range(len(a) + 1)]
    if bits == 0:
        return at[:-1]
    low = (1 << (BITS - bits)) - 1  # clears the copies of the sign
    return [(at[w] >> bits & low) | (at[w + 1] << (BITS - bits)) for w in range(len(a))]


def popcount(word: Tensor) -> Tensor:
    """Return the number of members of each word."""
    word = word - (word >> 1 & ALTERNATE)
    word = (word & PAIRS) + (word >> 2 & PAIRS)
    word = word + (word >> 4) & NIBBLES
    return word * BYTES >> 56 & 0xFF


def member_at(a: Words, rank: Tensor) -> Tensor:
    """Return the member with this rank, counted from 0; the sets must have more members than that."""
    word, base = a[0], torch.zeros_like(rank)
    passed = popcount(word)
    for w in range(1, len(a)):
        is_later = rank >= passed
        members = popcount(a[w])
        base, word = torch.where(is_later, w * BITS, base), torch.where(is_later, a[w], word)
        rank = torch.where(is_later, rank - passed, rank)
        passed = torch.where(is_later, members, passed)
    return base + _member_of_word(word, rank)


def _member_of_word(word: Tensor, rank: Tensor) -> Tensor:
    base, width = torch.zeros_like(rank), BITS // 2
    while width > 0:
        low = word & ((1 << width) - 1)
        members = popcount(low)
        is_high = rank >= members
        base = torch.where(is_high, base + width, base)
        word = torch.where(is_high, word >> width, low)
        rank = torch.where(is_high, rank - members, rank)
        width //= 2
    return base


def mix(v: Tensor) -> Tensor:
    """Return a hash of each number: the generator of random moves of the core, in signed arithmetic."""
    v = v + _signed(0x9E3779B97F4A7C15)
    v = (v ^ (v >> 30 & (1 << 34) - 1)) * _signed(0xBF58476D1CE4E5B9)
    v = (v ^ (v >> 27 & (1 << 37) - 1)) * _signed(0x94D049BB133111EB)
    return v ^ (v >> 31 & (1 << 33) - 1)


def unpack(a: Words, cells: int) -> Tensor:
    """Return the sets as a tensor of 0 and 1, of shape (playthroughs, cells)."""
    bits = torch.arange(BITS, device=a[0].device)
    parts = [word[:, None] >> bits[: min(BITS, cells - w * BITS)] & 1 for w, word in enumerate(a)]
    return parts[0] if len(parts) == 1 else torch.cat(parts, 1)


class LineDetector:
    """Finds complete lines. Lines of the same shape, at different places, are tested together by shifting the sets."""

    def __init__(
        self, lines: Sequence[Sequence[int]], guards: Sequence[Sequence[int]], words: int, device: torch.device
    ) -> None:
        self._words = words
        places: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
        for line, guard in zip(lines, guards, strict=True):
            first = min(line)
            shape = (tuple(sorted(cell - first for cell in line)), tuple(sorted(cell - first for cell in guard)))
            places.setdefault(shape, []).append(first)
        self._shapes = [(shape, guard, constants(firsts, words)) for (shape, guard), firsts in places.items()]
        self._masks: Tensor | None = None
        if len(self._shapes) > MOST_SHAPES:
            self._masks = torch.tensor([constants(line, words) for line in lines], device=device).t()[..., None]
            self._guards = torch.tensor([constants(guard, words) for guard in guards], device=device).t()[..., None]

    def first_cells(self, marks: Words) -> list[Tensor]:
        """Return the sets of the first cells of all complete lines."""
        found = [torch.zeros_like(marks[0])] * self._words
        for shape, guard, places in self._shapes:
            moved = [shifted(marks, by) for by in shape]
            complete: list[Tensor] = both(moved[0], places)
            for cells in moved[1:]:
                complete = both(complete, cells)
            for by in guard:
                complete = both(complete, [~word for word in shifted(marks, by)])
            found = either(found, complete)
        return found

    def is_any_complete(self, marks: Words) -> Tensor:
        """Return whether a line is complete."""
        if self._masks is None:
            return ~is_empty(self.first_cells(marks))
        missing = torch.zeros_like(self._masks[0])
        for word, mask, guard in zip(marks, self._masks, self._guards, strict=True):
            missing = missing | (~word & mask) | (word & guard)
        return (missing == 0).any(0)
