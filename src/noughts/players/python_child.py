"""``python -m noughts.players.python_child SPEC``: a Python bot in a process of its own, speaking JSON lines.

The bot's prints go to standard error, so that they are not mistaken for moves. A forbidden action ends the process,
with ``{"forbidden": ...}`` as its last answer.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from noughts.games import Position
from noughts.players.audit_hook import AuditHook
from noughts.players.player import Player, PlayerFailed
from noughts.players.protocols.json_lines import GREETING, parse_limit, parse_position
from noughts.players.python_bot import LoadError, load_player, move_of

FORBIDDEN_EXIT_CODE = 3


def _take_streams() -> tuple[int, int]:
    """Return private descriptors of standard input and output; the bot's prints go to standard error."""
    questions, answers = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return questions, answers


def _make_violation_handler(answers: int) -> Callable[[str], NoReturn]:
    """Return the function that ends the bot; everything it uses is bound here, out of the bot's reach."""
    write, leave = _write, os._exit

    def end_bot(action: str) -> NoReturn:
        write(answers, {"forbidden": f"{action} is forbidden"})
        leave(FORBIDDEN_EXIT_CODE)

    return end_bot


def _play(player: Player, hook: AuditHook, questions: int, answers: int) -> None:
    with os.fdopen(questions, encoding="utf-8") as lines:
        for line in lines:
            question = json.loads(line)
            position = parse_position(question)
            answer = player.choose(position.copy(), parse_limit(question))
            hook.check()
            _write(answers, {"move": _answer_text(position, answer)})


def _write(
    answers: int,
    answer: object,
    write: Callable[[int, bytes], int] = os.write,
    dumps: Callable[[object], str] = json.dumps,
) -> None:
    """Write an answer; the functions it needs were bound before the bot was loaded."""
    write(answers, dumps(answer).encode() + b"\n")


def _answer_text(position: Position, answer: object) -> str | None:
    """Return the answer for the host to judge: text unchanged, a cell by its name, None for anything else."""
    if isinstance(answer, str):
        return answer
    try:
        cell = move_of(position, answer)
    except PlayerFailed:
        return None
    return position.format_move(cell) if 0 <= cell < position.game.cells else f"cell {cell}"


def main(arguments: list[str]) -> int:
    """Load the bot and answer questions until the input ends."""
    questions, answers = _take_streams()
    sys.dont_write_bytecode = True
    hook = AuditHook(_make_violation_handler(answers))
    try:
        player = load_player(arguments[0])
    except LoadError as error:
        print(error, file=sys.stderr)
        return 2
    hook.end_loading()
    _write(answers, GREETING)
    _play(player, hook, questions, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
