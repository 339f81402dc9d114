r"""The ``.ngn`` format: playthroughs as text, similar to PGN in chess. See docs/formats.md.

::

    [Game "3x3"]
    [X "Ann"]
    [Result "1-0"]
    [Termination "line"]

    1. b2 {[%eval 0] [%clk 0:01:00] the centre} 1... b1 (1... a1 2. c3) 2. a3 c1 3. a1 a2 4. c3 1-0
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from noughts.games.formats.tokens import Token, at_line, broken, parse_json, split_tokens
from noughts.games.game import Game
from noughts.games.outcome import RESULTS, UNKNOWN, Outcome, Side, Termination, stated_outcome
from noughts.games.playthrough import DERIVED_TAGS, RESERVED_TAG, Eval, Playthrough
from noughts.games.position import Position
from noughts.games.quoting import quote
from noughts.games.variations import MAX_NESTING, Branch

__all__ = ["format_ngn", "parse_ngn"]

WIDTH = 80
ENDINGS = (*RESULTS, UNKNOWN)
TERMINATIONS: dict[str, Termination | None] = {reason.value: reason for reason in Termination}
TERMINATIONS |= {"normal": None, "unterminated": None}
TERMINATIONS |= {"time forfeit": Termination.TIME, "rules infraction": Termination.ILLEGAL}
"""The values of the tag ``Termination``: our own, and those of PGN."""

TOKEN = re.compile(
    r"""(?P<space>\s+)
    | (?P<tag>\[\s*[A-Za-z][A-Za-z0-9_]*\s+"(?:\\.|[^"\\\n])*"\s*\])
    | \{(?P<comment>(?:\\.|[^}\\])*)\}
    | ;(?P<remark>[^\n]*)
    | (?P<bracket>[()])
    | (?P<number>[0-9]{1,9}(?:\.\.\.|\.(?![0-9.])))
    | (?P<word>[^\s{}\[\]();"]+)""",
    re.VERBOSE | re.DOTALL,
)
TAG = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]', re.DOTALL)
COMMAND = re.compile(r"(\\.)|\[%(eval|clk)\b([^\[\]]*)\]\s*", re.DOTALL)
CLOCK = re.compile(r"\s*([0-9]{1,4}):([0-5]?[0-9]):([0-5]?[0-9](?:\.[0-9]{1,3})?)\s*")


def parse_ngn(text: str) -> list[Playthrough]:
    """Return all playthroughs of a text; raises InvalidFile, which names the broken line."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [_read(tokens) for tokens in _split(split_tokens(lines, TOKEN, _complaint))]


def format_ngn(play: Playthrough) -> str:
    """Return a playthrough as text. A file may hold several, separated by empty lines."""
    tags = "".join(f'[{name} "{_escape_tag(value)}"]\n' for name, value in _written_tags(play))
    return f"{tags}\n{_wrapped(_with_brackets(_movetext(play)))}\n"


# Reading


def _complaint(text: str) -> str:
    if text.startswith("{"):
        return "expected } at the end of a comment, got the end of the file"
    if text.startswith("["):
        return f'expected a tag such as [Game "3x3"], got {quote(text)}'
    return f"expected a tag, a move, a comment or a result, got {quote(text)}"


def _split(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Split after each result. Every playthrough must have one, so that a truncated file is detected."""
    game: list[Token] = []
    moves_began = False
    for token in tokens:
        if token.kind == "tag" and moves_began:
            raise broken(token.line, f"expected a result ({', '.join(ENDINGS)}) before the next tag")
        game.append(token)
        moves_began = moves_began or token.kind in ("number", "word")
        if token.kind == "word" and token.text in ENDINGS:
            yield game
            game, moves_began = [], False
    if game:
        raise broken(game[-1].line, f"expected a result ({', '.join(ENDINGS)}) after the last move")


def _read(tokens: list[Token]) -> Playthrough:
    tags = _read_tags(tokens)
    reader = _Reader(_start(_game(tags, tokens[0].line), tags))
    for token in tokens[:-1]:
        reader.take(token)
    if reader.is_in_variation:
        raise broken(tokens[-1].line, f"expected ) at the end of a variation, got {tokens[-1].text}")
    outcome = _read_outcome(tags, tokens[-1], reader.position)
    own = {name: text for name, (_, text, _) in tags.items() if name not in (*DERIVED_TAGS, RESERVED_TAG)}
    with at_line(tokens[-1].line):
        return Playthrough.of_tree(reader.position.game, reader.root, reader.position.start_text, own, outcome, " ")


