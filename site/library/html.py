"""Text in HTML."""


def escape(s: str, quote: bool = True) -> str:
    """Return the text with characters replaced that have a meaning in HTML."""
    s = s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return s.replace('"', "&quot;").replace("'", "&#x27;") if quote else s
