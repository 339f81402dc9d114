"""Small changes to a program, each of which takes back a mistake that students make.

Used in the process of the submission only: parsing a hostile source can take 500 times its memory.
"""

from __future__ import annotations
import __future__

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from copy import deepcopy
from itertools import pairwise
from math import inf
from types import CodeType
from typing import NamedTuple, TypeGuard

__all__ = ["Edit", "EditableProgram"]

Change = tuple[ast.AST, str, object]
"""A node, a field of it, and the new value of the field."""
Replace = Callable[[ast.expr], Change]
"""Returns the change that puts another expression in the place of one."""

KINDS = (
    "comparison",
    "choice",
    "bound",
    "window",
    "sign",
    "call",
    "turn",
    "depth",
    "table",
    "line",
    "side",
    "argument",
    "indent",
    "no-return",
    "undo",
    "early-exit",
    "extra",
    "mirror",
    "start",
    "order",
    "number",
    "variable",
    "ties",
    "copy",
)
"""The kinds of edits, the likeliest mistakes first."""
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.Gt, ast.LtE),
    ast.Gt: (ast.Lt, ast.GtE),
    ast.LtE: (ast.GtE, ast.Lt),
    ast.GtE: (ast.LtE, ast.Gt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
CHOICES = {"min": "max", "max": "min"}
SIDES = {"X": "O", "O": "X", "x": "o", "o": "x"}
BOUNDS = {"alpha": "beta", "beta": "alpha", "low": "high", "high": "low", "lower": "upper", "upper": "lower"}
DEPTHS = ("depth", "limit", "ply", "plies", "level")
CELL_STEPS = (1, -1, 2, -2, 3, -3)
LARGE = 10**6
FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


class Edit(NamedTuple):
    """A small change to a program: its kind, its line, and the statement of the module that it is in."""

    kind: str
    line: int
    statement: int
    changes: tuple[Change, ...]


class EditableProgram:
    """The statements of a module, compiled one by one, so that only an edited one is compiled again."""

    def __init__(self, source: str, file: str) -> None:
        self._file, self._flags = file, 0
        self.statements = ast.parse(source).body
        futures = [each for each in self.statements if getattr(each, "module", "") == "__future__"]
        self._flags = self._compile(futures).co_flags & FUTURES
        self._codes = [self._compile([each]) for each in self.statements]

    def _compile(self, statements: list[ast.stmt]) -> CodeType:
        code: CodeType = compile(ast.Module(statements, []), self._file, "exec", self._flags, dont_inherit=True)
        return code

    def code(self, edit: Edit) -> list[CodeType] | None:
        """Return the code of the edited statements, or None if they are no longer Python."""
        before = [(node, field, getattr(node, field)) for node, field, _ in edit.changes]
        for node, field, value in edit.changes:
            setattr(node, field, value)
        try:
            code = self._compile([ast.fix_missing_locations(self.statements[edit.statement])])
        except (SyntaxError, ValueError, TypeError):
            return None
        finally:
            for node, field, value in reversed(before):
                setattr(node, field, value)
        return [*self._codes[: edit.statement], code, *self._codes[edit.statement + 1 :]]

    def edits(self, function: str, kept: Collection[str]) -> list[Edit]:
        """Return the edits of a function and of those that it needs, but for those that are kept, by their kind."""
        reached = self._reached(function) - set(kept)
        functions = [each for statement in self.statements for each in _outermost(statement) if each.name in reached]
        updates = {ast.unparse(each): each for function in functions for each in ast.walk(function) if _is_update(each)}
        found: list[Edit] = []
        for number, statement in enumerate(self.statements):
            for each in (each for each in functions if each in _outermost(statement)):
                found += _Editor(number, each, reached, updates).edits()
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                found += _cell_edits(number, statement)
        return sorted(found, key=lambda edit: KINDS.index(edit.kind))

    def _reached(self, function: str) -> set[str]:
        """Return the names of the functions that a function needs, and its own."""
        functions = [each for statement in self.statements for each in _outermost(statement)]
        known = {each.name for each in functions}
        reached: set[str] = set()
        waiting = {function}
        while waiting:
            reached |= waiting
            names = {name for each in functions if each.name in waiting for name in _names(each)}
            waiting = (names & known) - reached
        return reached


def _outermost(statement: ast.stmt) -> list[ast.FunctionDef]:
    """Return the functions of a statement of a module: itself, or the methods of a class."""
    if isinstance(statement, ast.FunctionDef):
        return [statement]
    return [each for each in ast.walk(statement) if isinstance(each, ast.FunctionDef)]


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} | {
        each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)
    }


