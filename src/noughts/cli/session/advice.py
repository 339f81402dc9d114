"""Asking the engine: the best move, who stands better, and where a game was lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from noughts.bots import EngineBot
from noughts.cli.session.thinking import Ticker, engine_status, think
from noughts.cli.tables import count
from noughts.engine import Limit, SearchResult
from noughts.games import Playthrough, Position, Side

if TYPE_CHECKING:
    from noughts.study.review import MoveReview, Review

__all__ = ["Advisor", "EngineAdvisor", "describe_review", "describe_score"]

SECONDS = 1.0
"""How long to think about a question."""
REVIEW_SECONDS = 8.0
LEAST, MOST = 0.02, 0.5
"""How long to think about a whole review, and at least and at most about each of its moves."""
FINE = ("best", "good")


class Advisor(Protocol):
    """Whoever can be asked about positions."""

    def analyse(self, position: Position) -> SearchResult:
        """Return the best move and what it is worth."""

    def review(self, play: Playthrough) -> Review:
        """Return a review of what was played."""


class EngineAdvisor:
    """Asks the engine, and remembers the last answer: a hint is often asked for twice."""

    def __init__(self, ticker: Ticker, seconds: float = SECONDS) -> None:
        self._ticker = ticker
        self._engine = EngineBot(Limit(seconds=seconds))
        self._last: tuple[Position, SearchResult] | None = None

    def analyse(self, position: Position) -> SearchResult:
        """Return the best move and what it is worth."""
        if self._last is None or self._last[0] != position:
            asked, engine = position.copy(), self._engine
            found = think(lambda: engine.search(asked), self._ticker, engine_status("the engine", engine), engine.stop)
            self._last = asked, _with_what_is_known(asked, found)
        return self._last[1]

    def review(self, play: Playthrough) -> Review:
        """Return a review of what was played."""
        from noughts.cli.searching import knowing_engine
        from noughts.study.review import review  # not at the start: nobody waits for what he may never ask

        done = [0, len(play.moves) + 1]
        limit = Limit(seconds=max(LEAST, min(MOST, REVIEW_SECONDS / done[1])))

        def progress(reached: int, total: int) -> None:
            done[:] = reached, total

        def work() -> Review:
            with knowing_engine(1) as engine:  # here, since a store is for the thread that opens it
                return review(play, limit, engine, progress)

        return think(work, self._ticker, lambda: f"reviewing: {done[0]} of {done[1]} positions")


def _with_what_is_known(position: Position, found: SearchResult) -> SearchResult:
    """What the search found, with the value that an earlier solve proved, if there was one."""
    from noughts.store import Store, store_path
    from noughts.study.known import improved

    if found.value is not None or not store_path().exists():
        return found
    try:
        with Store() as store:
            return improved(position, [found], store.value_of(position), store.value_of)[0]
    except OSError:
        return found  # the session has said already that nothing can be kept


def describe_score(found: SearchResult, side: Side) -> str:
    """Return who stands better, in words and as a number: proven things are told apart from estimates."""
    plies = f" in at most {count(found.plies, 'ply')}" if found.plies else ""
    if found.value == "win":
        return f"Proven: {side} wins{plies}."
    if found.value == "loss":
        return f"Proven: {side.opponent} wins{plies}."
    if found.value == "draw":
        return "Proven: a draw with best play."
    better = side if found.score > 0 else side.opponent
    words = "About even" if found.score == 0 else f"{better} stands better"
    return f"{words}: {found.score:+d} for {side}, looking {count(found.depth, 'ply')} ahead."


def describe_review(found: Review) -> str:
    """Return a review as lines of text: the moves that were not good, what was better, and how well each side did."""
    lines = [_describe_move(found.playthrough, move) for move in found.moves if move.label not in FINE]
    return "\n".join([*(lines or ["No mistakes."]), f"Accuracy: {', '.join(_accuracies(found))}."])


def _accuracies(found: Review) -> Iterator[str]:
    for side in Side:
        accuracy = found.accuracy(side)
        if accuracy is not None:
            yield f"{side} ({found.playthrough.tags.get(side, '?')}) {accuracy:.0f}%"


def _describe_move(play: Playthrough, move: MoveReview) -> str:
    from noughts.study.hints import reasons

    game, before = play.game, play.position(move.ply - 1)
    why = next((reason.text for reason in reasons(before, move.best) if not reason.is_weak), "")
    better = f"better {game.format_cell(move.best)}" + (f", which {why}" if why else "")
    worth = f"{move.before} → {move.after}"
    return f"{move.ply:>3}. {move.side} {game.format_cell(move.move)}  {move.label} ({worth}): {better}"
