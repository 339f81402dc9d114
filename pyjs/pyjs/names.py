"""Names: which JavaScript variable or property a Python name becomes."""

from __future__ import annotations

import ast
import builtins
import json
import math
import re
from abc import ABC, abstractmethod
from pathlib import Path
from typing import NoReturn

from pyjs.scopes import Scope
from pyjs.source import TranslationError

__all__ = ["BUILTINS", "Names", "identifier", "text"]

RESERVED_WORDS = (
    "arguments case catch const debugger default delete do enum eval export extends function implements instanceof "
    "interface let new null package private protected public static super switch this throw typeof undefined var void"
)
"""Reserved words of JavaScript that Python allows as names."""
RESERVED = frozenset(re.findall(r"\w+", RESERVED_WORDS))
REFUSED_WORDS = (
    "BaseExceptionGroup BytesWarning ChildProcessError ConnectionAbortedError EncodingWarning ExceptionGroup False "
    "ImportWarning IndentationError None PendingDeprecationWarning ProcessLookupError PythonFinalizationError "
    "ReferenceError StopAsyncIteration SyntaxWarning SystemError TabError True UnicodeTranslateError UnicodeWarning "
    "aiter anext breakpoint compile complex copyright credits eval exec exit globals help input license locals "
    "memoryview quit super"
)
"""Builtins that are not supported, or are translated in another way (``None``, ``super``)."""
BUILTINS = {name for name in vars(builtins) if not name.startswith("_")} - set(re.findall(r"\w+", REFUSED_WORDS))
MAX_SAFE = 2**53 - 1


def identifier(name: str) -> str:
    """Return the JavaScript variable of a local name: the name itself, with ``$`` added if JavaScript reserves it."""
    return f"{name}$" if name in RESERVED else name


def text(value: str) -> str:
    return json.dumps(value)


class Names(ABC):
    """The scopes around the code being translated, and the variables made for it.

    In the translated code ``$`` is the runtime, ``$b`` the builtins, ``$m`` the module and ``$c`` the attributes of
    the class being defined; ``$1``, ``$2`` … are temporary variables.
    """

    def __init__(self, path: Path, module_names: set[str], methods: set[str]) -> None:
        self.path = path
        self.methods = methods
        self.scopes = [Scope("module", module_names | {"__name__", "__file__", "__package__"})]
        self.constants: dict[str, str] = {}
        self.count = 0

    def refuse(self, node: ast.AST, message: str) -> NoReturn:
        raise TranslationError.at(self.path, node, message)

    @property
    def scope(self) -> Scope:
        return self.scopes[-1]

    def reference(self, name: str, node: ast.AST) -> str:
        """Return the variable or property that a name refers to in the current scope."""
        for scope in reversed(self.scopes):
            if name in scope.global_names:
                return f"$m.${name}"
            if name not in scope.names or (scope.kind == "class" and scope is not self.scope):
                continue
            if scope.kind in ("function", "comprehension"):
                return identifier(name)
            return f"{'$c' if scope.kind == 'class' else '$m'}.${name}"
        return self.builtin(name, node)

    def builtin(self, name: str, node: ast.AST) -> str:
        if name not in BUILTINS:
            self.refuse(node, f"unknown name {name}")
        return f"$b.${name}"

    def is_builtin(self, node: ast.expr, *names: str) -> bool:
        """Whether the expression is one of these builtins, not a variable that hides it."""
        if not (isinstance(node, ast.Name) and node.id in names):
            return False
        return not any(node.id in scope.names for scope in self.scopes if scope.kind != "class")

    def temporary(self) -> str:
        """Return a new variable of the innermost function."""
        self.count += 1
        name = f"${self.count}"
        next(scope for scope in reversed(self.scopes) if scope.kind != "class").temporaries.append(name)
        return name

    def unique(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def constant(self, code: str) -> str:
        """Return a variable that holds an immutable value, created once for the whole module."""
        return self.constants.setdefault(code, f"$k{len(self.constants)}")

    def number(self, value: int | float) -> str:
        if isinstance(value, int):
            return str(value) if abs(value) <= MAX_SAFE else f"{value}n"
        if math.isinf(value):
            return "Infinity"
        return self.constant(f"$.float({value!r})") if value.is_integer() else repr(value)

    @abstractmethod
    def expression(self, node: ast.expr) -> str:
        """Return the code of an expression."""

    @abstractmethod
    def block(self, body: list[ast.stmt]) -> str:
        """Return the code of statements."""

    @abstractmethod
    def function(self, arguments: ast.arguments, body: list[ast.stmt], name: str, *, is_method: bool = False) -> str:
        """Return an expression for a function."""