def _expressions(root: ast.AST) -> Iterator[tuple[ast.expr, Replace, ast.AST]]:
    """Yield the expressions below a node, each with the means to replace it, and the node that it is a part of."""
    for owner in ast.walk(root):
        for field, value in ast.iter_fields(owner):
            if isinstance(value, ast.expr):
                yield value, _field(owner, field), owner
            elif isinstance(value, list):
                for index, each in enumerate(value):
                    if isinstance(each, ast.expr):
                        yield each, _item(owner, field, value, index), owner


def _field(owner: ast.AST, field: str) -> Replace:
    return lambda new: (owner, field, new)


def _item(owner: ast.AST, field: str, items: list[ast.expr], index: int) -> Replace:
    return lambda new: (owner, field, [*items[:index], new, *items[index + 1 :]])


def _blocks(root: ast.AST) -> Iterator[tuple[ast.AST, str, list[ast.stmt]]]:
    """Yield the blocks of statements below a node, with the node and its field that they are in."""
    for owner in ast.walk(root):
        for field in ("body", "orelse"):
            block = getattr(owner, field, None)
            if isinstance(block, list) and block:
                yield owner, field, block


def _negated(value: ast.expr) -> ast.expr:
    """Return an expression with the opposite sign."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        return value.operand
    return ast.copy_location(ast.UnaryOp(ast.USub(), value), value)


def _plain(value: ast.expr) -> ast.expr:
    return value.operand if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else value


def _number(value: ast.expr) -> float | None:
    """Return the number that an expression stands for, infinity for names of it; None if it is no number."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        found = _number(value.operand)
        return None if found is None else -found
    if isinstance(value, ast.Constant) and isinstance(value.value, int | float) and not isinstance(value.value, bool):
        return value.value
    text = ast.unparse(value).lower()
    return inf if len(text) < 20 and "inf" in text else None


