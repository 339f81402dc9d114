"""A judge and rated opponents for other programs: a JSON request on a line, a JSON answer on a line.

A request has a position, as in the protocol JSON lines, and a question: ``judge`` (the value of every move, the regret
of a proposed one), ``play`` (the move of a level or a rating) or ``show`` (the board and the legal moves). See
docs/judge.md.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple, NoReturn, TextIO

from noughts.analysis.judging import Judge
from noughts.engine import Limit, all_ratings, rating_of
from noughts.games import Position
from noughts.games.quoting import quote
from noughts.players.protocols.json_lines import parse_limit, parse_position
from noughts.players.registry import make_builtin, parse_rated_name

__all__ = ["MAX_NODES", "MAX_SECONDS", "QUESTIONS", "JudgeService", "serve_judge"]

MAX_LINE_CHARACTERS = 1 << 22
"""The longest request; the largest custom games fit."""
MAX_SECONDS, MAX_NODES = 3600.0, 100_000_000
"""The most that a request may ask for. One with a limit on depth alone gets ``MAX_SECONDS``, too."""
DEFAULT_QUESTION = "judge"
COMMON_KEYS = ("id", "ask", "game", "start", "position", "moves", "time_ms", "depth", "nodes")
IGNORED_KEYS = ("legal", "clock_ms", "increment_ms")
"""Other keys of questions in JSON lines: such a question, with the answer of a bot in it, is a request."""

Work = Callable[[], dict[str, Any]]
"""Answers a request that was checked: an exception is a bug, not a mistake of the caller."""

log = logging.getLogger(__name__)


def serve_judge(lines: TextIO, out: TextIO, judge: Judge) -> None:
    """Answer the requests on lines, in order, until they end; empty lines are skipped."""
    service = JudgeService(judge)
    for line in _read_lines(lines):
        out.write(service.answer(line) + "\n")
        out.flush()


def _read_lines(lines: TextIO) -> Iterator[str]:
    """Yield the lines that are not empty; of one that is too long, as much as shows that it is."""
    for line in iter(lambda: lines.readline(MAX_LINE_CHARACTERS + 1), ""):
        rest = line
        while len(rest) > MAX_LINE_CHARACTERS and not rest.endswith("\n"):
            rest = lines.readline(MAX_LINE_CHARACTERS + 1)
        if line.strip():
            yield line.strip() if len(line) <= MAX_LINE_CHARACTERS else line


class JudgeService:
    """Answers requests, each the text of a JSON object, with the text of one."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def answer(self, line: str) -> str:
        """Return the answer on one line; a mistake is answered with ``{"id": ..., "error": ...}``.

        A bug is answered with the error ``internal error``, and logged.
        """
        identifier = None
        try:
            request = _parse_request(line)
            identifier = _identifier(request)
            work = self._prepare(request)
        except RecursionError:
            return json.dumps({"id": identifier, "error": "expected JSON with less nesting"})
        except (TypeError, ValueError) as error:
            return json.dumps({"id": identifier, "error": str(error)})
        try:
            return json.dumps({"id": identifier, **work()})
        except Exception:
            log.exception("the request %s failed", quote(line))
            return json.dumps({"id": identifier, "error": "internal error"})

    def _prepare(self, request: dict[str, Any]) -> Work:
        """Check a request and return the work that it asks for; raises TypeError or ValueError."""
        name = request.get("ask", DEFAULT_QUESTION)
        if not isinstance(name, str) or name not in QUESTIONS:
            raise ValueError(f'expected "ask" as {", ".join(QUESTIONS)}, got {quote(name)}')
        question = QUESTIONS[name]
        _check_keys(request, name)
        return question.prepare(self, parse_position(request), request)

    def judge_moves(self, position: Position, request: dict[str, Any]) -> Work:
        """Find the worth of every move, and the verdict on the proposed one."""
        _require_unfinished(position)
        limit, proposed = self._limit(request), request.get("move")

        def work() -> dict[str, Any]:
            judgement = self.judge.judge(position, limit, proposed=proposed)
            answer = judgement.to_data()
            if "move" in request:
                answer["proposal"] = judgement.proposal_data(judgement.of(proposed))
            return answer

        return work

    def choose_move(self, position: Position, request: dict[str, Any]) -> Work:
        """Find the move of a level, or of a rating, and the position after it."""
        _require_unfinished(position)
        name, seed, game = parse_rated_name(request.get("level")), request.get("seed"), position.game
        if isinstance(seed, bool) or not isinstance(seed, int | None):
            raise ValueError(f'expected "seed" as a whole number, got {quote(seed)}')
        player, limit = make_builtin(name, seed), self._limit(request)
        assert player is not None

        def work() -> dict[str, Any]:
            move = player.choose(position, limit)
            return {
                "move": position.format_move(move),
                "cell": move,
                "level": name,
                "rating": rating_of(game, name),
                "measured": game.id in all_ratings(),
                **_position_data(position.after(move)),
            }

        return work

    def show(self, position: Position, request: dict[str, Any]) -> Work:
        """Find the position, its legal moves and a drawing of the board."""
        return lambda: _position_data(position) | {"board": str(position)}

    def _limit(self, request: dict[str, Any]) -> Limit:
        limit = parse_limit(request) or self.judge.limit
        if limit.seconds is not None and limit.seconds > MAX_SECONDS:
            raise ValueError(f'expected "time_ms" of at most {MAX_SECONDS * 1000:.0f}')
        if limit.nodes is not None and limit.nodes > MAX_NODES:
            raise ValueError(f'expected "nodes" of at most {MAX_NODES}, got {quote(limit.nodes)}')
        is_bounded = limit.seconds is not None or limit.nodes is not None
        return limit if is_bounded else limit._replace(seconds=MAX_SECONDS)


