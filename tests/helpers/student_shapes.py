"""The shapes of students' programs: how each writes states and moves, and which functions are its searches.

Each program is a right one with patches, kept in ``students/shapes``; ``programs.toml`` says what is wrong with it.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator
from copy import copy, deepcopy
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from paths import TESTS
from student_programs import RIGHT_PROGRAMS, apply_patches
from true_boards import winner

SHAPES_FOLDER = TESTS / "teaching" / "students" / "shapes"
LETTERS = "XO."
Answer = tuple[Any, Any]


class Shape:
    """A loaded program, with functions of X-and-O strings like "XO......." for its states."""

    rules: tuple[str, ...] = ("player", "actions", "result", "winner", "terminal", "utility")
    has_values = True
    refuses_illegal = False
    is_aima = False
    counted = "result"
    """The function whose calls are the moves of a search."""
    functions: ClassVar[dict[str, str]] = {}
    """The function of each task, where its name is not that of the task."""

    def __init__(self, modules: dict[str, ModuleType], main: str) -> None:
        self.modules, self.main = modules, modules[main]

    def find(self, name: str) -> Any:
        return next(vars(each)[name] for each in (self.main, *self.modules.values()) if name in vars(each))

    def replace(self, name: str, function: Callable[..., Any]) -> None:
        for module in self.modules.values():
            if name in vars(module):
                setattr(module, name, function)

    def call(self, name: str, *arguments: Any) -> Any:
        return self.find(name)(*arguments)

    def count_moves(self, counter: Iterator[int]) -> None:
        plain = self.find(self.counted)

        def counting(*arguments: Any, **named: Any) -> Any:
            next(counter)
            return plain(*arguments, **named)

        self.replace(self.counted, counting)

    def ask(self, task: str, state: Any, *more: Any) -> Answer:
        """Return the value (None if it has none) and the move of a search."""
        answer = self.call(self.functions.get(task, task), state, *more)
        if not self.has_values:
            return None, answer
        value, move, *_ = answer
        return value, move

    def evaluate(self, state: Any) -> Any:
        return self.call("evaluate", state)

    def mark(self, letter: str | None) -> Any:
        return letter

    def normal_actions(self, answer: Any) -> Any:
        return sorted(answer)

    def is_consistent(self, state: Any) -> bool:
        """Whether a state that ``result`` made is what this shape makes of its board."""
        return bool(state == self.state_of(self.cells_of(state)))

    def is_same(self, state: Any, before: Any) -> bool:
        return bool(state == before)

    def state_of(self, cells: str) -> Any:
        raise NotImplementedError

    def cells_of(self, state: Any) -> str:
        raise NotImplementedError

    def move_of(self, cell: int) -> Any:
        return cell

    def cell_of(self, move: Any) -> int:
        return move if type(move) is int else -1


class Rows(Shape):
    """A board of rows; moves are pairs from (0, 0)."""

    empty: str | None = None
    side = 3

    def rows_of(self, cells: str) -> list[list[Any]]:
        side = self.side = isqrt(len(cells))
        marks = [self.empty if each == "." else self.mark(each) for each in cells]
        return [marks[i : i + side] for i in range(0, len(marks), side)]

    def letters_of(self, rows: list[list[Any]]) -> str:
        names = {self.mark("X"): "X", self.mark("O"): "O", self.empty: "."}
        return "".join(names[mark] for row in rows for mark in row)

    def move_of(self, cell: int) -> Any:
        return divmod(cell, self.side)

    def cell_of(self, move: Any) -> int:
        if not isinstance(move, tuple) or len(move) != 2:
            return -1
        row, column = move
        return row * self.side + column if 0 <= row < self.side and 0 <= column < self.side else -1


class Cs50(Rows):
    """CS50's project: minimax(board) returns the action, and actions a set of tuples."""

    has_values = False
    refuses_illegal = True
    functions: ClassVar[dict[str, str]] = {"alphabeta": "minimax"}

    def mark(self, letter: str | None) -> Any:
        return letter and getattr(self.main, letter)

    def state_of(self, cells: str) -> Any:
        return self.rows_of(cells)

    def cells_of(self, state: Any) -> str:
        return self.letters_of(state)

    def normal_actions(self, answer: Any) -> Any:
        return answer if isinstance(answer, set) else ("not a set of tuples", answer)


