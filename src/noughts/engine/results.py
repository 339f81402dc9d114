"""Results of a search, and what proven values make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from noughts import _core
from noughts.engine.book import BookEntry
from noughts.games import Position, ProvenValue, Value
from noughts.games.outcome import document_fields
from noughts.games.quoting import count

if TYPE_CHECKING:
    from noughts.games.rendering.notebook import Bundle

__all__ = [
    "SearchResult",
    "book_result",
    "from_book",
    "known_result",
    "known_score",
    "proven",
    "results_of_report",
    "symmetric_moves",
    "uses_symmetry",
    "value_before",
    "with_known_plies",
    "with_value",
]

MAX_LINES_FOR_SYMMETRY = 10_000
"""In games with more lines, finding the symmetries takes longer than they save."""


class SearchResult(NamedTuple):
    """The result of a search: the best move, its score or proven value, and the expected line.

    ``score`` is an estimate for the side to move, in the engine's own units; ``value`` is ``"win"``, ``"draw"`` or
    ``"loss"`` only when proven, and ``plies`` then bounds the length of the game (None for a draw). A move from the
    book without a value is not proven: it did well in playthroughs.
    """

    move: int
    score: int
    value: Value | None
    plies: int | None
    depth: int
    nodes: int
    pv: list[int]
    seconds: float = 0.0
    hashfull: int = 0
    pv_text: str = ""
    is_from_book: bool = False
    position: Position | None = None

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0

    @property
    def book_note(self) -> str | None:
        """``from the book, proven``, or ``not proven`` instead; None for a result of a search."""
        if not self.is_from_book:
            return None
        return f"from the book, {'not proven' if self.value is None else 'proven'}"

    @property
    def verdict(self) -> str:
        """The value with its plies when proven, else the score: ``win in 7 plies``, ``+112``."""
        if self.value is None:
            return f"{self.score:+d}"
        return self.value if self.plies is None else f"{self.value} in {count(self.plies, 'ply')}"

    def __str__(self) -> str:
        speed = "from the book" if self.is_from_book else f"{self.nodes:,} nodes, {self.seconds:.2f} s"
        return f"depth {self.depth:2}  {self.verdict:>16}  {speed:>28}  {self.pv_text}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """The picture of the board after the best move."""
        from noughts.games.rendering.notebook import picture_of

        if self.position is None:
            return {"text/plain": repr(self)}, {}
        return picture_of(self.position.after(self.move), str(self))


document_fields(
    SearchResult,
    move="The best move, as a cell number.",
    score="An estimate for the side to move, in the engine's own units.",
    value="The proven value for the side to move, or None.",
    plies="A proven win or loss takes at most this many plies; None for a draw and without a proven value.",
    depth="The last depth, in plies, that was searched completely.",
    nodes="The number of positions visited by all threads.",
    pv="The expected line of play as cell numbers, beginning with the best move.",
    seconds="The duration of the search.",
    hashfull="Per mille of the table filled by this search.",
    pv_text="The expected line of play, as text.",
    is_from_book="Whether the move, or its value, comes from the book; the move is proven if it has a value.",
    position="The position that was searched.",
)


def results_of_report(position: Position, found: _core.Report) -> list[SearchResult]:
    searched = position.copy()
    return [_result(searched, found, line) for line in found.lines]


def _result(position: Position, found: _core.Report, line: _core.RootVariation) -> SearchResult:
    value: Value | None = None
    plies = None
    if line.proven:
        value = Value.from_number(line.score if abs(line.score) >= _core.DECIDED else 0)
        plies = None if value is Value.DRAW else _core.WIN - abs(line.score)
    return SearchResult(
        move=line.move,
        score=line.score if value is not Value.DRAW else 0,
        value=value,
        plies=plies,
        depth=found.depth,
        nodes=found.nodes,
        pv=line.pv,
        seconds=found.seconds,
        hashfull=found.hashfull,
        pv_text=" ".join(position.format_move(move) for move in line.pv),
        position=position,
    )


# --- proven values ------------------------------------------------------------------------------------------------


def with_value(position: Position, results: list[SearchResult], known: ProvenValue) -> list[SearchResult]:
    """Return the results adjusted to a known value of the position: moves that preserve it come first.

    The known move and those symmetric to it have the value. If the position is lost, all moves have it, and the known
    move resists best.
    """
    if known.value is Value.LOSS:
        results = [each if each.value is not None else proven(each, Value.LOSS, known.plies) for each in results]
        results.sort(key=lambda result: result.move != known.move)
    elif known.move is not None and not any(each.value == known.value for each in results):
        results = _with_known_move(position, results, known, known.move)
    if known.value is Value.DRAW:  # no move is better than a draw, even if its score suggests it
        results = [each if each.value is not None else each._replace(score=min(0, each.score)) for each in results]
    return sorted(results, key=lambda result: _rank(result, known.value))


def proven(result: SearchResult, value: Value, plies: int | None) -> SearchResult:
    score = abs(result.score) * value.number
    return result._replace(score=score, value=value, plies=plies)


def _with_known_move(
    position: Position, results: list[SearchResult], known: ProvenValue, move: int
) -> list[SearchResult]:
    best = next((result for result in results if result.move == move), None)
    if best is None:
        best = results[0]._replace(move=move, pv=[move], pv_text=position.format_move(move))
        results = results[:-1] if len(results) > 1 else []
    images = symmetric_moves(position, move)
    others = [result for result in results if result.move != move]
    others = [proven(each, known.value, known.plies) if each.move in images else each for each in others]
    return [proven(best, known.value, known.plies), *others]


def symmetric_moves(position: Position, move: int) -> list[int]:
    """Return the legal moves, in ascending order, that lead to the same position as a move, up to symmetry."""
    if not uses_symmetry(position):
        return [move]
    image = position.after(move).canonical_hash
    return [other for other in position.legal_moves if position.after(other).canonical_hash == image]


def uses_symmetry(position: Position) -> bool:
    return len(position.game.lines) <= MAX_LINES_FOR_SYMMETRY


def _rank(result: SearchResult, value: Value) -> int:
    """Moves that preserve a proven value first, moves that give it away last, the rest in the order of the search."""
    if result.value in (Value.WIN, value):
        return 0
    return 2 if result.value is Value.LOSS else 1


def value_before(move: int, after: ProvenValue) -> ProvenValue:
    """The proven value of a move that leads to a proven position."""
    return ProvenValue(after.value.opposite, move, None if after.plies is None else after.plies + 1)


def known_score(position: Position, known: ProvenValue) -> int:
    """The score of a proven value; without a better bound, the game is assumed to end with the last empty cell."""
    plies = position.cells.count(None) if known.plies is None else known.plies
    score = max(_core.WIN - plies, _core.DECIDED)
    return score * known.value.number


def book_result(position: Position, move: int, entry: BookEntry) -> SearchResult:
    if entry.proven is None:
        name = position.format_move(move)
        return SearchResult(
            move, 0, None, None, 0, 0, [move], pv_text=name, is_from_book=True, position=position.copy()
        )  # fmt: skip
    return known_result(position, move, entry.proven)._replace(is_from_book=True)


def from_book(result: SearchResult, known: ProvenValue) -> SearchResult:
    """The result, marked if its value is that of the position's entry."""
    return result._replace(is_from_book=result.is_from_book or result.value is known.value)


def known_result(position: Position, move: int, known: ProvenValue) -> SearchResult:
    score, name = known_score(position, known), position.format_move(move)
    return SearchResult(
        move, score, known.value, known.plies, 0, 0, [move], pv_text=name, position=position.copy()
    )  # fmt: skip


def with_known_plies(result: SearchResult, known: dict[int, ProvenValue]) -> SearchResult:
    """The result with the plies of the book, which may be unknown, instead of those derived from its score."""
    return result._replace(plies=known[result.move].plies, is_from_book=True) if result.move in known else result
