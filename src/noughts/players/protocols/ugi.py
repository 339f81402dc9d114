"""UGI, the Universal Game Interface, and UCI, the protocol of chess engines that it comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import ClassVar, NamedTuple

from noughts import __version__, _core
from noughts.engine import LEVELS, MAX_ELO, MIN_ELO, ClockReading, Level, Limit, SearchResult
from noughts.engine.engine import MAX_HASH_MB
from noughts.engine.evaluator import SEARCHES, parse_search
from noughts.engine.network import NO_NETWORK, parse_network
from noughts.games import Game, GameOver, Position, Side
from noughts.games.quoting import quote
from noughts.players.protocols.background_search import BackgroundSearch, Say
from noughts.players.protocols.dialects import NATIVE, VARIANTS, Cutechess, Dialect, is_chess, variant_of
from noughts.players.protocols.host import ProgramHost
from noughts.players.protocols.scores import centipawns, moves_to_mate
from noughts.players.python_bot import parse_move_text
from noughts.process.failure import FailureReason, PlayerFailed
from noughts.process.limits import Deadline

__all__ = ["UciHost", "UgiEngine", "UgiHost"]


# Hosts

DEFAULT_MS = 1000
"""For a move without a limit."""


class UgiHost(ProgramHost):
    """Host of a UGI engine."""

    protocol: ClassVar[str] = "ugi"
    quit_command: ClassVar[str] = "quit"
    greeting: ClassVar[str] = "ugi"
    new_game_command: ClassVar[str] = "uginewgame"
    time_words: ClassVar[tuple[str, str, str, str]] = ("p1time", "p2time", "p1inc", "p2inc")

    def _greet(self, deadline: Deadline) -> None:
        self._options: dict[str, str] = {}
        self._dialect: Dialect = NATIVE
        self._send(self.greeting, deadline)
        while (line := self._receive(deadline).strip()) != f"{self.greeting}ok":
            if line.startswith("id name "):
                self._set_name(line[len("id name ") :])
            elif line.startswith("option name "):
                name, _, rest = line[len("option name ") :].partition(" type ")
                self._options[name.strip().lower()] = rest

    def _set_game(self, game: Game, deadline: Deadline) -> None:
        self._dialect = NATIVE
        if option := self._game_option(game):
            self._send(f"setoption name {option}", deadline)
        self._wait_until_ready(deadline)

    def _game_option(self, game: Game) -> str | None:
        """Return the option that sets the game; an engine without one is assumed to play this game."""
        if "game" in self._options:
            return f"Game value {json.dumps(game.to_data()) if game.is_custom else game.id}"
        return self._variant_option(game)

    def _variant_option(self, game: Game) -> str | None:
        variant = variant_of(game)
        if variant is None or variant not in self._options.get("uci_variant", "").split():
            return None
        self._dialect = Cutechess()
        return f"UCI_Variant value {variant}"

    def _wait_until_ready(self, deadline: Deadline) -> None:
        self._send("isready", deadline)
        while self._receive(deadline).strip() != "readyok":
            pass

    def _begin(self, start: Position, deadline: Deadline) -> None:
        self._send(self.new_game_command, deadline)
        self._wait_until_ready(deadline)

    def _ask(self, position: Position, limit: Limit | None, deadline: Deadline) -> int:
        self._take_unasked()
        self._send(f"{self._position_command(position)}\n{self._go_command(limit)}", deadline)
        while True:
            word, _, rest = self._receive(deadline).strip().partition(" ")
            if word == "bestmove":
                return self._parse(position, rest)

    def _parse(self, position: Position, rest: str) -> int:
        text = next(iter(rest.split(maxsplit=1)), "")
        try:
            return parse_move_text(text, lambda move: self._dialect.parse_move(position, move))
        except PlayerFailed as failed:
            reason = FailureReason.ILLEGAL if text else FailureReason.GARBAGE
            raise PlayerFailed(f"bestmove {quote(text)}: {failed}", reason) from None

    def _position_command(self, position: Position) -> str:
        start = position.game.start_from(position.start_text)
        words = ["position", "startpos"]
        if position.start_text is not None:
            words[1:] = ["fen", self._dialect.format_position(start)]
        moves = [self._dialect.format_move(start, move) for move in position.moves]
        return " ".join([*words, *(["moves", *moves] if moves else [])])

    def _go_command(self, limit: Limit | None) -> str:
        if limit is None:
            return f"go movetime {DEFAULT_MS}"
        words = ["go"]
        bounds = {"depth": limit.depth, "nodes": limit.nodes}
        if limit.clock is not None:
            for name, seconds in zip(self.time_words, (*limit.clock.left, *limit.clock.increment), strict=True):
                words += [name, str(max(0, round(seconds * 1000)))]
            bounds = {"movestogo": limit.clock.moves_to_go} | bounds
        bounds["movetime"] = None if limit.seconds is None else max(1, round(limit.seconds * 1000))
        return " ".join(words + [f"{name} {bound}" for name, bound in bounds.items() if bound is not None])


class UciHost(UgiHost):
    """Host of a UCI engine; games that cutechess knows are described in its way."""

    protocol: ClassVar[str] = "uci"
    greeting: ClassVar[str] = "uci"
    new_game_command: ClassVar[str] = "ucinewgame"
    time_words: ClassVar[tuple[str, str, str, str]] = ("wtime", "btime", "winc", "binc")

    def _game_option(self, game: Game) -> str | None:
        return self._variant_option(game) or super()._game_option(game)


# Engine

DEFAULT_GAME = "3x3"
DEFAULT_ELO = 1200
MAX_MULTIPV = 1024
MAX_NUMBER = 1 << 62
GAMES_OWN = "<empty>"
"""The value of the option Network that stands for the network of the game; UCI's word for no text."""
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
"""The words of ``go`` that take a number, in both protocols, and their common names."""


