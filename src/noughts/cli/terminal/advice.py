"""Asking the engine: the best move, who is ahead, and where a game was lost."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from noughts.cli.searching import open_advisor, open_store
from noughts.cli.terminal.background import StatusLine, think
from noughts.engine import Engine, Limit
from noughts.games import Playthrough, Position, Side
from noughts.plural import count

if TYPE_CHECKING:
    from noughts.study.advice import Advice
    from noughts.study.reviews import MoveReview, Review

__all__ = ["Advisor", "EngineAdvisor", "describe_review", "describe_score", "line_to_the_end", "player_accuracy"]

SECONDS = 1.0
"""How long to think about a question."""
REVIEW_SECONDS = 8.0
LEAST, MOST = 0.02, 0.5
"""How long to think about a whole review, and at least and at most about each of its moves."""
FINE = ("best", "good")
DECIDED = ("win", "loss")
LINE_SECONDS = 3.0
"""How long to look for the rest of a proven line; it usually takes milliseconds."""


class Advisor(Protocol):
    """Answers questions about positions."""

    def analyse(self, position: Position) -> Advice:
        """Return the best move and its worth."""

    def review(self, play: Playthrough) -> Review:
        """Return a review of what was played."""


class EngineAdvisor:
    """Asks the engine, and remembers the last answer: a hint is often asked for twice."""

    def __init__(self, status_line: StatusLine, seconds: float = SECONDS) -> None:
        self._status_line = status_line
        self._limit = Limit(seconds=seconds)
        self._engine: Engine | None = None
        self._last: tuple[Position, Advice] | None = None

    def analyse(self, position: Position) -> Advice:
        """Return the best move and its worth."""
        if self._last is None or self._last[0] != position:
            asked = position.copy()
            self._last = asked, self._advise(asked)
        return self._last[1]

    def _advise(self, position: Position) -> Advice:
        from noughts.study import advice

        if self._engine is None:
            self._engine = Engine()
        advisor, latest = advice.Advisor(self._engine), ""

        def progress(found: list[Advice]) -> None:
            nonlocal latest
            latest = f": depth {found[0].result.depth}, {found[0].result.verdict}"

        def work() -> Advice:
            with open_store() as advisor.store:  # here, since a store is for the thread that opens it
                return advisor.advise(position, self._limit, progress=progress)[0]

        return think(work, self._status_line, lambda: f"the engine is thinking{latest or ' ...'}", advisor.stop)

    def review(self, play: Playthrough) -> Review:
        """Return a review of what was played."""
        from noughts.study.reviews import review  # not at the start: most sessions never ask for one

        done = [0, len(play.moves) + 1]
        limit = Limit(seconds=max(LEAST, min(MOST, REVIEW_SECONDS / done[1])))

        def progress(reached: int, total: int) -> None:
            done[:] = reached, total

        def work() -> Review:
            with open_advisor() as advisor:  # here, since a store is for the thread that opens it
                return review(play, limit, advisor=advisor, progress=progress)

        return think(work, self._status_line, lambda: f"reviewing: {done[0]} of {done[1]} positions")


def line_to_the_end(advisor: Advisor, position: Position, found: Advice) -> list[int]:
    """Return the line of a search; that of a proven win or loss is continued to the end as far as that is proven too.

    A search that stops at a forced win knows how it ends without having written down every move.
    """
    line, end = list(found.pv), position.copy()
    for move in line:
        end.play(move)
    deadline = time.monotonic() + LINE_SECONDS
    while found.value in DECIDED and not end.is_over and len(line) < (found.plies or 0) and time.monotonic() < deadline:
        following = advisor.analyse(end)
        if following.value not in DECIDED:
            break
        line.append(following.move)
        end.play(following.move)
    return line


def describe_score(found: Advice, side: Side) -> str:
    """Return who is ahead, in words and as a number: proven things are told apart from estimates."""
    plies = f" in at most {count(found.plies, 'ply')}" if found.plies else ""
    if found.value == "win":
        return f"Proven: {side} wins{plies}."
    if found.value == "loss":
        return f"Proven: {side.opponent} wins{plies}."
    if found.value == "draw":
        return "Proven: a draw with best play."
    better = side if found.score > 0 else side.opponent
    words = "About even" if found.score == 0 else f"{better} is ahead"
    return f"{words}: {found.score:+d} for {side}, looking {count(found.result.depth, 'ply')} ahead."


def describe_review(found: Review, movers: Sequence[str]) -> str:
    """Return a review as lines of text: the moves that were not good, what was better, and how well each player did.

    ``movers`` names who made each move.
    """
    lines = [_describe_move(found.playthrough, move) for move in found.moves if move.label not in FINE]
    return "\n".join([*(lines or ["No mistakes."]), f"Accuracy: {', '.join(_accuracies(found, movers))}."])


def _accuracies(found: Review, movers: Sequence[str]) -> Iterator[str]:
    """How well each side did, or each player once a side was played by more than one."""
    players = list(dict.fromkeys(zip((move.side for move in found.moves), movers, strict=True)))
    if len(players) == len({side for side, _ in players}):
        for side, name in sorted(players, key=lambda player: player[0].number):
            yield f"{side} ({name}) {player_accuracy(found, movers, name, side):.0f}%"
    else:
        for name in dict.fromkeys(name for _, name in players):
            yield f"{name} {player_accuracy(found, movers, name):.0f}%"


def player_accuracy(found: Review, movers: Sequence[str], name: str, side: Side | None = None) -> float | None:
    """Return the accuracy of the moves that a player made, with either side or with one; None when there are none."""
    from noughts.study.reviews import mean_accuracy

    moves = zip(found.moves, movers, strict=True)
    return mean_accuracy([move for move, mover in moves if mover == name and side in (None, move.side)])


def _describe_move(play: Playthrough, move: MoveReview) -> str:
    from noughts.study.hints import reasons

    game, before = play.game, play.position(move.ply - 1)
    why = next((reason.text for reason in reasons(before, move.best) if not reason.is_weak), "")
    better = f"better {game.format_cell(move.best)}" + (f", which {why}" if why else "")
    worth = f"{move.before} → {move.after}"
    return f"{move.ply:>3}. {move.side} {game.format_cell(move.move)}  {move.label} ({worth}): {better}"
