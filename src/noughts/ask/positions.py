"""The questions about positions: marks, legal moves, threats, outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from noughts._core import MAX_CELLS
from noughts.analysis.region_names import block_name
from noughts.ask.games import OutcomeAnswer, cell_names
from noughts.ask.question import lookup
from noughts.ask.requests import GameRequest, PositionRequest
from noughts.games import Position, Side
from noughts.schema import Bound, Example, InvalidData, Length, Pattern, Shape

__all__ = ["POSITION", "SETUP", "PositionAnswer", "SetupRequest"]

SHOWN_MOVES = 100
"""Legal moves that the answer in words lists."""


@dataclass(frozen=True, kw_only=True)
class PositionAnswer(Shape):
    """Everything needed to draw and to announce a position."""

    game: str
    position: Annotated[str, "The position string: `o2/1x1/3 x`."]
    turn: Annotated[Side | None, "The side to move; null when the game is over."]
    start: Annotated[str | None, "The position string of the start; null for the empty board."]
    line: Annotated[tuple[str, ...], "The moves so far."]
    cells: Annotated[tuple[int, ...], "The moves so far, as cell numbers."]
    ply: int
    marks: Annotated[str, "The mark on each cell; `.` is an empty one: `O...X....`."]
    board: Annotated[str | None, "The board as text, if it was asked for."]
    legal_moves: tuple[str, ...]
    legal_cells: tuple[int, ...]
    last_cell: int | None
    is_over: bool
    winner: Side | None
    outcome: OutcomeAnswer | None
    winning_line: Annotated[tuple[int, ...] | None, "In Ultimate a line of blocks."]
    winning_cells: tuple[int, ...]
    blocks: Annotated[
        str | None, "In Ultimate the owner of each block; `.` is an open one, `-` one that is full without an owner."
    ]
    open_blocks: tuple[int, ...] | None
    block_to_play: int | None
    place_to_play: Annotated[str | None, "The block to play, in words: `the middle board`."]
    threats: Annotated[dict[Side, tuple[int, ...]], "The cells with which each side would complete a line."]
    status: Annotated[str, "For example `X to move`."]
    announcement: Annotated[str, "The last move in words, in Ultimate also where to play next: `O plays a3.`"]

    @classmethod
    def of(cls, position: Position, has_board: bool = False) -> PositionAnswer:
        game, moves, names = position.game, position.moves, cell_names(position.game)
        played, legal = tuple([names[move] for move in moves]), position.legal_moves
        outcome, line = position.outcome, position.winning_line
        ended = OutcomeAnswer.if_over(outcome, position)
        is_ultimate = game.is_ultimate
        return cls(
            game=game.label,
            position=position.text,
            turn=position.turn,
            start=position.start_text,
            line=played,
            cells=tuple(moves),
            ply=len(moves),
            marks="".join(["." if mark is None else mark for mark in position.cells]),
            board=str(position) if has_board else None,
            legal_moves=tuple([names[move] for move in legal]),
            legal_cells=tuple(legal),
            last_cell=position.last_move,
            is_over=outcome is not None,
            winner=position.winner,
            outcome=ended,
            winning_line=line,
            winning_cells=_winning_cells(position),
            blocks=_block_owners(position) if is_ultimate else None,
            open_blocks=tuple(position.open_blocks) if is_ultimate else None,
            block_to_play=position.block_to_play if is_ultimate else None,
            place_to_play=None if position.block_to_play is None else block_name(game, position.block_to_play),
            threats={side: tuple(position.threats(side)) if outcome is None else () for side in Side},
            status=_turn(position) if ended is None else ended.text,
            announcement=_announce(position, played[-1]) if played else "",
        )


def _block_owners(position: Position) -> str:
    """Return one letter per block: its owner, ``.`` if it is open, ``-`` if it is full without an owner."""
    open_blocks, is_over = position.open_blocks, position.is_over
    return "".join(
        owner or ("." if block in open_blocks or is_over else "-") for block, owner in enumerate(position.blocks)
    )


def _winning_cells(position: Position) -> tuple[int, ...]:
    line = position.winning_line
    if line is None:
        return ()
    if not position.game.is_ultimate:
        return line
    return tuple([cell for cell in range(position.game.cells) if position.game.block_of(cell) in line])


def _last_mover(position: Position) -> Side:
    marks = position.cells
    return Side.O if marks.count(Side.X) == marks.count(Side.O) else Side.X


def _announce(position: Position, move: str) -> str:
    where = "" if position.block_to_play is None else f" {_turn(position)}."
    return f"{_last_mover(position)} plays {move}.{where}"


def _turn(position: Position) -> str:
    block = position.block_to_play
    where = "" if block is None else f" in {block_name(position.game, block)}"
    return f"{position.turn} to move{where}"


def describe_position(answer: PositionAnswer) -> str:
    """Return the board, whose turn it is, and the legal moves."""
    board = "" if answer.board is None else f"{answer.board}\n"
    if answer.is_over:
        return f"{board}The game is over: {answer.status}."
    more = len(answer.legal_moves) - SHOWN_MOVES
    legal = " ".join(answer.legal_moves[:SHOWN_MOVES]) + (f" and {more} more" if more > 0 else "")
    return f"{board}{answer.status}. Legal moves: {legal}"


@dataclass(frozen=True, kw_only=True)
class ShowRequest(PositionRequest):
    """A position to describe."""

    board: Annotated[bool, "Whether to draw the board as text, too."] = False


@dataclass(frozen=True, kw_only=True)
class SetupRequest(GameRequest):
    """A board that was set up by hand."""

    marks: Annotated[
        str,
        Length(MAX_CELLS),
        Pattern(r"^[XO.]*$"),
        "The mark on each cell; `.` is an empty one.",
        Example("X...O...."),
    ]
    block_to_play: Annotated[int | None, Bound(at_least=0, at_most=MAX_CELLS), "In Ultimate; null for any block."] = (
        None
    )

    def find_position(self) -> Position:
        """Return the position, with the side to move that follows from the marks; raises ValueError."""
        game = self.find_game()
        if len(self.marks) != game.cells:
            raise InvalidData(f"expected {game.cells} cells, got {len(self.marks)}")
        x, o = self.marks.count("X"), self.marks.count("O")
        if x not in (o, o + 1):
            raise InvalidData(f"place as many X as O, or one X more: now there are {x} X and {o} O")
        turn = Side.X if x == o else Side.O
        position = Position(game, [".XO".index(mark) - 1 for mark in self.marks], turn, self.block_to_play)
        return position.require_unfinished()


POSITION = lookup(
    "position",
    ShowRequest,
    PositionAnswer,
    lambda request: PositionAnswer.of(request.find_position(), request.board),
    "Describe a position: marks, legal moves, threats, outcome. To make a move, add it to the moves.",
    words=describe_position,
)
SETUP = lookup(
    "setup",
    SetupRequest,
    PositionAnswer,
    lambda request: PositionAnswer.of(request.find_position()),
    "Describe a board that was set up by hand. The answer's `position` is the `start` of further requests.",
    words=describe_position,
)