class Option(NamedTuple):
    """An option of the engine: ``describe`` returns its type and default, ``set`` raises ValueError."""

    describe: Callable[[], str]
    set: Callable[[str], None]


class UgiEngine:
    """noughts as an engine of both protocols; ``say`` writes an answer.

    A mistake of the host is answered with a line ``info string error: ...``, and nothing changes.
    """

    def __init__(self, say: Say, search: BackgroundSearch) -> None:
        self._say = say
        self._search = search
        self._settings = search.settings
        self._dialect: Dialect = NATIVE
        self._lines = 1
        self._is_game_set = self._settings.game is not None
        self._is_chess = False
        self._is_limited = self._settings.level not in LEVELS
        self._elo = int(self._settings.level[len("elo:") :]) if self._is_limited else DEFAULT_ELO
        self._level = Level.MASTER if self._is_limited else Level(self._settings.level)
        self._position = (self._settings.game or Game(DEFAULT_GAME)).start()
        self._options: dict[str, Option] = {
            "Game": Option(lambda: f"string default {self._position.game.id}", self._set_game),
            "UCI_Variant": Option(lambda: _choice("tictactoe", VARIANTS), self._set_variant),
            "Threads": Option(lambda: _spin(self._settings.threads, 1, _core.MAX_THREADS), self._set_threads),
            "Hash": Option(lambda: _spin(self._settings.hash_mb, 1, MAX_HASH_MB), self._set_hash),
            "MultiPV": Option(lambda: _spin(self._lines, 1, MAX_MULTIPV), self._set_lines),
            "OwnBook": Option(lambda: _switch(self._settings.book), self._set_own_book),
            "Network": Option(lambda: f"string default {self._network_text}", self._set_network),
            "Search": Option(lambda: _choice(self._settings.search, SEARCHES), self._set_search),
            "Level": Option(lambda: _choice(self._level, LEVELS), self._set_level),
            "UCI_LimitStrength": Option(lambda: _switch(self._is_limited), self._limit_strength),
            "UCI_Elo": Option(lambda: _spin(self._elo, MIN_ELO, MAX_ELO), self._set_elo),
        }
        self._commands: dict[str, Callable[[list[str]], object]] = {
            "ugi": lambda words: self._introduce("ugiok"),
            "uci": lambda words: self._introduce("uciok"),
            "isready": lambda words: self._get_ready(),
            "setoption": self._set_option,
            "uginewgame": lambda words: self._new_game(),
            "ucinewgame": lambda words: self._new_game(),
            "position": self._set_position,
            "go": self._go,
            "stop": lambda words: self._search.stop(),
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
            self._search.stop()
            return False
        obey = self._commands.get(command)
        if obey is None:
            known = ", ".join(["ugi", "uci", "isready", "setoption", "position", "go", "stop", "query", "quit"])
            self._complain(f"expected a command of {known}, got {quote(command)}")
            return True
        if command not in ("isready", "stop"):
            self._search.finish()  # not stopped: a given limit always yields the same answer
        try:
            obey(words)
        except ValueError as error:
            self._complain(str(error))
        return True

    def _complain(self, message: str) -> None:
        self._say(f"info string error: {message}")

    def _introduce(self, last: str) -> None:
        options = [f"option name {name} type {option.describe()}" for name, option in self._options.items()]
        about = [f"id name noughts {__version__}", "id author the noughts authors"]
        self._say("\n".join([*about, *options, last]))

    def _get_ready(self) -> None:
        """Answer even after an error: the host is waiting."""
        try:
            if not self._search.is_thinking:
                self._search.get_ready()
        finally:
            self._say("readyok")

    def _set_option(self, words: list[str]) -> None:
        if not words or words[0] != "name":
            raise ValueError("expected setoption name NAME value VALUE")
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]).lower(), " ".join(words[at + 1 :])
        option = next((option for known, option in self._options.items() if known.lower() == name), None)
        if option is None:
            raise ValueError(f"expected an option of {', '.join(self._options)}, got {quote(name)}")
        option.set(value)

    def _set_game(self, value: str) -> None:
        self._begin(_parse_custom_game(value) if value.startswith("{") else Game(value), NATIVE)

    def _set_variant(self, value: str) -> None:
        if value not in VARIANTS:
            raise ValueError(f"expected a variant of {', '.join(VARIANTS)}, got {quote(value)}")
        self._begin(Game(VARIANTS[value]), Cutechess())

    def _begin(self, game: Game, dialect: Dialect) -> None:
        self._dialect = dialect
        self._position = game.start()
        self._is_game_set = True
        self._is_chess = False

    def _set_threads(self, value: str) -> None:
        self._settings.threads = _parse_number("Threads", value, 1, _core.MAX_THREADS)

    def _set_hash(self, value: str) -> None:
        """Allocate the table now, so that a lack of memory does not surface in the middle of a move."""
        self._change("hash_mb", _parse_number("Hash", value, 1, MAX_HASH_MB))

    def _set_lines(self, value: str) -> None:
        self._lines = _parse_number("MultiPV", value, 1, MAX_MULTIPV)

    def _set_own_book(self, value: str) -> None:
        self._settings.book = _parse_switch("OwnBook", value)

    @property
    def _network_text(self) -> str:
        network = self._settings.network
        return GAMES_OWN if network is None else NO_NETWORK if network is False else str(network)

    def _set_network(self, value: str) -> None:
        """Read the network now, so that a broken one does not surface in the middle of a move."""
        self._change("network", None if value in ("", GAMES_OWN) else parse_network(value))

    def _set_search(self, value: str) -> None:
        self._change("search", parse_search(value))

    def _change(self, setting: str, value: object) -> None:
        """Change a setting, unless the engine cannot be made with it."""
        before = getattr(self._settings, setting)
        setattr(self._settings, setting, value)
        try:
            self._search.get_ready()
        except ValueError:
            setattr(self._settings, setting, before)
            raise

    def _set_level(self, value: str) -> None:
        if value not in LEVELS:
            raise ValueError(f"expected a level of {', '.join(LEVELS)}, got {quote(value)}")
        self._level = Level(value)
        self._set_strength()

    def _limit_strength(self, value: str) -> None:
        self._is_limited = _parse_switch("UCI_LimitStrength", value)
        self._set_strength()

    def _set_elo(self, value: str) -> None:
        self._elo = _parse_number("UCI_Elo", value, MIN_ELO, MAX_ELO)
        self._set_strength()

    def _set_strength(self) -> None:
        """Play at the rating if strength is limited, otherwise at the level."""
        self._settings.level = f"elo:{self._elo}" if self._is_limited else str(self._level)

    def _new_game(self) -> None:
        self._search.clear()
        self._position = self._position.game.start()

    def _set_position(self, words: list[str]) -> None:
        if not self._is_game_set and is_chess(words):
            self._refuse_chess()
            return
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

    def _refuse_chess(self) -> None:
        """Say once that this is not a chess engine; the host did not name a game, which means chess in UCI."""
        if not self._is_chess:
            self._complain(f"noughts does not play chess; set the option UCI_Variant ({', '.join(VARIANTS)}) or Game")
        self._is_chess = True

    def _go(self, words: list[str]) -> None:
        limit = _parse_go(words)
        if self._position.is_over:
            self._complain(str(GameOver()))
        if self._position.is_over or self._is_chess:
            self._say("bestmove (none)")
            return
        position = self._position.copy()
        sent: list[str] = []

        def progress(found: SearchResult) -> None:
            sent.append(self._info(position, found, 1))
            self._say(sent[-1])

        try:
            self._search.begin(
                position, limit, self._lines, progress, lambda found: self._finish(position, found, sent)
            )
        except ValueError:  # the host is waiting for an answer
            self._say("bestmove (none)")
            raise

    def _finish(self, position: Position, found: list[SearchResult], sent: list[str]) -> None:
        """Write the lines that are not sent yet, and the move; a level below the engine has no lines."""
        lines = [self._info(position, result, number) for number, result in enumerate(found, 1)]
        if not self._search.is_engine or lines == sent[-1:]:
            lines = []
        if found[0].book_note is not None:
            lines.insert(0, f"info string {found[0].book_note}")
        self._say("\n".join([*lines, f"bestmove {self._dialect.format_move(position, found[0].move)}"]))

    def _info(self, position: Position, found: SearchResult, number: int) -> str:
        pv = " ".join(self._dialect.format_move(position, move) for move in found.pv or [found.move])
        counts = f"nodes {found.nodes} nps {found.nps} time {round(found.seconds * 1000)} hashfull {found.hashfull}"
        return f"info depth {found.depth} multipv {number} score {_score(position, found)} {counts} pv {pv}"

    def _query(self, words: list[str]) -> None:
        position = self._position
        outcome = position.outcome
        answers: dict[str, Callable[[], str]] = {
            "gameover": lambda: "true" if position.is_over else "false",
            "p1turn": lambda: "true" if position.turn is Side.X else "false",
            "result": lambda: "none" if outcome is None else _result(outcome.winner),
        }
        if len(words) != 1 or words[0] not in answers:
            raise ValueError(f"expected query {', '.join(answers)}, got {quote(' '.join(words))}")
        self._say(f"response {answers[words[0]]()}")

    def _draw(self) -> None:
        board = str(self._position).splitlines()
        text = self._dialect.format_position(self._position)
        self._say("\n".join(f"info string {line}".rstrip() for line in [*board, f"fen {text}"]))


