"""``python -m noughts.players.python_child SPEC``: a Python bot in a process of its own, speaking JSON lines.

The bot's prints go to standard error, so that they cannot be taken for moves. What a tournament forbids ends it, with
``{"forbidden": ...}`` as its last answer.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from noughts.games import Position
from noughts.players.bot import Bot
from noughts.players.failure import BotFailed
from noughts.players.guard import Guard
from noughts.players.json_lines import GREETING, limit_of, position_of
from noughts.players.loading import NoBot, load_bot, move_of

FORBIDDEN_CODE = 3


def _own_streams() -> tuple[int, int]:
    """Take standard input and output for ourselves; the bot's prints go to standard error."""
    questions, answers = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return questions, answers


def _catcher(answers: int) -> Callable[[str], NoReturn]:
    """What ends the bot when it is caught; it holds what it needs, so that the bot cannot take it away."""
    tell, leave = _tell, os._exit

    def caught(deed: str) -> NoReturn:
        tell(answers, {"forbidden": f"{deed} is forbidden"})
        leave(FORBIDDEN_CODE)

    return caught


def _play(bot: Bot, guard: Guard, questions: int, answers: int) -> None:
    with os.fdopen(questions, encoding="utf-8") as lines:
        for line in lines:
            asked = json.loads(line)
            position = position_of(asked)
            answer = bot.choose(position.copy(), limit_of(asked))
            guard.check()
            _tell(answers, {"move": _text(position, answer)})


def _tell(
    answers: int,
    answer: object,
    write: Callable[[int, bytes], int] = os.write,
    dumps: Callable[[object], str] = json.dumps,
) -> None:
    """Write an answer, with what it takes held since before the bot was loaded."""
    write(answers, dumps(answer).encode() + b"\n")


def _text(position: Position, answer: object) -> str | None:
    """An answer as the host takes it, which judges it: text as it is, a cell by its name, None for what is neither."""
    if isinstance(answer, str):
        return answer
    try:
        cell = move_of(position, answer)
    except BotFailed:
        return None
    return position.format_move(cell) if 0 <= cell < position.game.cells else f"cell {cell}"


def main(arguments: list[str]) -> int:
    """Load the bot and answer questions until there are no more."""
    questions, answers = _own_streams()
    sys.dont_write_bytecode = True
    guard = Guard(_catcher(answers))
    try:
        bot = load_bot(arguments[0])
    except NoBot as error:
        print(error, file=sys.stderr)
        return 2
    guard.loaded()
    _tell(answers, GREETING)
    _play(bot, guard, questions, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
