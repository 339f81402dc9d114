"""A process that plays: ``python -m noughts.arena.worker``. Lines of JSON in, lines of JSON out.

First comes the plan, then tasks; each is answered by the finished playthrough. When the input ends, because the
tournament is over or its process was killed, the worker leaves at once and its bots are ended.
"""

from __future__ import annotations

import json
import os
import sys
from queue import SimpleQueue
from threading import Thread
from typing import TextIO

from noughts.arena.match import Table
from noughts.arena.plan import Plan
from noughts.arena.schedule import Key, Task
from noughts.players.process_tree import become_subreaper

__all__ = ["main"]


def main() -> None:
    """Play the tasks that come in on standard input."""
    become_subreaper()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # so that stray prints do not end up among the answers
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin, lines), daemon=True).start()
    table = Table(Plan.from_data(json.loads(lines.get())))
    while True:
        key, x, o = json.loads(lines.get())
        task = Task(Key(*key), x, o)
        try:
            answer = table.play(task).to_data()
        except ValueError as error:
            answer = {"error": str(error)}
        except Exception as error:  # the runner waits for an answer to every task
            answer = {"error": f"playthrough {tuple(key)} failed: {type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _listen(stream: TextIO, lines: SimpleQueue[str]) -> None:
    for line in stream:
        lines.put(line)
    os._exit(0)  # nobody is left to hear the answer; the keepers of the bots notice and end them


if __name__ == "__main__":
    main()
