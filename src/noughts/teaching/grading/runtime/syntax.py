"""Parts of Python's syntax trees, for small changes to programs; used in the process of the submission only."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from math import inf
from typing import NamedTuple, TypeGuard

__all__ = [
    "BOUNDS",
    "CHOICES",
    "SIDES",
    "Change",
    "Edit",
    "Replace",
    "blocks",
    "called",
    "calls_in",
    "conditional",
    "deep_copied",
    "expressions",
    "functions_of",
    "is_bound",
    "is_update",
    "mirror_changes",
    "mirrored",
    "named",
    "names_in",
    "negated",
    "number_of",
    "plain",
]

Change = tuple[ast.AST, str, object]
"""A node, a field of it, and the new value of the field."""
Replace = Callable[[ast.expr], Change]
"""Returns the change that puts another expression in the place of one."""

CHOICES = {"min": "max", "max": "min"}
SIDES = {"X": "O", "O": "X", "x": "o", "o": "x"}
BOUNDS = {"alpha": "beta", "beta": "alpha", "low": "high", "high": "low", "lower": "upper", "upper": "lower"}
BOUNDS |= {"a": "b", "b": "a", "lo": "hi", "hi": "lo"}
CERTAIN_BOUNDS = BOUNDS.keys() - {"a", "b"}
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


class Edit(NamedTuple):
    """A small change to a program: its kind, its line, and the statement of the module that it is in."""

    kind: str
    line: int
    statement: int
    changes: tuple[Change, ...]
    shape: str = ""
    """The old and the new text: of several places where the same is wrong, all may have to be changed."""
    others: tuple[int, ...] = ()
    """The other statements of the module that are changed."""


def functions_of(statement: ast.stmt) -> list[ast.FunctionDef]:
    """Return the functions of a statement of a module: itself, or the methods of a class."""
    if isinstance(statement, ast.FunctionDef):
        return [statement]
    return [each for each in ast.walk(statement) if isinstance(each, ast.FunctionDef)]


def names_in(node: ast.AST) -> set[str]:
    """Return all names below a node, those of attributes too."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} | {
        each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)
    }


def expressions(root: ast.AST) -> Iterator[tuple[ast.expr, Replace, ast.AST]]:
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


def blocks(root: ast.AST) -> Iterator[tuple[ast.AST, str, list[ast.stmt]]]:
    """Yield the blocks of statements below a node, with the node and its field that they are in."""
    for owner in ast.walk(root):
        for field in ("body", "orelse"):
            block = getattr(owner, field, None)
            if isinstance(block, list) and block:
                yield owner, field, block


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls below a node."""
    return (each for each in ast.walk(node) if isinstance(each, ast.Call))


def called(call: ast.Call) -> str:
    """Return the name of the function or method that is called, or ""."""
    return call.func.id if isinstance(call.func, ast.Name) else str(getattr(call.func, "attr", ""))


def negated(value: ast.expr) -> ast.expr:
    """Return an expression with the opposite sign."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        return value.operand
    return ast.copy_location(ast.UnaryOp(ast.USub(), value), value)


def plain(value: ast.expr) -> ast.expr:
    """Return an expression without its sign."""
    return value.operand if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else value


def number_of(value: ast.expr) -> float | None:
    """Return the number that an expression stands for, infinity for names of it; None if it is no number."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        found = number_of(value.operand)
        return None if found is None else -found
    if isinstance(value, ast.Constant) and isinstance(value.value, int | float) and not isinstance(value.value, bool):
        return value.value
    if not isinstance(value, ast.Name | ast.Attribute | ast.Call):
        return None
    text = ast.unparse(value).lower()
    sign = -1 if "'-inf" in text else 1
    return sign * inf if len(text) < 20 and "inf" in text else None


def is_bound(value: ast.expr) -> bool:
    """Whether an argument is a bound of a window, by its name, or infinity."""
    return (isinstance(value, ast.Name) and value.id in CERTAIN_BOUNDS) or abs(number_of(value) or 0) == inf


def named(id: str) -> ast.Name:
    return ast.Name(id, ast.Load())


def conditional(test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.IfExp:
    return ast.IfExp(test, yes, no)


def deep_copied(value: ast.expr) -> ast.Call:
    """Return a call that makes a deep copy."""
    module = ast.Call(named("__import__"), [ast.Constant("copy")], [])
    return ast.Call(ast.Attribute(module, "deepcopy", ast.Load()), [value], [])


def is_update(node: ast.AST) -> TypeGuard[ast.stmt]:
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


def mirror_changes(statement: ast.AST) -> Iterator[Change]:
    """Yield the changes that exchange minimum and maximum in a statement."""
    for node in ast.walk(statement):
        match node:
            case ast.Compare(ops=[op]) if type(op) in OPPOSITE:
                yield node, "ops", [OPPOSITE[type(op)]()]
            case ast.Name(id=name) if name in CHOICES:
                yield node, "id", CHOICES[name]
            case ast.Assign(value=value) if (found := number_of(value)) is not None and abs(found) > 1:
                yield node, "value", negated(value)


def mirrored(statements: list[ast.stmt], sides: dict[str, str] | None = None) -> list[ast.stmt]:
    """Return a copy of statements with minimum and maximum exchanged, or with sides and signs of numbers."""
    copies = deepcopy(statements)
    for each in copies:
        changes = [*mirror_changes(each)] if sides is None else [*_side_changes(each, sides)]
        for node, field, value in changes:
            setattr(node, field, value)
    return copies


def _side_changes(statement: ast.AST, sides: dict[str, str]) -> Iterator[Change]:
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name) if name in sides:
                yield node, "id", sides[name]
            case ast.Attribute(attr=name) if name in sides:
                yield node, "attr", sides[name]
            case ast.Constant(value=str(text)) if text in sides:
                yield node, "value", sides[text]
    for node, replace, owner in [*expressions(statement)]:
        if isinstance(owner, ast.Return | ast.Tuple) and number_of(node):
            yield replace(negated(node))
