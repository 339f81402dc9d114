"""The binding for searches of a Game class with the methods of AIMA's. Used in the process of the submission only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import wraps
from math import isqrt
from typing import Any, NamedTuple, Protocol, TypeGuard

from noughts.games import Game, Position, Side
from noughts.teaching.grading.cells import Cells, cells_of, mark_cell, moves_to
from noughts.teaching.grading.programs.bindings import Arguments, Binding, RuleCall, SubmittedFunction
from noughts.teaching.grading.programs.boards import BoardReader, Marks, find_readers
from noughts.teaching.grading.programs.move_forms import FORMS, MoveForm
from noughts.teaching.grading.programs.program_code import signature_of
from noughts.teaching.grading.runtime.modules import Modules
from noughts.teaching.grading.styles import STYLES

__all__ = ["AimaBinding", "AimaGame", "AimaState"]

AIMA_FORM = MoveForm(has_pairs=True, first=1)


class AimaState(NamedTuple):
    """A state like the ``GameState`` of AIMA's tic-tac-toe: the board maps (row, column), from 1, to "X" or "O"."""

    to_move: str
    utility: int
    board: dict[tuple[int, int], str]
    moves: list[tuple[int, int]]


class AimaGame:
    """Tic-tac-toe with the interface of AIMA's ``Game`` class."""

    def __init__(self, game: Game, count: Callable[[], None]) -> None:
        self._game, self._count = game, count
        self._side = isqrt(game.cells)
        self.initial = self.state_of(game.start())

    def state_of(self, position: Position) -> AimaState:
        board = {self.action_of(cell): str(mark) for cell, mark in enumerate(position.cells) if mark is not None}
        empty = [self.action_of(cell) for cell, mark in enumerate(position.cells) if mark is None]
        winner = {Side.X: 1, Side.O: -1}.get(position.winner, 0) if position.winner else 0
        return AimaState("XO"[len(board) % 2], winner, board, empty)

    def action_of(self, cell: int) -> tuple[int, int]:
        """Return the move that marks a cell."""
        row, column = divmod(cell, self._side)
        return row + 1, column + 1

    def actions(self, state: AimaState) -> list[tuple[int, int]]:
        return list(state.moves)

    def result(self, state: AimaState, move: tuple[int, int]) -> AimaState:
        """Return the state after a move; an illegal one changes nothing."""
        self._count()
        if move not in state.moves:
            return state
        board = state.board | {move: state.to_move}
        moves = [each for each in state.moves if each != move]
        won = any(all(board.get(self.action_of(cell)) == state.to_move for cell in line) for line in self._game.lines)
        utility = 0 if not won else 1 if state.to_move == "X" else -1
        return AimaState("O" if state.to_move == "X" else "X", utility, board, moves)

    def utility(self, state: AimaState, player: str) -> int:
        """Return the value of a finished state to a player."""
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state: AimaState) -> bool:
        return state.utility != 0 or not state.moves

    is_terminal = terminal_test

    def to_move(self, state: AimaState) -> str:
        return state.to_move


class SubmittedGame(Protocol):
    """A Game class of a submission, with AIMA's methods."""

    @property
    def initial(self) -> object:
        """The state at the start."""

    actions: Callable[[object], Iterable[object]]
    result: Callable[[object, object], object]
    to_move: Callable[[object], object]


class AimaBinding(Binding):
    """Searches called as ``alpha_beta_search(state, game)``, perhaps with a Game class of the submission."""

    style = STYLES["aima"]

    def __init__(self, names: Modules) -> None:
        super().__init__(names)
        if (own_class := _find_game_class(names)) is None:
            names.import_more(("terminal_test", "is_terminal"))  # the rules may be in another file of a project
            own_class = _find_game_class(names)
        self.own_class = own_class
        self._own_game: SubmittedGame | None = None
        self._reader = GAME_STATES
        if self.own_class is not None:
            self._take_game(self.own_class())

    @classmethod
    def fits(cls, names: Modules, function: SubmittedFunction | None) -> bool:
        if any(_is_other_game(each, names) for each in names.values()):
            return False
        if function is not None and not isinstance(function, type):
            return _place_of_game(function) is not None
        found = (names.get(name) for options in cls.style.functions.values() for name in options)
        return _find_game_class(names) is not None or any(_place_of_game(each) is not None for each in found)

    def _take_game(self, game: SubmittedGame) -> None:
        """Search a game of the submission's, in its states and moves, and count the nodes by its results."""
        self._own_game, self._initial = game, deepcopy(game.initial)
        self._reader, form = _find_form(game)
        x, o = self._reader.marks or ("X", "O")
        self.marks = {"X": x, "O": o, None: self._reader.empty[0]}
        self.style = self.style.with_moves(form.has_pairs, form.first)
        self._plain_result: SubmittedFunction = game.result

        def result(state: object, move: object) -> object:
            self.count.add()
            return self._plain_result(state, move)

        game.result = result

    @property
    def has_rules(self) -> bool:
        return self.own_class is not None

    def adapt(self, function: SubmittedFunction) -> SubmittedFunction:
        is_game_first = _place_of_game(function) == 0

        @wraps(function)
        def search(state: object, game: object, *more: object, **named: object) -> object:
            arguments = (game, state) if is_game_first else (state, game)
            answer = function(*arguments, *more, **named)
            if isinstance(answer, tuple) and len(answer) == 2:  # perhaps a value and a move, as in the fourth edition
                return answer[1] if isinstance(answer[1], tuple) or not self.style.has_pairs else answer
            return answer

        return search

    def game_of(self, game: Game) -> AimaGame | SubmittedGame:
        """Return the game to search: the submission's own, or one of ours."""
        return self._own_game or AimaGame(game, lambda: self.count.add())

    def state_of(self, position: Position, game: AimaGame | SubmittedGame) -> object:
        """Return the state of a position; in the submission's own game it is reached by moves."""
        if isinstance(game, AimaGame):
            return game.state_of(position)
        state = deepcopy(self._initial)  # a wrong result may have changed the game's own
        for cell in moves_to(cells_of(position), position.game):
            state = game.result(state, self.style.action_of(position, cell))
        return state

    def arguments(self, position: Position, is_watched: bool) -> Arguments:
        game = self.game_of(position.game)
        state = self.state_of(position, game)
        self.count.nodes = 1
        before = repr(state)
        return Arguments((state, game), lambda: "" if repr(state) == before else "the state it was given has changed")

    def turn_of(self, state: object) -> object:
        assert self._own_game is not None
        return self._own_game.to_move(state)

    def _exchange(self, name: str, function: SubmittedFunction) -> SubmittedFunction:
        game = self._own_game
        if name == "result":
            own, self._plain_result = self._plain_result, function
        else:
            own = getattr(game, name)
            setattr(game, name, function)
        return own

    def call_rule(self, name: str, position: Position, *more: object) -> RuleCall:
        game = self.game_of(position.game)
        state = self.state_of(position, game)
        return RuleCall.of(getattr(game, name), state, *more)

    def state_after(self, state: object, cell: int) -> object:
        cells = self.cells_of(state)
        assert cells is not None
        cells = mark_cell(cells, cell)
        after: Any = self._reader.write(deepcopy(self._initial), cells)
        if {"moves", "utility"}.issubset(getattr(after, "_fields", ())):  # AIMA's GameState
            moves = [self.style.write_move(each, 3) for each, mark in enumerate(cells) if mark is None]
            after = after._replace(moves=moves, utility=0)
            return after._replace(utility=self.reference.utility(after))
        return after

    def cells_of(self, state: object) -> Cells | None:
        return self._reader.cells_of(state)


