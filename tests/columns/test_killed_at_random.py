"""`kill -9` at random moments of rebuilds, beside readers: the old index or the new one, and no reader fails."""

from pathlib import Path

import pytest

from columns.processes import run_script


def test_a_few_kills_beside_two_readers(tmp_path: Path) -> None:
    run_script("killing.py", tmp_path, 12, 2)


@pytest.mark.slow
def test_three_hundred_kills_beside_eight_readers(tmp_path: Path) -> None:
    run_script("killing.py", tmp_path, 300, 8)
