"""Bundles that cannot be made: what is said, and that nothing is left behind."""

import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

import coldseek
from coldseek.bundle import BundleReport, wheels, write_bundle
from coldseek_core.kernels.sealed_files import library_name, read_table, write_table


def refused(call: Callable[[], object], kind: type[Exception], folder: Path) -> str:
    """The error's message. Nothing is left in `folder`, nor changed."""
    before = {path: path.is_file() and path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(kind) as caught:
        call()
    assert {path: path.is_file() and path.read_bytes() for path in folder.iterdir()} == before
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.usefixtures("stubs")
def test_places_that_are_taken(make: Callable[..., BundleReport], tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "a.zip").write_bytes(b"")
    (tmp_path / "b.zip").mkdir()
    for name in ("full", "file", "link", "a.zip", "b.zip"):
        assert "is there already" in refused(lambda name=name: make(name), coldseek.UsageError, tmp_path)
    for name in ("", "a\0b"):
        said = refused(lambda name=name: write_bundle(tmp_path, name), coldseek.UsageError, tmp_path)
        assert "is no path" in said


@pytest.mark.usefixtures("stubs")
def test_options_that_cannot_be_used(make: Callable[..., BundleReport], tmp_path: Path) -> None:
    for python in ("", "3", "3.10", "2.7", "4.0", "3.12.1", "3.x", "three", "3.١٢", "3.-1", "3.12 ", "9" * 5000):
        assert "must be" in refused(lambda python=python: make(python=python), coldseek.UsageError, tmp_path)
    for platform in ("x86", "win_amd64", "riscv64", "X86_64"):
        said = refused(lambda platform=platform: make(platform=platform), coldseek.UsageError, tmp_path)
        assert "x86_64, aarch64, arm64" in said


@pytest.mark.usefixtures("stubs")
def test_indexes_that_cannot_be_taken(make: Callable[..., BundleReport], bundled_index: Path, tmp_path: Path) -> None:
    refused(lambda: make(index=tmp_path / "nothing"), coldseek.NotAnIndexError, tmp_path)
    generation = next(path for path in bundled_index.iterdir() if (path / "vectors.arrow").exists())
    place = generation / "chunks.arrow"
    data = bytearray(place.read_bytes())
    data[len(data) // 2] ^= 0xFF
    place.write_bytes(data)
    assert "chunks" in refused(make, coldseek.CorruptIndexError, tmp_path)


@pytest.mark.usefixtures("stubs")
def test_kernels_that_cannot_be_taken(make: Callable[..., BundleReport], sealed: Path, tmp_path: Path) -> None:
    table = read_table(str(sealed))
    place = sealed / library_name("x86-64-v2", table["x86-64-v2"])
    for change, said in (
        (lambda: place.write_bytes(b"other"), "damaged"),
        (place.unlink, "cannot be read"),
        (
            lambda: write_table(str(sealed), {"x86-64-v3": table["x86-64-v3"]}),
            "x86-64-v4-vnni, x86-64-v2, which x86_64",
        ),
        (lambda: write_table(str(sealed), {**table, "source": "another"}), "source has changed"),
        (lambda: (sealed / "table.txt").write_bytes(b"\xff"), "damaged"),
        (lambda: shutil.rmtree(sealed), "no sealed kernels"),
    ):
        change()
        message = refused(make, coldseek.BundleError, tmp_path)
        assert said in message
        assert "coldseek kernels --seal" in message


def test_pip_that_is_missing_or_fails(
    make: Callable[..., BundleReport], wheelhouse: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    next(wheelhouse.glob("msgpack*x86_64.whl")).unlink()
    message = refused(make, coldseek.BundleError, tmp_path)
    assert f"pip cannot fetch msgpack=={version('msgpack')}, PyStemmer==" in message
    assert f"No matching distribution found for msgpack=={version('msgpack')}" in message
    with monkeypatch.context() as patched:
        patched.setattr(wheels, "find_spec", lambda _: None)
        assert "ensurepip" in refused(make, coldseek.BundleError, tmp_path)
    monkeypatch.setattr(wheels, "RUNTIME", ("msgpack", "no-such-package"))
    assert "'no-such-package' is not installed" in refused(make, coldseek.BundleError, tmp_path)


@pytest.mark.usefixtures("ordinary_permissions", "stubs")
def test_a_folder_that_cannot_be_written(make: Callable[..., BundleReport], tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o555)
    assert "cannot be written: Permission denied" in refused(lambda: make("closed/out"), coldseek.BundleError, tmp_path)
    assert "cannot be written" in refused(lambda: make("a.md/out"), coldseek.BundleError, tmp_path)