class Course(Rows):
    """A state with board, m, k and moves."""

    functions: ClassVar[dict[str, str]] = {"alphabeta": "minimax_ab", "depth-limited": "search"}

    def state_of(self, cells: str) -> Any:
        rows = self.rows_of(cells)
        return {"board": rows, "m": self.side, "k": 3, "moves": len(cells) - cells.count(".")}

    def cells_of(self, state: Any) -> str:
        return self.letters_of(state["board"])


class Split(Course):
    """Several files; a state with spaces for empty cells and the key current_player."""

    empty = " "
    functions: ClassVar[dict[str, str]] = {"depth-limited": "depth_limited_search"}

    def state_of(self, cells: str) -> Any:
        rows = self.rows_of(cells)
        side = "X" if cells.count("X") == cells.count("O") else "O"
        return {"board": rows, "m": self.side, "k": 3, "current_player": side}


class Aima(Rows):
    """A Game class, whose states are reached by its own moves, and searches that take the game and the state."""

    rules = ("to_move", "actions", "result", "terminal_test", "utility")
    has_values = False
    is_aima = True
    functions: ClassVar[dict[str, str]] = {"minimax": "minimax_search", "alphabeta": "alpha_beta_search"}

    def __init__(self, modules: dict[str, ModuleType], main: str) -> None:
        super().__init__(modules, main)
        self.game = self.main.TicTacToe()
        self.start = deepcopy(self.game.initial)

    def find(self, name: str) -> Any:
        return getattr(self.game, name, None) or super().find(name)

    def replace(self, name: str, function: Callable[..., Any]) -> None:
        setattr(self.game, name, function)

    def ask(self, task: str, state: Any, *more: Any) -> Answer:
        return None, self.call(self.functions[task], self.game, state)

    def state_of(self, cells: str) -> Any:
        """Reach a position by a game's own moves, the cell that all winning lines share last."""
        xs, os = ([i for i, mark in enumerate(cells) if mark == side] for side in "XO")
        for marks in (xs, os):
            marks.sort(key=lambda cell: self.completes(cells, cell))
        board = {self.move_of(i): mark for i, mark in enumerate(cells) if mark != "."}
        state = deepcopy(self.start)
        order = [cell for pair in zip(xs, [*os, -1], strict=False) for cell in pair if cell >= 0]
        for cell in order:
            mark = state.to_move
            moves = [move for move in state.moves if move != self.move_of(cell)]
            after = {**state.board, self.move_of(cell): mark}
            utility = self.game.compute_utility(dict(after), self.move_of(cell), mark)
            state = type(state)("O" if mark == "X" else "X", utility, after, moves)
        assert state.board == board
        return state

    @staticmethod
    def completes(cells: str, cell: int) -> bool:
        return winner(cells) == cells[cell] and winner(cells[:cell] + "." + cells[cell + 1 :]) is None

    def cells_of(self, state: Any) -> str:
        return "".join(state.board.get(self.move_of(i), ".") for i in range(9))

    def is_consistent(self, state: Any) -> bool:
        wanted = self.state_of(self.cells_of(state))
        return bool(state.to_move == wanted.to_move and sorted(state.moves) == sorted(wanted.moves))

    def move_of(self, cell: int) -> Any:
        return cell // 3 + 1, cell % 3 + 1

    def cell_of(self, move: Any) -> int:
        return super().cell_of((move[0] - 1, move[1] - 1)) if isinstance(move, tuple) and len(move) == 2 else -1


class Flat(Shape):
    """A list of nine; the names of the rules are the program's own, so only its searches are judged."""

    rules = ()
    counted = "make_move"

    def state_of(self, cells: str) -> Any:
        return list(cells.replace(".", " "))

    def cells_of(self, state: Any) -> str:
        return "".join(state).replace(" ", ".")


