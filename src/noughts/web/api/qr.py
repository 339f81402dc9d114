"""QR codes, by which a phone opens a link that is shown on another screen."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field

from noughts.web.context import Context

router = APIRouter()
MAX_TEXT = 1000


class QrRequest(BaseModel):
    """A text, usually a link."""

    text: str = Field(min_length=1, max_length=MAX_TEXT)


class QrAnswer(BaseModel):
    """The dark modules of a QR code as the path of an SVG; the quiet zone around them is not included."""

    size: int = Field(description="Modules on each side.")
    path: str


@router.post("/qr")
async def draw(context: Context, request: QrRequest) -> QrAnswer:
    """Return the QR code of a text. It is sent in the body, since a link may hold an invitation."""
    return await context.run_fast(lambda: _draw(request))


def _draw(request: QrRequest) -> QrAnswer:
    import segno  # only invitations need it

    rows = segno.make(request.text, error="m", micro=False, boost_error=False).matrix
    return QrAnswer(size=len(rows), path="".join(_row_path(y, row) for y, row in enumerate(rows)))


def _row_path(y: int, row: bytes | bytearray) -> str:
    """Return the runs of dark modules in a row as rectangles of height 1."""
    path, x = "", 0
    while x < len(row):
        length = 1
        while x + length < len(row) and bool(row[x + length]) == bool(row[x]):
            length += 1
        if row[x]:
            path += f"M{x} {y}h{length}v1h-{length}z"
        x += length
    return path
