"""A machine that gives a process nothing: no rights, no home, no place to write, no compiler, no JIT."""

import os
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from coldseek_core.kernels.levels import x86_64_levels
from serverless.copied_runtime import Runtime

# Sizes that a runtime may have, its index left out; 6.0 MB when this was written, of which 2.7 are PyStemmer.
RUNTIME_BYTES = 7_000_000

# Notes everything that would write to a file system or start a process, refused or not.
WATCH = """
import os
written = []
def watch(event, arguments):
    if event == "open" and isinstance(arguments[2], int):
        if arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC):
            written.append((event, arguments))
    elif event in ("os.mkdir", "os.rename", "os.remove", "os.symlink", "os.link", "os.truncate", "os.utime"):
        written.append((event, arguments))
    elif event.partition(".")[0] in ("subprocess", "tempfile") or event in ("os.exec", "os.posix_spawn", "os.system"):
        written.append((event, arguments))
sys.addaudithook(watch)
"""
ANSWER = """
import coldseek
from asking import answers
with coldseek.open({index!r}) as index:
    print(answers(index))
"""


def answer(runtime: Runtime) -> str:
    return ANSWER.format(index=str(runtime.index))


def test_another_user_without_home_or_place_to_write(runtime: Runtime, expected: str) -> None:
    code = f"""{WATCH}{answer(runtime)}
assert written == [], written
assert "HOME" not in os.environ
for folder in (sys.path[0], {str(runtime.index)!r}, "/tmp", os.getcwd()):
    try:
        os.mkdir(os.path.join(folder, "x"))
    except OSError:
        continue
    print("could be written:", folder, os.geteuid())
print(os.geteuid(), file=sys.stderr)
"""
    status, output, errors = runtime.run_as_nobody(code)
    assert status == 0, errors
    if os.geteuid() == 0:
        assert (output, errors) == (f"{expected}\n", "65534\n")
    else:  # /tmp cannot be closed without root's rights
        assert [line for line in output.splitlines() if "/tmp" not in line] == [expected]


@pytest.mark.slow
def test_another_user_without_home_or_place_to_write_compiles_in_the_process(runtime: Runtime, expected: str) -> None:
    """The same on the JIT: compiled code is kept nowhere, which is no error."""
    import numba

    installed = Path(numba.__file__).parents[1]
    if not all(path.stat().st_mode & stat.S_IXOTH for path in (installed, *installed.parents)):
        pytest.skip(f"another user may not read {installed}")
    code = f"{answer(runtime)}\nfrom coldseek_core.kernels import load; assert load().level == 'jit'"
    try:
        status, output, errors = runtime.run_as_nobody(code, paths=[installed], variables={"COLDSEEK_CPU_LEVEL": "jit"})
    except PermissionError:
        pytest.skip("another user may not read the packages of this Python")
    assert (status, output, errors) == (0, f"{expected}\n", "")


def test_import_writes_and_compiles_nothing(runtime: Runtime) -> None:
    code = f"""{WATCH}
before = set(sys.modules)
import coldseek
assert written == [], written
assert not any(name.startswith("coldseek_core.kernels.jit") for name in sys.modules)
print("imported")
"""
    assert runtime.run_as_nobody(code) == (0, "imported\n", "")


def test_nothing_heavy_is_imported_or_there(runtime: Runtime) -> None:
    heavy = ["numba", "llvmlite", "pyarrow", "numpy"]
    code = f"""
import coldseek
with coldseek.open({str(runtime.index)!r}) as index:
    assert index.retrieve("copper kettle").answerable
    index.search("copper kettle").to_dict()
heavy = {heavy!r}
assert not set(heavy) & {{name.partition(".")[0] for name in sys.modules}}
from importlib.util import find_spec
print([name for name in heavy if find_spec(name)])
"""
    status, output, errors = runtime.run(code, "-X", "importtime")
    assert (status, output) == (0, "[]\n"), errors
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in errors.splitlines()}
    assert {"coldseek", "coldseek_core", "Stemmer"} <= imported
    assert not imported & set(heavy)


def test_size(runtime: Runtime) -> None:
    files = {path.relative_to(runtime.site): path.stat().st_size for path in runtime.site.rglob("*") if path.is_file()}
    assert sum(files.values()) < RUNTIME_BYTES, sorted(files.items(), key=lambda item: -item[1])[:9]


