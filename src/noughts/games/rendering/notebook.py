"""Pictures of boards in notebooks, for everything that has a position to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noughts.games.rendering.svg import svg

if TYPE_CHECKING:
    from noughts.games.position import Position

__all__ = ["Bundle", "picture_of"]

Bundle = tuple[dict[str, str], dict[str, dict[str, str]]]
"""What ``_repr_mimebundle_`` returns: an object in several formats, and remarks on them."""


def picture_of(position: Position, text: str) -> Bundle:
    """Return the picture of a board with an alternative text; ``text`` is shown where there are no pictures."""
    picture = {"image/svg+xml": svg(position), "text/plain": text}
    return picture, {"image/svg+xml": {"alt": f"{position.game.id}: {position.text}"}}
