"""Small changes to a program, each of which takes back a mistake that students make.

Used in the process of the submission only: parsing a hostile source can take 500 times its memory.
"""

from __future__ import annotations
import __future__

import ast
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from types import CodeType

from noughts.teaching.grading.runtime.expression_edits import ExpressionEdits
from noughts.teaching.grading.runtime.statement_edits import StatementEdits
from noughts.teaching.grading.runtime.surroundings import Surroundings
from noughts.teaching.grading.runtime.syntax import Edit, expressions, functions_of, names_in

__all__ = ["KINDS", "Edit", "EditableProgram"]

KINDS = (
    "comparison",
    "bound",
    "choice",
    "window",
    "scale",
    "sign",
    "call",
    "turn",
    "depth",
    "other-depth",
    "table",
    "line",
    "side",
    "argument",
    "indent",
    "no-return",
    "undo",
    "early-exit",
    "best",
    "condition",
    "extra",
    "mirror",
    "branch",
    "start",
    "order",
    "toggle",
    "colour",
    "draw",
    "case",
    "update",
    "missing-test",
    "number",
    "kept-move",
    "overwritten",
    "variable",
    "sides",
    "ties",
    "copy",
)
"""The kinds of edits, the likeliest mistakes first."""
SCALE = "scale"
"""What a move costs is usually written once for each side."""
CELL_STEPS = (1, -1, 2, -2, 3, -3)
FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


class EditableProgram:
    """The statements of some files, compiled one by one, so that only an edited one is compiled again."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.statements: list[ast.stmt] = []
        self._places: list[tuple[str, int]] = []
        """The file of each statement, and the features of the future that it has."""
        for file, source in sources.items():
            statements = ast.parse(source).body
            futures = [each for each in statements if getattr(each, "module", "") == "__future__"]
            flags = _compile(futures, file, 0).co_flags & FUTURES
            self.statements += statements
            self._places += [(file, flags)] * len(statements)
        self._codes = [_compile([each], *place) for each, place in zip(self.statements, self._places, strict=True)]

    def file_of(self, edit: Edit) -> str:
        """Return the file in which an edit is."""
        return self._places[edit.statement][0]

    def code(self, edit: Edit) -> list[CodeType] | None:
        """Return the code of the edited statements, or None if they are no longer Python."""
        before = [(node, field, getattr(node, field)) for node, field, _ in edit.changes]
        for node, field, value in edit.changes:
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST):
                    _place(each, edit.line)
            setattr(node, field, value)
        codes = self._codes.copy()
        try:
            for number in (edit.statement, *edit.others):
                codes[number] = _compile([self.statements[number]], *self._places[number])
        except (SyntaxError, ValueError, TypeError):
            return None
        finally:
            for node, field, value in reversed(before):
                setattr(node, field, value)
        return codes

    def edits(self, function: str, kept: Collection[str]) -> list[Edit]:
        """Return the edits of a function and of those that it needs, but for those that are kept, by their kind.

        Those of several places come last.
        """
        found: list[Edit] = []
        surroundings = Surroundings(self.statements, self._reached(function) - set(kept))
        for number, statement in enumerate(self.statements):
            for each in (each for each in surroundings.functions if each in functions_of(statement)):
                scope = surroundings.scope(number, each)
                found += chain(ExpressionEdits(scope).edits(), StatementEdits(scope).edits())
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                found += _cell_edits(number, statement)
        several = [*_everywhere(found)]
        first = [edit for edit in several if edit.kind == SCALE]
        last = [edit for edit in several if edit.kind != SCALE]
        return [*_by_kind([*found, *first]), *_by_kind(last)]

    def _reached(self, function: str) -> set[str]:
        """Return the names of the functions that a function needs, and its own."""
        functions = [each for statement in self.statements for each in functions_of(statement)]
        known = {each.name for each in functions}
        reached: set[str] = set()
        waiting = {function}
        while waiting:
            reached |= waiting
            names = {name for each in functions if each.name in waiting for name in names_in(each)}
            waiting = (names & known) - reached
        return reached


def _compile(statements: list[ast.stmt], file: str, flags: int) -> CodeType:
    code: CodeType = compile(ast.Module(statements, []), file, "exec", flags, dont_inherit=True)
    return code


def _by_kind(edits: list[Edit]) -> list[Edit]:
    return sorted(edits, key=lambda edit: KINDS.index(edit.kind))


def _everywhere(edits: list[Edit]) -> Iterator[Edit]:
    """Yield the edits that change the same in all places."""
    places: dict[tuple[str, str], list[Edit]] = {}
    for edit in edits:
        if edit.shape:
            places.setdefault((edit.kind, edit.shape), []).append(edit)
    for same in places.values():
        changes = tuple(change for edit in same for change in edit.changes)
        if len(same) > 1 and len({(id(node), field) for node, field, _ in changes}) == len(changes):
            others = {edit.statement for edit in same} - {same[0].statement}
            yield same[0]._replace(changes=changes, others=tuple(sorted(others)))


PLACE = {"col_offset": 0, "end_col_offset": 0}


def _place(node: ast.AST, line: int) -> None:
    """Give a new node, and those below it, a place in the file."""
    for each in () if "lineno" in vars(node) else ast.walk(node):
        if "lineno" not in vars(each):
            vars(each).update(PLACE, lineno=line, end_lineno=line)


def _cell_edits(number: int, statement: ast.stmt) -> Iterator[Edit]:
    """Exchange single cells in a table of lines."""
    for node, replace, owner in expressions(statement):
        match node, owner:
            case ast.Constant(value=int(cell)), ast.Tuple() | ast.List():
                others: list[int] | list[str] = [cell + step for step in CELL_STEPS if 0 <= cell + step < 10]
            case ast.Constant(value=str(line)), _ if len(line) == 3 and line.isdigit():
                others = [line[:at] + digit + line[at + 1 :] for at in range(3) for digit in "0123456789"]
            case _:
                continue
        for other in others:
            yield Edit("line", node.lineno, number, (replace(ast.Constant(other)),))
