"""A server for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from web_servers import serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the limits of this machine alone."""
    with serving(tmp_path_factory.mktemp("web") / "store.sqlite3") as address:
        yield address
