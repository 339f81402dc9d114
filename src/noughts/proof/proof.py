"""Proofs: why a position is a win, a draw or a loss, as text that ``verify`` checks. See docs/proof-format.md."""

from __future__ import annotations

import json
import os
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast, overload

from noughts.games import Game, InvalidGame, Side, Value
from noughts.games.atomic_file import atomic_file
from noughts.games.quoting import count, quote
from noughts.json_types import Json, JsonObject

if TYPE_CHECKING:
    from gzip import GzipFile
    from io import BufferedReader

__all__ = ["Claim", "InvalidProof", "Proof", "ProofGoal", "plies_to_end"]

VERSION = 1
MAX_CLAIMS = 2
KEYS = ("noughts_proof", "game", "position", "value", "symmetries")
POSITION = re.compile(r"[xo0-9/|]+ [xo](?: (?:-|[1-9][0-9]?)(?: [xo.]+)?)?", re.ASCII)
GZIP = b"\x1f\x8b"
XZ = b"\xfd7zXZ\0"
XZ_MEMORY = 1 << 27
"""Bound on the memory for unpacking, which the file demands: 65 MB at the highest level of xz."""
MAX_MB = 512
"""Default limit on the unpacked size of a file, in megabytes."""
MAX_NODES = 40_000_000
MAX_HEADER_BYTES = 16 << 20
MAX_LINE_BYTES = 1 << 20
MAX_EXPANSION = 50
"""A compressed file may unpack to this many times its size plus a megabyte; proofs unpack to 2 to 28 times."""
PIECE = 1 << 16


class InvalidProof(ValueError):
    """A proof that does not hold; the message says where."""


class ProofGoal(StrEnum):
    """A side wins, does not lose, or (``BLOCK``) does not let the opponent complete a line, whether it wins or not."""

    WIN = "win"
    DRAW = "draw"
    BLOCK = "block"


class Claim(NamedTuple):
    """The claim that a side can force a goal, with its proof."""

    side: Side
    goal: ProofGoal
    nodes: Sequence[str]
    line: int
    """The line of the text on which node 0 stands, counted from 1."""

    def __str__(self) -> str:
        return f"{self.side} {'wins' if self.goal is ProofGoal.WIN else 'does not lose'}"


