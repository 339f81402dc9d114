"""Parsing Python and dropping everything that has no effect at run time: docstrings, annotations, typing imports."""

from __future__ import annotations

import ast
from pathlib import Path

__all__ = ["TranslationError", "is_class_variable", "parse", "used_names"]

DROPPED_BASES = {"Generic", "Protocol", "ABC"}
"""Base classes that only type checkers use."""
CLASS_LEVEL = 2
"""Value of ``AnnAssign.simple`` that marks an annotated name in a class body."""


class TranslationError(Exception):
    """Code that cannot be translated; the message starts with file and line."""

    @classmethod
    def at(cls, path: Path, node: ast.AST | SyntaxError, message: str) -> TranslationError:
        return cls(f"{path}:{getattr(node, 'lineno', 1)}: {message}")


def parse(path: Path) -> ast.Module:
    """Return the syntax tree of a module without docstrings, function annotations and imports that only those used."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    except SyntaxError as error:
        raise TranslationError.at(path, error, error.msg) from error
    exported = exported_names(tree)
    _Stripper().visit(tree)
    _ImportPruner(used_names(tree) | exported).visit(tree)
    return tree


def exported_names(tree: ast.Module) -> set[str]:
    """Return the names in ``__all__``."""
    lists = [node.value for node in tree.body if isinstance(node, ast.Assign) and _is_name(node.targets[0], "__all__")]
    items = (item.value for value in lists for item in ast.walk(value) if isinstance(item, ast.Constant))
    return {item for item in items if isinstance(item, str)}


def used_names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def is_class_variable(annotation: ast.expr) -> bool:
    return any(_is_name(node, "ClassVar") for node in ast.walk(annotation))


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_dropped(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(ast.Constant()) | ast.ImportFrom(module="__future__") | ast.If(ast.Name("TYPE_CHECKING")):
            return True
        case ast.Assign([ast.Name("__all__")]):
            return True
        case ast.FunctionDef():
            return any(_is_name(decorator, "overload") for decorator in node.decorator_list)
    return False


class _Stripper(ast.NodeTransformer):
    """Drops docstrings and annotations; annotations of class bodies stay, because dataclasses read them."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                kept = [statement for statement in block if not _is_dropped(statement)]
                setattr(node, field, kept or [ast.copy_location(ast.Pass(), block[0])])
        return super().generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.bases = [base for base in map(_plain_base, node.bases) if getattr(base, "id", "") not in DROPPED_BASES]
        for child in node.body:
            if isinstance(child, ast.AnnAssign):
                child.simple = CLASS_LEVEL
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.simple == CLASS_LEVEL:
            return node
        plain = ast.Pass() if node.value is None else ast.Assign([node.target], node.value)
        return ast.copy_location(plain, node)


def _plain_base(base: ast.expr) -> ast.expr:
    return base.value if isinstance(base, ast.Subscript) else base


class _ImportPruner(ast.NodeTransformer):
    """Drops imports of unused names, except in ``try``, where an import may test whether a module exists."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def prune(self, node: ast.Import | ast.ImportFrom) -> ast.stmt:
        names = {*self.names, "*"}
        node.names = [alias for alias in node.names if (alias.asname or alias.name.split(".")[0]) in names]
        return node if node.names else ast.copy_location(ast.Pass(), node)

    def visit_Try(self, node: ast.Try) -> ast.Try:
        return node

    visit_Import = prune
    visit_ImportFrom = prune