class Text(Flat):
    """A string of nine characters; best_move returns a cell."""

    has_values = False
    functions: ClassVar[dict[str, str]] = {"minimax": "best_move"}

    def state_of(self, cells: str) -> Any:
        return cells


class Numbers(Flat):
    """A tuple of 1, -1 and 0."""

    counted = "result"

    def state_of(self, cells: str) -> Any:
        return tuple({"X": 1, "O": -1, ".": 0}[mark] for mark in cells)


class ScoredGame(Flat):
    """A game object that is played on; minimax(game, letter) returns a dictionary."""

    has_values = False

    def state_of(self, cells: str) -> Any:
        game = self.main.TicTacToe()
        game.board = list(cells.replace(".", " "))
        return game

    def ask(self, task: str, state: Any, *more: Any) -> Answer:
        letter = "X" if state.board.count("X") == state.board.count("O") else "O"
        return None, self.call("minimax", state, letter)["position"]

    def is_same(self, state: Any, before: Any) -> bool:
        return bool(vars(state) == vars(before))


class BoardObject(ScoredGame):
    """An object that returns its best square."""

    def state_of(self, cells: str) -> Any:
        return self.main.Board([None if mark == "." else mark for mark in cells])

    def ask(self, task: str, state: Any, *more: Any) -> Answer:
        return None, self.call("choose_square", state)

    def count_moves(self, counter: Iterator[int]) -> None:
        plain = self.main.Board.with_mark

        def counting(board: Any, square: int) -> Any:
            next(counter)
            return plain(board, square)

        self.main.Board.with_mark = counting


class OwnProgram(Flat):
    """A program with boards, moves and names of its own: functions make a state, and choose a cell of it."""

    has_values = False
    make: ClassVar[Callable[[Any, str], Any]]
    """Returns the state of a board; called with the module."""
    choose: ClassVar[Callable[[Any, Any, str], Any]]
    """Returns the cell that the program chooses; called with the module, the state and the board."""

    def state_of(self, cells: str) -> Any:
        return OwnState(cells, type(self).make(self.main, cells))

    def ask(self, task: str, state: Any, *more: Any) -> Answer:
        return None, type(self).choose(self.main, state.own, state.cells)

    def is_same(self, state: Any, before: Any) -> bool:
        return True

    def count_moves(self, counter: Iterator[int]) -> None:
        """Count the calls of the recursive functions, which may be methods."""
        for counted in self.counted.split():
            *owners, name = counted.split(".")
            owner = getattr(self.main, owners[0]) if owners else self.main
            setattr(owner, name, counting(getattr(owner, name), counter))


def counting(function: Callable[..., Any], counter: Iterator[int]) -> Callable[..., Any]:
    def counted(*arguments: Any, **named: Any) -> Any:
        next(counter)
        return function(*arguments, **named)

    return counted


@dataclass
class OwnState:
    """A board, and the program's own state of it."""

    cells: str
    own: Any


def turn_of(cells: str) -> str:
    return "X" if cells.count("X") == cells.count("O") else "O"


def own_program(
    counted: str, make: Callable[[Any, str], Any], choose: Callable[[Any, Any, str], Any]
) -> type[OwnProgram]:
    members = {"make": staticmethod(make), "choose": staticmethod(choose), "counted": counted}
    return type("OwnShape", (OwnProgram,), members)


def written(x: Any, o: Any, empty: Any) -> Callable[[str], list[Any]]:
    return lambda cells: [{"X": x, "O": o, ".": empty}[mark] for mark in cells]


def mover_is(own: Any, other: Any, empty: Any) -> Callable[[str], list[Any]]:
    """Write a board for a program that always has the same mark."""

    def write(cells: str) -> list[Any]:
        marks = {turn_of(cells): own, ".": empty}
        return [marks.get(mark, other) for mark in cells]

    return write


