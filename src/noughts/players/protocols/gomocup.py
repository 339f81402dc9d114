"""The Gomocup protocol: five in a row on rectangular boards, squares as ``x,y`` from 0 at the top left."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from noughts import __version__, _core
from noughts.engine import ClockReading, Limit, SearchResult
from noughts.games import Game, Position, Side
from noughts.games.quoting import quote
from noughts.games.spec import BoardSpec
from noughts.players.protocols.background_search import BackgroundSearch, Say
from noughts.players.protocols.host import ProgramHost
from noughts.players.protocols.scores import centipawns, plies_to_end
from noughts.process.failure import FailureReason, PlayerFailed
from noughts.process.limits import MEGABYTE, Deadline

__all__ = ["GomocupEngine", "GomocupHost", "is_gomoku", "parse_answer"]

IN_A_ROW = 5
EXACT_RULE = 1
"""The bit of ``INFO rule`` for exactly five: overlines do not win."""


# Host

COMMENT_WORDS = ("MESSAGE", "DEBUG", "SUGGEST")
"""First words of lines that an engine may write at any time."""
DEFAULT_MS = 1000
"""Time for a move without a time limit: the protocol has no other limits."""


def is_gomoku(game: Game) -> bool:
    """Whether the protocol can describe a game: five in a row on a 2D board, with overlines winning or not."""
    spec = game.spec
    return isinstance(spec, BoardSpec) and len(spec.sides) == 2 and spec.k == IN_A_ROW and spec.options <= {"exact"}


class GomocupHost(ProgramHost):
    """Host of a Gomoku engine. Sends each move, or the whole board where moves alone are not enough."""

    protocol: ClassVar[str] = "gomocup"
    quit_command: ClassVar[str] = "END"

    def _check_game(self, game: Game) -> None:
        if not is_gomoku(game):
            raise ValueError(f"expected five in a row on a 2D board for the Gomocup protocol, got {game.id}")

    def _greet(self, deadline: Deadline) -> None:
        self._known_moves: list[int] | None = None
        self._sent_info: dict[str, int] = {}
        self._send("ABOUT", deadline)
        about = self._read_answer(deadline)
        if match := re.search(r'name\s*=\s*"([^"]*)"', about):
            self._set_name(match[1])

    def _set_game(self, game: Game, deadline: Deadline) -> None:
        assert game.dimensions is not None
        width, height = game.dimensions
        self._send(f"START {width}" if width == height else f"RECTSTART {width},{height}", deadline)
        self._expect_ok(deadline)
        self._sent_info = {}
        memory = (self.limits.memory_mb or 0) * MEGABYTE
        rule = EXACT_RULE if any(game.guards) else 0
        for name, value in {"rule": rule, "game_type": 1, "max_memory": memory}.items():
            self._send_info(name, value, deadline)

    def _expect_ok(self, deadline: Deadline) -> None:
        if (line := self._read_answer(deadline)).upper() != "OK":
            raise PlayerFailed(f"expected OK, got {quote(line)}", FailureReason.GARBAGE)

    def _begin(self, start: Position, deadline: Deadline) -> None:
        if self._known_moves is not None:
            self._send("RESTART", deadline)
            if self._read_answer(deadline).upper() != "OK":  # rectangular boards and old engines may lack it
                self._set_game(start.game, deadline)
        self._known_moves = []

    def _send_info(self, name: str, value: int, deadline: Deadline) -> None:
        """Send a value unless the engine knows it."""
        if self._sent_info.get(name) != value:
            self._sent_info[name] = value
            self._send(f"INFO {name} {value}", deadline)

    def _ask(self, position: Position, limit: Limit | None, deadline: Deadline) -> int:
        self._take_unasked()
        if self._known_moves and position.start_text is None and not position.moves:
            self._begin(position, deadline)  # only an empty board can be begun
        self._send_time(position, limit, deadline)
        self._send(self._question(position), deadline)
        move = parse_answer(position, self._read_answer(deadline))
        self._known_moves = [*position.moves, move]
        return move

    def _send_time(self, position: Position, limit: Limit | None, deadline: Deadline) -> None:
        assert position.turn is not None
        seconds = None if limit is None else limit.max_thinking_seconds(position)
        self._send_info("timeout_turn", DEFAULT_MS if seconds is None else max(1, round(seconds * 1000)), deadline)
        if limit is not None and limit.clock is not None:
            left = max(0, round(limit.clock.left[position.turn.number] * 1000))
            self._sent_info.setdefault("timeout_match", -1)
            if self._sent_info["timeout_match"] < 0:
                self._send_info("timeout_match", left, deadline)
            self._send_info("time_left", left, deadline)

    def _question(self, position: Position) -> str:
        moves = position.moves
        if position.start_text is None and not moves:
            return "BEGIN"
        if position.start_text is None and moves[:-1] == self._known_moves:
            return f"TURN {_point(position.game, moves[-1])}"
        cells = position.moves if position.start_text is None else range(position.game.cells)
        rows = [
            f"{_point(position.game, cell)},{1 if mark is position.turn else 2}"
            for cell in cells
            if (mark := position.cells[cell]) is not None
        ]
        return "\n".join(["BOARD", *rows, "DONE"])

    def _read_answer(self, deadline: Deadline) -> str:
        """Return its next line that is not a comment."""
        while True:
            line = self._receive(deadline).strip()
            if line and line.split()[0].upper() not in COMMENT_WORDS:
                return line


def _point(game: Game, cell: int) -> str:
    assert game.dimensions is not None
    y, x = divmod(cell, game.dimensions[0])
    return f"{x},{y}"


def parse_answer(position: Position, line: str) -> int:
    """Return the cell of an engine's answer; raises PlayerFailed."""
    match = re.fullmatch(r"(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})", line)
    if match is None:
        raise PlayerFailed(f"expected a move such as 7,7, got {quote(line)}", FailureReason.GARBAGE)
    assert position.game.dimensions is not None
    x, y = int(match[1]), int(match[2])
    width, height = position.game.dimensions
    if not (0 <= x < width and 0 <= y < height):
        raise PlayerFailed(
            f"expected a move from 0,0 to {width - 1},{height - 1}, got {quote(line)}", FailureReason.ILLEGAL
        )
    return y * width + x


