"""The package as it is built: a wheel with sealed kernels for one kind of machine, a checkout with its own, or none."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from coldseek_core.kernels.levels import levels_of, machine
from coldseek_core.kernels.linker import find_linker
from coldseek_core.kernels.sealed_files import SOURCE, digest_of, library_name, read_table

ROOT = Path(__file__).resolve().parents[2]
SEALED = "coldseek_core/kernels/sealed"

pytestmark = pytest.mark.slow

# What an editable install does with our hook; the rest needs another package.
EDITABLE = """
from hatchling.builders.wheel import WheelBuilder
for hook in WheelBuilder(".").get_build_hooks("output").values():
    data = {"force_include": {}}
    hook.initialize("editable", data)
    hook.finalize("editable", data, "")
    print(hook.PLUGIN_NAME, data)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what the package is built from."""
    pytest.importorskip("hatchling")
    copy = tmp_path / "project"
    ignored = shutil.ignore_patterns("__pycache__", "sealed")
    for name in ("core", "bindings", "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, copy)
    return copy


def run(project: Path, *arguments: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def build(project: Path, **variables: str) -> Path:
    """The one wheel that a build gives."""
    output = project.parent / "output"
    run(project, "-m", "hatchling", "build", "-t", "wheel", "-d", str(output), **variables)
    (wheel,) = output.glob("*.whl")
    return wheel


@pytest.mark.parametrize("kind", ["x86_64", "aarch64"])
def test_wheel_has_the_levels_of_one_kind_of_machine(kind: str, project: Path, tmp_path: Path) -> None:
    if find_linker(kind) is None:
        pytest.skip(f"there is no linker for {kind}")
    wheel = build(project, COLDSEEK_WHEEL_MACHINE=kind)
    assert wheel.name.endswith(f"-py3-none-manylinux_2_17_{kind}.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert sum(file.file_size for file in archive.infolist()) < 5_000_000
        archive.extractall(tmp_path / "site")
        tags = [name for name in archive.namelist() if name.endswith("/WHEEL")]
        assert b"Root-Is-Purelib: false" in archive.read(tags[0])
        assert not [name for name in archive.namelist() if "hatch_build" in name]
    folder = tmp_path / "site" / SEALED
    table = read_table(str(folder))
    assert list(table) == sorted(levels_of(kind))
    files = {library_name(level, digest) for level, digest in table.items()}
    assert {path.name for path in folder.iterdir()} == {"table.txt", *files}
    assert all(digest_of((folder / library_name(level, table[level])).read_bytes()) == table[level] for level in table)
    assert not (project / "core" / SEALED).exists()  # a wheel leaves the checkout as it is


def test_editable_install_seals_in_the_checkout(project: Path) -> None:
    if find_linker(machine()) is None:
        pytest.skip("there is no linker for this machine")
    assert run(project, "-c", EDITABLE) == "custom {'force_include': {}}\n"
    folder = project / "core" / SEALED
    table = dict(line.split() for line in (folder / "table.txt").read_text().splitlines())
    assert set(table) == {SOURCE, "table", *levels_of(machine())}
    libraries = sorted(folder.glob("*.so"))
    assert len(libraries) == len(levels_of(machine()))

    inodes = [library.stat().st_ino for library in libraries]
    run(project, "-c", EDITABLE)
    assert [library.stat().st_ino for library in libraries] == inodes  # they are right, and stay
    libraries[0].write_bytes(libraries[0].read_bytes()[:10])
    run(project, "-c", EDITABLE)
    assert libraries[0].stat().st_size > 10


def test_without_a_linker_the_package_is_built_for_every_machine(project: Path, tmp_path: Path) -> None:
    if shutil.which("ziglang") or find_linker("riscv64"):
        pytest.skip("a linker for every machine is installed")
    (tmp_path / "nothing").mkdir()
    wheel = build(project, PATH=str(tmp_path / "nothing"))
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.startswith(f"{SEALED}/")]