class _Editor:
    """The edits of one function of a module; ``updates`` are statements that change a board somewhere in it."""

    def __init__(
        self, number: int, function: ast.FunctionDef, reached: Collection[str], updates: Mapping[str, ast.stmt]
    ) -> None:
        self._number, self._function, self._updates = number, function, updates
        nested = {each.name for each in ast.walk(function) if isinstance(each, ast.FunctionDef)}
        self._callees = nested.union(reached)
        arguments = [each.arg for each in ast.walk(function) if isinstance(each, ast.arg)]
        stored = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        self._locals = list(dict.fromkeys([*arguments, *stored]))
        self._constants = {name for name in _names(function) if name.isupper()} - set(self._locals)

    def edits(self) -> list[Edit]:
        """Return all edits."""
        return [*self._of_expressions(), *self._of_starts(), *self._of_blocks(), *self._mirrored()]

    def _edit(self, kind: str, node: ast.AST, *changes: Change) -> Edit:
        return Edit(kind, getattr(node, "lineno", self._function.lineno), self._number, changes)

    # Expressions

    def _of_expressions(self) -> Iterator[Edit]:
        for node, replace, owner in _expressions(self._function):
            yield from self._of_one(node, replace)
            if isinstance(node, ast.Name | ast.Subscript) and not isinstance(node.ctx, ast.Load):
                continue
            if isinstance(node, ast.Name) and not isinstance(owner, ast.Attribute):
                yield from self._other_names(node, replace, owner)
            if isinstance(owner, ast.Compare | ast.Return | ast.Tuple | ast.Call | ast.IfExp | ast.Dict):
                yield from self._other_numbers(node, replace)
            is_term = isinstance(owner, ast.Return | ast.Assign | ast.Tuple | ast.BinOp | ast.IfExp)
            if is_term and not isinstance(node, ast.Constant | ast.Tuple):
                yield self._edit("sign" if _number(node) is None else "start", node, replace(_negated(node)))
            if isinstance(owner, ast.Assign) and isinstance(node, ast.Name | ast.Subscript):
                yield self._edit("copy", node, replace(_deep_copy(node)))

    def _of_one(self, node: ast.expr, replace: Replace) -> Iterator[Edit]:
        match node:
            case ast.Compare(ops=[op]):
                for kind, other in zip(("comparison", "ties"), COMPARISONS[type(op)], strict=False):
                    yield self._edit(kind, node, (node, "ops", [other()]))
            case ast.Name(id="min" | "max" | "sum" | "abs" as name):
                for choice in sorted(CHOICES.keys() - {name}):
                    yield self._edit("choice", node, replace(_name(choice, node)))
            case ast.Name(id=name, ctx=ast.Load()) if name in BOUNDS:
                yield self._edit("bound", node, replace(_name(BOUNDS[name], node)))
            case ast.Name(id=name, ctx=ast.Load()) if name in self._constants:
                for constant in sorted(self._constants - {name}):
                    yield self._edit("side", node, replace(_name(constant, node)))
            case ast.Constant(value=str(text)) if text in SIDES:
                yield self._edit("side", node, replace(ast.Constant(SIDES[text])))
            case ast.IfExp():
                yield self._edit("side", node, (node, "body", node.orelse), (node, "orelse", node.body))
            case ast.Call():
                yield from self._of_call(node)

    def _of_starts(self) -> Iterator[Edit]:
        """Change first values and defaults, and take off decorators."""
        for node in ast.walk(self._function):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    if name in BOUNDS:
                        yield self._edit("bound", node, *_exchanged_bounds(node))
                    if (found := _number(value)) is not None and abs(found) < LARGE:
                        for bound in (-inf, inf):
                            yield self._edit("start", node, (node, "value", ast.Constant(bound)))
                case ast.FunctionDef(decorator_list=[_, *_]):
                    yield self._edit("table", node, (node, "decorator_list", []))
                case ast.arguments(defaults=[_, *_] as defaults):
                    for index, pair in enumerate(pairwise(defaults)):
                        exchanged = [*defaults[:index], pair[1], pair[0], *defaults[index + 2 :]]
                        yield self._edit("window", defaults[0], (node, "defaults", exchanged))
                    for index, value in enumerate(defaults):
                        if _number(value) is not None:
                            for new in (_negated(value), ast.Constant(-inf), ast.Constant(inf)):
                                changed = [*defaults[:index], new, *defaults[index + 1 :]]
                                yield self._edit("start", value, (node, "defaults", changed))

    def _of_call(self, call: ast.Call) -> Iterator[Edit]:
        args = call.args
        name = _called(call)
        if name not in self._callees:
            copied = args[0] if args else getattr(call.func, "value", None)
            if name in ("copy", "list") and copied is not None:
                changed = _deep_copy(copied)
                yield self._edit("copy", call, (call, "func", changed.func), (call, "args", changed.args))
            return
        for index, (first, second) in enumerate(pairwise(args)):
            low, high = _plain(first), _plain(second)
            kind = "window" if all(_is_bound(each) for each in (low, high)) else "argument"
            if not isinstance(low, ast.Constant) and not isinstance(high, ast.Constant):
                for pair in ((second, first), (_negated(high), _negated(low)), (high, low)):
                    yield self._edit(kind, call, (call, "args", [*args[:index], *pair, *args[index + 2 :]]))
        slots = [(each, _item(call, "args", list(args), index)) for index, each in enumerate(args)]
        slots += [(each.value, _field(each, "value")) for each in call.keywords]
        for value, replace in slots:
            match value:
                case ast.Constant(value=bool(truth)):
                    yield self._edit("turn", call, replace(ast.Constant(not truth)))
                case ast.UnaryOp(op=ast.Not(), operand=inner):
                    yield self._edit("turn", call, replace(inner))
                case ast.BinOp(op=ast.Sub() | ast.Add(), left=left, right=ast.Constant()):
                    yield self._edit("depth", call, replace(left))
                    for op in (ast.Sub(), ast.Add()):
                        yield self._edit("depth", call, replace(ast.BinOp(left, op, ast.Constant(1))))
                case ast.Name(id=parameter):
                    if any(each in parameter.lower() for each in DEPTHS) or parameter == "d":
                        for op in (ast.Sub(), ast.Add()):
                            yield self._edit("depth", call, replace(ast.BinOp(value, op, ast.Constant(1))))
                    yield self._edit("turn", call, replace(ast.UnaryOp(ast.Not(), value)))
                    for side, other in (("X", "O"), ("x", "o")):
                        test = ast.Compare(value, [ast.Eq()], [ast.Constant(side)])
                        passed = ast.IfExp(test, ast.Constant(other), ast.Constant(side))
                        yield self._edit("turn", call, replace(passed))
            if not isinstance(value, ast.Constant):
                yield self._edit("sign", call, replace(_negated(value)))
        if isinstance(call.func, ast.Name):
            for other in sorted(self._callees):
                if other != name:
                    yield self._edit("call", call, (call, "func", _name(other, call)))

    def _other_names(self, node: ast.Name, replace: Replace, owner: ast.AST) -> Iterator[Edit]:
        if node.id in self._locals and isinstance(owner, ast.Call | ast.Return | ast.Tuple | ast.Assign | ast.Compare):
            kind = "argument" if isinstance(owner, ast.Call) else "variable"
            for other in self._locals:
                if other != node.id:
                    yield self._edit(kind, node, replace(_name(other, node)))

    def _other_numbers(self, node: ast.expr, replace: Replace) -> Iterator[Edit]:
        value = _number(node)
        if value is None or abs(value) == inf:
            return
        for other in dict.fromkeys((-value, value + 1, value - 1, 0)):
            if other != value:
                yield self._edit("number", node, replace(ast.Constant(other)))

    # Statements

    def _of_blocks(self) -> Iterator[Edit]:
        own = {ast.unparse(each) for each in ast.walk(self._function) if _is_update(each)}
        end = self._function.body
        for text, update in self._updates.items():
            if text not in own and not self._calls(self._function):
                yield self._edit("undo", end[-1], (self._function, "body", [*end, deepcopy(update)]))
        for owner, field, block in _blocks(self._function):
            for index, each in enumerate(block):
                rest = block[:index], block[index + 1 :]
                yield from self._moved(owner, field, block, index)
                if kind := _kind_to_delete(each):
                    yield self._edit(kind, each, (owner, field, [*rest[0], *rest[1]] or [ast.Pass()]))
                if index + 1 < len(block) and not isinstance(block[index + 1], ast.FunctionDef):
                    swapped = [*rest[0], block[index + 1], each, *rest[1][1:]]
                    yield self._edit("order", each, (owner, field, swapped))
                if isinstance(each, ast.If) and rest[1][1:]:
                    later = [*rest[0], *rest[1][:2], each, *rest[1][2:]]
                    yield self._edit("order", each, (owner, field, later))
                if isinstance(each, ast.Expr) and not isinstance(each.value, ast.Constant):
                    returned = ast.copy_location(ast.Return(each.value), each)
                    yield self._edit("no-return", each, (owner, field, [*rest[0], returned, *rest[1]]))
                if isinstance(each, ast.Assign) and self._calls(each):
                    first = next((n for n in ast.walk(each.targets[0]) if isinstance(n, ast.Name)), None)
                    if first is not None:
                        store, load = ast.Name(first.id, ast.Store()), ast.Name(first.id, ast.Load())
                        negation = ast.copy_location(ast.Assign([store], _negated(load)), each)
                        yield self._edit("sign", each, (owner, field, [*rest[0], each, negation, *rest[1]]))
                for missing in self._updates.values():
                    new = ast.copy_location(deepcopy(missing), each)
                    if self._calls(each) and not isinstance(each, ast.If | ast.For | ast.While | ast.FunctionDef):
                        yield self._edit("undo", each, (owner, field, [*rest[0], each, new, *rest[1]]))
                    if isinstance(each, ast.Return | ast.Break):
                        yield self._edit("undo", each, (owner, field, [*rest[0], new, each, *rest[1]]))

    def _calls(self, statement: ast.stmt) -> bool:
        return not self._callees.isdisjoint(map(_called, _calls_in(statement)))

    def _moved(self, owner: ast.AST, field: str, block: list[ast.stmt], index: int) -> Iterator[Edit]:
        """Move the last statements of an inner block behind it, and those behind it to its end."""
        inner = block[index]
        if not isinstance(inner, ast.For | ast.While | ast.If | ast.With):
            return
        for name, body in (("body", inner.body), ("orelse", getattr(inner, "orelse", []))):
            if len(body) > 1:
                outer = [*block[: index + 1], body[-1], *block[index + 1 :]]
                yield self._edit("indent", body[-1], (inner, name, body[:-1]), (owner, field, outer))
            if body and index + 1 < len(block):
                following = block[index + 1]
                left = [*block[: index + 1], *block[index + 2 :]]
                yield self._edit("indent", following, (inner, name, [*body, following]), (owner, field, left))

    # The other side

    def _mirrored(self) -> Iterator[Edit]:
        """Exchange minimum and maximum in the whole function, or in a branch of it."""
        parts: list[list[ast.stmt]] = [self._function.body]
        parts += [block for owner, _, block in _blocks(self._function) if isinstance(owner, ast.If)]
        parts += [[each] for _, _, block in _blocks(self._function) for each in block if isinstance(each, ast.For)]
        for part in parts:
            changes = [change for statement in part for change in _mirror(statement)]
            if len(changes) > 1:
                yield self._edit("mirror", changes[0][0], *changes)