def in_rows(flat: list[Any]) -> list[list[Any]]:
    return [flat[i : i + 3] for i in (0, 3, 6)]


def number_of(pair: Any) -> int:
    row, column = pair
    return int(row) * 3 + int(column)


def played(main: Any, start: Any, play: Callable[[Any, int], Any], cells: str) -> Any:
    """Return the state after moves of a program's own."""
    xs, os = ([i for i, mark in enumerate(cells) if mark == side] for side in "XO")
    state = start
    for cell in (cell for pair in zip(xs, [*os, -1], strict=False) for cell in pair if cell >= 0):
        after = play(state, cell)
        state = state if after is None else after
    return state


def last_change(before: str, after: list[Any], empty: Any) -> int:
    return next((i for i, mark in enumerate(before) if mark == "." and after[i] != empty), -1)


def plays_itself(main: Any, game: Any, cells: str) -> int:
    game.computer_move()
    return last_change(cells, game.board, "-")


OWN_PROGRAMS: dict[str, type[OwnProgram]] = {
    "computer_is_o": own_program(
        "minimax", lambda main, cells: mover_is("O", "X", " ")(cells), lambda main, state, cells: main.best_move(state)
    ),
    "self_board_rows": own_program(
        "Game.max_alpha_beta Game.min_alpha_beta",
        lambda main, cells: played(main, main.Game(), lambda game, cell: game.play(*divmod(cell, 3)), cells),
        lambda main, state, cells: number_of(state.best_move()),
    ),
    "dictionary_board": own_program(
        "minimax",
        lambda main, cells: dict(enumerate(mover_is("X", "O", " ")(cells), 1)),
        lambda main, state, cells: main.comp_move(state) - 1,
    ),
    "index_and_score": own_program(
        "minimax",
        lambda main, cells: [str(i) if mark == "." else mark for i, mark in enumerate(cells)],
        lambda main, state, cells: main.minimax(state, turn_of(cells))["index"],
    ),
    "move_and_score": own_program(
        "negamax",
        lambda main, cells: "".join(written("x", "o", "-")(cells)),
        lambda main, state, cells: main.negamax(state)[0],
    ),
    "numpy_board": own_program(
        "alphabeta",
        lambda main, cells: main.np.array(in_rows(written(1, -1, 0)(cells))),
        lambda main, state, cells: number_of(main.alphabeta(state, 1 if turn_of(cells) == "X" else -1)[1]),
    ),
    "row_column_score": own_program(
        "minimax",
        lambda main, cells: in_rows(written(1, -1, 0)(cells)),
        lambda main, state, cells: number_of(
            main.minimax(state, cells.count("."), 1 if turn_of(cells) == "X" else -1)[:2]
        ),
    ),
    "frozen_state": own_program(
        "alphabeta",
        lambda main, cells: main.State(tuple(written("X", "O", None)(cells)), turn_of(cells)),
        lambda main, state, cells: main.alphabeta(state)[1],
    ),
    "agent_class": own_program(
        "MinimaxAgent.search",
        lambda main, cells: board_with_grid(main, in_rows(written("X", "O", "")(cells))),
        lambda main, state, cells: number_of(main.MinimaxAgent(turn_of(cells)).get_move(state)),
    ),
    "named_tuples": own_program(
        "decide",
        lambda main, cells: main.Position("".join(written("x", "o", ".")(cells)), turn_of(cells).lower()),
        lambda main, state, cells: main.decide(state).action,
    ),
    "size_and_k": own_program(
        "value",
        lambda main, cells: played(main, main.TicTacToe(), lambda game, cell: game.make_move(divmod(cell, 3)), cells),
        lambda main, state, cells: number_of(main.choose_action(state)),
    ),
    "fourth_edition": own_program(
        "TicTacToe.result",
        lambda main, cells: played(
            main, main.TicTacToe().initial, lambda state, cell: main.TicTacToe().result(state, divmod(cell, 3)), cells
        ),
        lambda main, state, cells: number_of(main.alphabeta_search(main.TicTacToe(), state)[1]),
    ),
    "ten_squares": own_program(
        "alphaBeta",
        lambda main, cells: [" ", *written("X", "O", " ")(cells)],
        lambda main, state, cells: main.getComputerMove(state, turn_of(cells)) - 1,
    ),
    "push_and_pop": own_program(
        "negamax",
        lambda main, cells: played(main, main.Board(), lambda board, cell: board.push(cell), cells),
        lambda main, state, cells: main.negamax(state, cells.count("."), -9, 9, 1 if turn_of(cells) == "X" else -1)[1],
    ),
    "rows_from_one": own_program(
        "score",
        lambda main, cells: in_rows(written("x", "o", "_")(cells)),
        lambda main, state, cells: number_of([part - 1 for part in main.find_best_move(state, turn_of(cells).lower())]),
    ),
    "flag_and_pair": own_program(
        "minimax",
        lambda main, cells: written("X", "O", None)(cells),
        lambda main, state, cells: main.minimax(state, turn_of(cells) == "X")[1],
    ),
    "nested_functions": own_program(
        "",  # its recursive function cannot be reached from outside
        lambda main, cells: in_rows(written("X", "O", " ")(cells)),
        lambda main, state, cells: number_of(main.choose_move(state)),
    ),
    "plays_itself": own_program(
        "TicTacToe.alpha_beta",
        lambda main, cells: played(main, main.TicTacToe(), lambda game, cell: game.make_move(cell), cells),
        plays_itself,
    ),
}


