"""Artefacts that are damaged, and artefacts that somebody planted: nothing of what they hold is run."""

import ctypes
import pickle
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from coldseek_core.kernels.levels import machine
from coldseek_core.kernels.linker import link
from coldseek_core.kernels.sealed_files import TABLE
from serverless.copied_runtime import Runtime, finish

PICKLE = b"cbuiltins\nprint\n(S'planted'\ntR."
ANSWER = """
import coldseek
from asking import answers
try:
    with coldseek.open({index!r}) as index:
        print(answers(index))
except coldseek.ColdseekError as error:
    print(type(error).__name__)
"""
WARNED = ("-W", "always")

# A library that writes as soon as it is loaded.
_LIBRARY = """
target triple = "{triple}"
@message = private constant [8 x i8] c"planted\\0A"
declare i64 @write(i32, ptr, i64)
define internal void @planted() {{
  %written = call i64 @write(i32 1, ptr @message, i64 8)
  ret void
}}
@llvm.global_ctors = appending global [1 x {{ i32, ptr, ptr }}]
  [{{ i32, ptr, ptr }} {{ i32 65535, ptr @planted, ptr null }}]
"""


@pytest.fixture(scope="module")
def planted_library(tmp_path_factory: pytest.TempPathFactory, sealed_libraries: Path) -> Path:
    assert sealed_libraries.is_dir()  # so there is a linker, or this is skipped
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_default_triple()
    module = llvm.parse_assembly(_LIBRARY.format(triple=triple))
    target = llvm.Target.from_triple(triple).create_target_machine(reloc="pic")
    folder = tmp_path_factory.mktemp("planted")
    (folder / "planted.o").write_bytes(target.emit_object(module))
    link(machine(), [folder / "planted.o"], folder / "planted.so")
    return folder / "planted.so"


def answer(runtime: Runtime) -> str:
    return ANSWER.format(index=str(runtime.index))


def test_the_plants_do_something_where_they_are_used(planted_library: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pickle.loads(PICKLE)
    assert capfd.readouterr().out == "planted\n"
    ctypes.CDLL(str(planted_library))
    assert capfd.readouterr().out == "planted\n"


def test_library_that_was_replaced_is_not_loaded(
    runtime_copy: Callable[[], Runtime], expected: str, offered: list[str], planted_library: Path
) -> None:
    runtime = runtime_copy()
    path = runtime.library(offered[0])
    shutil.copy(planted_library, path)
    status, output, errors = runtime.run(answer(runtime), *WARNED)
    assert status == 0
    assert output == (f"{expected}\n" if len(offered) > 1 else "KernelError\n")
    assert f"{path} is damaged" in errors


def test_pickle_or_library_in_the_place_of_every_artefact_at_once(
    runtime_copy: Callable[[], Runtime], planted_library: Path
) -> None:
    for content in (PICKLE, planted_library.read_bytes()):
        runtime = runtime_copy()
        for path in [*runtime.sealed().iterdir(), *(path for path in runtime.index.rglob("*") if path.is_file())]:
            path.write_bytes(content)
        status, output, _ = runtime.run(answer(runtime), *WARNED)
        assert status == 0
        assert output in ("KernelError\n", "CorruptIndexError\n", "NotAnIndexError\n", "FormatVersionError\n")


def test_plants_beside_the_artefacts_and_in_every_cache_are_left_alone(
    runtime_copy: Callable[[], Runtime], expected: str, planted_library: Path, tmp_path: Path
) -> None:
    """Names are those that Numba's cache, a newer coldseek, or a look-up of libraries could have."""
    runtime = runtime_copy()
    kernels, home = runtime.sealed().parent, tmp_path / "home"
    (kernels / "__pycache__").mkdir()
    caches = [home / ".cache" / "coldseek", home / ".cache", home, tmp_path / "xdg" / "coldseek", tmp_path / "tmp"]
    for folder in (*caches, home / ".cache" / "coldseek" / "kernels-0123456789abcdef"):
        folder.mkdir(parents=True, exist_ok=True)
    names = ("postings_top.postings_top-15.py311.nbi", "postings_top.postings_top-15.py311.1.nbc", "cache.pkl")
    libraries = ("x86-64-v4-vnni.so", "x86-64-v5-0000000000000000.so", "aarch64-0000000000000000.so", "libc.so.6")
    for folder in (
        *caches,
        *home.rglob("kernels-*"),
        kernels / "__pycache__",
        kernels,
        runtime.sealed(),
        runtime.index,
    ):
        for name in names:
            (folder / name).write_bytes(PICKLE)
        for name in libraries:
            shutil.copy(planted_library, folder / name)
    variables = {"HOME": str(home), "XDG_CACHE_HOME": str(tmp_path / "xdg"), "TMPDIR": str(tmp_path / "tmp")}
    variables["NUMBA_CACHE_DIR"] = str(tmp_path / "xdg")
    assert runtime.run(answer(runtime), variables=variables) == (0, f"{expected}\n", "")


@pytest.mark.parametrize("level", ["{planted}", "../../{planted}", "file://{planted}", "x86-64-v3\0{planted}"])
def test_a_level_is_a_name_and_never_a_place(runtime: Runtime, planted_library: Path, level: str) -> None:
    if "\0" in level:  # no variable can hold that, but a program can set it
        code = f"import os; os.environ.__class__.get = lambda *_: {level.format(planted=planted_library)!r}"
        status, output, errors = runtime.run(f"{code}\n{answer(runtime)}")
    else:
        status, output, errors = runtime.run(
            answer(runtime), variables={"COLDSEEK_CPU_LEVEL": level.format(planted=planted_library)}
        )
    assert (status, output, errors) == (0, "KernelError\n", "")


@pytest.mark.parametrize("which", ["best library", "all libraries", "table"])
def test_artefacts_cut_to_ten_bytes_and_eight_processes_at_once(
    runtime_copy: Callable[[], Runtime], expected: str, offered: list[str], which: str
) -> None:
    runtime = runtime_copy()
    paths = {
        "best library": [runtime.library(offered[0])],
        "all libraries": [*runtime.sealed().glob("*.so")],
        "table": [runtime.sealed() / TABLE],
    }
    for path in paths[which]:
        path.write_bytes(path.read_bytes()[:10])
    before = {path: path.read_bytes() for path in runtime.site.rglob("*") if path.is_file()}
    processes = [runtime.start(answer(runtime), *WARNED) for _ in range(8)]
    answered = which == "best library" and len(offered) > 1
    for status, output, errors in map(finish, processes):
        assert (status, output) == (0, f"{expected}\n" if answered else "KernelError\n")
        assert re.search(r"RuntimeWarning: sealed kernels are passed over: .*install coldseek again", errors)
    assert before == {path: path.read_bytes() for path in runtime.site.rglob("*") if path.is_file()}
