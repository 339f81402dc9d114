"""Putting the translated modules together in one JavaScript file."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

from pyjs.closure import Module, absolute_name
from pyjs.names import text
from pyjs.scopes import bound_names
from pyjs.statements import Statements

__all__ = ["translate_module", "translate_program"]

BUILTIN_TYPES = (str, bytes, bytearray, list, tuple, dict, set, frozenset, int, float, BaseException, range)


def translate_program(modules: list[Module], runtime: Path, target: Path) -> str:
    """Return an ES module for the folder ``target``: it registers all modules and exports the runtime as ``python``."""
    methods = method_names(modules)
    lines = [f"import * as $ from {text(relative(runtime / 'index.js', target))};"]
    entries = []
    for index, module in enumerate(modules):
        if module.tree is None:
            lines.append(f"import * as $module{index} from {text(relative(module.path, target))};")
            entries.append(f"{text(module.name)}: $module{index}")
        else:
            entries.append(f"{text(module.name)}: {translate_module(module, module.tree, methods)}")
    table = ",\n".join(entries)
    return "\n".join(
        [*lines, "const $b = $.builtins;", f"$.registerModules({{\n{table}\n}});", "export { $ as python };\n"]
    )


def relative(path: Path, folder: Path) -> str:
    name = Path(os.path.relpath(path, folder)).as_posix()
    return name if name.startswith(".") else f"./{name}"


class _ModuleTranslator(Statements):
    def __init__(self, module: Module, names: set[str], methods: set[str]) -> None:
        super().__init__(module.path, names, methods)
        self.source = module
        self.loops = []
        self.caught_errors = []

    def absolute_name(self, node: ast.ImportFrom) -> str:
        return absolute_name(self.source, node)


def translate_module(module: Module, tree: ast.Module, methods: set[str]) -> str:
    """Return a JavaScript function that executes a module: it sets the attributes of the module object it gets."""
    translator = _ModuleTranslator(module, set(bound_names(tree.body)[0]), methods)
    body = translator.block(tree.body)
    constants = "".join(f"const {name} = {code};" for code, name in translator.constants.items())
    return f"function ($m) {{{constants}{translator.scope.declarations()}\n{body}}}"


def method_names(modules: list[Module]) -> set[str]:
    """Return the names of all methods of all classes: attributes with these names may need binding when read."""
    names = {name for builtin in BUILTIN_TYPES for name in dir(builtin) if callable(getattr(builtin, name))}
    for module in modules:
        if module.tree is None:
            names.update(re.findall(r"\$(\w+)(?=\s*[(:])", module.path.read_text(encoding="utf-8")))
        else:
            names.update(method_names_of(module.tree))
    return names - {"__class__"}


def method_names_of(tree: ast.Module) -> set[str]:
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    functions = (child for node in classes for child in node.body if isinstance(child, ast.FunctionDef))
    return {function.name for function in functions if not is_property(function)}


def is_property(function: ast.FunctionDef) -> bool:
    return any(getattr(decorator, "id", "") in ("property", "cached_property") for decorator in function.decorator_list)
