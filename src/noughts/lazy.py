"""Names of a package: those imported on first use, to keep start-up short, and those shown by completion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

__all__ = ["lazy_names", "public_names"]


def public_names(package: str) -> Callable[[], list[str]]:
    """Return ``__dir__`` for a package: ``__all__`` and the packages inside that are imported, without its modules."""
    namespace = vars(sys.modules[package])

    def list_names() -> list[str]:
        packages = {name for name, value in namespace.items() if hasattr(value, "__path__")}
        return sorted({*namespace["__all__"], *packages, *(name for name in namespace if name.startswith("__"))})

    return list_names


def lazy_names(
    package: str, names: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package that imports the given names on first use.

    ``names`` lists the names of each module, which may be relative to the package. Type checkers need the same imports
    under ``if TYPE_CHECKING:``::

        __getattr__, __dir__ = lazy_names(__name__, {".proof.proof": ["InvalidProof", "Proof"]})
    """
    namespace = vars(sys.modules[package])
    modules = {name: module for module, group in names.items() for name in group}

    def get_attribute(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(modules[name], package), name)
        namespace[name] = value
        return value

    return get_attribute, public_names(package)
