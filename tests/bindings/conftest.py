"""An index that a function answers from, and what a bundle is made of."""

import base64
import hashlib
import os
import sys
import zipfile
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek import aws_lambda
from coldseek.bundle import BundleReport, parts, wheels, write, write_bundle
from coldseek_core.kernels.levels import LEVELS
from coldseek_core.kernels.sealed_files import digest_of, library_name, write_table

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
PAGE = "---\nlocale: en\n---\n# Kettles\n\nA copper kettle boils 湯.\n\n## Care\n\nPolish the copper.\n"


@pytest.fixture(scope="session")
def _lambda_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lambda")
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text(PAGE, encoding="utf-8")
    (folder / "docs" / "b.md").write_text("---\nlocale: ja\n---\n# Pans\n\nAn iron pan, error ERR-7741X.\n")
    coldseek.build([folder / "docs"], folder / "i.coldseek", base_url="/docs", embedder="mock")
    return folder / "i.coldseek"


@pytest.fixture
def lambda_index(_lambda_index: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The index of a function in this process, which has not opened it yet."""
    monkeypatch.setenv("COLDSEEK_INDEX", str(_lambda_index))
    monkeypatch.delenv("LAMBDA_TASK_ROOT", raising=False)
    yield _lambda_index
    for one in aws_lambda._opened:
        one.close()
    aws_lambda._opened.clear()


@pytest.fixture
def bundled_index(tmp_path: Path) -> Path:
    """An index with an older generation, and a file of others, in its folder."""
    (tmp_path / "a.md").write_text("# Kettles\n\nAn iron kettle.\n")
    coldseek.build([tmp_path / "a.md"], tmp_path / "site.coldseek")
    (tmp_path / "a.md").write_text("# Kettles\n\nA copper kettle.\n")
    coldseek.build([tmp_path / "a.md"], tmp_path / "site.coldseek", embedder="mock")
    (tmp_path / "site.coldseek" / "history.msgpack").write_bytes(b"x")
    return tmp_path / "site.coldseek"


@pytest.fixture
def sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout's folder of sealed libraries, whose bytes are not looked into here."""
    folder = tmp_path / "sealed"
    folder.mkdir()
    table: dict[str, str] = {}
    for level in LEVELS:
        table[level] = digest_of(level.encode())
        (folder / library_name(level, table[level])).write_bytes(level.encode())
    write_table(str(folder), table)
    monkeypatch.setattr(parts, "sealed_folder", lambda: str(folder))
    return folder


@pytest.fixture
def wheelhouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All that pip finds: wheels for one module each, named like what the runtime needs, for two kinds of machines."""
    folder = tmp_path / "wheelhouse"
    folder.mkdir()
    for machine in ("x86_64", "aarch64"):
        for name in wheels.RUNTIME:
            write_wheel(folder, name, machine)
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def write_wheel(folder: Path, name: str, machine: str) -> None:
    tag = f"cp{PYTHON.replace('.', '')}-cp{PYTHON.replace('.', '')}-manylinux2014_{machine}"
    base = f"{name.lower()}-{version(name)}"
    files = {
        f"stub_{name}.py": machine,
        f"{base}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version(name)}\n",
        f"{base}.dist-info/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: {tag}\n",
        f"{base}.data/scripts/{name}": "#!python\n",
    }
    rows = [
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip('=')},{len(text)}"
        for path, text in files.items()
    ]
    with zipfile.ZipFile(folder / f"{base}-{tag}.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
        wheel.writestr(f"{base}.dist-info/RECORD", "\n".join([*rows, f"{base}.dist-info/RECORD,,", ""]))


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pip and no compiling, which take most of the time: a file in place of each."""

    def stub(name: str) -> Callable[..., object]:
        return lambda folder, *_: (folder / name).write_text(name)

    monkeypatch.setattr(write, "add_packages", stub("packages"))
    monkeypatch.setattr(write, "compile_python", stub("compiled"))


@pytest.fixture
def make(bundled_index: Path, sealed: Path, tmp_path: Path) -> Callable[..., BundleReport]:
    """Write a bundle for x86-64 of the Python that runs, where not told otherwise."""
    assert sealed.is_dir()

    def made(output: str = "out", **options: Any) -> BundleReport:
        return write_bundle(options.pop("index", bundled_index), tmp_path / output, **{"platform": "x86_64", **options})

    return made
