"""A folder that may only be read: an index in it opens and answers, and is written to by nobody."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import coldseek
from coldseek_core.columns.publish import publish
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import IndexFileError
from columns.small_index import first_text, write_small_index, write_with

pytestmark = pytest.mark.usefixtures("ordinary_permissions")


def entries(root: Path) -> list[tuple[str, int, int]]:
    return [(str(path), path.lstat().st_mode, path.lstat().st_mtime_ns) for path in sorted(root.rglob("*"))]


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "page.md").write_text("# Kettle\n\nCopper kettle.\n")
    root = tmp_path / "i"
    coldseek.build([tmp_path / "page.md"], root, embedder="mock")
    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    for path in root.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    root.chmod(0o555)
    yield root
    for folder in folders:
        folder.chmod(0o755)


def test_the_fixture_takes_permissions_seriously(read_only: Path) -> None:
    with pytest.raises(PermissionError):
        (read_only / "file").write_text("x")
    with pytest.raises(PermissionError):
        next(read_only.rglob("*.arrow")).open("r+b")


def test_an_index_opens_answers_and_is_verified(read_only: Path) -> None:
    before = entries(read_only)
    with coldseek.open(read_only, verify="full") as index:
        assert index.search("kettle").hits
        assert index.retrieve("copper kettle").answerable
    assert coldseek.verify(read_only) == []
    assert entries(read_only) == before


def test_a_build_is_refused_and_leaves_nothing(read_only: Path) -> None:
    before = entries(read_only)
    page = read_only.parent / "page.md"
    page.write_text("# Lamp\n\nGreen lamp.\n")
    with pytest.raises(IndexFileError, match=r"cannot be written: Permission denied; check .* permissions"):
        coldseek.build([page], read_only)
    with pytest.raises(IndexFileError, match="Permission denied"):
        publish(read_only, write_small_index)
    assert entries(read_only) == before


def test_the_folder_above_need_not_be_readable(read_only: Path) -> None:
    above = read_only.parent
    above.chmod(0o111)
    try:
        with coldseek.open(read_only) as index:
            assert index.search("kettle").hits
    finally:
        above.chmod(0o755)


@pytest.mark.parametrize("name", ["manifest.msgpack", "chunks.arrow", "."])
def test_what_may_not_be_read_is_a_typed_error(index: Path, name: str) -> None:
    path = next(index.rglob(name)) if name != "." else index
    mode = path.stat().st_mode
    path.chmod(0)
    try:
        with pytest.raises(IndexFileError, match=r"cannot be read: Permission denied"):
            IndexFiles.open(index)
    finally:
        path.chmod(mode)
    assert first_text(index)


def test_a_generation_that_may_not_be_removed_stops_no_publication(tmp_path: Path) -> None:
    """It is renamed, so no reader meets half of it, and takes up space until somebody may remove it."""
    publish(tmp_path / "i", write_with("one"))
    with IndexFiles.open(tmp_path / "i") as files:
        oldest = tmp_path / "i" / files.generation
    publish(tmp_path / "i", write_with("two"))
    oldest.chmod(0o555)
    publish(tmp_path / "i", write_with("three"))
    assert first_text(tmp_path / "i") == "three"
    (left,) = [name for name in os.listdir(tmp_path / "i") if name.startswith(".tmp")]
    (tmp_path / "i" / left).chmod(0o755)
    publish(tmp_path / "i", write_with("four"))
    assert not (tmp_path / "i" / left).exists()