def _reader_of(start: object, form: MoveForm, marks: Marks) -> BoardReader | None:
    """Return the reader of the board in a state at the start; the keys of a dictionary are moves of the form."""
    keys = tuple(form.write(cell) for cell in range(9))
    readers = [each for each in find_readers(start) if each.kind != "sparse" or each.keys == keys]
    return replace(readers[0], marks=marks) if readers else None


GAME_STATES = BoardReader(
    (("attribute", "board"),), "sparse", tuple(AIMA_FORM.write(cell) for cell in range(9)), (None,) * 9, ("X", "O")
)
"""The reader of AIMA's own states."""


def _find_form(game: SubmittedGame) -> tuple[BoardReader, MoveForm]:
    """Return the reader of the states of a game, with its marks, and the form of its moves: AIMA's if none is found."""
    readers = [*find_readers(game.initial)]
    try:
        moves = list(game.actions(deepcopy(game.initial)))
    except Exception:  # an exercise that is not finished, which is graded as such
        moves = []
    forms = sorted(FORMS, key=lambda form: form != AIMA_FORM)
    likely = [form for form in forms if all(form.read(move) is not None for move in moves)] or forms
    cells = ("X", "O", *[None] * 7)
    for form in likely:
        with suppress(Exception):  # a mistake in result, which is graded for itself
            state = game.result(game.result(deepcopy(game.initial), form.write(0)), form.write(1))
            for reader in readers:
                if (learned := reader.learn_marks(state, cells)) is not None:
                    return learned, form
    return _reader_of(game.initial, likely[0], ("X", "O")) or GAME_STATES, likely[0]


def _place_of_game(function: object) -> int | None:
    """Return the place of the parameter ``game`` beside the state, or None if the function has no such pair."""
    try:
        names = list(signature_of(function).parameters)[:2]
    except (TypeError, ValueError):
        return None
    if len(names) < 2 or "game" not in names:
        return None
    return 1 if names[1] == "game" else 0 if names[1] in STATE_NAMES else None


STATE_NAMES = ("state", "s", "node", "current", "current_state", "board")
"""Names of a second parameter that stands for a state."""


def _is_game_class(thing: object, names: Modules) -> TypeGuard[type[SubmittedGame]]:
    """Whether it is a class of the submission with AIMA's methods that can be made without arguments."""
    wanted = ("actions", "result", "utility", "terminal_test", "to_move")
    if not isinstance(thing, type) or not names.is_own(thing):
        return False
    own = {name for base in thing.__mro__[:-1] for name in vars(base)}
    overridden = any(name in vars(thing) for name in wanted)
    return overridden and own.issuperset(wanted) and "initial" in _attributes(thing)


def _is_other_game(thing: object, names: Modules) -> bool:
    """Whether it is a class of a game with the methods of AIMA's fourth edition, which has no ``terminal_test``."""
    has_methods = all(hasattr(thing, name) for name in ("actions", "result", "is_terminal"))
    return isinstance(thing, type) and names.is_own(thing) and has_methods and not hasattr(thing, "terminal_test")


def _find_game_class(names: Modules) -> type[SubmittedGame] | None:
    """Return the class of tic-tac-toe: one whose first state has nine moves, of several as in AIMA's own file."""
    found = [each for each in names.values() if _is_game_class(each, names)]
    return next((each for each in found if _count_first_moves(each) == 9), found[0] if found else None)


def _count_first_moves(kind: type[SubmittedGame]) -> int:
    """Return the number of moves at the start of a game, 0 if its functions are not finished."""
    try:
        game = kind()
        return len(list(game.actions(game.initial)))
    except Exception:  # an exercise that is not finished, which is graded as such
        return 0


def _attributes(kind: type) -> set[str]:
    try:
        return set(dir(kind()))
    except Exception:  # it needs arguments, or is not finished
        return set()
