"""Which position of the match is shown: the present one, an earlier one, or one that was taken back."""

from __future__ import annotations

from noughts.cli.terminal.session import Session
from noughts.games import Position

__all__ = ["View"]


class View:
    """The position of a session that is shown. Looking at another one does not change the match."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ply: int | None = None

    @property
    def is_present(self) -> bool:
        return self._ply is None

    @property
    def is_end(self) -> bool:
        """Whether the present position is shown, and the match is over."""
        return self._ply is None and self._session.match.is_over

    @property
    def ply(self) -> int:
        """The number of moves of the position shown."""
        return self._session.position.ply if self._ply is None else self._ply

    @property
    def position(self) -> Position:
        """The position shown, as a copy with its moves."""
        match, position = self._session.match, self._session.position.copy()
        while position.ply > self.ply:
            position.undo()
        position.play_all(match.undone_moves[: self.ply - match.position.ply])
        return position

    @property
    def can_play(self) -> bool:
        """Whether a person is to move in the position shown."""
        return not self.is_end and self.position.turn in self._session.people

    def show(self, ply: int) -> None:
        match = self._session.match
        ply = min(max(ply, 0), match.position.ply + match.can_replay)
        self._ply = None if ply == match.position.ply else ply

    def step(self, step: int) -> None:
        """Show a position before or after this one; moves that were taken back are not entered by steps."""
        present = self._session.position.ply
        self.show(min(self.ply + step, present) if self.ply <= present else self.ply + step)

    def return_to_present(self) -> None:
        self._ply = None