def _exchanged_bounds(statement: ast.stmt) -> list[Change]:
    names = [each for each in ast.walk(statement) if isinstance(each, ast.Name) and each.id in BOUNDS]
    return [(each, "id", BOUNDS[each.id]) for each in names]


def _calls_in(node: ast.AST) -> Iterator[ast.Call]:
    return (each for each in ast.walk(node) if isinstance(each, ast.Call))


def _called(call: ast.Call) -> str:
    """Return the name of the function or method that is called, or ""."""
    return call.func.id if isinstance(call.func, ast.Name) else str(getattr(call.func, "attr", ""))


def _mirror(statement: ast.stmt) -> Iterator[Change]:
    opposite = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
    for node in ast.walk(statement):
        match node:
            case ast.Compare(ops=[op]) if type(op) in opposite:
                yield node, "ops", [opposite[type(op)]()]
            case ast.Name(id=name) if name in CHOICES:
                yield node, "id", CHOICES[name]
            case ast.Assign(value=value) if (found := _number(value)) is not None and abs(found) > 1:
                yield node, "value", _negated(value)


def _is_bound(value: ast.expr) -> bool:
    """Whether an argument is a bound of a window, by its name, or infinity."""
    return (isinstance(value, ast.Name) and value.id in BOUNDS) or _number(value) == inf