def _read_tags(tokens: list[Token]) -> dict[str, Token]:
    """The tags by name, as tokens with the value as text."""
    tags: dict[str, Token] = {}
    for token in tokens:
        if token.kind != "tag":
            continue
        match = TAG.fullmatch(token.text)
        assert match is not None
        if match[1] in tags:
            raise broken(token.line, f"expected the tag {match[1]} once, got it again")
        tags[match[1]] = token._replace(text=_unescape_tag(match[2]))
    return tags


def _game(tags: dict[str, Token], line: int) -> Game:
    if "Game" not in tags:
        raise broken(line, 'expected a tag with the game, such as [Game "3x3"]')
    name, data = tags["Game"], tags.get(RESERVED_TAG)
    if data is None:
        with at_line(name.line):
            return Game(name.text)
    with at_line(data.line):
        game = Game.from_data(parse_json(data.text, data.line))
    if game.id != name.text:
        raise broken(name.line, f"expected {game.id!r}, the name in the game's data, got {quote(name.text)}")
    return game


def _start(game: Game, tags: dict[str, Token]) -> Position:
    if "Position" not in tags:
        return game.start()
    with at_line(tags["Position"].line):
        return game.parse(tags["Position"].text)


class _Reader:
    """Plays the moves of one playthrough and collects its lines, comments, evaluations and clocks in a tree."""

    def __init__(self, start: Position) -> None:
        self.position = start
        self.root = self._at = Branch()
        self._first_half = 0 if start.turn is not Side.O else 1
        self._left: list[tuple[Branch, Position]] = []
        """The ends of the lines that are continued after the variations that are open."""
        self._begins_variation = False
        self._before: list[str] = []
        """Comments before the first move of a variation."""

    @property
    def is_in_variation(self) -> bool:
        return bool(self._left)

    def take(self, token: Token) -> None:
        with at_line(token.line):
            match token.kind:
                case "comment":
                    self._comment(token.text)
                case "remark":
                    self._note(token.text)
                case "number":
                    self._number(token.text)
                case "word":
                    self._move(token.text)
                case "bracket" if token.text == "(":
                    self._open()
                case "bracket":
                    self._close()

    def _open(self) -> None:
        parent = self._at.parent
        if parent is None or self._begins_variation:
            raise ValueError("expected a move before a variation, got (")
        if len(self._left) == MAX_NESTING:
            raise ValueError(f"expected variations in variations at most {MAX_NESTING} deep")
        self._left.append((self._at, self.position))
        self.position = self.position.copy()
        self.position.undo()
        self._at, self._begins_variation = parent, True

    def _close(self) -> None:
        if not self._left:
            raise ValueError("expected ( before )")
        if self._begins_variation:
            raise ValueError("expected a move in a variation, got )")
        self._at, self.position = self._left.pop()

    def _number(self, text: str) -> None:
        expected = (self.position.ply + self._first_half) // 2 + 1
        if int(text.rstrip(".")) != expected:
            raise ValueError(f"expected move number {expected}, got {text}")

    def _move(self, text: str) -> None:
        try:
            self.position.play(text)
        except ValueError as error:
            raise ValueError(f"move {self.position.ply + 1}: {error}") from None
        move = self.position.moves[-1]
        if self._begins_variation and self._left[-1][0].move == move:
            raise ValueError(f"expected another move than {text}, which the variation replaces")
        self._at, self._begins_variation = self._at.child(move), False
        self._at.comments += self._before
        self._before = []

    def _note(self, text: str) -> None:
        if text.strip():
            (self._before if self._begins_variation else self._at.comments).append(text.strip())

    def _comment(self, raw: str) -> None:
        self._note(COMMAND.sub(self._command, raw))

    def _command(self, match: re.Match[str]) -> str:
        escaped, name, value = match.groups()
        if escaped is not None:
            return _unescape(escaped)
        if self._begins_variation:
            raise ValueError(f"expected [%{name}] after a move, got it before the first of a variation")
        if (self._at.eval if name == "eval" else self._at.clock) is not None:
            raise ValueError(f"expected [%{name}] once after a move, got it again")
        if name == "eval":
            self._at.eval = Eval.parse(value)
        else:
            self._at.clock = _parse_clock(value, self._at.ply)
        return ""


def _unescape(escaped: str) -> str:
    return escaped[1] if escaped[1] in "\\}[" else escaped


