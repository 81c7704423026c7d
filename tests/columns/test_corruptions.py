"""Random damage: verification names it, and an open and a question give a typed error or an answer, never a crash."""

from pathlib import Path

import pytest

import coldseek
from columns.processes import run_script


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


def test_some_damage(whole: Path, tmp_path: Path) -> None:
    run_script("corrupting.py", whole, tmp_path, 0, 60)


@pytest.mark.slow
def test_a_thousand_damages(whole: Path, tmp_path: Path) -> None:
    run_script("corrupting.py", whole, tmp_path, 1000, 1000)
