"""Fixtures of the tests of the files of an index."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from coldseek_core.columns.publish import publish
from columns.small_index import write_small_index


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_the_disk() -> Iterator[None]:
    """fsync does nothing in these tests but for the one that looks at the order of calls."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """The folder of a small, whole, published index."""
    root = tmp_path / "site.coldseek"
    publish(root, write_small_index)
    return root
