"""Positions, with the moves that led to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from noughts import _core
from noughts.games.errors import GameOver, IllegalMove, InvalidNotation
from noughts.games.outcome import Outcome, Side, Termination
from noughts.games.planes import legal_mask, planes
from noughts.games.position_text import canonical, format_position

if TYPE_CHECKING:
    from typing import SupportsIndex

    import numpy as np
    from numpy.typing import NDArray

    from noughts.games.game import Game
    from noughts.games.rendering.notebook import Bundle

__all__ = ["Position"]


class Position(_core.Position):
    """A position of any game, changed by ``play`` and ``undo``.

    Moves are integers (Python's or NumPy's), the number of the cell they mark; ``play`` also takes text. Made by
    ``Game.start`` and ``Game.parse``. The compiled core provides the methods ``play``, ``undo``, ``is_legal`` and
    ``perft``, and the properties ``legal_moves``, ``moves``, ``ply``, ``last_move``, ``turn``, ``side_to_move``,
    ``is_over``, ``winner``, ``cells``, ``blocks``, ``open_blocks``, ``block_to_play`` and ``hash``.

    Positions of one game are equal when marks, side to move, block to play and owners of blocks are. They are not
    hashable, since they change: use ``hash`` or ``text`` as a key.

    >>> from noughts import Game
    >>> position = Game("3x3").start()
    >>> position.play("b2")
    >>> position.moves, position.turn
    ([4], <Side.O: 'O'>)
    """

    game: Game

    def __init__(
        self,
        game: Game,
        cells: list[int] | None = None,
        turn: Side = Side.X,
        block_to_play: int | None = None,
        owners: list[int] | None = None,
    ) -> None:
        core = getattr(game, "_core", None)
        if not isinstance(core, _core.Game):
            raise TypeError(f"expected a Game, got {type(game).__name__}")
        if cells is None:
            super().__init__(core)
        else:
            block = -1 if block_to_play is None else block_to_play
            super().__init__(core, cells, Side(turn).number, block, owners or [])
        self.game = game
        self._setup: str | None = None if cells is None else self.text

    def copy(self) -> Position:
        """Return an independent copy, with the same moves."""
        return self._copy_of(self)

    def _copy_of(self, core: _core.Position) -> Position:
        """An independent copy of a core position with the same game and first position as this one."""
        twin = Position.__new__(type(self))
        _core.Position.__init__(twin, core)
        twin.game = self.game
        twin._setup = self._setup
        return twin

    def after(self, move: SupportsIndex | str) -> Position:
        """Return the position after a move; this position does not change."""
        following = self.copy()
        following.play(move)
        return following

    def play_all(self, moves: Iterable[SupportsIndex | str]) -> None:
        """Play moves in order; raises IllegalMove or InvalidNotation, which name the move by its number.

        The moves before it stay played.

        >>> from noughts import Game
        >>> Game("3x3").start().play_all(["b2", "b2"])
        Traceback (most recent call last):
        noughts.games.errors.IllegalMove: move 2: b2 is taken by X
        """
        for ply, move in enumerate(moves, start=self.ply + 1):
            try:
                self.play(move)
            except (IllegalMove, InvalidNotation) as error:
                raise type(error)(f"move {ply}: {error}") from None

    @property
    def start_text(self) -> str | None:
        """The position string of the first position; None if that is the empty board."""
        return self._setup

    def parse_move(self, text: str) -> int:
        """Return the cell with this name; with gravity the name of a column is enough.

        Raises InvalidNotation if no cell has this name, IllegalMove if it is the name of a full column.
        """
        column = self.game.parse_column(text)
        if column is None:
            return self.game.parse_cell(text)
        landing = next((cell for cell in column if not self._is_marked(cell)), None)
        if landing is None:
            raise IllegalMove(f"column {text.strip().lower()} is full")
        return landing

    def landing(self, cell: int) -> int | None:
        """Return the cell where a mark that is dropped on a cell comes to rest; None if there is no room.

        >>> from noughts import Game
        >>> position = Game("connect4").start()
        >>> position.format_move(position.landing(3))
        'd1'
        """
        return next((each for each in self.game.stack_of(cell) if not self._is_marked(each)), None)

    def format_move(self, move: int) -> str:
        """Return the text of a move."""
        return self.game.format_cell(move)

    def _is_marked(self, cell: int) -> bool:
        return self.cells[cell] is not None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None if the game is not over."""
        if not self.is_over:
            return None
        winner, full = self.winner, self.game.full_points
        if self._line_winner is not None:
            return Outcome(winner, Termination.LINE, (full, 0) if winner is Side.X else (0, full))
        if self.game.counts_blocks:
            blocks = self.blocks
            return Outcome(winner, Termination.COUNT, (blocks.count(Side.X), blocks.count(Side.O)))
        return Outcome(None, Termination.FULL, (1, 1))

    def require_unfinished(self) -> Self:
        """Return the position itself; raises GameOver if it has no side to move."""
        if self.is_over:
            raise GameOver
        return self

    @property
    def winning_line(self) -> tuple[int, ...] | None:
        """The cells of a complete line (in Ultimate its blocks), or None. In misère it is the loser's."""
        return tuple(self._winning_line) or None

    def threats(self, side: Side | str) -> list[int]:
        """Return the cells on which a side could complete a line now if it were its turn.

        In Ultimate these are the lines within undecided blocks, regardless of the block to play.
        """
        return self._completing(Side(side).number, playable=True)

    def completing(self, side: Side | str) -> list[int]:
        """Return the empty cells that would complete a line of a side, playable or not."""
        return self._completing(Side(side).number, playable=False)

    @property
    def canonical_hash(self) -> int:
        """A hash that is equal for symmetric positions."""
        return self.game.symmetry.canonical_hash(self)

    @property
    def canonical_text(self) -> str:
        """The position string of one representative of all symmetric positions: a key without collisions."""
        return canonical(self).text

    @property
    def text(self) -> str:
        """The position string."""
        return format_position(self)

    def planes(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return the position as a NumPy array of zeros and ones, of shape ``game.observation_shape``.

        The planes show the position as the side to move sees it, so they do not change if the sides are exchanged:
        own marks, the opponent's marks, playable cells (the legal moves) and the last move; in Ultimate also the block
        to play, own blocks and the opponent's blocks. ``Plane`` names them. ``out``, a contiguous array of uint8, is
        filled and returned instead of a new array. Raises ValueError without NumPy.
        """
        return planes(self, out)

    def legal_mask(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Return a NumPy array of bool, one for each cell: whether it is a legal move now.

        ``out``, a contiguous array of bool, is filled and returned instead of a new array. Raises ValueError without
        NumPy.
        """
        return legal_mask(self, out)

    def draw(self, width: int = 80) -> str:
        """Return the board as text with coordinates and the last move in brackets, at most ``width`` columns wide."""
        from noughts.games.rendering.text import draw

        return draw(self, width)

    def _repr_svg_(self) -> str:
        from noughts.games.rendering.svg import svg

        return svg(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        from noughts.games.rendering.notebook import picture_of

        return picture_of(self, repr(self))

    def _refuse(self, move: int | str) -> None:
        """Raise IllegalMove with the reason; called by ``play`` for a move that is not legal."""
        cell = self.parse_move(move) if isinstance(move, str) else move
        raise IllegalMove(self._reason_against(cell))

    def _reason_against(self, cell: int) -> str:
        game = self.game
        if not 0 <= cell < game.cells:
            return f"there is no such cell; cells are numbered from 0 to {game.cells - 1}"
        name, mark = self.format_move(cell), self.cells[cell]
        if self.is_over:
            return str(GameOver())
        if mark is not None:
            return f"{name} is taken by {mark}"
        block, wanted = game.block_of(cell), self.block_to_play
        if block not in self.open_blocks:
            return f"board {block + 1} is closed; play {self._where_to_play()}"
        if wanted is not None and block != wanted:
            return f"{name} is in board {block + 1}; play {self._where_to_play()}"
        below = next(c for c in game.rests_on[cell] if not self._is_marked(c))
        return f"{name} rests on {self.format_move(below)}, which is empty"

    def _where_to_play(self) -> str:
        return "anywhere" if self.block_to_play is None else f"in board {self.block_to_play + 1}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self._same(other)

    # A position changes as moves are made; `position.hash` and `position.text` can be used as keys.
    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (self.game, self._setup, self.moves))

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        return f"Position({self.game.id!r}, {self.text!r})"


def _rebuild(game: Game, setup: str | None, moves: list[int]) -> Position:
    position = game.start_from(setup)
    position.play_all(moves)
    return position
