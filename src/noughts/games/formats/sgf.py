r"""SGF, the Smart Game Format (FF[4]), for 2D boards as ``GM[4]``, Gomoku. See docs/formats.md.

B is X, who moves first, and W is O. Points count columns from the left and rows from the top, ``a`` to ``z``,
then ``A`` to ``Z``. Private properties hold everything that SGF has no property for, so that nothing is lost:

::

    (;GM[4]FF[4]CA[UTF-8]SZ[4]NGAME[4x4:3]PB[Ann]PW[Bob]RE[B+R]
    ;B[bb];W[cc]C[Why not?];B[bc])
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from noughts.games.formats.sgf_tree import SgfNode, SgfTree, SgfValue, parse_trees
from noughts.games.formats.tokens import at_line, broken
from noughts.games.game import Game
from noughts.games.outcome import Outcome, Side, Termination, stated_outcome
from noughts.games.playthrough import Eval, Playthrough
from noughts.games.position import Position
from noughts.games.quoting import quote
from noughts.games.variations import MAX_NESTING, Branch

__all__ = ["format_sgf", "left_out", "parse_sgf"]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOVES_PER_LINE = 10
COLOURS = {"B": Side.X, "W": Side.O}
CLOCKS = {"B": "BL", "W": "WL"}
TAGS = {
    "X": "PB",
    "O": "PW",
    "Date": "DT",
    "TimeControl": "TM",
    "XRating": "BR",
    "ORating": "WR",
    "XTeam": "BT",
    "OTeam": "WT",
    "Event": "EV",
    "Round": "RO",
    "Site": "PC",
    "Name": "GN",
    "Rules": "RU",
    "Opening": "ON",
    "Annotator": "AN",
    "Source": "SO",
    "User": "US",
    "Copyright": "CP",
    "About": "GC",
}
"""SGF properties by tag; all other tags become ``NTAG[Name:text]``."""

SETUP = {"AB": 0, "AW": 1}
NODE_READ = {*COLOURS, *CLOCKS.values(), "C", "NEVAL"}
ROOT_READ = NODE_READ | {
    *TAGS.values(),
    *SETUP,
    "AP",
    "CA",
    "FF",
    "GM",
    "NGAME",
    "NTAG",
    "NTERM",
    "PL",
    "RE",
    "SZ",
}
FORFEIT_LETTERS = {"R": Termination.RESIGN, "T": Termination.TIME, "F": Termination.ILLEGAL}


def parse_sgf(text: str) -> list[Playthrough]:
    """Return all games in a text, with their variations; raises InvalidFile, which names the broken line.

    Unsupported properties are not read; ``left_out`` lists them.
    """
    return [_read(tree) for tree in parse_trees(text)]


def left_out(text: str) -> list[str]:
    """Return a description of the parts that are not read: unsupported properties."""
    unread: set[str] = set()
    for tree in parse_trees(text):
        root, *others = tree.all_nodes()
        unread |= root.keys() - ROOT_READ
        unread |= {name for node in others for name in node if name not in NODE_READ}
    return [f"the properties {', '.join(sorted(unread))}"] if unread else []


def format_sgf(play: Playthrough) -> str:
    """Return a playthrough as SGF; raises ValueError for a game that is not a 2D board of up to 52×52."""
    _check_board(play.game)
    root = play.tree()
    first = "".join(f"{name}{''.join(f'[{_escape(v)}]' for v in values)}" for name, values in _root(play, root))
    return f"(;{first}{_format_lines(play, root)})\n"


# Writing


def _check_board(game: Game) -> tuple[int, int]:
    """The width and height of a board that SGF can hold."""
    sides = game.dimensions
    if sides is None or len(sides) != 2:
        raise ValueError(f"expected a 2D board, all that SGF can hold, got {game.id}; .ngn takes any game")
    if max(sides) > len(LETTERS):
        raise ValueError(f"expected a board of at most {len(LETTERS)}×{len(LETTERS)} for SGF, got {game.id}")
    return sides[0], sides[1]


def _root(play: Playthrough, root: Branch) -> Iterator[tuple[str, list[str]]]:
    """The properties of the first node, in order."""
    width, height = _check_board(play.game)
    yield from (("GM", ["4"]), ("FF", ["4"]), ("CA", ["UTF-8"]))
    yield "SZ", [str(width) if width == height else f"{width}:{height}"]
    yield "NGAME", [play.game.id]
    yield from _format_tags(play._own_tags)
    yield from _format_outcome(play.outcome)
    if play.start is not None:
        yield from _format_setup(play)
    yield from _format_notes(root)


def _format_tags(tags: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    fitting = {name: tags[name] for name in TAGS if name in tags and _fits(name, tags[name])}
    yield from ((TAGS[name], [value]) for name, value in fitting.items())
    others = [f"{name}:{value}" for name, value in tags.items() if name not in fitting]
    if others:
        yield "NTAG", others


def _fits(name: str, value: str) -> bool:
    """Whether a value fits the SGF property: on one line, and for the time a number."""
    return "\n" not in value and (name != "TimeControl" or re.fullmatch(r"[0-9]+(\.[0-9]+)?", value) is not None)


def _format_outcome(outcome: Outcome | None) -> Iterator[tuple[str, list[str]]]:
    if outcome is None:
        return
    letters = {reason: letter for letter, reason in FORFEIT_LETTERS.items()} | {Termination.CRASH: "F"}
    winner = "B" if outcome.winner is Side.X else "W"
    yield "RE", ["Draw" if outcome.winner is None else f"{winner}+{letters.get(outcome.reason, '')}"]
    if outcome.reason is Termination.CRASH:  # SGF has only one letter for forfeits
        yield "NTERM", [outcome.reason]


def _format_setup(play: Playthrough) -> Iterator[tuple[str, list[str]]]:
    start = play.position(0)
    for name, side in zip(SETUP, Side, strict=True):
        points = [_format_point(play.game, cell) for cell, mark in enumerate(start.cells) if mark is side]
        if points:
            yield name, points
    if start.turn is not None:
        yield "PL", ["B" if start.turn is Side.X else "W"]


def _format_lines(play: Playthrough, root: Branch) -> str:
    """The nodes after the first, and the variations in brackets: at a branch, the main line is in brackets, too."""
    marks_before = 0 if play.start is None else sum(c in "xo" for c in play.start.split()[0])
    pieces: list[str] = []
    in_row = MOVES_PER_LINE
    left: list[Branch | None] = [root]
    while left:
        at = left.pop()
        if at is None:
            pieces.append(")")
            continue
        if at is not root:
            is_branch = at.parent is not None and len(at.parent.kids) > 1
            if is_branch or in_row == MOVES_PER_LINE:
                pieces.append("\n")
                in_row = 0
            in_row += 1
            pieces.append("(" * is_branch + _format_node(play.game, at, "BW"[(marks_before + at.ply - 1) % 2]))
        for kid in reversed(at.kids):
            left += [None, kid] if len(at.kids) > 1 else [kid]
    return "".join(pieces)


def _format_node(game: Game, at: Branch, colour: str) -> str:
    notes = list(_format_notes(at))
    if at.clock is not None:
        notes.insert(0, (CLOCKS[colour], [f"{at.clock:.3f}".rstrip("0").rstrip(".")]))
    texts = "".join(f"{name}[{_escape(value)}]" for name, (value,) in notes)
    return f";{colour}[{_format_point(game, at.move)}]{texts}"


def _format_notes(at: Branch) -> Iterator[tuple[str, list[str]]]:
    if at.eval is not None:
        yield "NEVAL", [str(at.eval)]
    if at.comments:
        yield "C", at.comments


def _format_point(game: Game, cell: int) -> str:
    y, x = divmod(cell, _check_board(game)[0])
    return LETTERS[x] + LETTERS[y]


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


# Reading


def _read(tree: SgfTree) -> Playthrough:
    root = tree.nodes[0]
    game = _read_game(root, tree.line)
    start = _read_start(root, game, tree.line)
    first = Branch()
    main = _Reader(first, start.copy(), root)
    left = [(tree, main, 0)]
    while left:
        tree, reader, depth = left.pop()
        if depth > MAX_NESTING:
            raise broken(tree.line, f"expected variations in variations at most {MAX_NESTING} deep")
        for node in tree.nodes:
            reader.take(node)
        for number, branch in reversed([*enumerate(tree.branches)]):
            left.append((branch, reader if number == 0 else reader.copy(), depth + (number > 0)))
    outcome = _read_outcome(root, main.position, tree.line)
    with at_line(tree.line):
        return Playthrough.of_tree(game, first, start.start_text, _read_tags(root), outcome, "\n")


def _single(node: SgfNode, name: str) -> SgfValue | None:
    """The one value of a property, or None if it is missing."""
    values = node.get(name)
    if values is None:
        return None
    if len(values) > 1:
        raise broken(values[1].line, f"expected one value of {name}, got {len(values)}")
    return values[0]


def _read_game(root: SgfNode, line: int) -> Game:
    kind, id, size = _single(root, "GM"), _single(root, "NGAME"), _single(root, "SZ")
    if kind is None or kind.text.strip() != "4":
        got = "no GM" if kind is None else quote(f"GM[{kind.text}]")
        raise broken(line if kind is None else kind.line, f"expected GM[4], the Gomoku kind of game, got {got}")
    sides = _read_size(size)
    if id is None:
        with at_line(line if size is None else size.line):
            return Game(_default_id(sides or (15, 15)))
    with at_line(id.line):
        game = Game(id.text)
        if sides not in (None, _check_board(game)):
            raise ValueError(f"expected a game of the size SZ gives, got {game.id}")
        return game


def _default_id(sides: tuple[int, int]) -> str:
    """The game of a file that only gives its size: five in a row, or as many as fit on a smaller board."""
    return f"{sides[0]}x{sides[1]}:{min(5, max(sides))}"


def _read_size(size: SgfValue | None) -> tuple[int, int] | None:
    if size is None:
        return None
    match = re.fullmatch(r"\s*([0-9]{1,2})(?::([0-9]{1,2}))?\s*", size.text)
    sides = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not all(1 <= side <= len(LETTERS) for side in sides):
        raise broken(size.line, f"expected a size such as 15 or 7:6, at most 52, got {quote(size.text)}")
    return sides


def _read_start(root: SgfNode, game: Game, line: int) -> Position:
    turn = _single(root, "PL")
    if root.keys().isdisjoint(SETUP):
        start = game.start()
    else:
        with at_line(line):
            start = Position(game, *_read_stones(root, game))
    if turn is not None and (start.turn is None or start.turn != COLOURS.get(turn.text.strip()[:1].upper())):
        raise broken(turn.line, f"expected the side to move that follows from the stones, got {quote(turn.text)}")
    return start


def _read_stones(root: SgfNode, game: Game) -> tuple[list[int], Side]:
    """The marks set up in the first node, and the side to move."""
    cells = [-1] * game.cells
    for name, side in SETUP.items():
        for value in root.get(name, []):
            for cell in _parse_points(game, value):
                if cells[cell] != -1:  # even of the same colour, since many large rectangles would take too long
                    raise broken(value.line, f"expected one stone on a point, got {name} over another")
                cells[cell] = side
    x, o = cells.count(0), cells.count(1)
    if x not in (o, o + 1):
        raise ValueError(f"expected as many stones of B as of W, or one more, got {x} and {o}")
    return cells, Side.X if x == o else Side.O


def _parse_points(game: Game, value: SgfValue) -> Iterable[int]:
    """The cells of a point, or of a rectangle such as ``aa:cb``."""
    first, _, last = value.text.partition(":")
    width = _check_board(game)[0]
    y1, x1 = divmod(_parse_point(game, first, value.line), width)
    y2, x2 = divmod(_parse_point(game, last or first, value.line), width)
    return [y * width + x for y in range(y1, y2 + 1) for x in range(x1, x2 + 1)]


def _parse_point(game: Game, text: str, line: int) -> int:
    width, height = _check_board(game)
    x, y = (LETTERS.find(letter) for letter in text) if len(text) == 2 else (-1, -1)
    if not (0 <= x < width and 0 <= y < height):
        corner = LETTERS[width - 1] + LETTERS[height - 1]
        raise broken(line, f"expected a point from aa to {corner}, got {quote(text)}")
    return y * width + x


class _Reader:
    """Plays the moves of one line and collects comments, evaluations and clocks in the tree."""

    def __init__(self, at: Branch, position: Position, root: SgfNode) -> None:
        self.position = position
        self._at = at
        self._root = root

    def copy(self) -> _Reader:
        """Return a reader of another line from here."""
        return _Reader(self._at, self.position.copy(), self._root)

    def take(self, node: SgfNode) -> None:
        for name in ("AB", "AW", "AE", "PL"):
            if name in node and (node is not self._root or name == "AE"):
                raise broken(node[name][0].line, f"expected stones set up in the first node only, got {name}")
        moves = [(colour, value) for colour in COLOURS if (value := _single(node, colour)) is not None]
        if len(moves) > 1:
            raise broken(moves[1][1].line, "expected one move in a node, got B and W")
        for colour, value in moves:
            self._move(colour, value)
            self._clock(_single(node, CLOCKS[colour]))
        self._notes(node)

    def _move(self, colour: str, value: SgfValue) -> None:
        ply, turn = self.position.ply + 1, self.position.turn
        if not value.text.strip():
            raise broken(value.line, f"move {ply}: expected a move, got a pass")
        if turn not in (None, COLOURS[colour]):
            other = "W" if colour == "B" else "B"
            raise broken(value.line, f"move {ply}: expected a move of {other}, got one of {colour}")
        cell = _parse_point(self.position.game, value.text.strip(), value.line)
        try:
            self.position.play(cell)
        except ValueError as error:
            raise broken(value.line, f"move {ply}: {error}") from None
        self._at = self._at.child(cell)

    def _clock(self, value: SgfValue | None) -> None:
        if value is None:
            return
        if not re.fullmatch(r"\s*[0-9]{1,7}(\.[0-9]{0,9})?\s*", value.text):
            raise broken(value.line, f"expected seconds on a clock, got {quote(value.text)}")
        self._at.clock = float(value.text)

    def _notes(self, node: SgfNode) -> None:
        comment, opinion = _single(node, "C"), _single(node, "NEVAL")
        if comment is not None:
            self._at.comments.append(comment.text)
        if opinion is not None:
            with at_line(opinion.line):
                self._at.eval = Eval.parse(opinion.text)


def _read_tags(root: SgfNode) -> dict[str, str]:
    values = {name: _single(root, property) for name, property in TAGS.items()}
    tags = {name: value.text for name, value in values.items() if value is not None}
    for value in root.get("NTAG", []):
        name, _, text = value.text.partition(":")
        if name in tags:
            raise broken(value.line, f"expected the tag {quote(name)} once, got it again")
        tags[name] = text
    return tags


def _read_outcome(root: SgfNode, position: Position, line: int) -> Outcome | None:
    stated, reason = _single(root, "RE"), _single(root, "NTERM")
    result, why = ("*", None) if stated is None else _parse_result(stated)
    with at_line(line if stated is None else stated.line):
        return stated_outcome(position, result, why if reason is None else reason.text)


def _parse_result(value: SgfValue) -> tuple[str, str | None]:
    """The result in our notation, and the reason if a letter gives it; a number of points does not."""
    text = value.text.strip().upper()
    if text in ("?", "", "VOID"):
        return "*", None
    if text in ("0", "D", "DRAW", "JIGO"):
        return "1/2-1/2", None
    match = re.fullmatch(r"([BW])\+(?:(R|T|F|RESIGN|TIME|FORFEIT)|[0-9]{0,6}(?:\.[0-9]{0,6})?)", text)
    if match is None:
        raise broken(value.line, f"expected a result such as B+, W+R or Draw, got {quote(value.text)}")
    return "1-0" if match[1] == "B" else "0-1", FORFEIT_LETTERS[match[2][0]] if match[2] else None