def board_with_grid(main: Any, rows: list[list[Any]]) -> Any:
    board = main.Board()
    board.grid = rows
    return board


class TupleRows(Cs50):
    """The names of CS50's project on a board that is a tuple of tuples, with dashes for empty cells."""

    empty = "-"

    def mark(self, letter: str | None) -> Any:
        return letter

    def state_of(self, cells: str) -> Any:
        return tuple(map(tuple, self.rows_of(cells)))


class PlainPosition:
    """A position with the interface of the package's, and rules of its own; counts the moves made on it."""

    def __init__(self, cells: str, counter: list[Iterator[int]]) -> None:
        self.text, self._played, self._counter = cells, list[str](), counter

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlainPosition) and self.text == other.text

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: object) -> PlainPosition:
        return PlainPosition(self.text, self._counter)

    @property
    def cells(self) -> list[str | None]:
        return [None if mark == "." else mark for mark in self.text]

    @property
    def turn(self) -> str:
        return "X" if self.text.count("X") == self.text.count("O") else "O"

    @property
    def winner(self) -> str | None:
        return winner(self.text)

    @property
    def is_over(self) -> bool:
        return self.winner is not None or "." not in self.text

    @property
    def legal_moves(self) -> list[int]:
        return [] if self.is_over else [i for i, mark in enumerate(self.text) if mark == "."]

    def is_legal(self, move: int) -> bool:
        return move in self.legal_moves

    def play(self, move: int) -> None:
        if move not in self.legal_moves:
            raise ValueError(f"{move} is not legal")
        for counter in self._counter:
            next(counter)
        self._played.append(self.text)
        self.text = self.text[:move] + self.turn + self.text[move + 1 :]

    def undo(self) -> None:
        self.text = self._played.pop()

    def after(self, move: int) -> PlainPosition:
        position = copy(self)
        position._played = []
        position.play(move)
        return position


class OurPosition(Shape):
    """Functions of a position of the package."""

    rules = ()

    def __init__(self, modules: dict[str, ModuleType], main: str) -> None:
        super().__init__(modules, main)
        self.counter: list[Iterator[int]] = []
        names = ("alphabeta", "minimax", "search")
        self.function = next(name for name in names if name in vars(self.main))

    def state_of(self, cells: str) -> Any:
        return PlainPosition(cells, self.counter)

    def count_moves(self, counter: Iterator[int]) -> None:
        self.counter.append(counter)

    def ask(self, task: str, state: Any, *more: Any) -> Answer:
        value, move, *_ = self.call(self.function, state)
        return value, move


