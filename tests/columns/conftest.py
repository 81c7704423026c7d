"""Fixtures of the tests of the files of an index."""

from collections.abc import Callable
from pathlib import Path

import pytest

from coldseek_core.columns.publish import publish
from columns.small_index import TEXTS, write_small_index


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """The folder of a small, whole, published index."""
    root = tmp_path / "site.coldseek"
    publish(root, write_small_index)
    return root


@pytest.fixture
def publish_texts(tmp_path: Path) -> Callable[..., Path]:
    """publish_texts(texts, **settings) publishes an index of those chunks and returns its folder."""

    def run(texts: list[str] = TEXTS, **settings: object) -> Path:
        root = tmp_path / "site.coldseek"
        publish(root, lambda folder: write_small_index(folder, texts, settings))
        return root

    return run
