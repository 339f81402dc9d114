"""Text and data inside pages and pictures that noughts writes."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["script_json"]

_UNSAFE = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
"""What ends or changes a script element (``</script``, ``<!--``), or a line of JavaScript."""


def script_json(data: Any) -> str:
    r"""Return data as JSON that may stand in a ``<script>`` element, with any text in it.

    >>> script_json(["<!--<script>", "a & b"])
    '["\\u003c!--\\u003cscript\\u003e","a \\u0026 b"]'
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_UNSAFE)