def _name(id: str, like: ast.expr) -> ast.Name:
    return ast.copy_location(ast.Name(id, getattr(like, "ctx", ast.Load())), like)


def _deep_copy(value: ast.expr) -> ast.Call:
    module = ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant("copy")], [])
    return ast.Call(ast.Attribute(module, "deepcopy", ast.Load()), [value], [])


def _is_update(node: ast.AST) -> TypeGuard[ast.stmt]:
    """Whether a statement can make a move or take it back: a call of a method, or a mark that is set."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute())):
            return True
        case (
            ast.Assign(targets=[ast.Subscript() | ast.Attribute()])
            | ast.AugAssign(target=ast.Subscript() | ast.Attribute())
        ):
            return True
    return False


def _kind_to_delete(statement: ast.stmt) -> str | None:
    """Return the kind of the edit that deletes a statement, or None if it is not one to try."""
    match statement:
        case ast.If(test=test, body=[*_, ast.Return() | ast.Break() | ast.Continue()], orelse=[]):
            is_lookup = any(isinstance(each, ast.In | ast.NotIn | ast.IsNot) for each in ast.walk(test))
            return "table" if is_lookup else "early-exit"
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            return "extra"
        case ast.Assign(targets=[ast.Name()]):
            return "extra"
    return None


def _cell_edits(number: int, statement: ast.stmt) -> Iterator[Edit]:
    """Exchange single cells in a table of lines."""
    for node, replace, owner in _expressions(statement):
        match node, owner:
            case ast.Constant(value=int(cell)), ast.Tuple() | ast.List():
                others: list[int] | list[str] = [cell + step for step in CELL_STEPS if 0 <= cell + step < 10]
            case ast.Constant(value=str(line)), _ if len(line) == 3 and line.isdigit():
                others = [line[:at] + digit + line[at + 1 :] for at in range(3) for digit in "0123456789"]
            case _:
                continue
        for other in others:
            yield Edit("line", node.lineno, number, (replace(ast.Constant(other)),))
