"""The names of a submission: those of its main module, and of its other modules. Used in its own process only."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, MutableMapping
from contextlib import suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isfunction
from itertools import groupby
from pathlib import Path
from types import CodeType, ModuleType
from typing import cast

__all__ = ["MODULE_NAME", "Modules", "load_modules"]

MODULE_NAME = "submission"
"""The name of the main module."""


class Modules(MutableMapping[str, object]):
    """The names of several modules; where two modules define a name, that of the first counts."""

    def __init__(self, *modules: MutableMapping[str, object], folder: Path | None = None) -> None:
        self._modules = list(modules)
        self._folder = folder

    @property
    def main(self) -> MutableMapping[str, object]:
        """The names of the main module."""
        return self._modules[0]

    def __getitem__(self, name: str) -> object:
        for module in self._modules:
            if name in module:
                return module[name]
        raise KeyError(name)

    def __setitem__(self, name: str, value: object) -> None:
        """Replace what a name stands for, in each module that defines or imports it."""
        before = self.get(name)
        for module in self._modules:
            for other, found in list(module.items()):
                if other == name or (before is not None and found is before):
                    module[other] = value
        self.main.setdefault(name, value)

    def __delitem__(self, name: str) -> None:
        for module in self._modules:
            module.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for module in self._modules for name in module))

    def __len__(self) -> int:
        return len(set(self))

    def is_own(self, thing: object) -> bool:
        """Whether a function or a class is defined in the submission."""
        return getattr(thing, "__module__", None) in {module.get("__name__") for module in self._modules}

    def is_main(self, thing: object) -> bool:
        """Whether a function or a class is defined in the main module."""
        return getattr(thing, "__module__", None) == self.main.get("__name__")

    def sources(self) -> dict[str, str]:
        """Return the texts of the files, those that others import first."""
        files = [str(module["__file__"]) for module in reversed(self._modules)]
        return {file: Path(file).read_text(encoding="utf-8") for file in files if file.endswith(".py")}

    def rerun(self, codes: Iterable[CodeType]) -> None:
        """Run other code as the modules; their functions, classes and tables stay the same objects."""
        modules = {str(module["__file__"]): module for module in self._modules}
        for file, of_file in groupby(codes, lambda code: code.co_filename):
            module = modules[file]
            before = dict(module)
            for code in of_file:
                exec(code, cast("dict[str, object]", module))
            for name, thing in before.items():
                if _become(thing, module.get(name)):
                    module[name] = thing

    def import_more(self, names: Collection[str] = ()) -> None:
        """Import the other files beside the main one that seem to define one of these names, or, without names, all.

        A file that cannot be imported is left out: the main one does not need it.
        """
        if self._folder is None:
            return
        loaded = {Path(str(module.get("__file__"))).stem for module in self._modules}
        for file in sorted(self._folder.glob("*.py")):
            if file.stem not in loaded and file.stem.isidentifier() and _defines(file, names):
                with suppress(Exception, SystemExit):
                    self._add(import_module(file.stem))
        self._add(*_modules_below(self._folder))

    def _add(self, *modules: ModuleType) -> None:
        known = {id(module) for module in self._modules}
        self._modules += [vars(module) for module in modules if id(vars(module)) not in known]


def _become(thing: object, new: object) -> bool:
    """Make a thing like a new one of the same kind; return whether that is possible, or needless."""
    if thing is new:
        return True
    if isfunction(thing) and isfunction(new) and thing.__code__.co_freevars == new.__code__.co_freevars:
        thing.__code__, thing.__defaults__, thing.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__
        return True
    if isinstance(thing, type) and isinstance(new, type):
        for name, each in vars(new).items():
            if not _become(vars(thing).get(name), each):
                with suppress(AttributeError, TypeError):
                    setattr(thing, name, each)
        return True
    if isinstance(thing, list) and isinstance(new, list):
        thing[:] = new
    elif isinstance(thing, dict) and isinstance(new, dict):
        thing.clear()
        thing.update(new)
    elif isinstance(thing, set) and isinstance(new, set):
        thing &= new
        thing |= new
    else:
        return getattr(type(thing), "__module__", None) == MODULE_NAME
    return True


def load_modules(path: Path) -> Modules:
    """Run a file as the main module; raises ImportError if it is not a Python file, and any exception of its own."""
    spec = spec_from_file_location(MODULE_NAME, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"expected a Python file, got {path}")
    module = module_from_spec(spec)
    sys.path.insert(0, str(path.parent))  # so that it can import modules beside it
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    modules = Modules(vars(module), folder=path.parent)
    modules._add(*_modules_below(path.parent))
    return modules


def _modules_below(folder: Path) -> list[ModuleType]:
    """Return the loaded modules whose files are in a folder, in the order of their import."""
    found = []
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and Path(file).is_relative_to(folder):
            found.append(module)
    return found


def _defines(file: Path, names: Collection[str]) -> bool:
    if not names:
        return True
    source = file.read_text(encoding="utf-8", errors="replace")
    return re.search(rf"^\s*def (?:{'|'.join(map(re.escape, names))})\b", source, re.MULTILINE) is not None
