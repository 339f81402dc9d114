"""noughts as an engine of the Gomocup protocol: five in a row on boards of any size.

A command that is not known is answered with ``UNKNOWN``, a mistake with ``ERROR``, and nothing else happens.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from noughts import __version__
from noughts.engine import Limit
from noughts.engine.engine import MAX_THREADS
from noughts.games import Game, Position, Side
from noughts.games.quoting import quote
from noughts.players.protocols.clock import Clock
from noughts.players.protocols.serving import Say
from noughts.players.protocols.thinker import Thinker

__all__ = ["GomocupEngine"]

SMALLEST, LARGEST = 5, 32
EXACT = 1
"""The bit of ``INFO rule`` that says that more than five in a row do not win."""
RULES = {0: "", EXACT: "+exact"}
UNPLAYED = {2: "continuous game", 4: "renju", 8: "caro"}
"""The bits of ``INFO rule`` for rules that this engine does not play."""
NUMBERS = ("timeout_turn", "timeout_match", "time_left", "max_memory", "max_depth", "max_node", "thread_num", "rule")
"""The keys of ``INFO`` with a number that the engine obeys."""
AT_ONCE = 0.01
"""Seconds for a move when the host wants it as fast as can be."""
UNTOLD = 5.0
"""Seconds for a move when the host tells nothing."""
TABLE_SHARE = 4
"""One part in so many of the memory allowed becomes the table."""
MEGABYTE = 1 << 20
OWN, THEIRS = 1, 2


class GomocupEngine:
    """Obeys lines; ``say`` writes an answer. The board is kept as marks, so that any of them can be taken back."""

    def __init__(self, say: Say, thinker: Thinker) -> None:
        self._say = say
        self._thinker = thinker
        self._size: tuple[int, int] | None = None
        self._marks: dict[int, int] = {}
        self._board: dict[int, int] | None = None
        self._is_board_whole = True
        self._info: dict[str, int] = {}
        self._hash_mb = thinker.settings.hash_mb
        self._threads = thinker.settings.threads
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
        if command.upper() == "END":
            self._thinker.stop()
            return False
        self._thinker.finish()
        if self._board is not None and command.upper() not in self._commands:
            self._guarded(self._board_line, line)
        elif command.upper() in self._commands:
            self._board = None
            self._guarded(self._commands[command.upper()], rest.strip())
        else:
            self._say(f"UNKNOWN expected a command of {', '.join(self._commands)}, END, got {quote(command)}")
        return True

    def end(self) -> None:
        """Let the search under way end."""
        self._thinker.finish()

    def _guarded(self, obey: Callable[[str], object], rest: str) -> None:
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
        if not all(re.fullmatch("[0-9]{1,3}", side) and SMALLEST <= int(side) <= LARGEST for side in sides):
            given = ",".join(dict.fromkeys(sides))
            raise ValueError(f"expected a board of {SMALLEST} to {LARGEST} squares a side, got {quote(given)}")
        self._size = int(sides[0]), int(sides[1])
        self._restart()

    def _restart(self) -> None:
        self._ready_size()
        self._marks = {}
        self._thinker.forget()
        self._thinker.get_ready()
        self._position()
        self._say("OK")

    def _ready_size(self) -> tuple[int, int]:
        if self._size is None:
            raise ValueError("expected START first")
        return self._size

    def _begin(self) -> None:
        if self._marks:
            raise ValueError("expected an empty board for BEGIN")
        self._answer()

    def _turn(self, rest: str) -> None:
        cell = self._free_cell(rest, self._marks)
        self._marks[cell] = THEIRS
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
        width, height = self._ready_size()
        match = re.fullmatch(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})", rest.strip())
        if match is None or int(match[1]) >= width or int(match[2]) >= height:
            raise ValueError(f"expected a square from 0,0 to {width - 1},{height - 1}, got {quote(rest.strip())}")
        return int(match[2]) * width + int(match[1])

    def _begin_board(self) -> None:
        self._ready_size()
        self._board = {}
        self._is_board_whole = True

    def _board_line(self, line: str) -> None:
        assert self._board is not None
        if line.upper() == "DONE":
            board, self._board = self._board, None
            self._take_board(board)
            return
        try:
            self._take_stone(self._board, line)
        except ValueError:
            self._is_board_whole = False
            raise

    def _take_board(self, board: dict[int, int]) -> None:
        if not self._is_board_whole:
            raise ValueError("expected a board without mistakes; it stays as it was before")
        before, self._marks = self._marks, board
        try:
            self._answer()
        except ValueError:
            self._marks = before
            raise

    def _take_stone(self, board: dict[int, int], line: str) -> None:
        if line.count(",") != 2:
            raise ValueError(f"expected a stone such as 7,7,1, or DONE, got {quote(line)}")
        square, _, who = line.rpartition(",")
        cell = self._free_cell(square, board)
        if who.strip() not in (str(OWN), str(THEIRS)):
            raise ValueError(f"expected 1 for own and 2 for the opponent's stones, got {quote(who.strip())}")
        board[cell] = int(who)

    def _take_back(self, rest: str) -> None:
        if self._marks.pop(self._cell(rest), None) is None:
            raise ValueError(f"expected a square with a stone, got {rest}")
        self._say("OK")

    def _take_info(self, rest: str) -> None:
        """Heed what matters; what does not, as ``folder`` and ``evaluate``, is not answered."""
        key, _, value = rest.partition(" ")
        if key not in NUMBERS:
            return
        if not re.fullmatch("-?[0-9]{1,18}", value.strip()):
            raise ValueError(f"expected a number for INFO {key}, got {quote(value)}")
        self._info[key] = int(value)
        settings = self._thinker.settings
        if key == "max_memory":
            table = self._info[key] // MEGABYTE // TABLE_SHARE if self._info[key] > 0 else self._hash_mb
            settings.hash_mb = max(1, min(self._hash_mb, table))
        elif key == "thread_num":
            settings.threads = min(self._info[key], MAX_THREADS) if self._info[key] > 0 else self._threads

    @property
    def _options(self) -> str:
        """The rule as the end of a game id; raises ValueError for one that is not played here.

        ``INFO`` has no answer, so the host learns of it when it starts a board or asks for a move.
        """
        rule = self._info.get("rule", 0)
        if rule not in RULES:
            names = ", ".join(name for bit, name in UNPLAYED.items() if rule & bit)
            got = f"{rule} ({names})" if names and rule > 0 else str(rule)
            raise ValueError(f"expected rule 0 (five or more win) or 1 (exactly five win), got {got}")
        return RULES[rule]

    def _answer(self) -> None:
        """Think, and say where."""
        position = self._position()
        if position.is_over:
            raise ValueError("expected a position to move in, but the game is over")
        width, _ = self._ready_size()
        marks = self._marks

        def done(move: int) -> None:
            marks[move] = OWN
            self._say(f"{move % width},{move // width}")

        self._thinker.begin(position, self._limit(position), 1, lambda found: None, lambda found: done(found[0].move))

    def _position(self) -> Position:
        """The board with us to move; who has the first move follows from the numbers of stones."""
        width, height = self._ready_size()
        own, theirs = (list(self._marks.values()).count(who) for who in (OWN, THEIRS))
        if theirs not in (own, own + 1):
            raise ValueError(f"expected as many stones of the opponent's as own, or one more, got {theirs} and {own}")
        side = Side.X if own == theirs else Side.O
        numbers = {OWN: side.number, THEIRS: 1 - side.number}
        cells = [numbers[self._marks[cell]] if cell in self._marks else -1 for cell in range(width * height)]
        return Position(Game(f"{width}x{height}:5{self._options}"), cells, side)

    def _limit(self, position: Position) -> Limit:
        turn, match = self._info.get("timeout_turn"), self._info.get("timeout_match", 0)
        depth, nodes = (max(0, self._info.get(key, 0)) or None for key in ("max_depth", "max_node"))
        if turn is not None and turn <= 0:
            return Limit(AT_ONCE, depth, nodes)
        left = self._info.get("time_left", match) if match > 0 else None
        seconds = self._seconds_untold(depth or nodes) if turn is None else turn / 1000
        remaining = None if left is None else (max(0.0, left / 1000),) * 2
        limit = Clock(seconds=seconds, remaining=remaining, nodes=nodes, depth=depth).limit(position)
        return limit or Limit(seconds=UNTOLD)

    def _seconds_untold(self, other_bound: int | None) -> float | None:
        """Seconds for a move when the host sets none; None where it bounds depth or nodes instead."""
        return self._thinker.settings.seconds or (None if other_bound else UNTOLD)
