"""The process of an engine: ``python -m noughts.web.engine_worker`` answers questions from standard input.

The first line has the settings, every further one a question or an interruption, as JSON. Each line of its output is
a kind of message and its JSON: ``begun``, ``progress``, ``answer``, ``refused``, ``abandoned``, ``store``, ``memory``
or ``failed``. It exits when its input ends, in the middle of a question if need be.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
import traceback
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from noughts.analysis.advice import ENGINE_MB, Advisor
from noughts.ask.question import AnyJob, Context, Stopped, at_limited_rate
from noughts.ask.table import QUESTIONS
from noughts.engine import Engine
from noughts.process.limits import MEGABYTE
from noughts.process.streams import take_output
from noughts.schema import encode, loads, read
from noughts.store import Store, StoreError
from noughts.web.errors import refusal_of
from noughts.web.logs import configure_logging

__all__ = ["main"]

MAX_PAUSED = 8
"""Interrupted questions that are kept, to be continued."""
TICK_SECONDS = 0.05


class EngineTools:
    """Engine, advisor and store, which are kept between questions and opened when they are first needed."""

    def __init__(self, store: str | None, book: bool) -> None:
        self._store_path, self._book = None if store is None else Path(store), book
        self._engine: Engine | None = None
        self._store: Store | None = None
        self._advisor: Advisor | None = None

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = self._make_engine()
        return self._engine

    def _make_engine(self) -> Engine:
        try:
            return Engine(hash_mb=ENGINE_MB, book=self._book)
        except ValueError as error:  # its table does not fit into the memory of this process
            raise MemoryError from error

    @property
    def store(self) -> Store:
        """The connection to the store; raises StoreError."""
        if self._store is None:
            self._store = Store(self._store_path)
        return self._store

    @property
    def advisor(self) -> Advisor:
        """The advisor, with the engine and the store; raises StoreError."""
        if self._advisor is None:
            self._advisor = Advisor(self.engine, self.store, _log_warning)
        return self._advisor

    def make_advisor(self) -> Advisor:
        """Return an advisor with an engine of its own, and the store; raises StoreError."""
        return Advisor(self._make_engine(), self.store, _log_warning)


def _log_warning(text: str) -> None:
    """Log a failure that does not cost the answer."""
    logging.getLogger(__name__).warning("%s", text)


class Turn(Context):
    """The context of one turn of a question, which may also be preempted or abandoned."""

    def __init__(self, tools: EngineTools, key: int) -> None:
        super().__init__(make_advisor=tools.make_advisor)
        self._tools, self.key = tools, key
        self.is_abandoned = self.was_preempted = self.is_over = False

    @property
    def engine(self) -> Engine:
        """The engine of the process, which needs no store."""
        self._running.append(self._tools.engine)
        return self._tools.engine

    @property
    def advisor(self) -> Advisor:
        """The advisor of the process."""
        self._running.append(self._tools.advisor)
        return self._tools.advisor

    @property
    def should_continue(self) -> bool:
        """Whether there is still a reason to work on the question."""
        return not (self.is_stopped or self.is_abandoned or self.was_preempted)

    def interrupt(self, why: str) -> None:
        """Ask for the answer found so far, make room for others, or abandon the question."""
        self.is_stopped |= why == "stop"
        self.was_preempted |= why == "preempt"
        self.is_abandoned |= why == "abandon"
        Thread(target=self._stop_until_over, daemon=True).start()

    def _stop_until_over(self) -> None:
        """Stop searches until the turn is over, since a request that comes before a search begins is lost."""
        while not self.is_over:
            self.stop_searches()
            time.sleep(TICK_SECONDS)


class EngineWorker:
    """Answers questions one after another; those that were interrupted to make room are kept, to be continued."""

    def __init__(self, tools: EngineTools, out: IO[bytes]) -> None:
        self._tools, self._out = tools, out
        self._paused: OrderedDict[int, AnyJob] = OrderedDict()
        self._turn: Turn | None = None
        self._asks: SimpleQueue[dict[str, Any]] = SimpleQueue()

    def read(self, lines: IO[bytes]) -> None:
        """Take questions and interruptions from a pipe until it ends; then end the process."""
        for line in lines:
            message = json.loads(line)
            if "interrupt" in message:
                turn = self._turn
                if turn is not None and turn.key == message["interrupt"]:
                    turn.interrupt(message["why"])
            else:
                self._turn = Turn(self._tools, message["key"])  # before the interruptions that follow
                self._asks.put(message)
        os._exit(0)

    def serve(self) -> None:
        """Answer questions until the process is ended, or out of memory."""
        while True:
            ask, turn = self._asks.get(), self._turn
            assert turn is not None
            try:
                self._answer(ask, turn)
            except Stopped:
                self._send("abandoned")
            except StoreError as error:
                self._send("store", json.dumps(str(error)))
            except MemoryError:
                self._send("memory")
                return
            except Exception as error:
                self._refuse(error)
            finally:
                turn.is_over = True

    def _answer(self, ask: dict[str, Any], turn: Turn) -> None:
        question = QUESTIONS[ask["question"]]
        job: AnyJob | None = self._paused.pop(ask["key"], None)
        if job is None:
            request = read(question.request, loads(ask["request"]))
            if getattr(request, "seconds", None) is not None and ask["so_far"] is not None:
                request = replace(request, seconds=ask["seconds"])
            job = question.prepare_public(request)
        if job.restore is not None and ask["so_far"] is not None:
            job.restore(read(question.answer, loads(ask["so_far"])))
        self._send("begun")
        answer = job.work(turn, at_limited_rate(self._report))
        if turn.was_preempted and job.is_resumable:
            self._paused[ask["key"]] = job
            while len(self._paused) > MAX_PAUSED:
                self._paused.popitem(last=False)
        self._send("answer", encode(answer))

    def _report(self, progress: object) -> None:
        self._send("progress", encode(progress))

    def _refuse(self, error: Exception) -> None:
        refusal = refusal_of(error)
        if refusal is None:
            self._send("failed", json.dumps("".join(traceback.format_exception(error))))
        else:
            fields = {"status": refusal.status, "message": refusal.message, "retry_after": refusal.retry_after}
            self._send("refused", json.dumps({**fields, "reason": refusal.reason}))

    def _send(self, kind: str, text: str = "") -> None:
        self._out.write(f"{kind} {text}\n".encode())
        self._out.flush()


def _bound_memory(megabytes: int | None) -> None:
    """Let allocations beyond a bound fail, where the system can do that: Linux counts all private memory."""
    if megabytes is not None and sys.platform != "win32":
        import resource

        with suppress(ValueError, OSError):  # a lower bound holds already
            resource.setrlimit(resource.RLIMIT_DATA, (megabytes * MEGABYTE,) * 2)


def _lower_priority(niceness: int) -> None:
    if niceness and sys.platform != "win32":
        with suppress(OSError):
            os.nice(niceness)


def main() -> None:
    """Read the settings, then answer questions."""
    out = take_output()
    lines = sys.stdin.buffer
    settings = json.loads(lines.readline() or "null")
    if settings is None:
        return
    configure_logging(settings["log_format"], settings["log_level"])
    _lower_priority(settings["niceness"])
    _bound_memory(settings["memory_mb"])
    worker = EngineWorker(EngineTools(settings["store"], settings["book"]), out)
    Thread(target=worker.read, args=(lines,), daemon=True).start()
    worker.serve()
    out.flush()
    os._exit(1)


if __name__ == "__main__":
    main()
