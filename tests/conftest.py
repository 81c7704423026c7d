"""Fixtures that several test folders use."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The shared test data: real corpora and judged questions, found by COLDSEEK_TEST_DATA."""
    default = ROOT.parent / "shared" / "data"
    folder = Path(os.environ.get("COLDSEEK_TEST_DATA") or default)
    if not (folder / "README.md").is_file():
        pytest.skip(f"the shared test data is not at {folder}; set COLDSEEK_TEST_DATA to where it is")
    return folder