SHAPES: dict[str, type[Shape]] = {
    "cs50_pairs": Cs50,
    "cs50_all_positions_table": Cs50,
    "cs50_right": Cs50,
    "course_right": Course,
    "split": Split,
    "aima_fig52": Aima,
    "flat_list_functions": Flat,
    "string_negamax": Text,
    "tuple_states": Numbers,
    "class_scores": ScoredGame,
    "class_methods": BoardObject,
    "position_pairs": OurPosition,
    "position_negamax": OurPosition,
    "rows_of_tuples": TupleRows,
    **OWN_PROGRAMS,
}


@dataclass(frozen=True)
class Program:
    """A program, its files, and what the table says of it."""

    name: str
    kind: type[Shape]
    files: dict[str, str]
    main: str
    passes: tuple[str, ...]
    fails: tuple[str, ...]
    properties: tuple[str, ...]
    """The properties by which its mistake may first be found: a function of the rules, or search, nodes, runs."""
    wrong: str
    """What is wrong with it, in plain words."""
    words: tuple[str, ...]
    """Key words of a right diagnosis: all words of one of these must occur."""
    shows: tuple[str, ...]
    """Early positions that show the mistake, if no later one does."""

    @property
    def shape(self) -> Shape:
        return Shape({self.main: ModuleType(self.main)}, self.main)

    def load(self) -> Shape:
        """Run its files as modules that are forgotten afterwards."""
        modules = {name.removesuffix(".py"): ModuleType(name.removesuffix(".py")) for name in self.files}
        hidden = {name: sys.modules.get(name) for name in modules}
        sys.modules.update(modules)
        try:
            for name, module in modules.items():
                exec(compile(self.files[f"{name}.py"], f"{name}.py", "exec"), vars(module))
        finally:
            for name, was in hidden.items():
                if was is None:
                    del sys.modules[name]
                else:
                    sys.modules[name] = was
        return self.kind(modules, self.main.removesuffix(".py"))

    def write(self, folder: Path) -> Path:
        """Write its files; return the main one."""
        folder.mkdir()
        for name, source in self.files.items():
            (folder / name).write_text(source, encoding="utf-8")
        return folder / self.main

    def is_right_diagnosis(self, text: str) -> bool:
        """Whether a text has the key words."""
        return any(all(word.lower() in text.lower() for word in words.split()) for words in self.words)


def programs_of_shapes() -> list[Program]:
    """Every program of the table."""
    table = tomllib.loads((SHAPES_FOLDER / "programs.toml").read_text(encoding="utf-8"))
    return [make_program(name, entry) for name, entry in table.items()]


def make_program(name: str, entry: dict[str, Any]) -> Program:
    of = entry.get("of", name)
    files = files_of(of)
    file = entry.get("file", next(iter(files)))
    patches = [(old, new) for old, new in entry.get("patches", [])]
    files[file] = apply_patches(name, files[file], patches)
    return Program(
        name,
        SHAPES[of],
        files,
        "search.py" if of == "split" else next(iter(files)),
        tuple(entry.get("passes", ())),
        tuple(entry.get("fails", ())),
        tuple(entry.get("property", ())),
        entry.get("wrong", ""),
        tuple(entry.get("words", ())),
        tuple(entry.get("shows", ())),
    )


def files_of(right: str) -> dict[str, str]:
    """Return the files of a right program, those that others import first."""
    if right == "split":
        return {
            f"{name}.py": (SHAPES_FOLDER / right / f"{name}.py").read_text() for name in ("rules", "search", "main")
        }
    folder = SHAPES_FOLDER if (SHAPES_FOLDER / f"{right}.py").exists() else RIGHT_PROGRAMS
    return {f"{right}.py": (folder / f"{right}.py").read_text(encoding="utf-8")}


def is_refused(call: Callable[[], object]) -> bool:
    try:
        call()
    except Exception:
        return True
    return False
