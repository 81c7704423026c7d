"""Sealing: what a library holds and needs, the same bytes each time, and what is said where it cannot be done."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from coldseek_core.errors import KernelError
from coldseek_core.kernels import linker, sealing
from coldseek_core.kernels.elf_symbols import dynamic_symbols
from coldseek_core.kernels.levels import levels_of, machine
from coldseek_core.kernels.sealed_files import MODULE, SOURCE, TABLE, digest_of, read_table, source_digest, write_table
from coldseek_core.kernels.signatures import SIGNATURES
from kernels.fresh_process import CORE, environment, run

# Instructions that round a multiplication and an addition once together: results would not be the same everywhere.
FUSED = re.compile(r"\bv?fn?m(add|sub|addsub|subadd)\d*[sp][sd]\b|\bfn?m(add|sub|la|ls)\b")


def test_library_exports_the_kernels_and_needs_nothing_but_memory_functions_and_python(sealed_libraries: Path) -> None:
    libraries = list(sealed_libraries.glob("*.so"))
    assert len(libraries) == len(levels_of(machine()))
    for library in libraries:
        data = library.read_bytes()
        exported, undefined = dynamic_symbols(data)
        assert exported >= {f"coldseek_{name}" for name in SIGNATURES}
        assert all(name.startswith("coldseek_") for name in exported - {f"PyInit_{MODULE}"})
        assert {name for name in undefined if not name.startswith("Py")} <= {"memset", "memcpy", "memmove"}
        for left in (b"numba", b"Numba", b".symtab", b".comment", b"libc.so", b"libm", str(CORE).encode(), b"/tmp"):
            assert left not in data, (library.name, left)


def test_nothing_is_fused(sealed_libraries: Path) -> None:
    if shutil.which("objdump") is None:
        pytest.skip("there is no objdump (Debian: binutils)")
    for library in sealed_libraries.glob("*.so"):
        listing = subprocess.run(["objdump", "-d", library], capture_output=True, text=True, check=True).stdout
        assert "sqrtsd" in listing or "fsqrt" in listing
        assert not FUSED.search(listing), library.name


@pytest.mark.parametrize(
    "line", ["vfmadd213sd %xmm1,%xmm2,%xmm0", "vfnmsub231pd", "fmadd d0, d1, d2, d3", "fmla v0.2d"]
)
def test_fused_instructions_are_recognised(line: str) -> None:
    assert FUSED.search(f"  10: c4 e2 {line}")


@pytest.mark.slow
def test_same_bytes_whatever_numba_is_told(
    sealed_libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings of the one who builds must not get into what others run."""
    told = {"CPU_NAME": "znver3", "CPU_FEATURES": "+fma", "OPT": "1", "NUM_THREADS": "8", "BOUNDSCHECK": "1"}
    for name, value in told.items():
        monkeypatch.setenv(f"NUMBA_{name}", value)
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    Path(".numba_config.yaml").write_text("opt: 2\nboundscheck: 1\n")
    made = sealing.seal(machine(), Path("..", "sealed"), installed=True)
    assert {path.name: path.read_bytes() for path in made} == {
        path.name: path.read_bytes() for path in sealed_libraries.glob("*.so")
    }
    assert (tmp_path / "sealed" / TABLE).read_text() == (sealed_libraries / TABLE).read_text()
    assert sorted(path.name for path in (tmp_path / "sealed").iterdir()) == sorted(
        path.name for path in sealed_libraries.iterdir()
    )


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sealing without compiling: a library is a file that names its level."""

    def make(level: str, scratch: Path) -> Path:
        library = scratch / f"{level}.so"
        library.write_text(level)
        return library

    monkeypatch.setattr(sealing, "_make_library", make)


@pytest.mark.usefixtures("quick")
def test_libraries_of_other_machines_stay_until_the_source_changes(tmp_path: Path) -> None:
    sealing.seal("aarch64", tmp_path)
    made = sealing.seal("x86_64", tmp_path)
    table = read_table(str(tmp_path))
    assert table.keys() == {SOURCE, *levels_of("x86_64"), *levels_of("aarch64")}
    assert [path.read_text() for path in made] == levels_of("x86_64")
    assert len(list(tmp_path.glob("*.so"))) == 5
    write_table(str(tmp_path), table | {SOURCE: digest_of(b"another source")})
    (tmp_path / "x86-64-v1-0123456789abcdef.so").write_text("left behind")
    sealing.seal("x86_64", tmp_path)
    assert read_table(str(tmp_path)).keys() == {SOURCE, *levels_of("x86_64")}
    assert sorted(path.read_text() for path in tmp_path.glob("*.so")) == sorted(levels_of("x86_64"))
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.usefixtures("quick")
def test_table_of_an_installed_copy_leaves_the_source_out(tmp_path: Path) -> None:
    sealing.seal("aarch64", tmp_path)
    sealing.seal("x86_64", tmp_path, installed=True)
    assert read_table(str(tmp_path)).keys() == {*levels_of("x86_64"), *levels_of("aarch64")}


@pytest.mark.usefixtures("quick")
def test_source_that_changes_meanwhile_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digests = iter([source_digest(), digest_of(b"changed")])
    monkeypatch.setattr(sealing, "source_digest", lambda: next(digests))
    with pytest.raises(KernelError, match="changed while they were sealed"):
        sealing.seal("x86_64", tmp_path)
    assert not (tmp_path / TABLE).exists()


@pytest.mark.parametrize("kind", ["", "riscv64", "x86-64"])
def test_unknown_kind_of_machine_is_an_error(kind: str, tmp_path: Path) -> None:
    with pytest.raises(KernelError, match="there are no CPU levels of"):
        sealing.seal(kind, tmp_path / "sealed")
    assert not (tmp_path / "sealed").exists()


@pytest.mark.parametrize("kind", ["x86_64", "aarch64"])
def test_without_a_linker_the_error_says_what_to_install(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(linker, "find_spec", lambda _: None)
    with pytest.raises(KernelError, match=r"no linker for .*binutils.*pip install ziglang"):
        linker.link(kind, [], tmp_path / "library.so")


@pytest.mark.parametrize("script", ["echo bad object >&2; exit 3", "exit 0"])
def test_failing_linker_is_a_clear_error(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "aarch64-linux-gnu-ld").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "aarch64-linux-gnu-ld").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(KernelError, match=r"the linker .*aarch64-linux-gnu-ld failed"):
        linker.link("aarch64", [], tmp_path / "library.so")


def test_without_numba_the_error_names_the_extra(tmp_path: Path) -> None:
    stub = tmp_path / "stub" / "numba"
    stub.mkdir(parents=True)
    (stub / "__init__.py").write_text("raise ModuleNotFoundError('No module named numba')")
    code = """
from pathlib import Path
from coldseek_core import errors
from coldseek_core.kernels import levels, sealing
try:
    sealing.seal(levels.machine(), Path("sealed"))
except errors.KernelError as error:
    print(error)
"""
    variables = environment(tmp_path, PYTHONPATH=f"{stub.parent}:{CORE}")
    status, output, errors = run(code, variables, tmp_path)
    assert (status, errors) == (0, "")
    assert "coldseek[build]" in output
    assert list((tmp_path / "sealed").iterdir()) == []
