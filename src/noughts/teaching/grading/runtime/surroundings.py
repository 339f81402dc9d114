"""What a program offers to repair one of its functions with: names, constants, conditions, and moves taken back."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass

from noughts.teaching.grading.runtime.syntax import SIDES, called, calls_in, functions_of, is_update, names_in

__all__ = ["Scope", "Surroundings"]

MAX_CONDITIONS = 14
MAX_DONORS = 6
TURN_WORDS = ("turn", "player", "current", "to_move", "side", "mark", "next", "sign", "color", "colour")
BLANKS = ("", " ", ".", "-", "_")


@dataclass(frozen=True)
class Scope:
    """A function of a module, with what surrounds it."""

    number: int
    """The number of its statement in the module."""
    function: ast.FunctionDef
    program: Surroundings
    callees: frozenset[str]
    """The functions that the search needs, and those inside this one."""
    locals: tuple[str, ...]
    constants: frozenset[str]

    def calls_search(self, statement: ast.AST) -> bool:
        """Whether a statement calls a function that calls itself."""
        return not self.program.recursive.isdisjoint(map(called, calls_in(statement)))

    def conditions(self) -> Iterator[ast.expr]:
        """Yield tests that may tell the sides apart: those of the program, then comparisons of the parameters."""
        known = {text: test for text, (free, test) in self.program.conditions.items() if free <= {*self.locals}}
        parameters = [name for name in self._parameters() if _is_turn(name)]
        for name in parameters:
            for other in (None, *self.program.marks, *(each for each in self._parameters() if each != name)):
                text = name if other is None else f"{name} == {other}"
                known.setdefault(text, ast.parse(text, mode="eval").body)
        return iter([*known.values()][:MAX_CONDITIONS])

    def _parameters(self) -> list[str]:
        found = [each.arg for each in ast.walk(self.function) if isinstance(each, ast.arg)]
        return [name for name in dict.fromkeys(found) if name != "self"]

    def donors(self) -> list[ast.Call]:
        """Return calls of the program that this function could make as well."""
        return [call for free, call in self.program.donors.values() if free <= {*self.locals}][:MAX_DONORS]


class Surroundings:
    """The functions of a program that its search needs, and what they use."""

    def __init__(self, statements: Sequence[ast.stmt], reached: Collection[str]) -> None:
        self._statements = statements
        everything = [each for statement in statements for each in functions_of(statement)]
        self.functions = [each for each in everything if each.name in reached]
        self.reached, self.recursive = frozenset(reached), self._recursive()
        walked = [node for each in self.functions for node in ast.walk(each)]
        self.updates = {ast.unparse(each): each for each in walked if is_update(each)}
        self.module_names = {*dir(builtins), *self._module_names()}
        self.sides = SIDES | self._side_names()
        texts = sorted({node.value for node in walked if isinstance(node, ast.Constant) and node.value in SIDES})
        self.marks = [*map(repr, texts), *(name for name in self.sides if name in self.module_names)]
        """The marks of the sides, as the program writes them."""
        tests = [node.test for node in walked if isinstance(node, ast.If | ast.IfExp)]
        self.conditions = {ast.unparse(each): (self._free(each), deepcopy(each)) for each in tests if _is_short(each)}
        calls = [node for node in walked if isinstance(node, ast.Call) and len(node.args) > 1]
        self.donors = {
            ast.unparse(each): (self._free(each), deepcopy(each))
            for each in calls
            if called(each) in reached and called(each) not in self.recursive and _is_short(each)
        }
        self.converters = sorted(
            each.name
            for each in everything
            if len(each.args.args) == 1 and each.args.args[0].arg != "self" and _is_turn(each.args.args[0].arg)
        )
        """Functions of one mark, such as one that returns the opponent's."""
        self.turns = sorted({n.attr for n in walked if isinstance(n, ast.Attribute) and _is_turn(n.attr)})

    def scope(self, number: int, function: ast.FunctionDef) -> Scope:
        """Return what surrounds a function of a statement."""
        nested = {each.name for each in ast.walk(function) if isinstance(each, ast.FunctionDef)}
        arguments = [each.arg for each in ast.walk(function) if isinstance(each, ast.arg)]
        stored = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        known = tuple(dict.fromkeys([*arguments, *stored]))
        constants = {name for name in names_in(function) if name.isupper()} - set(known)
        constants |= {self.sides[name] for name in constants if name in self.sides}
        return Scope(number, function, self, self.reached | nested, known, frozenset(constants))

    def _recursive(self) -> frozenset[str]:
        """Return the names of the functions that call themselves, perhaps by others."""
        all_functions = [n for each in self.functions for n in ast.walk(each) if isinstance(n, ast.FunctionDef)]
        known = {each.name for each in all_functions}
        uses = {each.name: names_in(each) & known for each in all_functions}
        for _ in uses:
            uses = {name: used.union(*(uses[each] for each in used)) for name, used in uses.items()}
        return frozenset(name for name, used in uses.items() if name in used)

    def _module_names(self) -> Iterator[str]:
        for statement in self._statements:
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                yield statement.name
            elif isinstance(statement, ast.Import | ast.ImportFrom):
                yield from (each.asname or each.name.partition(".")[0] for each in statement.names)
            elif not isinstance(statement, ast.If):
                yield from (
                    n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
                )

    def _side_names(self) -> dict[str, str]:
        """Return the two constants, or two attributes, that hold the marks of the sides, each with the other."""
        found: dict[str, str] = {}
        for kind in (ast.Name, ast.Attribute):
            names: dict[str, object] = {}
            for node in (each for statement in self._statements for each in ast.walk(statement)):
                match node:
                    case ast.Assign(targets=[target], value=ast.Constant(value=mark)) if isinstance(target, kind):
                        name = str(getattr(target, "id", getattr(target, "attr", "")))
                        if mark not in BLANKS and mark and (name.isupper() or kind is ast.Attribute):
                            names.setdefault(name, mark)
            marks = [name for name, mark in names.items() if mark in SIDES] or [*names]
            if len(marks) == 2:
                found |= {marks[0]: marks[1], marks[1]: marks[0]}
        return found

    def _free(self, expression: ast.expr) -> set[str]:
        return {each.id for each in ast.walk(expression) if isinstance(each, ast.Name)} - self.module_names


def _is_turn(name: str) -> bool:
    return any(word in name.lower() for word in (*TURN_WORDS, "max", "symbol", "letter", "piece", "who"))


def _is_short(expression: ast.expr) -> bool:
    return sum(1 for _ in ast.walk(expression)) < 16
