"""Similar words: the method of Ratcliff and Obershelp, as in Python."""

from collections.abc import Iterable


def get_close_matches(word: str, possibilities: Iterable[str], n: int = 3, cutoff: float = 0.6) -> list[str]:
    """Return at most ``n`` of the possibilities whose similarity to the word is at least the cutoff, best first."""
    found = [(_similarity(each, word, cutoff), each) for each in possibilities]
    return [each for ratio, each in sorted(found, reverse=True) if ratio >= cutoff][:n]


def _similarity(first: str, second: str, cutoff: float) -> float:
    """Twice the letters in common by all letters; anything below the cutoff if the lengths differ too much."""
    total = len(first) + len(second)
    if total == 0:
        return 1.0
    if 2.0 * min(len(first), len(second)) / total < cutoff:
        return 0.0
    return 2.0 * _count_common(first, second) / total


def _count_common(first: str, second: str) -> int:
    """Letters of the longest common block, and of those to its left and to its right."""
    start, other, size = _longest_common_block(first, second)
    if size == 0:
        return 0
    left = _count_common(first[:start], second[:other])
    return left + size + _count_common(first[start + size :], second[other + size :])


def _longest_common_block(first: str, second: str) -> tuple[int, int, int]:
    """Where the block begins in each word, and its length; the earliest in the first word, then in the second."""
    best = (0, 0, 0)
    lengths: dict[int, int] = {}
    for i, letter in enumerate(first):
        new_lengths: dict[int, int] = {}
        for j, other in enumerate(second):
            if letter == other:
                size = new_lengths[j] = lengths.get(j - 1, 0) + 1
                if size > best[2]:
                    best = (i - size + 1, j - size + 1, size)
        lengths = new_lengths
    return best