class Proof:
    """A proof of a position's value for the side to move: one claim for a win or a loss, two for a draw.

    ``body`` is the text of the claims, one line per node; ``symmetries`` are the permutations of the cells it refers
    to.
    """

    def __init__(
        self, game: Game, position: str, value: str, body: str, symmetries: Iterable[Sequence[int]] = ()
    ) -> None:
        if value not in tuple(Value):
            raise InvalidProof(f"expected a value of {', '.join(Value)}, got {quote(value)}")
        self.game = game
        self.position = position
        self.value = Value(value)
        self.body = body
        self.symmetries = tuple(tuple(numbers) for numbers in symmetries)

    def __len__(self) -> int:
        return sum(not line.startswith("claim") for line in self._lines())

    def __str__(self) -> str:
        return f"{self.game.label}  {self.position}  {self.value}, {count(len(self), 'node')}"

    def __repr__(self) -> str:
        return f"Proof({self.game.label!r}, {self.position!r}, {str(self.value)!r}, {len(self.body):,} characters)"

    def __eq__(self, other: object) -> bool:  # and no __hash__: a proof is a document, not a key
        return self.text == other.text if isinstance(other, Proof) else NotImplemented

    @property
    def text(self) -> str:
        """The whole proof as text: a line of JSON, then the claims."""
        return "".join(self._pieces())

    @property
    def sha256(self) -> str:
        """The SHA-256 sum of the text, in hexadecimal digits: that of the unpacked file."""
        from hashlib import sha256

        total = sha256()
        for piece in self._pieces():
            total.update(piece.encode())
        return total.hexdigest()

    def _pieces(self) -> Iterator[str]:
        """The text in pieces, because a long one need not be in memory twice."""
        header = {
            "noughts_proof": VERSION,
            "game": self.game.to_data(),
            "position": self.position,
            "value": self.value,
            "symmetries": [list(numbers) for numbers in self.symmetries],
        }
        yield json.dumps(header, separators=(",", ":")) + "\n"
        for start in range(0, len(self.body), PIECE):
            yield self.body[start : start + PIECE]
        if self.body and not self.body.endswith("\n"):
            yield "\n"

    @property
    def claims(self) -> list[Claim]:
        """The claims, each with its nodes; raises InvalidProof if the line of a claim is malformed."""
        lines = self._lines()
        if not lines or not lines[0].startswith("claim"):
            raise InvalidProof(f"line 2: expected claim X win or the like, got {quote(lines[0] if lines else '')}")
        starts = [0]
        for number in range(1, len(lines)):
            if lines[number].startswith("claim"):
                starts.append(number)
                if len(starts) > MAX_CLAIMS:
                    raise InvalidProof(f"line {number + 2}: expected at most two claims, got a third")
        return [_claim(lines, start, end) for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]

    @property
    def plies(self) -> int | None:
        """The maximum number of plies to the win or loss, if the proof is sound; None for a draw."""
        return None if self.value is Value.DRAW else plies_to_end(self.claims[0].nodes, self.empty_cells)[0]

    @property
    def empty_cells(self) -> int:
        """The number of empty cells in the first position."""
        return self.game.parse(self.position).cells.count(None)

    def _lines(self) -> _Lines:
        return _Lines(self.body)

    def save(self, path: str | Path) -> None:
        """Write the proof to a compressed file; an old file is replaced only when the new one is complete.

        A path that ends in ``.xz`` gets a file of xz, half as large as the usual one of gzip.
        """
        with atomic_file(path) as file, _packing(file, is_xz=str(path).endswith(".xz")) as packed:
            for piece in self._pieces():
                packed.write(piece.encode())

    @classmethod
    def load(cls, path: str | Path, most_mb: int = MAX_MB) -> Proof:
        """Return the proof of a file, compressed or plain; raises InvalidProof naming the line, or OSError.

        Reading stops with an error as soon as the file exceeds ``most_mb`` megabytes of text or any other bound.
        """
        with open(path, "rb") as file:
            return cls._of(*_read(file, most_mb << 20))

    @classmethod
    def parse(cls, text: str) -> Proof:
        """Return the proof of a text; raises InvalidProof naming the line. The claims are not checked."""
        header, _, body = text.partition("\n")
        return cls._of(header, body)

    @classmethod
    def _of(cls, header: str, body: str) -> Proof:
        data = _header(header)
        try:
            game = Game.from_data(data["game"])
        except InvalidGame as error:
            raise InvalidProof(f"line 1: {error}") from None
        if game.to_data() != data["game"]:
            raise InvalidProof(f"line 1: expected the game as {quote(game.to_data())}, got {quote(data['game'])}")
        try:
            return cls(game, data["position"], data["value"], body, data["symmetries"])
        except InvalidProof as error:
            raise InvalidProof(f"line 1: {error}") from None


def plies_to_end(nodes: Sequence[str], empty_cells: int) -> dict[int, int]:
    """Return the plies from each node to the end of its longest line; each is visited once, after those it leads to.

    ``empty_cells`` is their number at node 0: a fixed strategy may fill them all.
    """
    plies: dict[int, int] = {}
    depths = {0: 0}
    waiting = [0]
    while waiting:
        number = waiting[-1]
        least, after = _edges(number, nodes[number], empty_cells - depths[number])
        missing = [node for node in after if node not in plies]
        if missing:
            waiting += missing
            depths.update((node, depths[number] + 1) for node in missing)
            continue
        plies[number] = max([least, *(1 + plies[node] for node in after)])
        waiting.pop()
    return plies


def target_of(reference: str, node: int) -> int:
    """Return the number of the node that a reference of ``node``, without a symmetry, names."""
    return node + int(reference) if reference.startswith("+") else int(reference)


