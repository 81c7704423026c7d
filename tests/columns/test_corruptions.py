"""Random damage: verification names it, and an open and a question give a typed error or an answer, never a crash."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import coldseek

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    for number in range(12):
        (folder / f"p{number}.md").write_text(
            f"---\ntags: [a, b{number}]\nweight: {number}\ndraft: false\n---\n# Copper kettle {number}\n\n"
            f"Set `max_retry_count` to {number}. 重試策略說明。\n\n## Part {number}\n\nIron pan and lid.\n",
            encoding="utf-8",
        )
    coldseek.build([folder], folder / "i.coldseek", embedder="mock")
    return folder / "i.coldseek"


def run(whole: Path, scratch: Path, first: int, count: int) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'core'}:{ROOT / 'bindings'}"}
    script = Path(__file__).with_name("corrupting.py")
    done = subprocess.run(
        [sys.executable, str(script), str(whole), str(scratch), str(first), str(count)],
        capture_output=True,
        text=True,
        timeout=1200,
        env=environment,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), (done.stdout[-3000:], done.stderr[-3000:])


def test_some_damage(whole: Path, tmp_path: Path) -> None:
    run(whole, tmp_path, 0, 60)


@pytest.mark.slow
def test_a_thousand_damages(whole: Path, tmp_path: Path) -> None:
    run(whole, tmp_path, 1000, 1000)
