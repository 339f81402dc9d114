"""The files of the page: small, compressed once, and asked for again only when they have changed."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from noughts.web.errors import refusal

__all__ = ["Page"]

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


class _File(NamedTuple):
    changed: int
    tag: str
    plain: bytes
    packed: bytes | None


class Page:
    """Serves the files of a folder and no others."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._files: dict[str, _File] = {}

    def answer(self, request: Request, path: str) -> Response:
        """Return a file by its path below the folder; the folder itself is ``index.html``."""
        name = path or "index.html"
        found = self._find(name)
        if found is None:
            return refusal(404, "there is nothing at this address")
        etag = f'"{found.tag}"'
        # Always asked again: a page of an old and a new version of the modules would be neither.
        headers = {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        body = found.plain
        if found.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"], body = "gzip", found.packed
        return Response(body, headers=headers, media_type=TYPES[PurePosixPath(name).suffix])

    def _find(self, name: str) -> _File | None:
        pure = PurePosixPath(name)
        is_plain = all(part.replace("_", "a").replace("-", "a").replace(".", "a").isalnum() for part in pure.parts)
        if pure.is_absolute() or ".." in pure.parts or "\x00" in name or not is_plain or pure.suffix not in TYPES:
            return None
        path = self._folder / pure
        try:
            changed = path.stat().st_mtime_ns
            known = self._files.get(str(pure))
            if known is None or known.changed != changed:
                known = self._files[str(pure)] = _read(path, changed)
        except OSError:
            return None
        return known


def _read(path: Path, changed: int) -> _File:
    plain = path.read_bytes()
    packed = gzip.compress(plain, 9, mtime=0)
    return _File(changed, hashlib.sha256(plain).hexdigest()[:20], plain, packed if len(packed) < len(plain) else None)
