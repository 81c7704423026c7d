"""Whatever else lies in or beside an index is neither removed nor written over."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coldseek_core.columns.manifest import MANIFEST_NAME, pack_manifest, read_manifest
from coldseek_core.columns.output_folder import check_output_folder
from coldseek_core.columns.publish import publish
from coldseek_core.columns.schema import FORMAT_VERSION
from coldseek_core.errors import UsageError
from columns.forged import seal
from columns.small_index import first_text, write_small_index, write_with

OWN = ".tmp-1-0123456789abcdef"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def never(folder: Path) -> dict[str, Any]:
    raise AssertionError(f"{folder} was to be written to")


def republish(root: Path) -> None:
    """Three publications: after them, every generation that was there before is out of date."""
    for text in ("two", "three", "four"):
        publish(root, write_with(text))


def test_files_that_are_not_the_indexs_stay(tmp_path: Path) -> None:
    publish(tmp_path, write_with("one"))
    mine = ["README.md", "0123456789abcdef/mine", "0123456789abcdef/manifest.msgpack", "fedcba9876543210"]
    for name in mine:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine")
    republish(tmp_path)
    assert [(tmp_path / name).read_text() for name in mine] == ["mine"] * len(mine)


@pytest.mark.parametrize(
    "name",
    [
        ".tmp-notes",
        ".tmp-1-00",
        ".tmp-1-0123456789ABCDEF",
        ".tmp-1-0123456789abcdef0",
        ".tmp-x-0123456789abcdef",
        ".tmp--0123456789abcdef",
        ".tmp-0123456789abcdef",
        ".tmp-1-0123456789abcdef.txt",
        ".tmp-1-0123456789abcdef\n",
        "x.tmp-1-0123456789abcdef",
    ],
)
def test_what_is_only_named_like_a_temporary_stays(index: Path, name: str) -> None:
    (index / name).mkdir()
    (index / name / "mine").write_text("mine")
    (index / f"{name}.md").write_text("mine")
    republish(index)
    assert (index / name / "mine").read_text() == "mine"
    assert (index / f"{name}.md").read_text() == "mine"


def test_leftovers_of_killed_writers_go(tmp_path: Path) -> None:
    (tmp_path / OWN).mkdir()
    (tmp_path / OWN / "chunks.arrow").write_text("half")
    (tmp_path / ".tmp-23456-ffffffffffffffff").write_text("half a manifest")

    def write(folder: Path) -> dict[str, Any]:
        assert os.listdir(tmp_path) == [folder.name], "the space is needed now"
        return write_small_index(folder)

    publish(tmp_path, write)
    assert [name for name in os.listdir(tmp_path) if name.startswith(".tmp")] == []


def test_a_link_named_like_a_temporary_stays_and_so_does_its_target(index: Path, tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "mine").write_text("mine")
    (index / OWN).symlink_to(tmp_path / "target")
    republish(index)
    assert (index / OWN / "mine").read_text() == "mine"
    assert (index / OWN).is_symlink()


def add_file(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")


def add_folder(folder: Path) -> None:
    (folder / "more").mkdir()


def replace_by_folder(folder: Path) -> None:
    (folder / "terms.arrow").unlink()
    (folder / "terms.arrow").mkdir()
    (folder / "terms.arrow" / "mine").write_text("mine")


def replace_by_link(folder: Path) -> None:
    (folder / "terms.arrow").unlink()
    (folder / "terms.arrow").symlink_to(folder / "chunks.arrow")


def manifest_of_another(folder: Path) -> None:
    body = read_manifest(str(folder))
    (folder / MANIFEST_NAME).write_bytes(pack_manifest({**body, "generation": "0" * 16}))


def manifest_of_a_later_version(folder: Path) -> None:
    (folder / MANIFEST_NAME).write_bytes(seal(read_manifest(str(folder)), version=FORMAT_VERSION + 1))


def manifest_without_names(folder: Path) -> None:
    body = read_manifest(str(folder))
    (folder / MANIFEST_NAME).write_bytes(seal({**body, "files": {b"chunks": 1}}))


@pytest.mark.parametrize(
    "change",
    [
        add_file,
        add_folder,
        replace_by_folder,
        replace_by_link,
        manifest_of_another,
        manifest_of_a_later_version,
        manifest_without_names,
    ],
)
def test_a_generation_that_is_not_as_one_was_written_stays(tmp_path: Path, change: Callable[[Path], None]) -> None:
    generation = tmp_path / publish(tmp_path, write_with("one"))
    publish(tmp_path, write_with("two"))
    change(generation)
    before = contents(generation)
    republish(tmp_path)
    assert contents(generation) == before
    assert first_text(tmp_path) == "four"


def test_a_generation_that_lost_a_file_goes(tmp_path: Path) -> None:
    generation = tmp_path / publish(tmp_path, write_with("one"))
    (generation / "terms.arrow").unlink()
    republish(tmp_path)
    assert not generation.exists()


def test_mending_a_generation_keeps_what_was_added_to_it(index: Path, tmp_path: Path) -> None:
    generation = read_manifest(str(index))["generation"]
    whole = contents(index / generation)
    (index / generation / "terms.arrow").write_text("damaged")
    add_file(index / generation)
    publish(index, write_small_index)
    assert contents(index / generation) == whole
    (aside,) = index.glob("*.aside-*")
    assert (aside / "notes.txt").read_text() == "mine"
    # And where something else has its name, that is kept, too.
    shutil.rmtree(aside)
    shutil.rmtree(index / generation)
    (index / generation).symlink_to(tmp_path / "nowhere")
    publish(index, write_small_index)
    assert contents(index / generation) == whole
    (aside,) = index.glob("*.aside-*")
    assert aside.is_symlink()


def foreign_file(root: Path) -> None:
    (root / "README.md").write_text("mine")


def foreign_folder(root: Path) -> None:
    (root / "0123456789abcdef").mkdir()


def hidden_file(root: Path) -> None:
    (root / ".tmp-notes").write_text("mine")


def line_break(root: Path) -> None:
    (root / "a\nb").write_text("mine")


def other_manifest(root: Path) -> None:
    (root / MANIFEST_NAME).write_text("mine")


def other_program(root: Path) -> None:
    (root / MANIFEST_NAME).write_bytes(seal({}, form="other"))


def with_leftovers(root: Path) -> None:
    (root / OWN).mkdir()
    (root / OWN / "chunks.arrow").write_text("half")
    foreign_file(root)


@pytest.mark.parametrize(
    "fill",
    [foreign_file, foreign_folder, hidden_file, line_break, other_manifest, other_program, with_leftovers],
)
def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path, fill: Callable[[Path], None]) -> None:
    root = tmp_path / "site\nfolder"
    root.mkdir()
    fill(root)
    before = contents(root), sorted(os.listdir(root))
    for refuse in (lambda: publish(root, never), lambda: check_output_folder(root)):
        with pytest.raises(UsageError, match=r"not empty .*; name a new folder, an empty one, or an index$") as caught:
            refuse()
        assert "\n" not in str(caught.value)
    assert (contents(root), sorted(os.listdir(root))) == before


def test_new_and_empty_folders_and_indexes_are_fine(tmp_path: Path, index: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "leftovers" / OWN).mkdir(parents=True)
    for name in ("new/deeper", "empty", "leftovers", index.name):
        check_output_folder(tmp_path / name)
    assert not (tmp_path / "new").exists()
    assert (tmp_path / "leftovers" / OWN).is_dir()
    foreign_file(index)
    for name in ("new/deeper", "empty", "leftovers", index.name):
        publish(tmp_path / name, write_with("one"))
        check_output_folder(tmp_path / name)
        assert first_text(tmp_path / name) == "one"


@pytest.mark.parametrize("data", [None, b"", b"nonsense", seal({}, version=FORMAT_VERSION + 1)])
def test_an_index_whose_manifest_is_lost_or_of_another_version_is_one_still(index: Path, data: bytes | None) -> None:
    (index / MANIFEST_NAME).unlink()
    if data is not None:
        (index / MANIFEST_NAME).write_bytes(data)
    foreign_file(index)
    publish(index, write_with("one"))
    assert first_text(index) == "one"