class _Question(NamedTuple):
    """A question: the function that checks its request, and the keys of a request that only it uses."""

    prepare: Callable[[JudgeService, Position, dict[str, Any]], Work]
    keys: tuple[str, ...] = ()


QUESTIONS = {
    DEFAULT_QUESTION: _Question(JudgeService.judge_moves, ("move",)),
    "play": _Question(JudgeService.choose_move, ("level", "seed")),
    "show": _Question(JudgeService.show),
}
"""The questions by their names in ``ask``."""


def _parse_request(line: str) -> dict[str, Any]:
    """The object on a line; raises ValueError, or RecursionError if it is nested too deep."""
    if len(line) > MAX_LINE_CHARACTERS:
        raise ValueError(f"expected a line of at most {MAX_LINE_CHARACTERS} characters")
    try:
        request = json.loads(line, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        raise ValueError(f"expected a JSON object on one line, got {quote(line)}: {reason}") from None
    except ValueError:
        raise ValueError(f"expected JSON without huge numbers, got {quote(line)}") from None
    if not isinstance(request, dict):
        raise ValueError(f"expected a JSON object, got {quote(request)}")
    return request


def _identifier(request: dict[str, Any]) -> str | int | float | None:
    identifier = request.get("id")
    if not isinstance(identifier, str | int | float | None):
        raise ValueError(f'expected "id" as text or a number, got {quote(identifier)}')
    return identifier


def _require_unfinished(position: Position) -> None:
    if position.is_over:
        raise ValueError("expected a position with a side to move, but the game is over")


def _refuse_constant(name: str) -> NoReturn:
    raise json.JSONDecodeError(f"it has no {name}", name, 0)


def _check_keys(request: dict[str, Any], name: str) -> None:
    known = {*COMMON_KEYS, *IGNORED_KEYS, *QUESTIONS[name].keys}
    for key in request:
        if key not in known:
            raise ValueError(_unknown_key(key, name, sorted(known)))


def _unknown_key(key: str, name: str, known: list[str]) -> str:
    owner = next((other for other, question in QUESTIONS.items() if key in question.keys), None)
    if owner is not None:
        return f'"{key}" belongs to "ask": "{owner}", got "ask": "{name}"'
    near = get_close_matches(key, known, n=1)
    return f"unknown key {quote(key)}" + (f'; did you mean "{near[0]}"?' if near else "")


def _position_data(position: Position) -> dict[str, Any]:
    outcome = position.outcome
    return {
        "game": position.game.id,
        "position": position.text,
        "turn": position.turn,
        "legal": [position.format_move(move) for move in position.legal_moves],
        "over": position.is_over,
        "winner": position.winner,
        "reason": None if outcome is None else outcome.reason,
    }