def _edges(number: int, node: str, empty_cells: int) -> tuple[int, list[int]]:
    """The maximum number of plies that a node takes by itself, and the nodes one ply after it."""
    text, _, default = node.partition(" =")
    kind, *items = text.split(" ")
    if kind in ("g", "o"):
        return empty_cells, []
    if kind == "f":
        return _forced_plies(len(items)), []
    if kind == "m":
        return 1, [target_of(item.partition("/")[0], number) for item in items[1:]]
    answered = [item.partition(":")[2].partition("/")[0] for item in items if ":" in item]
    answered += [item.partition("/")[0] for before, item in pairwise(items) if before == "~"]
    return 1 + (_forced_plies(len(default.split())) if default else 0), [
        target_of(reference, number) for reference in answered
    ]


def _forced_plies(moves: int) -> int:
    """The plies of a forced sequence: moves and replies; if the last move leaves two threats, one more move."""
    return 2 * moves + 1


class _Lines(Sequence[str]):
    """The lines of a text, sliced on demand, because a list of them would take several times the memory."""

    def __init__(self, text: str, ends: array[int] | None = None, first: int = 0, last: int | None = None) -> None:
        self._text = text
        self._ends = _ends_of(text) if ends is None else ends
        self._first = first
        self._last = len(self._ends) if last is None else last

    def __len__(self) -> int:
        return self._last - self._first

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> _Lines: ...
    def __getitem__(self, index: int | slice) -> str | _Lines:
        if isinstance(index, slice):
            first, last, _ = index.indices(len(self))
            return _Lines(self._text, self._ends, self._first + first, self._first + max(first, last))
        at = self._first + (index if index >= 0 else index + len(self))
        if not self._first <= at < self._last:
            raise IndexError(index)
        return self._text[self._ends[at - 1] + 1 if at else 0 : self._ends[at]]

    def __iter__(self) -> Iterator[str]:
        start = self._ends[self._first - 1] + 1 if self._first else 0
        for at in range(self._first, self._last):
            end = self._ends[at]
            yield self._text[start:end]
            start = end + 1


def _ends_of(text: str) -> array[int]:
    """The end of each line; a trailing line break does not begin another line."""
    ends = array("q")
    at = text.find("\n")
    while at >= 0:
        ends.append(at)
        at = text.find("\n", at + 1)
    if text and not text.endswith("\n"):
        ends.append(len(text))
    return ends


def _claim(lines: _Lines, start: int, end: int) -> Claim:
    word, *rest = lines[start].split(" ")
    if word != "claim" or len(rest) != 2 or rest[0] not in tuple(Side) or rest[1] not in tuple(ProofGoal):
        raise InvalidProof(f"line {start + 2}: expected claim X win or the like, got {quote(lines[start])}")
    return Claim(Side(rest[0]), ProofGoal(rest[1]), lines[start + 1 : end], start + 3)


def _read(file: BufferedReader, most: int) -> tuple[str, str]:
    """The header and the body of a file, read piece by piece, so that a bad file is rejected before it fills memory."""
    import gzip
    import zlib

    start = file.peek(len(XZ))
    is_xz = start.startswith(XZ)
    if not is_xz and not start.startswith(GZIP):
        return _decoded(_bounded(_pieces_of(file), most))
    if size := os.fstat(file.fileno()).st_size:  # a pipe has none
        most = min(most, (1 << 20) + MAX_EXPANSION * size)
    try:
        return _decoded(_bounded(_unpack_xz(file) if is_xz else _pieces_of(gzip.GzipFile(fileobj=file)), most))
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InvalidProof(f"expected a whole compressed file, got a broken one ({error})") from None


def _pieces_of(file: BufferedReader | GzipFile) -> Iterator[bytes]:
    return iter(lambda: file.read(PIECE), b"")


def _lzma() -> ModuleType:
    try:
        import lzma  # Python can be built without it
    except ImportError:
        raise OSError("files compressed with xz need Python with the module lzma") from None
    return lzma


