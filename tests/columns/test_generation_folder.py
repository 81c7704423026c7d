"""A generation: its own folder is not to be opened or written to, and what is verified is the one that answers."""

from pathlib import Path

import pytest

import coldseek
from coldseek_core.columns.publish import publish
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import CorruptIndexError, NotAnIndexError, UsageError
from coldseek_core.ingest.build import build_index
from columns.forged import overwrite
from columns.small_index import first_text, write_small_index


def test_the_folder_above_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Kettle\n\nCopper kettle.\n")
    report = build_index([tmp_path / "a.md"], tmp_path / "i.coldseek")
    with pytest.raises(NotAnIndexError, match=r"open the folder above it, .*i\.coldseek"):
        IndexFiles.open(tmp_path / "i.coldseek" / report.generation)


def test_a_generation_is_not_written_to(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with IndexFiles.open(index) as files:
        folder = index / files.generation
    before = sorted(folder.iterdir())
    for root in (folder, Path(".")):
        monkeypatch.chdir(folder)
        with pytest.raises(UsageError, match=r"is one generation of an index; name the folder above it, .*coldseek'"):
            publish(root, write_small_index)
    assert sorted(folder.iterdir()) == before
    assert first_text(index)


def test_the_generation_that_was_verified_is_the_one_that_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rebuild that comes in between, and is damaged, is not what a verified index answers from."""
    root, source = tmp_path / "i.coldseek", tmp_path / "a.md"
    source.write_text("# Kettle\n\nCopper kettle.\n")
    first = build_index([source], root).generation
    source.write_text("# Lamp\n\nGreen lamp.\n")
    real = IndexFiles.open
    opened: list[str] = []

    def open_then_rebuild(path: Path) -> IndexFiles:
        files = real(path)
        opened.append(files.generation)
        if len(opened) == 1:
            build_index([source], root)
            overwrite(root, "chunks", "text", "values", 0, b"\xff")
        return files

    monkeypatch.setattr(IndexFiles, "open", open_then_rebuild)
    with coldseek.open(root, verify="full") as index:
        assert index.generation == first
    with pytest.raises(CorruptIndexError, match="SHA-256"):
        coldseek.open(root, verify="full")
    assert len(opened) == 2
