"""Settings for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# The same examples on every run and every machine: a failure in CI is a failure here.
settings.register_profile("noughts", derandomize=True, deadline=None, database=None, print_blob=False)
settings.load_profile("noughts")


@pytest.fixture(scope="session", autouse=True)
def data_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep tests, and the programs they start, away from what the user keeps."""
    before = os.environ.get("NOUGHTS_DATA")
    os.environ["NOUGHTS_DATA"] = str(tmp_path_factory.mktemp("data"))
    yield
    if before is None:
        del os.environ["NOUGHTS_DATA"]
    else:
        os.environ["NOUGHTS_DATA"] = before
