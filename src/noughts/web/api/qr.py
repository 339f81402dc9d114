"""QR codes, by which a phone opens a link that is shown on another screen."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Annotated

from fastapi import APIRouter
from starlette.responses import Response

from noughts.schema import Length, Pattern, Shape
from noughts.web.context import Context
from noughts.web.responses import body_of, documented, json_response

router = APIRouter()
MAX_TEXT = 1000


@dataclass(frozen=True, kw_only=True)
class QrRequest(Shape):
    """A text, usually a link."""

    text: Annotated[str, Length(MAX_TEXT), Pattern(r"(?s).+")]


@dataclass(frozen=True, kw_only=True)
class QrAnswer(Shape):
    """The dark modules of a QR code as the path of an SVG; the quiet zone around them is not included."""

    size: Annotated[int, "Modules on each side."]
    path: str


@router.post("/qr", **documented(QrRequest, QrAnswer))
async def draw(context: Context, request: QrRequest = body_of(QrRequest)) -> Response:
    """Return the QR code of a text. It is sent in the body, since a link may hold an invitation."""
    return json_response(await context.run_fast(lambda: _draw(request)))


def _draw(request: QrRequest) -> QrAnswer:
    import segno  # only invitations need it

    rows = segno.make(request.text, error="m", micro=False, boost_error=False).matrix
    return QrAnswer(size=len(rows), path="".join(_row_path(y, row) for y, row in enumerate(rows)))


def _row_path(y: int, row: bytes | bytearray) -> str:
    """Return the runs of dark modules in a row as rectangles of height 1."""
    path, x = "", 0
    for is_dark, run in groupby(row, bool):
        length = len(list(run))
        path += f"M{x} {y}h{length}v1h-{length}z" if is_dark else ""
        x += length
    return path