# Engine

MIN_SIDE, MAX_SIDE = 5, 32
RULES = {0: "", EXACT_RULE: "+exact"}
"""``INFO rule`` as the end of a game id."""
REFUSED_RULES = {2: "continuous game", 4: "renju", 8: "caro"}
"""The bits of ``INFO rule`` for rules that this engine does not play."""
NUMBERS = ("timeout_turn", "timeout_match", "time_left", "max_memory", "max_depth", "max_node", "thread_num", "rule")
"""The keys of ``INFO`` with a number that the engine obeys."""
INSTANT_SECONDS = 0.01
"""Time for a move if the host wants it as fast as possible."""
DEFAULT_SECONDS = 5.0
"""Time for a move if the host sets no limit."""
MESSAGE_SECONDS = 0.1
"""Minimum time between two messages about the search."""
MEMORY_PER_TABLE = 4
"""The table gets this fraction (1/n) of the memory allowed."""
OWN, OPPONENT = 1, 2


class GomocupEngine:
    """noughts as a Gomocup engine; ``say`` writes an answer.

    An unknown command is answered with ``UNKNOWN``, a mistake with ``ERROR``, and nothing changes. The board is
    stored as marks, so that any of them can be taken back.
    """

    def __init__(self, say: Say, search: BackgroundSearch) -> None:
        self._say = say
        self._search = search
        self._size: tuple[int, int] | None = None
        self._marks: dict[int, int] = {}
        self._board: dict[int, int] | None = None
        self._is_board_valid = True
        self._info: dict[str, int] = {}
        self._hash_mb = search.settings.hash_mb
        self._threads = search.settings.threads
        self._commands: dict[str, Callable[[str], object]] = {
            "START": lambda rest: self._start(rest, rest),
            "RECTSTART": self._start_rectangle,
            "RESTART": lambda rest: self._restart(),
            "BEGIN": lambda rest: self._begin(),
            "TURN": self._turn,
            "BOARD": lambda rest: self._begin_board(),
            "TAKEBACK": self._take_back,
            "INFO": self._take_info,
            "ABOUT": lambda rest: self._introduce(),
        }

    def receive(self, line: str) -> bool:
        """Obey a line; return False for ``END``."""
        command, _, rest = line.partition(" ")
        if command.upper() in ("END", "YXSTOP"):
            self._search.stop()
            return command.upper() != "END"
        self._search.finish()
        if self._board is not None and command.upper() not in self._commands:
            self._try(self._take_board_row, line)
        elif command.upper() in self._commands:
            self._board = None
            self._try(self._commands[command.upper()], rest.strip())
        else:
            self._say(f"UNKNOWN expected a command of {', '.join(self._commands)}, END, got {quote(command)}")
        return True

    def _try(self, obey: Callable[[str], object], rest: str) -> None:
        try:
            obey(rest)
        except ValueError as error:
            self._say(f"ERROR {error}")

    def _introduce(self) -> None:
        self._say(f'name="noughts", version="{__version__}", author="the noughts authors", country="EU"')

    def _start_rectangle(self, rest: str) -> None:
        width, _, height = rest.partition(",")
        self._start(width, height)

    def _start(self, width: str, height: str) -> None:
        sides = [text.strip() for text in (width, height)]
        if not all(re.fullmatch("[0-9]{1,3}", side) and MIN_SIDE <= int(side) <= MAX_SIDE for side in sides):
            given = ",".join(dict.fromkeys(sides))
            raise ValueError(f"expected a board of {MIN_SIDE} to {MAX_SIDE} squares a side, got {quote(given)}")
        self._size = int(sides[0]), int(sides[1])
        self._restart()

    def _restart(self) -> None:
        self._require_size()
        self._marks = {}
        self._search.clear()
        self._search.get_ready()
        self._position()
        self._say("OK")

    def _require_size(self) -> tuple[int, int]:
        if self._size is None:
            raise ValueError("expected START first")
        return self._size

    def _begin(self) -> None:
        if self._marks:
            raise ValueError("expected an empty board for BEGIN")
        self._answer()

    def _turn(self, rest: str) -> None:
        cell = self._free_cell(rest, self._marks)
        self._marks[cell] = OPPONENT
        try:
            self._answer()
        except ValueError:
            del self._marks[cell]
            raise

    def _free_cell(self, rest: str, marks: dict[int, int]) -> int:
        cell = self._cell(rest)
        if cell in marks:
            raise ValueError(f"expected an empty square, got {rest.strip()}")
        return cell

    def _cell(self, rest: str) -> int:
        width, height = self._require_size()
        match = re.fullmatch(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})", rest.strip())
        if match is None or int(match[1]) >= width or int(match[2]) >= height:
            raise ValueError(f"expected a square from 0,0 to {width - 1},{height - 1}, got {quote(rest.strip())}")
        return int(match[2]) * width + int(match[1])

    def _begin_board(self) -> None:
        self._require_size()
        self._board = {}
        self._is_board_valid = True

    def _take_board_row(self, line: str) -> None:
        assert self._board is not None
        if line.upper() == "DONE":
            board, self._board = self._board, None
            self._take_board(board)
            return
        try:
            self._add_stone(self._board, line)
        except ValueError:
            self._is_board_valid = False
            raise

    def _take_board(self, board: dict[int, int]) -> None:
        if not self._is_board_valid:
            raise ValueError("expected a board without mistakes; the board has not changed")
        before, self._marks = self._marks, board
        try:
            self._answer()
        except ValueError:
            self._marks = before
            raise

    def _add_stone(self, board: dict[int, int], line: str) -> None:
        if line.count(",") != 2:
            raise ValueError(f"expected a stone such as 7,7,1, or DONE, got {quote(line)}")
        square, _, who = line.rpartition(",")
        cell = self._free_cell(square, board)
        if who.strip() not in (str(OWN), str(OPPONENT)):
            raise ValueError(f"expected 1 for your own stones and 2 for the opponent's, got {quote(who.strip())}")
        board[cell] = int(who)

    def _take_back(self, rest: str) -> None:
        if self._marks.pop(self._cell(rest), None) is None:
            raise ValueError(f"expected a square with a stone, got {rest}")
        self._say("OK")

    def _take_info(self, rest: str) -> None:
        """Obey the keys that matter; others, such as ``folder`` and ``evaluate``, are ignored without an answer."""
        key, _, value = rest.partition(" ")
        key = key.lower()
        if key not in NUMBERS:
            return
        if not re.fullmatch("-?[0-9]{1,18}", value.strip()):
            raise ValueError(f"expected a number for INFO {key}, got {quote(value)}")
        self._info[key] = int(value)
        settings = self._search.settings
        if key == "max_memory":
            table = self._info[key] // MEGABYTE // MEMORY_PER_TABLE if self._info[key] > 0 else self._hash_mb
            settings.hash_mb = max(1, min(self._hash_mb, table))
        elif key == "thread_num":
            settings.threads = min(self._info[key], _core.MAX_THREADS) if self._info[key] > 0 else self._threads
        elif key == "rule":
            self._warn_of_rule()

    def _warn_of_rule(self) -> None:
        """Announce a rule that is not played here; ``INFO`` has no answer, but messages may come at any time."""
        try:
            _ = self._options
        except ValueError as error:
            self._say(f"MESSAGE {error}")

    @property
    def _options(self) -> str:
        """The rule as the end of a game id; raises ValueError for one that is not played here.

        ``INFO`` has no answer, so the host gets the error when it starts a board or asks for a move.
        """
        rule = self._info.get("rule", 0)
        if rule not in RULES:
            names = ", ".join(name for bit, name in REFUSED_RULES.items() if rule & bit)
            got = f"{rule} ({names})" if names and rule > 0 else str(rule)
            raise ValueError(f"expected rule 0 (five or more win) or 1 (exactly five win), got {got}")
        return RULES[rule]

    def _answer(self) -> None:
        """Think, and answer with a square."""
        position = self._position().require_unfinished()
        width, _ = self._require_size()
        marks = self._marks

        last_seconds = 0.0

        def report(found: SearchResult) -> None:
            nonlocal last_seconds
            if found.seconds >= last_seconds + MESSAGE_SECONDS:
                last_seconds = found.seconds
                self._say(_message(position, found))

        def send_move(found: SearchResult) -> None:
            marks[found.move] = OWN
            message = [_message(position, found)] if self._search.is_engine else []
            self._say("\n".join([*message, f"{found.move % width},{found.move // width}"]))

        self._search.begin(position, self._limit(), 1, report, lambda found: send_move(found[0]))

    def _position(self) -> Position:
        """Return the board with us to move; the numbers of stones show who moved first."""
        width, height = self._require_size()
        own, theirs = (list(self._marks.values()).count(who) for who in (OWN, OPPONENT))
        if theirs not in (own, own + 1):
            raise ValueError(f"expected as many stones of the opponent as of ours, or one more, got {theirs} and {own}")
        side = Side.X if own == theirs else Side.O
        numbers = {OWN: side.number, OPPONENT: 1 - side.number}
        cells = [numbers[self._marks[cell]] if cell in self._marks else -1 for cell in range(width * height)]
        return Position(Game(f"{width}x{height}:5{self._options}"), cells, side)

    def _limit(self) -> Limit:
        turn, match = self._info.get("timeout_turn"), self._info.get("timeout_match", 0)
        depth, nodes = (max(0, self._info.get(key, 0)) or None for key in ("max_depth", "max_node"))
        if turn is not None and turn <= 0:
            return Limit(INSTANT_SECONDS, depth, nodes)
        left = self._info.get("time_left", match) if match > 0 else None
        seconds = self._seconds_without_limit(depth or nodes) if turn is None else turn / 1000
        clock = None if left is None else ClockReading((max(0.0, left / 1000),) * 2)
        if seconds is None and clock is None and depth is None and nodes is None:
            return Limit(seconds=DEFAULT_SECONDS)
        return Limit(seconds, depth, nodes, clock)

    def _seconds_without_limit(self, other_bound: int | None) -> float | None:
        """Return the seconds for a move when the host sets none; None where it limits depth or nodes instead."""
        return self._search.settings.seconds or (None if other_bound else DEFAULT_SECONDS)


def _message(position: Position, found: SearchResult) -> str:
    """The line that managers and their users see of a search."""
    plies = plies_to_end(position, found)
    evaluation = f"{centipawns(found.score):+d}" if plies is None else f"{'+' if plies > 0 else '-'}M{abs(plies)}"
    if found.book_note is not None:
        return f"MESSAGE {found.book_note} | Eval {evaluation} | Line {found.pv_text}"
    return (
        f"MESSAGE Depth {found.depth} | Eval {evaluation} | Node {_thousands(found.nodes)}"
        f" | Speed {_thousands(found.nps)} | Time {round(found.seconds * 1000)}ms | Line {found.pv_text}"
    )


def _thousands(number: int) -> str:
    return str(number) if number < 10_000 else f"{number // 1000}K"
