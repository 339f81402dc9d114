"""noughts as an engine of UGI, the Universal Game Interface, and of UCI, the protocol of chess engines it comes from.

A mistake of the host is answered with a line ``info string error: ...``, and nothing else happens.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from noughts import __version__
from noughts.engine import LEVELS, Level, SearchResult
from noughts.engine.engine import MAX_HASH_MB, MAX_THREADS
from noughts.games import Game, Position
from noughts.games.quoting import quote
from noughts.players.protocols.clock import Clock
from noughts.players.protocols.dialect import NATIVE, VARIANTS, Cutechess, Dialect
from noughts.players.protocols.serving import Say
from noughts.players.protocols.thinker import WHOLE_ENGINE, Thinker

__all__ = ["UgiEngine"]

DEFAULT_GAME = "3x3"
MAX_MULTIPV = 1024
GO_NUMBERS = {
    "movetime": "movetime",
    "depth": "depth",
    "nodes": "nodes",
    "mate": "mate",
    "movestogo": "movestogo",
    "p1time": "x",
    "wtime": "x",
    "p2time": "o",
    "btime": "o",
    "p1inc": "x_inc",
    "winc": "x_inc",
    "p2inc": "o_inc",
    "binc": "o_inc",
}
"""What ``go`` takes with a number, and what it is here: two protocols, one meaning."""
MOST = 1 << 62


class UgiEngine:
    """Obeys lines of UGI and UCI alike; ``say`` writes an answer."""

    def __init__(self, say: Say, thinker: Thinker) -> None:
        self._say = say
        self._thinker = thinker
        self._settings = thinker.settings
        self._dialect: Dialect = NATIVE
        self._lines = 1
        self._position = (self._settings.game or Game(DEFAULT_GAME)).start()
        self._commands: dict[str, Callable[[list[str]], object]] = {
            "ugi": lambda words: self._introduce("ugiok"),
            "uci": lambda words: self._introduce("uciok"),
            "isready": lambda words: self._get_ready(),
            "setoption": self._set_option,
            "uginewgame": lambda words: self._new_game(),
            "ucinewgame": lambda words: self._new_game(),
            "position": self._set_position,
            "go": self._go,
            "stop": lambda words: self._thinker.stop(),
            "query": self._query,
            "d": lambda words: self._draw(),
            "debug": lambda words: None,
            "register": lambda words: None,
            "ponderhit": lambda words: None,
        }

    def receive(self, line: str) -> bool:
        """Obey a line; return False for ``quit``."""
        command, *words = line.split()
        if command == "quit":
            self._thinker.stop()
            return False
        obey = self._commands.get(command)
        if obey is None:
            known = ", ".join(["ugi", "uci", "isready", "setoption", "position", "go", "stop", "query", "quit"])
            self._complain(f"expected a command of {known}, got {quote(command)}")
            return True
        if command not in ("isready", "stop"):
            self._thinker.finish()  # a limit once given holds: a host in no hurry gets the same answer every time
        try:
            obey(words)
        except ValueError as error:
            self._complain(str(error))
        return True

    def end(self) -> None:
        """Let a search that ends by itself end."""
        self._thinker.finish()

    def _complain(self, message: str) -> None:
        self._say(f"info string error: {message}")

    def _introduce(self, last: str) -> None:
        settings = self._settings
        game = self._position.game
        self._say(
            "\n".join(
                [
                    f"id name noughts {__version__}",
                    "id author the noughts authors",
                    f"option name Game type string default {game.id}",
                    f"option name UCI_Variant type combo default tictactoe {' '.join(f'var {v}' for v in VARIANTS)}",
                    f"option name Threads type spin default {settings.threads} min 1 max {MAX_THREADS}",
                    f"option name Hash type spin default {settings.hash_mb} min 1 max {MAX_HASH_MB}",
                    f"option name MultiPV type spin default {self._lines} min 1 max {MAX_MULTIPV}",
                    f"option name Level type combo default {settings.level} {' '.join(f'var {v}' for v in LEVELS)}",
                    last,
                ]
            )
        )

    def _get_ready(self) -> None:
        """Answer in any case: a host waits for it, whatever went wrong."""
        try:
            if not self._thinker.is_thinking:
                self._thinker.get_ready()
        finally:
            self._say("readyok")

    def _set_option(self, words: list[str]) -> None:
        if not words or words[0] != "name":
            raise ValueError("expected setoption name NAME value VALUE")
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]).lower(), " ".join(words[at + 1 :])
        setters: dict[str, Callable[[str], None]] = {
            "game": self._set_game,
            "uci_variant": self._set_variant,
            "threads": lambda text: setattr(self._settings, "threads", _number("Threads", text, 1, MAX_THREADS)),
            "hash": self._set_hash,
            "multipv": lambda text: setattr(self, "_lines", _number("MultiPV", text, 1, MAX_MULTIPV)),
            "level": self._set_level,
        }
        if name not in setters:
            raise ValueError(
                f"expected an option of Game, UCI_Variant, Threads, Hash, MultiPV, Level, got {quote(name)}"
            )
        setters[name](value)

    def _set_game(self, value: str) -> None:
        game = _own_game(value) if value.startswith("{") else Game(value)
        self._dialect = NATIVE
        self._position = game.start()

    def _set_variant(self, value: str) -> None:
        if value not in VARIANTS:
            raise ValueError(f"expected a variant of {', '.join(VARIANTS)}, got {quote(value)}")
        self._dialect = Cutechess()
        self._position = Game(VARIANTS[value]).start()

    def _set_hash(self, value: str) -> None:
        """Try it at once: a table that does not fit in memory must not be found out in the middle of a move."""
        before, self._settings.hash_mb = self._settings.hash_mb, _number("Hash", value, 1, MAX_HASH_MB)
        try:
            self._thinker.get_ready()
        except ValueError:
            self._settings.hash_mb = before
            raise

    def _set_level(self, value: str) -> None:
        if value not in LEVELS:
            raise ValueError(f"expected a level of {', '.join(LEVELS)}, got {quote(value)}")
        self._settings.level = Level(value)

    def _new_game(self) -> None:
        self._thinker.forget()
        self._position = self._position.game.start()

    def _set_position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        what, text = (words[0], " ".join(words[1:at])) if words[:at] else ("", "")
        game = self._position.game
        if what == "startpos" and not text:
            position = game.start()
        elif what == "fen" and text:
            position = self._dialect.parse_position(game, text)
        else:
            raise ValueError("expected position startpos or position fen TEXT, then moves")
        for move in words[at + 1 :]:
            position.play(self._dialect.parse_move(position, move))
        self._position = position

    def _go(self, words: list[str]) -> None:
        limit = _clock(words).limit(self._position)
        if self._position.is_over:
            self._complain("expected a position to search, but the game is over")
            self._say("bestmove (none)")
            return
        position = self._position.copy()
        said: list[str] = []

        def progress(found: SearchResult) -> None:
            said.append(self._info(position, found, 1))
            self._say(said[-1])

        self._thinker.begin(position, limit, self._lines, progress, lambda found: self._finish(position, found, said))

    def _finish(self, position: Position, found: list[SearchResult], said: list[str]) -> None:
        """Say what is new, and the move; a level says what it plays, not why."""
        lines = [self._info(position, result, number) for number, result in enumerate(found, 1)]
        if self._settings.level != WHOLE_ENGINE or lines == said[-1:]:
            lines = []
        self._say("\n".join([*lines, f"bestmove {self._dialect.format_move(position, found[0].move)}"]))

    def _info(self, position: Position, found: SearchResult, number: int) -> str:
        pv = " ".join(self._dialect.format_move(position, move) for move in found.pv or [found.move])
        counts = f"nodes {found.nodes} nps {found.nps} time {round(found.seconds * 1000)} hashfull {found.hashfull}"
        return f"info depth {found.depth} multipv {number} score {_score(found)} {counts} pv {pv}"

    def _query(self, words: list[str]) -> None:
        position = self._position
        outcome = position.outcome
        answers: dict[str, Callable[[], Any]] = {
            "gameover": lambda: "true" if position.is_over else "false",
            "p1turn": lambda: "true" if position.turn == "X" else "false",
            "result": lambda: "none" if outcome is None else _result(outcome.winner),
        }
        if len(words) != 1 or words[0] not in answers:
            raise ValueError(f"expected query {', '.join(answers)}, got {quote(' '.join(words))}")
        self._say(f"response {answers[words[0]]()}")

    def _draw(self) -> None:
        board = str(self._position).splitlines()
        text = self._dialect.format_position(self._position)
        self._say("\n".join(f"info string {line}".rstrip() for line in [*board, f"fen {text}"]))


def _own_game(value: str) -> Game:
    import json

    try:
        return Game.from_data(json.loads(value))
    except (json.JSONDecodeError, RecursionError):
        raise ValueError(f"expected a game of one's own as JSON, got {quote(value)}") from None


def _number(name: str, text: str, least: int, most: int) -> int:
    if not re.fullmatch("-?[0-9]{1,20}", text) or not least <= int(text) <= most:
        raise ValueError(f"expected {name} from {least} to {most}, got {quote(text)}")
    return int(text)


def _clock(words: list[str]) -> Clock:
    """What ``go`` allows; without a limit it is endless, until ``stop``."""
    numbers: dict[str, int] = {}
    rest = iter(words)
    for word in rest:
        if word in GO_NUMBERS:
            numbers[GO_NUMBERS[word]] = _number(word, next(rest, ""), -MOST if "time" in word else 0, MOST)
        elif word != "infinite":
            raise ValueError(f"expected go infinite, {', '.join(GO_NUMBERS)}, got {quote(word)}")
    if "infinite" in words:
        return Clock()
    has_clock = "x" in numbers or "o" in numbers
    depth = numbers.get("depth") or (2 * numbers["mate"] - 1 if numbers.get("mate") else None)
    return Clock(
        seconds=max(1, numbers["movetime"]) / 1000 if "movetime" in numbers else None,
        remaining=_pair(numbers, "x", "o") if has_clock else None,
        increment=_pair(numbers, "x_inc", "o_inc"),
        moves_to_go=numbers.get("movestogo") or None,
        nodes=numbers.get("nodes") or None,
        depth=depth,
    )


def _pair(numbers: dict[str, int], x: str, o: str) -> tuple[float, float]:
    """Milliseconds of both sides in seconds; a host that tells one side's only means it for both."""
    first, second = numbers.get(x, numbers.get(o, 0)), numbers.get(o, numbers.get(x, 0))
    return max(0, first) / 1000, max(0, second) / 1000


def _score(found: SearchResult) -> str:
    """A proven win or loss in moves of the winner, as chess counts; else the score as it is."""
    if found.value in ("win", "loss") and found.plies is not None:
        moves = (found.plies + 1) // 2
        return f"mate {moves if found.value == 'win' else -moves}"
    return f"cp {found.score}"


def _result(winner: object) -> str:
    return "draw" if winner is None else "p1win" if winner == "X" else "p2win"