def _packing(file: IO[bytes], is_xz: bool) -> IO[bytes]:
    """A file that compresses what is written to it into another."""
    import gzip

    packed: IO[bytes]
    if is_xz:
        packed = _lzma().LZMAFile(file, "wb", preset=6)
    else:
        packed = cast("IO[bytes]", gzip.GzipFile("", "wb", 6, file, mtime=0))
    return packed


def _unpack_xz(file: BufferedReader) -> Iterator[bytes]:
    """The pieces of one or more streams; unlike ``LZMAFile`` it refuses other bytes after them, and much memory."""
    lzma = _lzma()
    data = file.read(PIECE)
    while data:
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, XZ_MEMORY)
        while not unpacker.eof:
            try:
                piece = unpacker.decompress(data, PIECE)
            except lzma.LZMAError as error:
                raise EOFError(str(error)) from None
            if piece:
                yield piece
            data = file.read(PIECE) if unpacker.needs_input else b""
            if unpacker.needs_input and not data:
                raise EOFError("its end is missing")
        data = unpacker.unused_data or file.read(PIECE)


def _bounded(pieces: Iterable[bytes], most: int) -> bytearray:
    text = bytearray()
    lines = length = 0
    for piece in pieces:
        text += piece
        if len(text) > most:
            raise InvalidProof(f"line {lines + 1}: expected at most {most / 1e6:.1f} MB of text, got more")
        breaks = piece.count(b"\n")
        length += piece.find(b"\n") if breaks else len(piece)
        if length > (limit := MAX_LINE_BYTES if lines else MAX_HEADER_BYTES):
            raise InvalidProof(f"line {lines + 1}: expected a line of a proof, got one of more than {limit:,} bytes")
        if breaks:  # only the first line of a piece, which is shorter than the limit, began in an earlier one
            length = len(piece) - piece.rfind(b"\n") - 1
        lines += breaks
        if lines > MAX_NODES:
            raise InvalidProof(f"line {lines + 1}: expected at most {MAX_NODES:,} nodes, got more")
    return text


def _decoded(data: bytearray) -> tuple[str, str]:
    """Header and body as text, which must be ASCII: Python stores it in one byte per character."""
    start = data.find(b"\n") + 1 or len(data)
    line = 1
    try:
        header = data[:start].decode("ascii")
        del data[:start]
        line = 2
        return header, data.decode("ascii")
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        raise InvalidProof(f"line {line}: expected text in ASCII, got other bytes") from None


def _header(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line, object_pairs_hook=_unique_keys, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise InvalidProof(f"line 1: expected the header of a proof as JSON, got {quote(line)}") from None
    if not isinstance(data, dict) or "noughts_proof" not in data:
        raise InvalidProof(f"line 1: expected the header of a proof, got other JSON: {quote(data)}")
    version = data["noughts_proof"]
    if type(version) is not int or version != VERSION:
        raise InvalidProof(f"line 1: expected a proof of version {VERSION}, got version {quote(version)}")
    for key in KEYS:
        if key not in data:
            raise InvalidProof(f"line 1: expected the key {key!r} in the header")
    if unknown := sorted(data.keys() - KEYS):
        raise InvalidProof(f"line 1: expected only the keys {', '.join(KEYS)}, got {quote(unknown[0])}")
    if not isinstance(data["position"], str) or not POSITION.fullmatch(data["position"]):
        raise InvalidProof(f"line 1: expected a position string, got {quote(data['position'])}")
    if not _is_numbers(data["symmetries"]):
        raise InvalidProof("line 1: expected the symmetries as lists of cells")
    return data


def _unique_keys(pairs: list[tuple[str, Json]]) -> JsonObject:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("expected each key once")
    return data


def _refuse(constant: str) -> None:
    raise ValueError(f"expected JSON, got {constant}")


def _is_numbers(symmetries: object) -> bool:
    return isinstance(symmetries, list) and all(
        isinstance(numbers, list) and all(type(number) is int for number in numbers) for numbers in symmetries
    )
