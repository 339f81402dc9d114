"""Scopes: the names that a function, class, comprehension or module assigns."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

__all__ = ["Comprehension", "Scope", "bound_names", "is_generator", "target_names"]

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass
class Scope:
    """The names assigned in one scope. ``kind`` is module, class, function or comprehension."""

    kind: str
    names: set[str]
    global_names: set[str] = field(default_factory=set)
    temporaries: list[str] = field(default_factory=list)
    class_reference: str = ""
    """JavaScript that refers to the class of a class scope, for ``super()``."""
    first_parameter: str = ""

    def declarations(self, names: Iterable[str] = ()) -> str:
        declared = [*names, *self.temporaries]
        return f"let {', '.join(declared)};" if declared else ""


class _Binder(ast.NodeVisitor):
    def __init__(self) -> None:
        self.bound: dict[str, None] = {}
        self.global_names: set[str] = set()
        self.nonlocal_names: set[str] = set()

    def bind(self, name: str) -> None:
        self.bound[name] = None

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.bind(node.id)

    def visit_definition(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        self.bind(node.name)
        for decorator in node.decorator_list:
            self.visit(decorator)
        if isinstance(node, ast.FunctionDef):
            self.visit_defaults(node.args)

    visit_FunctionDef = visit_definition
    visit_ClassDef = visit_definition

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit_defaults(node.args)

    def visit_defaults(self, arguments: ast.arguments) -> None:
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self.visit(default)

    def visit_comprehension_expression(self, node: Comprehension) -> None:
        """The enclosing scope evaluates the first iterable, and gets the names that ``:=`` assigns inside."""
        self.visit(node.generators[0].iter)
        for child in ast.walk(node):
            if isinstance(child, ast.NamedExpr) and isinstance(child.target, ast.Name):
                self.bind(child.target.id)

    visit_ListComp = visit_comprehension_expression
    visit_SetComp = visit_comprehension_expression
    visit_DictComp = visit_comprehension_expression
    visit_GeneratorExp = visit_comprehension_expression

    def visit_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            self.bind(alias.asname or alias.name.split(".")[0])

    visit_Import = visit_import
    visit_ImportFrom = visit_import

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.bind(node.name)
        self.generic_visit(node)

    def visit_capture(self, node: ast.MatchAs | ast.MatchStar) -> None:
        if node.name:
            self.bind(node.name)
        self.generic_visit(node)

    visit_MatchAs = visit_capture
    visit_MatchStar = visit_capture

    def visit_Global(self, node: ast.Global) -> None:
        self.global_names.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.nonlocal_names.update(node.names)


def bound_names(body: Iterable[ast.AST]) -> tuple[list[str], set[str]]:
    """Return the names that the statements assign in their own scope, and those declared ``global``."""
    binder = _Binder()
    for node in body:
        binder.visit(node)
    outer = binder.global_names | binder.nonlocal_names
    return [name for name in binder.bound if name not in outer], binder.global_names


def target_names(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def is_generator(body: Iterable[ast.AST]) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for statement in body for node in walk_own(statement))


def walk_own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the node and its descendants, without entering nested functions and classes."""
    yield node
    if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        for child in ast.iter_child_nodes(node):
            yield from walk_own(child)
