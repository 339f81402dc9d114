"""Advice and reviews at the prompt: computed in the background, and put into words."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from noughts.cli.terminal.background import StatusDisplay, run_interruptible
from noughts.engine import Engine, Limit
from noughts.engine.network import Network
from noughts.games import Game, Playthrough, Position, Side, Value
from noughts.games.quoting import count
from noughts.limit import DEFAULT_LIMIT
from noughts.store import Store, open_store_if_possible

if TYPE_CHECKING:  # at run time they are imported with the first question: the first prompt must appear at once
    from noughts.analysis.advice import Advice, Advisor
    from noughts.analysis.reviews import Review

__all__ = [
    "SessionAdvisor",
    "advise_to_the_end",
    "describe_review",
    "describe_score",
    "player_accuracy",
]

T = TypeVar("T")
Progress = Callable[["list[Advice]"], object] | None

REVIEW_SECONDS = 8.0
ANALYSIS_SECONDS = 120.0
"""Limit of an analysis that is left to run."""
REMEMBERED_ANSWERS = 16
LINE_SECONDS = 3.0
"""Limit for completing a proven line; it usually takes milliseconds."""
DECIDED = (Value.WIN, Value.LOSS)


class SessionAdvisor:
    """Gives advice and reviews; ``analyse`` may run in one thread while others ask.

    With a ``status_display`` it shows its progress there and works in a thread of its own, so that Ctrl-C can interrupt
    it; without one it works in the thread that asks. The last answers are remembered: hints are asked for twice, and
    an answer can be computed ahead in another thread.
    """

    def __init__(
        self,
        warn: Callable[[str], object] = lambda text: None,
        limit: Limit = DEFAULT_LIMIT,
        book: bool = True,
        network: Network = None,
        status_display: StatusDisplay | None = None,
    ) -> None:
        """Give advice within a limit; ``warn`` is called once if the store of solved positions fails."""
        self.uses_book = book
        self.network = network
        self._warn = warn
        self._has_warned = False
        self._limit = limit
        self._status_display = status_display
        self._engine: Engine | None = None
        self._advisor: Advisor | None = None
        """The advisor at work."""
        self._is_free = threading.Lock()
        self._answers: OrderedDict[tuple[Game, str, int], list[Advice]] = OrderedDict()
        self._review: tuple[tuple[object, ...], Review] | None = None

    def advise(self, position: Position) -> list[Advice]:
        """Return the best moves, as many as all interfaces ask for."""
        from noughts.analysis.advice import DEFAULT_LINES

        return self._advise(position, DEFAULT_LINES)

    def find_best(self, position: Position) -> Advice:
        """Return the best move only, which takes less time than ``advise``."""
        return self._advise(position, lines=1)[0]

    def analyse(self, position: Position, progress: Callable[[list[Advice]], object]) -> None:
        """Call ``progress`` with the advice so far: up to the answer of ``advise``, then with that of longer searches.

        Returns when every line is proven, after ``ANALYSIS_SECONDS``, or soon after ``progress`` has returned False.
        """
        from noughts.analysis.advice import DEFAULT_LINES

        found = self._advise(position, DEFAULT_LINES, progress)
        if progress(found) is False or all(advice.value is not None for advice in found):
            return
        limit = Limit(seconds=ANALYSIS_SECONDS)
        found = self._compute(position.copy(), DEFAULT_LINES, limit, progress, is_resumed=True)
        progress(found)

    def stop(self) -> None:
        """Stop the work in progress, from another thread; its answer is not remembered."""
        advisor = self._advisor
        if advisor is not None:
            advisor.stop()

    def _advise(self, position: Position, lines: int, progress: Progress = None) -> list[Advice]:
        key = position.game, position.text, lines
        if key in self._answers:
            return self._answers[key]
        found = self._compute(position.copy(), lines, self._limit, progress)
        if self._advisor is None or not self._advisor.is_stopped:
            self._answers[key] = found
            while len(self._answers) > REMEMBERED_ANSWERS:
                self._answers.popitem(last=False)
        return found

    def _compute(
        self, position: Position, lines: int, limit: Limit, progress: Progress = None, is_resumed: bool = False
    ) -> list[Advice]:
        from noughts.analysis.advice import Advisor

        progress_text = " ..."

        def show_progress(found: list[Advice]) -> object:
            nonlocal progress_text
            progress_text = f": depth {found[0].result.depth}, {found[0].result.verdict}"
            return None if progress is None else progress(found)

        def work() -> list[Advice]:
            with self._is_free:
                self._engine = self._engine or self._make_engine()
                self._advisor = advisor = Advisor(self._engine, warn=self._warn_once)
                with self._open_store() as advisor.store:  # here: a store belongs to the thread that opened it
                    return advisor.advise(position, limit, lines=lines, progress=show_progress, is_resumed=is_resumed)

        return self._run(work, lambda: f"the engine is thinking{progress_text}")

    def review(self, play: Playthrough) -> Review:
        key = play.game, play.start, play.moves, play.outcome
        if self._review is None or self._review[0] != key:
            self._review = key, self._compute_review(play)
        return self._review[1]

    def _compute_review(self, play: Playthrough) -> Review:
        from noughts.analysis.advice import Advisor
        from noughts.analysis.reviews import review

        done = [0, len(play.moves) + 1]

        def show_progress(reached: int, total: int) -> None:
            done[:] = reached, total

        def work() -> Review:
            with self._open_store() as store:
                advisor = Advisor(self._make_engine(), store, self._warn_once)
                return review(play, advisor=advisor, progress=show_progress, seconds=REVIEW_SECONDS)

        return self._run(work, lambda: f"reviewing: {done[0]} of {done[1]} positions")

    def _run(self, work: Callable[[], T], status: Callable[[], str]) -> T:
        """Do the work; ``status`` says how far it is."""
        if self._status_display is None:
            return work()
        return run_interruptible(work, self._status_display, status, self.stop)

    def _make_engine(self) -> Engine:
        from noughts.analysis.advice import ENGINE_MB

        return Engine(hash_mb=ENGINE_MB, book=self.uses_book, network=self.network)

    def _open_store(self) -> AbstractContextManager[Store | None]:
        return open_store_if_possible(warn=self._warn_once, read_only=True) or nullcontext()

    def _warn_once(self, text: str) -> None:
        if not self._has_warned:
            self._has_warned = True
            self._warn(text)


def advise_to_the_end(advisor: SessionAdvisor, position: Position) -> list[Advice]:
    """Return the best moves; the first line is extended to the end of a proven win or loss, as far as it can be proven.

    A search that stops at a forced win knows the result but not every move of the line.
    """
    found, *others = advisor.advise(position)
    line, end = list(found.pv), position.copy()
    end.play_all(line)
    deadline = time.monotonic() + LINE_SECONDS
    while found.value in DECIDED and not end.is_over and len(line) < (found.plies or 0) and time.monotonic() < deadline:
        following = advisor.find_best(end)
        if following.value not in DECIDED:
            break
        line.append(following.move)
        end.play(following.move)
    return [replace(found, result=found.result._replace(pv=line)), *others]


def describe_score(found: Advice, side: Side) -> str:
    """Return who is ahead, in words and as a number; proven values are told apart from estimates."""
    from noughts.analysis.region_names import moves_to_end

    length = f" in at most {moves_to_end(found.plies)}" if found.plies else ""
    if found.value is Value.DRAW:
        return "Proven: a draw with best play."
    if found.value is not None:
        return f"Proven: {side if found.value is Value.WIN else side.opponent} wins{length}."
    better = side if found.score > 0 else side.opponent
    words = "About even" if found.score == 0 else f"{better} is ahead"
    return f"{words}: {found.score:+d} for {side}, looking {count(found.result.depth, 'ply')} ahead."


def describe_review(found: Review, movers: Sequence[str]) -> str:
    """Return a review as text: the moves that were not good, what was better, and each player's accuracy.

    ``movers`` are the names of the players who made each move.
    """
    from noughts.ask.review import ReviewAnswer, describe_mistake

    lines = [describe_mistake(move) for move in ReviewAnswer.of(found).moves if not move.label.is_good]
    return "\n".join([*(lines or ["No mistakes."]), f"Accuracy: {', '.join(_accuracies(found, movers))}."])


def _accuracies(found: Review, movers: Sequence[str]) -> Iterator[str]:
    """The accuracy of each side, or of each player if a side was played by more than one."""
    players = list(dict.fromkeys(zip((move.side for move in found.moves), movers, strict=True)))
    if len(players) == len({side for side, _ in players}):
        for side, name in sorted(players, key=lambda player: player[0].number):
            yield f"{side} ({name}) {player_accuracy(found, movers, name, side):.0f}%"
    else:
        for name in dict.fromkeys(name for _, name in players):
            yield f"{name} {player_accuracy(found, movers, name):.0f}%"


def player_accuracy(found: Review, movers: Sequence[str], name: str, side: Side | None = None) -> float | None:
    """Return the accuracy of a player's moves, with either side or with one; None if there are none."""
    from noughts.analysis.reviews import mean_accuracy

    moves = zip(found.moves, movers, strict=True)
    return mean_accuracy([move for move, mover in moves if mover == name and side in (None, move.side)])