def test_no_compiler_linker_or_process_at_run_time(runtime: Runtime, expected: str, tmp_path: Path) -> None:
    """Tools that would be found first say that they ran. Deprecated parts of Python are errors, as all warnings are."""
    for name in ("cc", "gcc", "clang", "ld", "ld.lld", "as", "c++", "x86_64-linux-gnu-ld", "ldconfig", "objdump"):
        tool = tmp_path / name
        tool.write_text(f"#!/bin/sh\necho {name} ran >> {tmp_path}/ran\n")
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    code = f"{WATCH}{answer(runtime)}\nassert written == [], written"
    assert runtime.run(code, variables={"PATH": str(tmp_path)}) == (0, f"{expected}\n", "")
    assert not (tmp_path / "ran").exists()
    assert runtime.run(code, variables={"PATH": "/nonexistent"}) == (0, f"{expected}\n", "")


def test_broken_numba_does_not_matter_where_kernels_are_sealed(runtime: Runtime, expected: str, tmp_path: Path) -> None:
    stub = broken_numba(tmp_path)
    assert runtime.run(answer(runtime), paths=(stub,)) == (0, f"{expected}\n", "")


@pytest.mark.parametrize("call", ["coldseek.open(INDEX)", "coldseek.build([INDEX], '/nonexistent/x')"])
def test_broken_numba_and_no_sealed_kernels_is_one_clear_error(
    runtime_copy: Callable[[], Runtime], tmp_path: Path, call: str
) -> None:
    runtime = runtime_copy()
    shutil.rmtree(runtime.sealed())
    code = f"""
import coldseek
INDEX = {str(runtime.index)!r}
for attempt in range(2):
    try:
        {call}
    except coldseek.ColdseekError as error:
        print(type(error).__name__, error)
"""
    status, output, errors = runtime.run(code, paths=(broken_numba(tmp_path),))
    assert (status, errors) == (0, "")
    first, second = output.splitlines()
    assert first == second
    assert "coldseek[build]" in first
    if "open" in call:
        assert first.startswith("KernelError")
        assert "Numba needs NumPy 2.3 or less" in first


def broken_numba(folder: Path) -> Path:
    (folder / "stub" / "numba").mkdir(parents=True)
    (folder / "stub" / "numba" / "__init__.py").write_text("raise ImportError('Numba needs NumPy 2.3 or less')")
    return folder / "stub"


@pytest.mark.parametrize(("name", "value"), [("NUMBA_CPU_NAME", "znver3"), ("NUMBA_CPU_NAME", "skylake-avx512")])
def test_the_name_of_a_cpu_changes_nothing(runtime: Runtime, expected: str, name: str, value: str) -> None:
    """There is nothing to compile with, so an answer shows that nothing was compiled."""
    assert runtime.run(answer(runtime), variables={name: value}) == (0, f"{expected}\n", "")


def test_a_cpu_is_never_asked_for_its_name_or_model() -> None:
    """Leaf 0 beyond its first register is the maker, leaf 1's first register the model, 0x80000002 to 4 the name."""
    asked: set[tuple[int, int, int]] = set()

    def cpuid(leaf: int, subleaf: int, register: int) -> int:
        asked.add((leaf, subleaf, register))
        return 0xFFFFFFFF

    assert len(x86_64_levels(cpuid, lambda _: 0xFFFFFFFF)) == 3
    assert asked
    assert not {(leaf, register) for leaf, _, register in asked if leaf == 0 and register != 0}
    assert not {(leaf, register) for leaf, _, register in asked if (leaf, register) == (1, 0)}
    assert not {leaf for leaf, _, _ in asked if 0x80000002 <= leaf <= 0x80000004}


@pytest.mark.parametrize(
    "settings",
    [
        {"NUMBA_DISABLE_INTEL_SVML": "1", "NUMBA_NUM_THREADS": "2"},
        {"NUMBA_DISABLE_INTEL_SVML": "0", "NUMBA_NUM_THREADS": "8"},
        {"NUMBA_OPT": "0", "NUMBA_DISABLE_JIT": "1", "NUMBA_THREADING_LAYER": "tbb", "NUMBA_CPU_FEATURES": "-avx2"},
        {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "0", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "C", "TZ": "Pacific/Apia", "LD_BIND_NOW": "1", "MALLOC_PERTURB_": "165"},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_other_settings_than_those_of_sealing_give_the_same(
    runtime: Runtime, expected: str, settings: dict[str, str]
) -> None:
    assert runtime.run(answer(runtime), variables=settings) == (0, f"{expected}\n", "")


def test_this_python_would_find_numba_itself() -> None:
    """So that what is absent from the copy is absent because it is a copy."""
    assert any(Path(path, "numba").is_dir() for path in sys.path)
