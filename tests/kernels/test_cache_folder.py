"""Which folder keeps compiled kernels: one that is ours alone, or none; never an error, nothing left elsewhere."""

import os
import pwd
from pathlib import Path
from typing import Any

import pytest

from coldseek_core.kernels import jit


def entries(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the user's own cache nor the project's folder is touched."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def usable() -> Path:
    folder = jit.cache_folder()
    assert folder is not None
    return folder


def test_folder_is_made_closed_and_empty(tmp_path: Path) -> None:
    folder = usable()
    assert folder.parent == tmp_path / "cache" / "coldseek"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert entries(tmp_path) == ["cache", "cache/coldseek", f"cache/coldseek/{folder.name}"]
    assert usable() == folder


def test_home_serves_without_xdg_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (None, ""):
        if value is None:
            monkeypatch.delenv("XDG_CACHE_HOME")
        else:
            monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert usable().parent == tmp_path / "home" / ".cache" / "coldseek"


@pytest.mark.parametrize("base", ["/dev/null", "/dev/null/cache", "/proc/no-such-folder/cache"])
def test_folder_that_cannot_be_made_is_none(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    assert jit.cache_folder() is None


def test_file_in_the_way_is_none(tmp_path: Path) -> None:
    folder = usable()
    folder.rmdir()
    folder.write_text("")
    assert jit.cache_folder() is None
    assert entries(tmp_path)[-1].endswith(folder.name)


def test_folder_that_cannot_be_written_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    usable()

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(Path, "touch", refuse)
    assert jit.cache_folder() is None


@pytest.mark.parametrize("mode", [0o770, 0o720, 0o702, 0o777, 0o1777])
def test_folder_that_others_may_write_is_not_used(mode: int) -> None:
    usable().chmod(mode)
    assert jit.cache_folder() is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_folder_of_somebody_else_is_not_used() -> None:
    os.chown(usable(), 65534, 65534)
    assert jit.cache_folder() is None


def test_user_without_home_and_account_leaves_no_folder_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that runs under an arbitrary user id: "~" names nothing there."""

    def no_account(_: int) -> Any:
        raise KeyError("uid not found")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", no_account)
    jit.cache_folder()
    assert entries(tmp_path) == []


def test_relative_cache_variable_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The XDG Base Directory Specification: paths must be absolute, a relative one is to be ignored."""
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    jit.cache_folder()
    assert not (tmp_path / "cache").exists()


def test_name_changes_with_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    before = usable()
    monkeypatch.setattr(jit.numba, "__version__", "0.0.0")
    assert usable() != before
