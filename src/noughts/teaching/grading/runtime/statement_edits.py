"""Small changes to the statements of a function; used in the process of the submission only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from noughts.teaching.grading.runtime.surroundings import Scope
from noughts.teaching.grading.runtime.syntax import (
    BOUNDS,
    Change,
    Edit,
    blocks,
    expressions,
    is_update,
    mirror_changes,
    mirrored,
    named,
    negated,
    number_of,
)

__all__ = ["StatementEdits"]

COMPOUND = ast.For | ast.While | ast.If | ast.With | ast.FunctionDef
LOOPS = ast.For | ast.While


class StatementEdits:
    """The edits of the statements of a function."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._function, self._updates = scope, scope.function, scope.program.updates
        self._loops = [each for each in ast.walk(self._function) if isinstance(each, LOOPS)]
        self._in_loops = {id(each) for loop in self._loops for each in ast.walk(loop)}

    def edits(self) -> Iterator[Edit]:
        """Yield all edits."""
        yield from self._at_end()
        for owner, field, block in blocks(self._function):
            for index, each in enumerate(block):
                yield from self._changed(owner, field, block, index)
                yield from self._moved(owner, field, block, index)
                yield from self._inserted(owner, field, block, index)
                if kind := _kind_to_delete(each):
                    yield self._edit(kind, each, (owner, field, [*block[:index], *block[index + 1 :]] or [ast.Pass()]))
        yield from self._mirrored()
        yield from self._for_both_sides()
        yield from self._with_draws()

    def _edit(self, kind: str, node: ast.AST, *changes: Change, shape: str = "") -> Edit:
        return Edit(kind, getattr(node, "lineno", self._function.lineno), self._scope.number, changes, shape)

    def _changed(self, owner: ast.AST, field: str, block: list[ast.stmt], index: int) -> Iterator[Edit]:
        """Change a statement, or exchange it with one that follows."""
        each, before, after = block[index], block[:index], block[index + 1 :]

        def put(kind: str, *new: ast.stmt, shape: str = "") -> Edit:
            return self._edit(kind, each, (owner, field, [*before, *new, *after]), shape=shape)

        if after and not isinstance(after[0], ast.FunctionDef):
            yield self._edit("order", each, (owner, field, [*before, after[0], each, *after[1:]]))
        if len(after) > 1 and not isinstance(each, ast.FunctionDef | ast.Import | ast.ImportFrom):
            yield self._edit("order", each, (owner, field, [*before, *after[:2], each, *after[2:]]))
            if isinstance(after[1], COMPOUND):
                yield self._edit("order", after[1], (owner, field, [*before, after[1], each, after[0], *after[2:]]))
        if isinstance(each, ast.Expr) and not isinstance(each.value, ast.Constant):
            yield put("no-return", ast.Return(each.value))
        if isinstance(each, ast.If):
            yield put("branch", *each.body)
            if each.orelse:
                yield put("branch", *each.orelse)
                yield self._edit("branch", each, (each, "body", each.orelse), (each, "orelse", each.body))
        if isinstance(each, ast.Assign) and id(each) in self._in_loops:
            yield from self._best_of(each)
            yield from self._kept(each, block[index + 1 :])
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name) and id(each) in self._in_loops:
            yield from self._only_passed_on(owner, field, block, index, each.target.id)
        if isinstance(each, ast.Assign) and self._scope.calls_search(each):
            target = each.targets[0]
            first = next((n for n in ast.walk(target) if isinstance(n, ast.Name)), None)
            if first is not None:
                negation = ast.Assign([ast.Name(first.id, ast.Store())], negated(named(first.id)))
                yield put("sign", each, negation, shape=f"negate {first.id}")
            names = target.elts if isinstance(target, ast.Tuple) else []
            for at, name in enumerate(names):
                if isinstance(name, ast.Name) and name.id != "_":
                    others = [*names[:at], ast.Name("_", ast.Store()), *names[at + 1 :]]
                    yield self._edit("kept-move", each, (target, "elts", others))

    def _only_passed_on(
        self, owner: ast.AST, field: str, block: list[ast.stmt], index: int, name: str
    ) -> Iterator[Edit]:
        """Change a variable in the calls that follow only, not for the rest of a loop."""
        changed = block[index]
        assert isinstance(changed, ast.AugAssign)
        value = ast.BinOp(named(name), changed.op, changed.value)
        passed = [
            replace(value)
            for each in block[index + 1 :]
            if self._scope.calls_search(each)
            for node, replace, call in expressions(each)
            if isinstance(call, ast.Call) and isinstance(node, ast.Name) and node.id == name
        ]
        if passed:
            yield self._edit("depth", changed, (owner, field, [*block[:index], *block[index + 1 :]]), *passed)

    def _kept(self, statement: ast.Assign, rest: list[ast.stmt]) -> Iterator[Edit]:
        """Keep a parameter that a loop overwrites: give the new value a name of its own."""
        match statement.targets:
            case [ast.Name(id=name) as target] if name in {each.arg for each in self._function.args.args}:
                names = [n for each in rest for n in ast.walk(each) if isinstance(n, ast.Name) and n.id == name]
                changes: list[Change] = [(each, "id", f"{name}_after") for each in (target, *names)]
                yield self._edit("overwritten", statement, *changes)

    def _best_of(self, statement: ast.Assign) -> Iterator[Edit]:
        """Keep the best of the values of a loop, not the last."""
        target = statement.targets[0]
        if isinstance(target, ast.Name) and not isinstance(statement.value, ast.Constant):
            for name in ("max", "min"):
                best = ast.Call(named(name), [named(target.id), statement.value], [])
                yield self._edit("best", statement, (statement, "value", best), shape=f"{target.id} {name}")

    # Insertions

    def _at_end(self) -> Iterator[Edit]:
        """Take back at the end of a function what others take back, and pass on the turn."""
        if self._scope.calls_search(self._function):
            return
        own = {ast.unparse(each) for each in ast.walk(self._function) if is_update(each)}
        body = self._function.body
        at = len(body) - isinstance(body[-1], ast.Return)
        for text, update in self._updates.items():
            if text not in own:
                new = [*body[:at], update, *body[at:]]
                yield self._edit("undo", body[-1], (self._function, "body", new))
        if own:
            for toggle in self._toggles():
                yield self._edit("toggle", body[-1], (self._function, "body", [*body[:at], toggle, *body[at:]]))

    def _toggles(self) -> Iterator[ast.stmt]:
        """Yield statements that pass on the turn which an object keeps."""
        attributes = [n.value for n in ast.walk(self._function) if isinstance(n, ast.Attribute)]
        objects = sorted({each.id for each in attributes if isinstance(each, ast.Name)})
        sides = self._scope.program.sides
        for owner in objects:
            for turn in self._scope.program.turns:
                place = f"{owner}.{turn}"
                for new in (f"-{place}", f"not {place}", f"3 - {place}", f"1 - {place}"):
                    yield from ast.parse(f"{place} = {new}").body
                for one, other in sides.items():
                    if one < other:
                        pair = (one, other) if len(one) > 1 else (repr(one), repr(other))
                        yield from ast.parse(f"{place} = {pair[1]} if {place} == {pair[0]} else {pair[0]}").body

    def _inserted(self, owner: ast.AST, field: str, block: list[ast.stmt], index: int) -> Iterator[Edit]:
        """Insert moves taken back, updates of running values, and cases for the other side."""
        each, before, after = block[index], block[:index], block[index + 1 :]
        calls = self._scope.calls_search(each) and not isinstance(each, COMPOUND)
        for update in self._updates.values():
            if calls:
                new = [*before, each, update, *after]
                yield self._edit("undo", each, (owner, field, new), shape=ast.unparse(update))
            if isinstance(each, ast.Return | ast.Break):
                yield self._edit("undo", each, (owner, field, [*before, update, each, *after]))
        if isinstance(each, ast.If):
            yield from self._updated(each)
            if isinstance(each.body[-1], ast.Return) and not self._scope.calls_search(each):
                other = mirrored([each], self._scope.program.sides)
                yield self._edit("case", each, (owner, field, [*before, each, *other, *after]))
        if calls and isinstance(each, ast.Assign) and id(each) in self._in_loops:
            values = [n.id for n in ast.walk(each.targets[0]) if isinstance(n, ast.Name)]
            for bound in (name for name in self._scope.locals if name in BOUNDS):
                for value in dict.fromkeys((*values, *self._running())):
                    for choice in ("max", "min"):
                        update = ast.Assign(
                            [ast.Name(bound, ast.Store())], ast.Call(named(choice), [named(bound), named(value)], [])
                        )
                        for at in range(len(after) + 1):
                            new = [*before, each, *after[:at], update, *after[at:]]
                            yield self._edit("update", each, (owner, field, new))

    def _running(self) -> list[str]:
        """Return the variables that a loop compares and keeps."""
        return [
            n.left.id if isinstance(n.left, ast.Name) else ""
            for loop in self._loops
            for n in ast.walk(loop)
            if isinstance(n, ast.Compare) and isinstance(n.left, ast.Name)
        ]

    def _updated(self, statement: ast.If) -> Iterator[Edit]:
        """Keep what an if statement has compared, or the move of its loop."""
        test, body = statement.test, statement.body
        stored = {n.id for each in body for n in ast.walk(each) if isinstance(n, ast.Name) and _is_stored(n)}
        pairs: list[tuple[str, str]] = []
        match test:
            case ast.Compare(left=ast.Name(id=one), comparators=[ast.Name(id=other)]):
                pairs += [(other, one), (one, other)]
        loops = [loop.target for loop in self._loops if isinstance(loop, ast.For)]
        targets = [n.id for target in loops for n in ast.walk(target) if isinstance(n, ast.Name)]
        kept = [name for name in self._scope.locals if name not in targets]
        if id(statement) in self._in_loops:
            pairs += [(name, target) for target in dict.fromkeys(targets) for name in kept]
        for name, value in pairs:
            if name not in stored and name not in BOUNDS.keys() & {"alpha", "beta"} - {p[0] for p in pairs[:1]}:
                update = ast.Assign([ast.Name(name, ast.Store())], named(value))
                at = len(body) - isinstance(body[-1], ast.Return | ast.Break | ast.Continue)
                yield self._edit("update", statement, (statement, "body", [*body[:at], update, *body[at:]]))

    def _with_draws(self) -> Iterator[Edit]:
        """Return 0 where a loop has no moves, as other leaves return their values."""
        leaves = [each.value for each in ast.walk(self._function) if isinstance(each, ast.Return) and each.value]
        leaves = [each for each in leaves if not self._scope.calls_search(each)]
        for index, each in enumerate(self._function.body):
            if isinstance(each, ast.For) and leaves:
                value: ast.expr = ast.Constant(0)
                pairs = [leaf for leaf in leaves if isinstance(leaf, ast.Tuple)]
                if pairs:
                    numbers = [number_of(part) is not None for part in pairs[0].elts]
                    parts: list[ast.expr] = [ast.Constant(0 if is_number else None) for is_number in numbers]
                    value = ast.Tuple(parts, ast.Load())
                moves = ast.Call(named("list"), [each.iter], [])
                test = ast.If(ast.UnaryOp(ast.Not(), moves), [ast.Return(value)], [])
                body = self._function.body
                yield self._edit("draw", each, (self._function, "body", [*body[:index], test, *body[index:]]))

    # Indentation

    def _moved(self, owner: ast.AST, field: str, block: list[ast.stmt], index: int) -> Iterator[Edit]:
        """Move the last statements of an inner block behind it, and those behind it to its end."""
        inner = block[index]
        if not isinstance(inner, ast.For | ast.While | ast.If | ast.With):
            return
        for name, body in (("body", inner.body), ("orelse", getattr(inner, "orelse", []))):
            if len(body) > 1:
                outer = [*block[: index + 1], body[-1], *block[index + 1 :]]
                yield self._edit("indent", body[-1], (inner, name, body[:-1]), (owner, field, outer))
            last = body[-1] if body else None
            if isinstance(last, ast.If | ast.For) and len(last.body) > 1 and not isinstance(last.body[-1], COMPOUND):
                outer = [*block[: index + 1], last.body[-1], *block[index + 1 :]]
                yield self._edit("indent", last.body[-1], (last, "body", last.body[:-1]), (owner, field, outer))
            if body and index + 1 < len(block):
                following = block[index + 1]
                left = [*block[: index + 1], *block[index + 2 :]]
                yield self._edit("indent", following, (inner, name, [*body, following]), (owner, field, left))
                rest = block[index + 1 :]
                stay = [each for each in rest[-1:] if isinstance(each, ast.Return)]
                if len(rest) - len(stay) > 1:
                    moved = rest[: len(rest) - len(stay)]
                    both = (inner, name, [*body, *moved]), (owner, field, [*block[: index + 1], *stay])
                    yield self._edit("indent", following, *both)
                if isinstance(last, ast.If | ast.For):
                    deeper = (last, "body", [*last.body, following])
                    yield self._edit("indent", following, deeper, (owner, field, left))

    # The other side

    def _mirrored(self) -> Iterator[Edit]:
        """Exchange minimum and maximum in the whole function, or in a branch of it."""
        parts: list[list[ast.stmt]] = [self._function.body]
        parts += [block for owner, _, block in blocks(self._function) if isinstance(owner, ast.If)]
        parts += [[each] for _, _, block in blocks(self._function) for each in block if isinstance(each, ast.For)]
        for part in parts:
            changes = [change for statement in part for change in mirror_changes(statement)]
            if len(changes) > 1:
                yield self._edit("mirror", changes[0][0], *changes)

    def _for_both_sides(self) -> Iterator[Edit]:
        """Do what a function does after its first tests in two ways, one for each side."""
        body = self._function.body
        first = len([*takewhile(lambda each: isinstance(each, ast.If | ast.Expr), body)])
        rest = body[first:]
        if not self._scope.calls_search(self._function) or not any(True for each in rest for _ in mirror_changes(each)):
            return
        other = mirrored(rest)
        for test in self._scope.conditions():
            for sides in ((rest, other), (other, rest)):
                yield self._edit("sides", rest[0], (self._function, "body", [*body[:first], ast.If(test, *sides)]))


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


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
        case ast.Break() | ast.Continue():
            return "early-exit"
    return None