def _parse_clock(text: str, ply: int) -> float:
    match = CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a clock such as 0:01:30.5, got {quote(text)}")
    if ply == 0:
        raise ValueError("expected [%clk] after a move, got it before the first")
    hours, minutes, seconds = match.groups()
    return round(int(hours) * 3600 + int(minutes) * 60 + float(seconds), 3)


def _read_outcome(tags: dict[str, Token], last: Token, position: Position) -> Outcome | None:
    """The outcome stated in tags and after the last move; both must agree with the moves."""
    result = tags.get("Result", last)
    if result.text != last.text:
        raise broken(last.line, f"expected the result of the tag, {quote(result.text)}, got {last.text}")
    reason = _read_termination(tags.get("Termination"))
    with at_line(tags.get("Termination", result).line):
        outcome = stated_outcome(position, result.text, reason)
    _check_points(tags.get("Points"), outcome)
    return outcome


def _read_termination(tag: Token | None) -> str | None:
    if tag is None:
        return None
    word = tag.text.strip().lower()
    if word not in TERMINATIONS:
        raise broken(tag.line, f"expected a termination such as line, full or time, got {quote(tag.text)}")
    return TERMINATIONS[word]


def _check_points(tag: Token | None, outcome: Outcome | None) -> None:
    expected = None if outcome is None else "{}-{}".format(*outcome.points)
    if tag is not None and tag.text != expected:
        raise broken(tag.line, f"expected the points {expected or 'only at the end'}, got {quote(tag.text)}")


def _unescape_tag(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], text)


# Writing


def _written_tags(play: Playthrough) -> Iterator[tuple[str, str]]:
    for name, value in play.tags.items():
        yield name, value
        if name == "Game" and play.game.is_custom:
            yield RESERVED_TAG, json.dumps(play.game.to_data(), separators=(",", ":"))


def _escape_tag(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _movetext(play: Playthrough) -> Iterator[str]:
    """The numbers, moves, comments and variations, and the result."""
    first_half = 0 if play.position(0).turn is not Side.O else 1
    root = play.tree()
    yield from _comment(root)
    needs_number = True
    left: list[tuple[str, Branch]] = [("line", root)]
    while left:
        kind, at = left.pop()
        if kind == ")":
            yield ")"
            needs_number = True
            continue
        if kind == "(":
            yield "("
            needs_number = True
            left.append(("line", at))
        elif at.kids:
            at, *others = at.kids
            left.append(("line", at))
            for other in reversed(others):
                left += [(")", other), ("(", other)]
        else:
            continue
        number, half = divmod(at.ply - 1 + first_half, 2)
        if half == 0 or needs_number:
            yield f"{number + 1}." if half == 0 else f"{number + 1}..."
        yield play.game.format_cell(at.move)
        yield from _comment(at)
        needs_number = bool(_comment(at))
    yield play.result


def _comment(at: Branch) -> list[str]:
    """The comment on a position, as a list of one or none."""
    parts = [f"[%eval {at.eval}]"] if at.eval is not None else []
    parts += [f"[%clk {_format_clock(at.clock)}]"] if at.clock is not None else []
    parts += map(_escape_comment, at.comments)
    return ["{" + " ".join(parts) + "}"] if parts else []


def _escape_comment(text: str) -> str:
    text = text.replace("\\", r"\\").replace("}", r"\}")
    return re.sub(r"\[(?=%(?:eval|clk)\b)", r"\\[", text)


def _format_clock(seconds: float) -> str:
    minutes, milliseconds = divmod(round(seconds * 1000), 60_000)
    whole, rest = divmod(milliseconds, 1000)
    fraction = f".{rest:03d}".rstrip("0") if rest else ""
    return f"{minutes // 60}:{minutes % 60:02d}:{whole:02d}{fraction}"


def _with_brackets(words: Iterable[str]) -> Iterator[str]:
    """The words with brackets joined to those that they enclose."""
    opening, word = "", ""
    for each in words:
        if each == ")":
            word += each
            continue
        if word:
            yield word
        word = ""
        if each == "(":
            opening += each
        else:
            word, opening = opening + each, ""
    yield word


def _wrapped(words: Iterable[str]) -> str:
    """Wrap the text, breaking lines only between words: line breaks in a comment are part of the comment."""
    pieces: list[str] = []
    column = 0
    for word in words:
        first, last = word.split("\n")[0], word.split("\n")[-1]
        separator = "" if not pieces else "\n" if column + 1 + len(first) > WIDTH else " "
        pieces += [separator, word]
        column = len(last) if "\n" in word else len(word) + (column + 1 if separator == " " else 0)
    return "".join(pieces)
