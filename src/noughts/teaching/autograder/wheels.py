"""The wheels that an autograder carries, so that it needs no package index: noughts and the packages it needs.

The wheel of noughts is a file, because it must fit the machine that grades. The packages it needs are pure Python, so
they are packed from this installation.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution, requires
from pathlib import Path, PurePosixPath

from noughts import __version__
from noughts.games.quoting import quote
from noughts.teaching.autograder.archives import make_zip

__all__ = ["FOLDER", "Wheels"]

FOLDER = "wheels"
"""The folder of the wheels in an autograder."""
TAG = "py3-none-any"
LEAST_MINOR = 11
"""noughts needs Python 3.11."""
OF_AN_INSTALLATION = frozenset({"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"})
"""Files beside the metadata of an installed package that its wheel does not have."""


class Wheels:
    """The wheels of an autograder; without a wheel of noughts there are none, and pip asks its package index.

    Raises ValueError if the file is not a wheel of this version of noughts.
    """

    def __init__(self, wheel: Path | None = None) -> None:
        self.files: dict[str, bytes] = {}
        """The contents of the wheels by their names, in ``FOLDER``."""
        self.is_complete = False
        """Whether all packages that noughts needs are among them."""
        self.minor = LEAST_MINOR
        """The minor version of Python 3 that the wheel of noughts needs, at least."""
        self.fits_linux = True
        """Whether the wheel of noughts can be installed on Linux."""
        self.is_for_one_python = False
        """Whether the wheel is for no other version of Python."""
        if wheel is not None:
            if not re.fullmatch(rf"noughts-{re.escape(__version__)}-.+\.whl", wheel.name):
                raise ValueError(f"expected a wheel of noughts {__version__}, got {quote(wheel.name, 80)}")
            if (tag := re.search(r"-cp3(\d+)-(\w+)-", wheel.name)) is not None:
                self.minor, self.is_for_one_python = int(tag[1]), tag[2] != "abi3"
            self.fits_linux = re.search(r"(linux\w*|-any)\.whl$", wheel.name) is not None
            packed = {name: _pack(name) for name in sorted(_needed("noughts"))}
            self.is_complete = all(packed.values())
            contents = {wheel.name: wheel.read_bytes(), **dict(each for each in packed.values() if each is not None)}
            self.files = {f"{FOLDER}/{name}": content for name, content in contents.items()}

    def __bool__(self) -> bool:
        return bool(self.files)

    def pip_arguments(self, folder: str) -> list[str]:
        """Return the arguments of ``pip install`` for noughts, with the folder of the wheels if there are any."""
        links = ["--find-links", folder] if self else []
        return [*(["--no-index"] if self.is_complete else []), *links, f"noughts=={__version__}"]


def _needed(name: str) -> set[str]:
    """Return the packages that a package needs here, also those that they need in turn."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for needed in _requirements(waiting.pop()):
            if needed not in found:
                found.add(needed)
                waiting.append(needed)
    return found


def _requirements(name: str) -> Iterator[str]:
    """Yield the packages that a package requires; one that is required elsewhere only is not installed here."""
    try:
        lines = requires(name) or []
    except PackageNotFoundError:
        return
    for line in lines:
        requirement, _, marker = line.partition(";")
        found = re.match(r"[\w.-]+", requirement)
        if found is not None and "extra" not in marker and (not marker or _find(found[0]) is not None):
            yield re.sub(r"[-_.]+", "-", found[0]).lower()


def _find(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _pack(name: str) -> tuple[str, bytes] | None:
    """Return the name and the contents of a wheel of an installed package; None unless it is pure Python."""
    found = _find(name)
    if found is None or f"Tag: {TAG}" not in (found.read_text("WHEEL") or "") or not found.files:
        return None
    contents: dict[str, bytes] = {}
    folder = ""
    for file in sorted(found.files):
        if file.name == "METADATA" and file.parent.suffix == ".dist-info":
            folder = file.parent.name
        if _belongs_to_wheel(file):
            contents[file.as_posix()] = Path(str(file.locate())).read_bytes()
    record = f"{folder}/RECORD"
    contents[record] = (_record(contents) + f"{record},,\n").encode()
    return f"{folder.removesuffix('.dist-info')}-{TAG}.whl", make_zip(contents)


def _belongs_to_wheel(file: PurePosixPath) -> bool:
    """Whether an installed file comes from the wheel itself: not a script, a compiled module or a note of pip."""
    if file.is_absolute() or file.parts[0] == ".." or file.suffix == ".pyc":
        return False
    return not (file.parent.suffix == ".dist-info" and file.name in OF_AN_INSTALLATION)


def _record(contents: Mapping[str, bytes]) -> str:
    lines = []
    for name, content in contents.items():
        digest = urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    return "".join(lines)
