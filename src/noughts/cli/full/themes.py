"""The colours of the full-screen game: a dark and a light theme, with the palette of the page.

Every text has a contrast of at least 4.5 to its background; tests check it. Colours never carry a meaning alone.
"""

from __future__ import annotations

from textual.theme import Theme

__all__ = ["DARK", "LIGHT", "VARIABLES"]

DARK_INKS = {
    "x-mark": "#84b7f2",
    "o-mark": "#f2a06c",
    "soft": "#aea89b",
    "grid": "#7d7568",
    "frame": "#c9c2b4",
    "dim": "#928a7c",
    "ghost": "#bdb5a6",
    "cursor-wash": "#333f51",
    "column-wash": "#2c2f36",
    "line-wash": "#33352f",
    "win-wash": "#234a2b",
    "last-wash": "#3a3731",
    "hint-wash": "#4c3f14",
    "target-ink": "#80c999",
}
LIGHT_INKS = {
    "x-mark": "#1f5ea8",
    "o-mark": "#a63f0b",
    "soft": "#5c5e66",
    "grid": "#8f8777",
    "frame": "#57534a",
    "dim": "#6b6455",
    "ghost": "#5f594d",
    "cursor-wash": "#cfe0f4",
    "column-wash": "#ebe6da",
    "line-wash": "#e9ecd9",
    "win-wash": "#c9e8d0",
    "last-wash": "#ebe6da",
    "hint-wash": "#fbe7a1",
    "target-ink": "#22683f",
}
VARIABLES = DARK_INKS
"""The inks of boards in themes that do not define them."""

DARK = Theme(
    name="noughts-dark",
    primary="#84b7f2",
    secondary="#aea89b",
    accent="#f2a06c",
    warning="#e8c468",
    error="#f09a94",
    success="#80c999",
    foreground="#ece7dc",
    background="#191815",
    surface="#23211e",
    panel="#2b2925",
    dark=True,
    variables=DARK_INKS | {"footer-key-foreground": "#a3c4ee", "footer-background": "#23211e"},
)
LIGHT = Theme(
    name="noughts-light",
    primary="#1f5ea8",
    secondary="#5c5e66",
    accent="#a63f0b",
    warning="#7a5b00",
    error="#a02a2a",
    success="#22683f",
    foreground="#24262c",
    background="#f6f3ec",
    surface="#fffdf8",
    panel="#ece7db",
    dark=False,
    variables=LIGHT_INKS | {"footer-key-foreground": "#1f5ea8", "footer-background": "#ece7db"},
)
