"""Publications: whole or not at all, by one writer at a time, equal for equal content."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from coldseek_core.columns.manifest import MANIFEST_NAME, read_manifest
from coldseek_core.columns.publish import publish
from coldseek_core.errors import IndexFileError, UsageError
from columns.small_index import TEXTS, first_text, write_small_index, write_with


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def generations(root: Path) -> set[str]:
    return {path.name for path in root.iterdir() if path.is_dir()}


def test_equal_content_gives_equal_bytes_anywhere(tmp_path: Path) -> None:
    name = publish(tmp_path / "a", write_small_index)
    script = (
        "import sys; from pathlib import Path\n"
        "from coldseek_core.columns.publish import publish\n"
        "from columns.small_index import write_small_index\n"
        "print(publish(Path(sys.argv[1]), write_small_index))"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONHASHSEED": "7",
        "TZ": "Asia/Tokyo",
    }
    made = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "deeper" / "b")],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout.strip() == name
    assert contents(tmp_path / "a") == contents(tmp_path / "deeper" / "b")


def test_a_generation_is_named_by_its_content(tmp_path: Path) -> None:
    names = {
        publish(tmp_path, write_small_index),
        publish(tmp_path, lambda folder: write_small_index(folder, settings={"language": "de"})),
        publish(tmp_path, lambda folder: write_small_index(folder, [*TEXTS[:-1], "pagez"])),
        publish(tmp_path, lambda folder: write_small_index(folder, vectors=False)),
    }
    assert len(names) == 4


def test_the_root_holds_a_copy_of_the_current_manifest(index: Path) -> None:
    body = read_manifest(str(index))
    assert (index / MANIFEST_NAME).read_bytes() == (index / body["generation"] / MANIFEST_NAME).read_bytes()
    assert sorted(os.listdir(index)) == sorted([body["generation"], MANIFEST_NAME])
    assert all(entry["size"] and len(entry["sha256"]) == 64 for entry in body["files"].values())


def test_others_may_read_what_was_published(index: Path) -> None:
    mask = os.umask(0)
    os.umask(mask)
    for path in [*index.rglob("*")]:
        assert path.stat().st_mode & 0o777 == (0o777 if path.is_dir() else 0o666) & ~mask


def test_the_generation_before_stays_and_older_ones_go(tmp_path: Path) -> None:
    first = publish(tmp_path, write_with("one"))
    second = publish(tmp_path, write_with("two"))
    assert generations(tmp_path) == {first, second}
    third = publish(tmp_path, write_with("three"))
    assert generations(tmp_path) == {second, third}
    assert publish(tmp_path, write_with("two")) == second
    assert generations(tmp_path) == {second, third}
    assert first_text(tmp_path) == "two"


def test_publishing_the_same_again_touches_nothing(tmp_path: Path) -> None:
    publish(tmp_path, write_with("one"))
    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in tmp_path.rglob("*")}
    publish(tmp_path, write_with("one"))
    assert {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("damage", ["flip", "remove", "manifest", "root manifest", "no root manifest"])
def test_publishing_the_same_again_mends_damage(index: Path, damage: str) -> None:
    before = contents(index)
    (generation,) = generations(index)
    if damage == "flip":
        path = index / generation / "chunks.arrow"
        data = bytearray(path.read_bytes())
        data[-300] ^= 1
        path.write_bytes(data)
    elif damage == "remove":
        (index / generation / "terms.arrow").unlink()
    elif damage == "manifest":
        (index / generation / MANIFEST_NAME).write_bytes(b"")
    elif damage == "root manifest":
        (index / MANIFEST_NAME).write_bytes(b"nonsense")
    else:
        (index / MANIFEST_NAME).unlink()
    assert contents(index) != before
    publish(index, write_small_index)
    assert contents(index) == before


def test_an_error_while_writing_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    publish(tmp_path, write_with("one"))
    before = contents(tmp_path)

    def fail(folder: Path) -> dict[str, Any]:
        write_small_index(folder)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        publish(tmp_path, fail)
    assert contents(tmp_path) == before
    publish(tmp_path, write_with("two"))


def body_with(folder: Path, **changes: Any) -> dict[str, Any]:
    return {**write_small_index(folder), **changes}


def with_extra_file(folder: Path) -> dict[str, Any]:
    (folder / "notes.txt").write_text("x")
    return write_small_index(folder)


def with_changed_file(folder: Path) -> dict[str, Any]:
    body = write_small_index(folder)
    with (folder / "chunks.arrow").open("ab") as stream:
        stream.write(b"x")
    return body


def with_subfolder(folder: Path) -> dict[str, Any]:
    (folder / "more").mkdir()
    return write_small_index(folder)


@pytest.mark.parametrize(
    "write",
    [
        lambda folder: body_with(folder, counts={}),
        lambda folder: body_with(folder, files={}),
        lambda folder: body_with(folder, settings=None),
        lambda folder: body_with(folder, settings={"x": object()}),
        lambda _: {"settings": {}},
        lambda _: [],
        lambda _: None,
        lambda folder: body_with(folder, generation="0123456789abcdef"),
        with_extra_file,
        with_changed_file,
        with_subfolder,
    ],
)
def test_a_body_that_does_not_fit_is_refused(tmp_path: Path, write: Any) -> None:
    publish(tmp_path, write_with("one"))
    before = contents(tmp_path)
    with pytest.raises(UsageError):
        publish(tmp_path, write)
    assert contents(tmp_path) == before


def test_a_root_that_cannot_be_made_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for root in (
        tmp_path / "file",
        tmp_path / "file" / "deeper",
        Path("/proc/no/such"),
        tmp_path / ("x" * 300),
    ):
        with pytest.raises(IndexFileError, match=r"cannot be written: .*; check the path"):
            publish(root, write_small_index)
    with pytest.raises(UsageError, match="null character"):
        publish(tmp_path / "a\0b", write_small_index)


@pytest.mark.parametrize("call", ["mkdir", "rename", "fsync", "listdir"])
@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC, errno.EROFS])
def test_a_system_call_that_fails_is_a_typed_error(
    tmp_path: Path, call: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, write_with("one"))

    def fail(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(os, call, fail)
        with pytest.raises(IndexFileError, match=os.strerror(number)):
            publish(tmp_path, write_with("two"))
    assert first_text(tmp_path) == "one"
    publish(tmp_path, write_with("two"))
    assert first_text(tmp_path) == "two"


def test_a_file_system_without_locks_is_a_typed_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", fail)
    with pytest.raises(IndexFileError, match="cannot be locked: No locks"):
        publish(tmp_path, write_small_index)


def test_what_is_renamed_into_place_is_on_the_disk_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash of the machine keeps what was flushed: files, their folder, and only then the names of both."""
    publish(tmp_path, write_with("one"))
    flushed: set[str] = set()
    renames: list[tuple[str, str]] = []
    rename = os.rename

    def note_flush(descriptor: int) -> None:
        flushed.add(os.readlink(f"/proc/self/fd/{descriptor}"))

    def note_rename(source: Any, target: Any) -> None:
        if Path(source).is_dir():
            assert {str(source), *(str(path) for path in Path(source).iterdir())} <= flushed
        else:
            assert str(source) in flushed
            assert str(tmp_path) in flushed, "the generation must have its name before it is pointed to"
        rename(source, target)
        flushed.discard(str(tmp_path))
        renames.append((Path(source).name[:5], Path(target).name))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", note_flush)
        patched.setattr(os, "rename", note_rename)
        generation = publish(tmp_path, write_with("two"))
    assert renames == [(".tmp-", generation), (".tmp-", MANIFEST_NAME)]
    assert str(tmp_path) in flushed


def test_the_names_of_new_folders_are_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: set[str] = set()
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.add(os.readlink(f"/proc/self/fd/{descriptor}")))
    publish(tmp_path / "new" / "deeper" / "i", write_with("one"))
    assert {str(tmp_path), str(tmp_path / "new"), str(tmp_path / "new" / "deeper")} <= flushed
    flushed.clear()
    publish(tmp_path / "new" / "deeper" / "i", write_with("two"))
    assert str(tmp_path) not in flushed
