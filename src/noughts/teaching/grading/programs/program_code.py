"""The functions, methods and constants in the code of a program. Used in the process of the submission only."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import CodeType

from noughts.teaching.grading.runtime.libraries import is_of_library
from noughts.teaching.grading.runtime.modules import Modules

__all__ = ["Constants", "classes", "code_of", "constants", "functions", "methods", "signature_of", "takes"]

Constants = set[tuple[type, object]]
"""Constants, each with its type: 1 and True are two."""


def classes(modules: Modules) -> list[tuple[str, type]]:
    """Return the classes of a program."""
    found = list(modules.items())
    return [(name, thing) for name, thing in found if isinstance(thing, type) and modules.is_own(thing)]


def functions(modules: Modules) -> list[tuple[str, Callable[..., object]]]:
    """Return the functions of a program, without methods and classes."""
    found = [(name, thing) for name, thing in list(modules.items()) if callable(thing) and modules.is_own(thing)]
    return [(name, thing) for name, thing in found if not isinstance(thing, type)]


def methods(kind: type) -> list[tuple[str, Callable[..., object]]]:
    """Return the methods of a class that are the student's, without those of Python's data model."""
    names = dict.fromkeys(name for base in reversed(kind.__mro__[:-1]) for name in vars(base))
    found = [(name, getattr(kind, name, None)) for name in names if not name.startswith("__")]
    codes = [(name, each, code_of(each)) for name, each in found if callable(each)]
    return [(name, each) for name, each, code in codes if code is not None and not is_of_library(code.co_filename)]


def code_of(callee: object) -> CodeType | None:
    """Return the code of a function or method, or None if it is not written in Python."""
    code = getattr(inspect.unwrap(getattr(callee, "__func__", callee)), "__code__", None) if callable(callee) else None
    return code if isinstance(code, CodeType) else None


def constants(modules: Modules) -> Constants:
    """Return the texts and numbers in a program, and the first letters of the texts."""
    callees = [each for _, each in functions(modules)]
    for _, kind in classes(modules):
        callees += [kind.__init__, *(method for _, method in methods(kind))]  # type: ignore[misc]
    values = [value for callee in callees for value in _constants_of_code(code_of(callee))]
    values += [each for each in modules.values() if isinstance(each, str | int)]
    values += [-each for each in values if type(each) is int]
    letters = [letter for each in values if isinstance(each, str) for letter in each[:3]]
    return {(type(each), each) for each in [*values, *letters]}


def _constants_of_code(code: CodeType | None) -> Iterator[str | int]:
    for each in code.co_consts if code is not None else ():
        if isinstance(each, CodeType):
            yield from _constants_of_code(each)
        for part in each if isinstance(each, tuple) else (each,):
            if isinstance(part, str | int):
                yield part


def takes(function: object, count: int) -> bool:
    """Whether a function can be called with this number of arguments."""
    try:
        signature_of(function).bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    return True


def signature_of(function: object) -> inspect.Signature:
    """Return the signature of a function; raises TypeError if it is not one, ValueError if it has none."""
    if not callable(function):
        raise TypeError("expected a function")
    return inspect.signature(function)