def _spin(default: int, least: int, most: int) -> str:
    return f"spin default {default} min {least} max {most}"


def _switch(default: bool) -> str:
    return f"check default {str(default).lower()}"


def _choice(default: object, choices: Iterable[object]) -> str:
    return " ".join([f"combo default {default}", *(f"var {choice}" for choice in choices)])


def _parse_custom_game(value: str) -> Game:
    try:
        return Game.from_data(json.loads(value))
    except (json.JSONDecodeError, RecursionError):
        raise ValueError(f"expected a custom game as JSON, got {quote(value)}") from None


def _parse_number(name: str, text: str, least: int, most: int) -> int:
    if not re.fullmatch("-?[0-9]{1,20}", text) or not least <= int(text) <= most:
        raise ValueError(f"expected {name} from {least} to {most}, got {quote(text)}")
    return int(text)


def _parse_switch(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"expected {name} as true or false, got {quote(text)}")
    return text == "true"


def _parse_go(words: list[str]) -> Limit | None:
    """Return the limit of ``go``; None when it is to search until ``stop``."""
    numbers: dict[str, int] = {}
    rest = iter(words)
    for word in rest:
        if word in GO_NUMBERS:
            least = -MAX_NUMBER if "time" in word else 0
            numbers[GO_NUMBERS[word]] = _parse_number(word, next(rest, ""), least, MAX_NUMBER)
        elif word != "infinite":
            raise ValueError(f"expected go infinite, {', '.join(GO_NUMBERS)}, got {quote(word)}")
    seconds = max(1, numbers["movetime"]) / 1000 if "movetime" in numbers else None
    depth = numbers.get("depth") or (2 * numbers["mate"] - 1 if numbers.get("mate") else None)
    nodes, clock = numbers.get("nodes") or None, _clock_reading(numbers)
    if "infinite" in words or (seconds is None and depth is None and nodes is None and clock is None):
        return None
    return Limit(seconds, depth, nodes, clock)


def _clock_reading(numbers: dict[str, int]) -> ClockReading | None:
    if "x" not in numbers and "o" not in numbers:
        return None
    moves_to_go = numbers.get("movestogo") or None
    return ClockReading(_pair(numbers, "x", "o"), _pair(numbers, "x_inc", "o_inc"), moves_to_go)


def _pair(numbers: dict[str, int], x: str, o: str) -> tuple[float, float]:
    """Return the milliseconds of both sides in seconds; a value for one side only holds for both."""
    first, second = numbers.get(x, numbers.get(o, 0)), numbers.get(o, numbers.get(x, 0))
    return max(0, first) / 1000, max(0, second) / 1000


def _score(position: Position, found: SearchResult) -> str:
    """Format a proven win or loss in moves of the winner, as in chess; otherwise the score."""
    mate = moves_to_mate(position, found)
    return f"cp {centipawns(found.score)}" if mate is None else f"mate {mate}"


def _result(winner: Side | None) -> str:
    return "draw" if winner is None else "p1win" if winner is Side.X else "p2win"
