"""The command line as a process of its own: pipes that close, odd encodings, full disks."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import coldseek
import coldseek_core

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name in ("HOME", "PATH", "XDG_CACHE_HOME")},
    "PYTHONPATH": os.pathsep.join(str(Path(one.__file__ or "").parent.parent) for one in (coldseek, coldseek_core)),
    "PYTHONWARNINGS": "error",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("processes")
    for order in range(12):
        (folder / f"p{order}.md").write_text(
            f"# Café {order}\n\ncopper … 延迟 {order} " + "words " * 200, encoding="utf-8"
        )
    (folder / "q.yaml").write_text("questions: [{question: copper, expect: /p1}]")
    coldseek.build(list(folder.glob("*.md")), folder / "i")
    return folder / "i"


def run(*arguments: object, **options: Any) -> "subprocess.CompletedProcess[str]":
    environment = {**ENVIRONMENT, **options.pop("env", {})}
    options.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run(
        [sys.executable, "-m", "coldseek", *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=120,
        env=environment,
        check=False,
        **options,
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done


def test_a_user_s_session(index: Path, tmp_path: Path) -> None:
    done = run("build", *sorted(index.parent.glob("*.md")), "-o", tmp_path / "i", "--workers", "2")
    assert (done.returncode, done.stderr) == (0, "")
    done = run("search", tmp_path / "i", "copper")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1. Café")
    assert "\x1b" not in done.stdout
    done = run("retrieve", tmp_path / "i", "zebra")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("I don't know.")


@pytest.mark.parametrize("arguments", [["search", "INDEX", "copper", "--json"], ["--help"]], ids=str)
def test_a_reader_that_has_gone(index: Path, arguments: list[str]) -> None:
    """As with `| head -1`: nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run(*[str(index) if one == "INDEX" else one for one in arguments], stdout=writing)
    finally:
        os.close(writing)
    assert done.stderr == ""
    assert done.returncode == 0


def test_a_full_disk_is_one_line(index: Path) -> None:
    with open("/dev/full", "w") as full:
        done = run("search", index, "copper", stdout=full)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_terminal_that_knows_ascii_only(index: Path) -> None:
    for arguments in (["search", index, "copper"], ["eval", index, index.parent / "q.yaml"]):
        done = run(*arguments, env={"PYTHONIOENCODING": "ascii"})
        assert done.returncode == 0, done.stderr
        assert done.stdout


def test_a_folder_whose_name_is_no_text(index: Path, tmp_path: Path) -> None:
    place = os.fsencode(tmp_path) + b"/\xff.coldseek"
    pages = sorted(index.parent.glob("*.md"))
    done = run("build", *pages, "-o", os.fsdecode(place), env={"PYTHONIOENCODING": "utf-8:strict"})
    assert len(done.stderr.splitlines()) <= 1


def test_a_query_that_is_no_text(index: Path) -> None:
    done = run("search", index, os.fsdecode(b"caf\xe9"))
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1


def test_no_output_at_all(index: Path) -> None:
    """Standard output is closed, as some schedulers do it."""
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -m coldseek search "{index}" copper >&-'],
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        env=ENVIRONMENT,
        check=False,
    )
    assert "Traceback" not in done.stderr
