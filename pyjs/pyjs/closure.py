"""Finding the modules that a program consists of, by following imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pyjs.source import TranslationError, parse

__all__ = ["Module", "find_closure"]


@dataclass
class Module:
    """A module to translate (``tree``), or one that is JavaScript already (``tree`` is ``None``)."""

    name: str
    path: Path
    tree: ast.Module | None
    imports: list[str] = field(default_factory=list)

    @property
    def is_package(self) -> bool:
        return self.path.stem == "__init__"


def find_closure(entries: list[str], folders: list[Path]) -> list[Module]:
    """Return the entry modules and everything they import, sorted by name.

    A module is taken from the first folder that has it.

    Raises ``TranslationError`` for an import that no folder has, unless it stands in a ``try`` statement.
    """
    closure = _Closure(folders)
    for entry in entries:
        if not closure.add(entry):
            raise TranslationError(f"expected a module in {', '.join(map(str, folders))}, got {entry}")
    return sorted(closure.modules.values(), key=lambda module: module.name)


class _Closure:
    def __init__(self, folders: list[Path]) -> None:
        self.folders = folders
        self.modules: dict[str, Module] = {}

    def find(self, name: str) -> Path | None:
        stem = name.replace(".", "/")
        candidates = (
            folder / path
            for folder in self.folders
            for path in (f"{stem}.js", f"{stem}.py", f"{stem}/__init__.js", f"{stem}/__init__.py")
        )
        return next((path for path in candidates if path.is_file()), None)

    def add(self, name: str) -> bool:
        """Add a module with its packages and imports; return whether it exists."""
        if name in self.modules:
            return True
        path = self.find(name)
        if path is None:
            return False
        module = Module(name, path, parse(path) if path.suffix == ".py" else None)
        self.modules[name] = module
        if "." in name:
            self.add(name.rpartition(".")[0])
        if module.tree is not None:
            self.follow(module, module.tree)
        return True

    def follow(self, module: Module, tree: ast.Module) -> None:
        optional = {id(node) for block in ast.walk(tree) if isinstance(block, ast.Try) for node in ast.walk(block)}
        for node in ast.walk(tree):
            for name, attribute in imports_of(module, node):
                if not self.add(name) and id(node) not in optional:
                    raise TranslationError.at(module.path, node, f"cannot import {name}: no such module in the library")
                if attribute is not None and name in self.modules:
                    self.follow_attribute(name, attribute)

    def follow_attribute(self, package: str, attribute: str) -> None:
        """Add the module behind ``from package import attribute``: a submodule, or one that is loaded lazily."""
        self.add(f"{package}.{attribute}")
        path = self.modules[package].path
        if path.suffix == ".py":
            source = lazy_sources(path, package).get(attribute)
            if source is not None:
                self.add(source)


def imports_of(module: Module, node: ast.AST) -> Iterator[tuple[str, str | None]]:
    """Yield each module that a statement imports, with the attribute taken from it, if any."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name, None
    if isinstance(node, ast.ImportFrom):
        name = absolute_name(module, node)
        for alias in node.names:
            if alias.name == "*":
                raise TranslationError.at(module.path, node, "import * is not supported")
            yield name, alias.name


def absolute_name(module: Module, node: ast.ImportFrom) -> str:
    """Return the full name of the module that the statement imports from."""
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    base = parts[: len(parts) - node.level + module.is_package]
    return ".".join([*base, *([node.module] if node.module else [])])


@cache
def lazy_sources(path: Path, package: str) -> dict[str, str]:
    """Map each name imported under ``if TYPE_CHECKING:`` to its module: packages list their lazy imports there."""
    package_module = Module(package, path, None)
    blocks = (node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.If))
    typed = (block for block in blocks if isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING")
    imports = (node for block in typed for node in block.body if isinstance(node, ast.ImportFrom))
    return {a.asname or a.name: absolute_name(package_module, node) for node in imports for a in node.names}
