"""One play of a game: moves, variations, players, outcome, clocks, comments and evaluations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from noughts.games.outcome import Outcome, Side, Value, decide, format_result
from noughts.games.quoting import quote
from noughts.games.variations import MAX_VARIATIONS, Branch, Variation

if TYPE_CHECKING:
    from noughts.games.game import Game
    from noughts.games.position import Position
    from noughts.games.rendering.notebook import Bundle

__all__ = ["Eval", "Playthrough"]

TAG_ORDER = ("Game", "X", "O", "Result", "Date", "TimeControl", "Termination", "Position", "Points")
DERIVED_TAGS = ("Game", "Result", "Termination", "Position", "Points")
"""Tags derived from the rest of a playthrough; if given, they must agree with it."""

RESERVED_TAG = "GameData"
MAX_SCORE = 10**9
MAX_CLOCK = 10**7
MAX_TAG = 10_000
MAX_COMMENT = 100_000
"""Longest tag and longest comment, in characters."""
Note = TypeVar("Note")


class Eval(NamedTuple):
    """The evaluation of a position for X: a ``score``, or a proven ``value`` with its ``plies``.

    >>> str(Eval(35)), str(Eval(value="win", plies=5)), str(Eval(value="draw"))
    ('35', 'win 5', 'draw')
    """

    score: int | None = None
    value: Value | str | None = None
    plies: int | None = None

    def __str__(self) -> str:
        if self.value is None:
            return str(self.score)
        return self.value if self.plies is None else f"{self.value} {self.plies}"

    @classmethod
    def parse(cls, text: str) -> Eval:
        """Return the evaluation of a text such as ``35`` or ``win 5``; raises ValueError."""
        match = re.fullmatch(r"\s*(?:([-+]?[0-9]{1,9})|(win|draw|loss)(?:\s+([0-9]{1,4}))?)\s*", text)
        if match is None:
            raise ValueError(f"expected an evaluation such as 35, win 5, draw or loss 8, got {quote(text)}")
        score, value, plies = match.groups()
        return cls(int(score) if score else None, Value(value) if value else None, int(plies) if plies else None)


class Playthrough:
    """One play of a game. Immutable: ``replace`` returns a changed copy.

    ``moves`` are integers (or text) and must be legal from the start. ``tags`` are names and texts
    such as ``X``, ``O``, ``Date`` and ``TimeControl``. ``outcome`` follows from the moves, or is given when
    it ended by ``"time"``, ``"resign"``, ``"agreement"``, ``"illegal"`` or ``"crash"``. ``clocks`` are the
    seconds the mover had left after each move (None where unknown), to the millisecond. ``comments`` and
    ``evals`` belong to a position, by the number of moves before it. ``start`` is a position string, or None
    for the empty board. ``variations`` are other lines of play, from the first position; each leaves the main line, or
    an earlier variation, before its end.

    >>> from noughts import Game
    >>> play = Playthrough(Game("3x3"), ["b2", "a1"], {"X": "Ann", "O": "Bob"}).decided("resign", winner="O")
    >>> play.moves, play.result, play.tags["O"]
    ((4, 6), '0-1', 'Bob')
    >>> [position.ply for position in play]
    [0, 1, 2]
    >>> Playthrough(Game("3x3"), ["b2", "a1"], variations=[Variation(("b2", "b1", "a3"))]).variations[0].moves
    (4, 7, 0)
    """

    game: Game
    moves: tuple[int, ...]
    """The main line."""
    outcome: Outcome | None
    """The outcome; None if it is not over."""
    clocks: tuple[float | None, ...]
    """The mover's seconds left after each move; empty if there was no clock."""
    comments: Mapping[int, str]
    evals: Mapping[int, Eval]
    start: str | None
    variations: tuple[Variation, ...]
    """The other lines, each after the one that it leaves."""

    def __init__(
        self,
        game: Game,
        moves: Iterable[int | str] = (),
        tags: Mapping[str, str] | None = None,
        outcome: Outcome | None = None,
        clocks: Sequence[float | None] | None = None,
        comments: Mapping[int, str] | None = None,
        evals: Mapping[int, Eval | int] | None = None,
        start: str | None = None,
        variations: Iterable[Variation] = (),
    ) -> None:
        self._last = _first_position(game, start)
        self._last.play_all(moves)
        self.game = game
        self.start = self._last.start_text
        self.moves = tuple(self._last.moves)
        self.outcome = _checked_outcome(self._last, outcome)
        self.clocks = _checked_clocks(clocks, len(self.moves))
        given = _by_ply(comments, len(self.moves))
        notes = {ply: _clean(note, MAX_COMMENT, "a comment").strip() for ply, note in given.items()}
        self.comments = MappingProxyType({ply: note for ply, note in notes.items() if note})
        opinions = _by_ply(evals, len(self.moves))
        self.evals = MappingProxyType({ply: _checked_eval(opinion) for ply, opinion in opinions.items()})
        self._own_tags = self._checked_tags(tags or {})
        self.variations = self._checked_variations(variations)

    @classmethod
    def of(cls, position: Position, tags: Mapping[str, str] | None = None, **more: Any) -> Playthrough:
        """Return the play that led to a position; further arguments as for the class."""
        return cls(position.game, position.moves, tags, start=position.start_text, **more)

    @classmethod
    def of_tree(
        cls,
        game: Game,
        root: Branch,
        start: str | None,
        tags: Mapping[str, str],
        outcome: Outcome | None,
        separator: str,
    ) -> Playthrough:
        """Return the play of a tree of moves, whose first line is the main one.

        Several comments on a position are joined by the separator.
        """
        main = root.line()
        return cls(
            game,
            [at.move for at in main[1:]],
            tags,
            outcome,
            [at.clock for at in main[1:]],
            {at.ply: separator.join(at.comments) for at in main if at.comments},
            {at.ply: at.eval for at in main if at.eval is not None},
            start,
            root.variations(separator),
        )

    @property
    def tags(self) -> dict[str, str]:
        """All tags: those given, and ``Game``, ``Result`` and others derived from the playthrough."""
        tags = self._derived_tags() | self._own_tags
        first = {name: tags[name] for name in TAG_ORDER if name in tags}
        return first | tags

    @property
    def result(self) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` if it is not over."""
        return format_result(self.outcome)

    def position(self, ply: int | None = None) -> Position:
        """Return the position after the given number of moves (by default the last one), with its moves."""
        plies = len(self.moves)
        wanted = plies if ply is None else ply
        if not 0 <= wanted <= plies:
            raise ValueError(f"expected a ply from 0 to {plies}, got {ply}")
        position = self._last.copy()
        for _ in range(plies - wanted):
            position.undo()
        return position

    def __iter__(self) -> Iterator[Position]:
        """Yield every position, from the first to the last, as independent objects."""
        return (self.position(ply) for ply in range(len(self.moves) + 1))

    def tree(self) -> Branch:
        """Return the first position as the root of the tree of all lines."""
        return self._tree(self.variations)

    def decided(self, reason: str, winner: Side | str | None = None) -> Playthrough:
        """Return this play, ended by a forfeit or ``"agreement"``; see ``noughts.games.outcome.decide``."""
        return self.replace(outcome=decide(self._last, reason, winner))

    def replace(self, **changes: Any) -> Playthrough:
        """Return a copy with some arguments of the class changed.

        If the moves change, the outcome is recomputed, and there are no variations unless they are given.
        """
        names = ("game", "moves", "tags", "outcome", "clocks", "comments", "evals", "start", "variations")
        arguments = dict(zip(names, self._arguments(), strict=True))
        if not changes.keys().isdisjoint(("game", "moves", "start")):
            arguments["outcome"] = None
            arguments["variations"] = ()
        return Playthrough(**(arguments | changes))

    def copy(self) -> Playthrough:
        """Return an equal playthrough."""
        return self.replace()

    def _arguments(self) -> tuple[Any, ...]:
        notes = dict(self.comments), dict(self.evals)
        return (
            self.game,
            self.moves,
            dict(self._own_tags),
            self.outcome,
            self.clocks,
            *notes,
            self.start,
            self.variations,
        )

    def _checked_variations(self, given: Iterable[Variation]) -> tuple[Variation, ...]:
        """The variations in the order of a file, each to its end, with their own comments only."""
        variations = tuple(map(self._checked_variation, given))
        if len(variations) > MAX_VARIATIONS:
            raise ValueError(f"expected at most {MAX_VARIATIONS} variations, got {len(variations)}")
        return tuple(self._tree(variations).variations("\n")) if variations else ()

    def _checked_variation(self, given: Variation) -> Variation:
        position = _first_position(self.game, self.start)
        position.play_all(given.moves)
        moves = tuple(position.moves)
        if moves[: len(self.moves)] == self.moves:
            raise ValueError("expected a variation that leaves the main line before its end")
        for seconds in given.clocks.values():
            _checked_seconds(seconds)
        notes = {ply: _clean(note, MAX_COMMENT, "a comment").strip() for ply, note in given.comments.items()}
        return Variation(
            moves,
            {ply: note for ply, note in _by_ply(notes, len(moves)).items() if note},
            {ply: _checked_eval(opinion) for ply, opinion in _by_ply(given.evals, len(moves)).items()},
            {ply: round(seconds, 3) for ply, seconds in _by_ply(given.clocks, len(moves)).items()},
        )

    def _tree(self, variations: Iterable[Variation]) -> Branch:
        """The tree of the main line and some variations, which lose notes on positions that an earlier line has."""
        clocks = {ply: seconds for ply, seconds in enumerate(self.clocks, start=1) if seconds is not None}
        main = Variation(self.moves, self.comments, self.evals, clocks)
        root = Branch()
        root.annotate(main)
        for line in (main, *variations):
            at = root
            for move in line.moves:
                known, at = len(at.kids), at.child(move)
                if at.parent is not None and len(at.parent.kids) > known:
                    at.annotate(line)
        return root

    def _derived_tags(self) -> dict[str, str]:
        tags = {"Game": self.game.id, "Result": self.result}
        if self.start is not None:
            tags["Position"] = self.start
        if self.outcome is not None:
            tags["Termination"] = self.outcome.reason
            if self.game.counts_blocks:
                tags["Points"] = "{}-{}".format(*self.outcome.points)
        return tags

    def _checked_tags(self, tags: Mapping[str, str]) -> dict[str, str]:
        """The tags that are not derived."""
        derived = self._derived_tags()
        for name, value in tags.items():
            _check_tag(name, value)
            if name in DERIVED_TAGS and value != derived.get(name):
                expected = repr(derived.get(name, ""))
                raise ValueError(f"expected the tag {name} to be {expected}, as played, got {quote(value)}")
        return {name: _clean(value, MAX_TAG, "a tag") for name, value in tags.items() if name not in DERIVED_TAGS}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Playthrough):
            return NotImplemented
        return self._arguments() == other._arguments()

    def __hash__(self) -> int:
        return hash((self.game, self.start, self.moves))

    def __reduce__(self) -> tuple[object, ...]:
        return (Playthrough, self._arguments())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        from noughts.games.rendering.notebook import picture_of

        return picture_of(self.position(), repr(self))

    def __repr__(self) -> str:
        names = [self.game.format_cell(move) for move in self.moves]
        text = " ".join(names[:8] + ["..."] * (len(names) > 8))
        return f"<Playthrough of {self.game.id}: {text or 'no moves'}, {self.result}>"


def _first_position(game: Game, start: str | None) -> Position:
    """The first position; an empty board in any spelling is the start of the game."""
    empty, position = game.start(), game.start_from(start)
    return empty if position == empty else position


def _checked_outcome(last: Position, outcome: Outcome | None) -> Outcome | None:
    if outcome is None:
        return last.outcome
    expected = last.outcome or decide(last, outcome.reason, outcome.winner)
    if outcome != expected:
        raise ValueError(f"expected the outcome {expected}, got {outcome}")
    return expected


def _checked_clocks(clocks: Sequence[float | None] | None, plies: int) -> tuple[float | None, ...]:
    checked = tuple(_checked_seconds(seconds) for seconds in clocks or ())
    if checked and len(checked) != plies:
        raise ValueError(f"expected a clock for each of {plies} moves, got {len(checked)}")
    return checked if any(seconds is not None for seconds in checked) else ()


def _checked_seconds(seconds: float | None) -> float | None:
    if seconds is None:
        return None
    if not 0 <= seconds <= MAX_CLOCK:
        raise ValueError(f"expected seconds from 0 to {MAX_CLOCK} on a clock, got {seconds}")
    return round(float(seconds), 3)


def _by_ply(notes: Mapping[int, Note] | None, plies: int) -> dict[int, Note]:
    for ply in notes or ():
        if isinstance(ply, bool) or not isinstance(ply, int) or not 0 <= ply <= plies:
            raise ValueError(f"expected comments and evaluations at plies from 0 to {plies}, got {ply!r}")
    return dict(sorted((notes or {}).items()))


def _checked_eval(given: Eval | int) -> Eval:
    opinion = given if isinstance(given, Eval) else Eval(given)
    if (opinion.score is None) == (opinion.value is None):
        raise ValueError(f"expected either a score or a value in an evaluation, got {opinion!r}")
    if opinion.score is not None and not _is_count(abs(opinion.score), MAX_SCORE):
        raise ValueError(f"expected a whole score below {MAX_SCORE}, got {opinion.score}")
    if opinion.value is not None and opinion.value not in tuple(Value):
        raise ValueError(f"expected a value of {', '.join(Value)}, got {quote(opinion.value)}")
    if opinion.plies is not None and (opinion.value is None or not _is_count(opinion.plies, 10_000)):
        raise ValueError(f"expected plies below 10000, and only with a value, got {opinion!r}")
    return opinion if opinion.value is None else opinion._replace(value=Value(opinion.value))


def _is_count(number: object, limit: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < limit


def _check_tag(name: str, value: str) -> None:
    if not isinstance(name, str) or not isinstance(value, str):
        raise TypeError(f"expected tags as texts, got {name!r}: {type(value).__name__}")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,59}", name):
        raise ValueError(f"expected a tag name of letters, digits and _, got {quote(name)}")
    if name == RESERVED_TAG:
        raise ValueError(f"expected no tag {RESERVED_TAG}: it is reserved for the data of custom games")


def _clean(text: str, most: int, what: str) -> str:
    """The text with normalised line endings; raises ValueError if it is too long or has lone surrogates."""
    if not isinstance(text, str):
        raise TypeError(f"expected text, got {type(text).__name__}")
    if len(text) > most:
        raise ValueError(f"expected {what} of at most {most} characters, got {len(text)}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"expected text that can be saved, got a lone surrogate in {quote(text)}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
