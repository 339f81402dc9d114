"""The documentation site is built strictly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from paths import ROOT

BIN = Path(sys.executable).parent
CONFIG = """
site_name: test
docs_dir: pages
site_dir: site
theme: {name: material, font: false}
plugins: []
validation: {links: {not_found: warn, anchors: warn}}
"""


def build(folder: Path, page: str) -> subprocess.CompletedProcess[str]:
    (folder / "pages").mkdir()
    (folder / "pages" / "index.md").write_text(page)
    (folder / "mkdocs.yml").write_text(CONFIG)
    command = [ROOT / "tools" / "build-docs", BIN, folder / "mkdocs.yml"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_examples_of_the_documentation_are_fenced() -> None:
    """Without a fence the site shows code as prose."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    outside = {
        page.name: [line for part in page.read_text("utf-8").split("```")[::2] for line in part.splitlines()]
        for page in pages
    }
    assert [name for name, lines in outside.items() if any(line.startswith(">>>") for line in lines)] == []


@pytest.mark.parametrize("link", ["missing.md", "#nowhere"])
def test_broken_link_fails_the_build(link: str, tmp_path: Path) -> None:
    done = build(tmp_path, f"# Page\n\n[broken]({link})\n")
    assert done.returncode == 1
    assert link in done.stderr
