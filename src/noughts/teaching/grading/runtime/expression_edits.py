"""Small changes to the expressions of a function; used in the process of the submission only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from math import inf

from noughts.teaching.grading.runtime.surroundings import Scope
from noughts.teaching.grading.runtime.syntax import (
    BOUNDS,
    CHOICES,
    Change,
    Edit,
    Replace,
    called,
    calls_in,
    conditional,
    deep_copied,
    expressions,
    is_bound,
    mirror_changes,
    named,
    names_in,
    negated,
    number_of,
    plain,
)

__all__ = ["ExpressionEdits"]

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
DEPTHS = ("depth", "limit", "ply", "plies", "level")
LARGE = 10**6
CHANGED_NAMES = ast.Call | ast.Return | ast.Tuple | ast.Assign | ast.Compare | ast.Subscript | ast.BinOp | ast.IfExp
CHANGED_NUMBERS = ast.Compare | ast.Return | ast.Tuple | ast.Call | ast.IfExp | ast.Dict | ast.Subscript | ast.Assign


class ExpressionEdits:
    """The edits of the expressions of a function."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._function = scope, scope.function
        self._signs = {
            each.operand.id
            for call in calls_in(self._function)
            for each in ast.walk(call)
            if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.USub) and isinstance(each.operand, ast.Name)
        } - set(BOUNDS)
        """Variables that are passed on with the other sign: the colour of negamax."""

    def edits(self) -> Iterator[Edit]:
        """Yield all edits."""
        for node, replace, owner in expressions(self._function):
            if isinstance(node, ast.Name | ast.Subscript) and not isinstance(node.ctx, ast.Load):
                continue
            yield from self._of_one(node, replace)
            yield from self._of_names_and_numbers(node, replace, owner)
            yield from self._of_values(node, replace, owner)
        yield from self._of_starts()

    def _edit(self, kind: str, node: ast.AST, *changes: Change, shape: str = "") -> Edit:
        return Edit(kind, getattr(node, "lineno", self._function.lineno), self._scope.number, changes, shape)

    def _replaced(self, kind: str, node: ast.expr, replace: Replace, new: ast.expr) -> Edit:
        return self._edit(kind, node, replace(new), shape=f"{ast.unparse(node)} {ast.unparse(new)}")

    def _of_one(self, node: ast.expr, replace: Replace) -> Iterator[Edit]:
        scope = self._scope
        match node:
            case ast.Compare(ops=[op]):
                for kind, other in zip(("comparison", "ties"), COMPARISONS[type(op)], strict=False):
                    shape = f"{type(op).__name__} {other.__name__}"
                    yield self._edit(kind, node, (node, "ops", [other()]), shape=shape)
                is_order = isinstance(op, ast.Lt | ast.Gt | ast.LtE | ast.GtE)
                if is_order and not any(_is_depth(each) for each in (node.left, *node.comparators)):
                    opposite = ast.Compare(node.left, [COMPARISONS[type(op)][0]()], node.comparators)
                    yield from self._by_side(node, replace, node, opposite)
            case ast.Name(id="min" | "max" | "sum" | "abs" as name):
                for choice in sorted(CHOICES.keys() - {name}):
                    yield self._replaced("choice", node, replace, named(choice))
            case ast.Name(id="any" | "all" as name):
                yield self._edit("condition", node, replace(named("all" if name == "any" else "any")))
            case ast.Name(id=name) if name in BOUNDS and BOUNDS[name] in scope.locals:
                yield self._edit("bound", node, replace(named(BOUNDS[name])))
            case ast.Name(id=name) if name in scope.constants:
                for constant in sorted(scope.constants - {name}):
                    yield self._edit("side", node, replace(named(constant)))
            case ast.Attribute(attr=name) if name in scope.program.sides:
                yield self._edit("side", node, (node, "attr", scope.program.sides[name]))
            case ast.Constant(value=str(text)) if text in scope.program.sides:
                yield self._edit("side", node, replace(ast.Constant(scope.program.sides[text])))
            case ast.Constant(value=bool(truth)):
                yield self._edit("condition", node, replace(ast.Constant(not truth)))
            case ast.IfExp():
                yield self._edit("side", node, (node, "body", node.orelse), (node, "orelse", node.body))
                yield self._edit("branch", node, replace(node.body))
                yield self._edit("branch", node, replace(node.orelse))
            case ast.BoolOp(op=op, values=parts):
                other_op = ast.Or() if isinstance(op, ast.And) else ast.And()
                yield self._edit("condition", node, (node, "op", other_op))
                for part in parts:
                    others = [each for each in parts if each is not part]
                    rest = others[0] if len(others) == 1 else ast.BoolOp(op, others)
                    yield self._edit("condition", node, replace(rest))
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                yield self._edit("condition", node, replace(inner))
            case ast.Call():
                yield from self._of_call(node, replace)

    def _by_side(self, node: ast.expr, replace: Replace, one: ast.expr, other: ast.expr) -> Iterator[Edit]:
        """Choose between an expression and its opposite by the side to move."""
        for test in self._scope.conditions():
            yield self._edit("sides", node, replace(conditional(test, one, other)))
            yield self._edit("sides", node, replace(conditional(test, other, one)))

    # Names, numbers and signs

    def _of_names_and_numbers(self, node: ast.expr, replace: Replace, owner: ast.AST) -> Iterator[Edit]:
        if isinstance(node, ast.Compare) and isinstance(owner, ast.Return | ast.If):
            for test in self._scope.conditions():
                yield self._edit("missing-test", node, replace(ast.BoolOp(ast.Or(), [test, node])))
        if isinstance(owner, ast.If | ast.IfExp | ast.While | ast.comprehension) and node is getattr(owner, "test", 0):
            yield self._edit("condition", node, replace(ast.UnaryOp(ast.Not(), node)))
        if isinstance(node, ast.Name) and node.id in self._scope.locals and isinstance(owner, CHANGED_NAMES):
            kind = "argument" if isinstance(owner, ast.Call) else "variable"
            for other in self._scope.locals:
                if other != node.id:
                    yield self._replaced(kind, node, replace, named(other))
        value = number_of(node) if isinstance(owner, CHANGED_NUMBERS) else None
        if value is not None and abs(value) != inf and isinstance(value, int):
            if value:
                kind = "start" if isinstance(owner, ast.Assign) else "sign"
                yield self._replaced(kind, node, replace, ast.Constant(-value))
            for other_number in dict.fromkeys((value + 1, value - 1, 0)):
                if other_number not in (value, -value):
                    yield self._edit("number", node, replace(ast.Constant(other_number)))

    def _of_values(self, node: ast.expr, replace: Replace, owner: ast.AST) -> Iterator[Edit]:
        is_term = isinstance(
            owner, ast.Return | ast.Assign | ast.Tuple | ast.BinOp | ast.IfExp | ast.GeneratorExp | ast.ListComp
        )
        is_value = not isinstance(node, ast.Constant | ast.Tuple) and not _is_depth(node)
        is_used = isinstance(owner, ast.Call) and isinstance(node, ast.Call) and called(node) in self._scope.callees
        if is_value and (is_term or is_used):
            yield self._replaced("sign" if number_of(node) is None else "start", node, replace, negated(node))
        if is_term and isinstance(node, ast.BinOp | ast.UnaryOp):
            yield from self._of_terms(node, replace)
        if isinstance(owner, ast.Return | ast.Tuple | ast.Assign) and not isinstance(node, ast.Tuple):
            is_leaf = not self._scope.calls_search(node) and is_value
            yield from self._coloured(node, replace, is_leaf and isinstance(owner, ast.Return | ast.Tuple))
        if isinstance(owner, ast.Assign | ast.Return | ast.Call):
            if isinstance(node, ast.Subscript) or (isinstance(node, ast.Name) and isinstance(owner, ast.Assign)):
                yield self._edit("copy", node, replace(deep_copied(node)))
            elif isinstance(node, ast.ListComp) and isinstance(node.elt, ast.Name):
                yield self._edit("copy", node, replace(deep_copied(node.generators[0].iter)))

    def _of_terms(self, node: ast.BinOp | ast.UnaryOp, replace: Replace) -> Iterator[Edit]:
        match node:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                for part, side in ((left, "left"), (right, "right")):
                    if number_of(part) == 1:  # a win costs more for each move than it is worth
                        yield self._edit("scale", node, (node, side, ast.Constant(10)), shape="10")
                opposite = ast.Sub() if isinstance(op, ast.Add) else ast.Add()
                yield self._edit("sign", node, (node, "op", opposite))
            case ast.BinOp(op=ast.Mult(), left=left, right=right):
                yield self._edit("colour", node, replace(left))
                yield self._edit("colour", node, replace(right))

    def _coloured(self, node: ast.expr, replace: Replace, is_leaf: bool) -> Iterator[Edit]:
        """Give a value the sign of the side to move."""
        for name in sorted(self._signs - names_in(node)):
            yield self._edit("colour", node, replace(ast.BinOp(named(name), ast.Mult(), node)))
        if is_leaf:
            for place in self._turns():
                for value in (node, negated(node)):
                    yield self._edit("colour", node, replace(ast.BinOp(place, ast.Mult(), value)))
            yield from self._by_side(node, replace, node, negated(node))

    def _turns(self) -> Iterator[ast.expr]:
        """Yield where objects that this function is given may keep the turn."""
        for each in self._function.args.args:
            for turn in self._scope.program.turns:
                yield ast.Attribute(named(each.arg), turn, ast.Load())

    def _of_starts(self) -> Iterator[Edit]:
        """Change first values and defaults, and take off decorators."""
        for node in ast.walk(self._function):
            match node:
                case ast.Assign(targets=[target], value=value):
                    if isinstance(target, ast.Name) and target.id in BOUNDS:
                        exchanged = _exchanged_bounds(node)
                        yield self._edit("bound", node, *exchanged)
                        yield self._edit("bound", node, *exchanged, *mirror_changes(node))
                    for number, replace, owner in expressions(node):
                        if owner in (node, value):
                            yield from self._other_starts(node, number, replace)
                case ast.FunctionDef(decorator_list=[_, *_]):
                    yield self._edit("table", node, (node, "decorator_list", []))
                case ast.arguments(defaults=[_, *_] as defaults):
                    yield from self._of_defaults(node, defaults)

    def _other_starts(self, node: ast.AST, value: ast.expr, replace: Replace) -> Iterator[Edit]:
        if (found := number_of(value)) is not None and abs(found) < LARGE:
            for bound in (-inf, inf):
                yield self._edit("start", node, replace(ast.Constant(bound)), shape=f"{found} {bound}")

    def _of_defaults(self, node: ast.arguments, defaults: list[ast.expr]) -> Iterator[Edit]:
        for index, pair in enumerate(pairwise(defaults)):
            exchanged = [*defaults[:index], pair[1], pair[0], *defaults[index + 2 :]]
            yield self._edit("window", defaults[0], (node, "defaults", exchanged))
        for index, value in enumerate(defaults):
            if number_of(value) is not None:
                for new in (negated(value), ast.Constant(-inf), ast.Constant(inf)):
                    changed = [*defaults[:index], new, *defaults[index + 1 :]]
                    yield self._edit("start", value, (node, "defaults", changed))

    # Calls

    def _of_call(self, call: ast.Call, replace: Replace) -> Iterator[Edit]:
        args, name = call.args, called(call)
        if name not in self._scope.callees:
            copied = args[0] if args else getattr(call.func, "value", None)
            if name in ("copy", "list", "dict") and copied is not None:
                yield self._edit("copy", call, replace(deep_copied(copied)))
            if name in CHOICES and isinstance(call.func, ast.Name):
                yield from self._of_choice(call, replace)
            return
        for index, (first, second) in enumerate(pairwise(args)):
            low, high = plain(first), plain(second)
            kind = "window" if all(is_bound(each) for each in (low, high)) else "argument"
            if not isinstance(low, ast.Constant) and not isinstance(high, ast.Constant):
                for pair in ((second, first), (negated(high), negated(low)), (high, low)):
                    changed = [*args[:index], *pair, *args[index + 2 :]]
                    shape = " ".join(map(ast.unparse, (first, second, *pair)))
                    yield self._edit(kind, call, (call, "args", changed), shape=shape)
        for index, value in enumerate(args):
            yield from self._of_argument(call, value, _nth(call, index))
        for value, replace_value, owner in expressions(call):
            if isinstance(owner, ast.keyword) and owner in call.keywords:
                yield from self._of_argument(call, value, replace_value)
        if isinstance(call.func, ast.Name):
            for other in sorted(self._scope.callees):
                if other != name:
                    yield self._edit("call", call, (call, "func", named(other)))
        elif isinstance(call.func, ast.Attribute):
            for other in sorted(self._scope.callees & self._scope.program.reached - {name}):
                yield self._edit("call", call, (call.func, "attr", other))

    def _of_choice(self, call: ast.Call, replace: Replace) -> Iterator[Edit]:
        """Give min and max the values to compare by, a value for no moves, or the side that it is for."""
        if len(call.args) == 1:
            if isinstance(call.args[0], ast.Name) and not call.keywords:
                key = ast.keyword("key", ast.Attribute(call.args[0], "get", ast.Load()))
                yield self._edit("variable", call, (call, "keywords", [key]))
            default = ast.keyword("default", ast.Constant(0))
            yield self._edit("draw", call, (call, "keywords", [*call.keywords, default]))
        other = ast.Call(named(CHOICES[called(call)]), call.args, call.keywords)
        yield from self._by_side(call, replace, call, other)

    def _of_argument(self, call: ast.Call, value: ast.expr, replace: Replace) -> Iterator[Edit]:
        match value:
            case ast.Constant(value=bool(truth)):
                yield self._replaced("turn", value, replace, ast.Constant(not truth))
            case ast.UnaryOp(op=ast.Not(), operand=inner) | ast.Call(args=[inner], keywords=[]):
                yield self._replaced("turn", value, replace, inner)
            case ast.BinOp(op=ast.Sub() | ast.Add(), left=left, right=ast.Constant()):
                for op in (ast.Sub(), ast.Add()):
                    yield self._replaced("depth", value, replace, ast.BinOp(left, op, ast.Constant(1)))
                yield self._replaced("depth", value, replace, left)
            case ast.Name() | ast.Attribute():
                yield from self._passed_on(value, replace)
        if not isinstance(value, ast.Constant | ast.BinOp) and not _is_depth(value):
            yield self._replaced("sign", value, replace, negated(value))
        for donor in self._scope.donors():
            if ast.unparse(donor) not in (ast.unparse(value), ast.unparse(call)):
                yield self._edit("argument", call, replace(donor))

    def _passed_on(self, value: ast.Name | ast.Attribute, replace: Replace) -> Iterator[Edit]:
        """Pass on the turn or a depth."""
        if _is_depth(value):
            for op in (ast.Sub(), ast.Add()):
                yield self._replaced("other-depth", value, replace, ast.BinOp(value, op, ast.Constant(1)))
            return
        passed: list[ast.expr] = [ast.UnaryOp(ast.Not(), value)]
        passed += [ast.BinOp(ast.Constant(total), ast.Sub(), value) for total in (1, 3)]
        passed += [ast.Call(named(each), [value], []) for each in self._scope.program.converters]
        letters = (("X", "O"), ("x", "o"))
        marks: list[tuple[ast.expr, ast.expr]] = [(ast.Constant(x), ast.Constant(o)) for x, o in letters]
        sides = self._scope.program.sides
        names = [each for each in sorted(sides) if len(each) > 1 or each in self._scope.constants]
        marks += [(named(each), named(sides[each])) for each in names if each < sides[each]]
        passed += [ast.IfExp(ast.Compare(value, [ast.Eq()], [one]), other, one) for one, other in marks]
        for new in passed:
            yield self._replaced("turn", value, replace, new)


def _is_depth(value: ast.expr) -> bool:
    name = str(getattr(value, "id", getattr(value, "attr", ""))).lower()
    return name == "d" or any(each in name for each in DEPTHS)


def _nth(call: ast.Call, index: int) -> Replace:
    return lambda new: (call, "args", [*call.args[:index], new, *call.args[index + 1 :]])


def _exchanged_bounds(statement: ast.stmt) -> list[Change]:
    names = [each for each in ast.walk(statement) if isinstance(each, ast.Name) and each.id in BOUNDS]
    return [(each, "id", BOUNDS[each.id]) for each in names]
