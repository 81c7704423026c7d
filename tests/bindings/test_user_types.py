"""A user's program is clean under the strictest settings of two type checkers, and runs as they say it does."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import coldseek

PROGRAM = Path(__file__).with_name("user_program.py")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder with the program, in which nothing of the repository's settings or stubs is found."""
    shutil.copy(PROGRAM, tmp_path)
    return tmp_path


def run(folder: Path, *command: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def test_it_runs(outside: Path) -> None:
    (outside / "pages").mkdir()
    (outside / "pages" / "kettle.md").write_text("---\nlocale: en\n---\n# Kettle\n\nA copper kettle.\n")
    said = run(outside, sys.executable, PROGRAM.name, "pages", "index")
    assert "read: 1 of 1" in said
    assert "[1] Kettle" in said
    assert "nothing_relevant" in said


def test_names_for_annotations_are_there_at_run_time() -> None:
    """What a type checker can import from the package, a program can, too."""
    for name in (
        "BuiltIn",
        "Cancelled",
        "ChunkView",
        "Embedder",
        "Explanation",
        "Hit",
        "HookQuery",
        "Match",
        "Neighbors",
        "Refusal",
        "RerankHook",
    ):
        assert getattr(coldseek, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Nowhere'"):
        coldseek.Nowhere  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.slow
def test_pyright_strict(outside: Path) -> None:
    (outside / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "include": ["user_program.py"]}')
    assert "0 errors, 0 warnings" in run(outside, sys.executable, "-m", "pyright", "--pythonpath", sys.executable)


@pytest.mark.slow
def test_mypy_strict(outside: Path) -> None:
    assert "no issues" in run(outside, sys.executable, "-m", "mypy", "--strict", "--no-incremental", PROGRAM.name)


MISTAKES = [
    "index.search(5)",
    "index.search('a', topk=3)",
    "index.search('a', expand='1')",
    "index.search('a').hits[0].matches[0].start",
    "index.retrieve('a', rerank_hook=lambda hits: hits)",
    "index.gate_hits('a', 5)",
    "coldseek.build(['a'], 'b', workers='two')",
    "coldseek.open('a', embedder=object())",
    "coldseek.Nowhere",
    "index.search('a').hits[0].chunk.nowhere",
    "index.retrieve('a').refusal.message",
]


@pytest.mark.slow
def test_checkers_find_mistakes(outside: Path) -> None:
    """That nothing is found above is not because everything is of type Any."""
    lines = ["import coldseek", "def ask(index: coldseek.Index) -> None:", *(f"    {line}" for line in MISTAKES)]
    (outside / "mistakes.py").write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "mistakes.py"],
        cwd=outside,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    for number, line in enumerate(MISTAKES, start=3):
        assert f"mistakes.py:{number}: error" in done.stdout, (line, done.stdout)
