"""`kill -9` at random moments of rebuilds, beside readers: the old index or the new one, and no reader fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(scratch: Path, kills: int, readers: int) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'core'}:{ROOT / 'bindings'}"}
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("killing.py")), str(scratch), str(kills), str(readers)],
        capture_output=True,
        text=True,
        timeout=1200,
        env=environment,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), (done.stdout[-3000:], done.stderr[-3000:])


def test_a_few_kills_beside_two_readers(tmp_path: Path) -> None:
    run(tmp_path, 12, 2)


@pytest.mark.slow
def test_three_hundred_kills_beside_eight_readers(tmp_path: Path) -> None:
    run(tmp_path, 300, 8)
