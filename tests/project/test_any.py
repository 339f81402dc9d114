"""Types say what a value is: ``Any`` switches their check off, so it stays rare."""

from __future__ import annotations

import re

from paths import ROOT

MOST = 250
"""Words ``Any`` in the package; lower it when there are fewer."""


def test_few_values_have_any_type() -> None:
    files = (ROOT / "src").rglob("*.py")
    found = sum(len(re.findall(r"\bAny\b", path.read_text(encoding="utf-8"))) for path in files)
    assert found < MOST
