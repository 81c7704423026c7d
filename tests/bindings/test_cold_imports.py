"""What importing, opening and searching load: nothing heavy outside the kernels; and what says a missing package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import coldseek
import coldseek_core

PATHS = [str(Path(module.__file__ or "").parent.parent) for module in (coldseek, coldseek_core)]
ALLOWED = {
    "sys",
    "os",
    "gc",
    "_thread",
    "mmap",
    "Stemmer",
    "time",
    "errno",
    "coldseek",
    "coldseek_core",
}
BAN = (
    "numpy numba llvmlite pyarrow re json typing dataclasses logging asyncio pathlib inspect hashlib unicodedata "
    "msgpack datetime collections ctypes struct"
)

IMPORT = """
import sys
sys.path[:0] = {paths!r}
import gc, Stemmer, mmap, _blake2
before = set(sys.modules)
import coldseek
print(*sorted(set(sys.modules) - before))
"""

# Every import statement that code of ours executes, whatever is loaded already; on the JIT the kernels need Numba.
SEARCH = """
import builtins, sys
sys.path[:0] = {paths!r}
real, seen = builtins.__import__, set()
def spy(name, globals=None, locals=None, fromlist=(), level=0):
    importer = (globals or {{}}).get("__name__", "")
    if importer.startswith("coldseek") and not importer.startswith("coldseek_core.kernels.") and level == 0:
        seen.add(importer + " " + name.partition(".")[0])
    return real(name, globals, locals, fromlist, level)
builtins.__import__ = spy
import coldseek
with coldseek.open({index!r}) as index:
    index.search("copper kettle", filter={{"metadata": {{"locale": "en"}}}}).to_dict()
    some = {{"metadata": {{"locale": {{"nin": ["ja"]}}}}, "filename": "a.md", "phrase": "copper kettle"}}
    assert index.search("copper kettle", filter=some).hits
    assert not index.search("copper kettle", filter={{"metadata": {{"locale": {{"gte": "2026-05-01"}}}}}}).hits
    index.search("copper", highlight=True, explain=True, expand=1, max_per_document=1, score_threshold=0.1).to_dict()
    index.search("延迟 ERR-7741X \U0001f9ed", mode="lexical")
    index.retrieve("copper").to_dict()
    index.retrieve("zebra crossing").to_dict()
    index.info()
print(*sorted(seen), sep=";")
"""

MISSING = """
import sys
sys.path[:0] = {paths!r}
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {package!r}:
            raise ModuleNotFoundError("No module named " + repr(name), name=name)
sys.meta_path.insert(0, Blocked())
import coldseek
try:
    {call}
except coldseek.ColdseekError as error:
    print(type(error).__name__, error)
"""


def run(script: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-c", script],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cold")
    (folder / "a.md").write_text("---\nlocale: en\n---\n# Kettles\n\ncopper kettle\n")
    coldseek.build([folder / "a.md"], folder / "i", embedder="mock")
    return folder


def test_importing_loads_our_own_modules_only() -> None:
    loaded = run(IMPORT.format(paths=PATHS)).split()
    assert "coldseek_core.search.engine" in loaded
    assert [name for name in loaded if not name.startswith("coldseek")] == []
    for needed in ("details", "filling", "highlighting", "explanation", "neighbors", "document_filter"):
        assert f"coldseek_core.search.{needed}" not in loaded
    for heavy in ("ingest", "quality", "columns.writer", "columns.check", "kernels.jit"):
        assert not any(name.startswith(f"coldseek_core.{heavy}") for name in loaded)
    assert not any(name.startswith("coldseek.cli") for name in loaded)


def test_a_search_imports_nothing_heavy_outside_the_kernels(folder: Path) -> None:
    pairs = [pair.split(" ") for pair in run(SEARCH.format(paths=PATHS, index=str(folder / "i"))).split(";")]
    assert {importer for importer, _ in pairs} >= {"coldseek.index", "coldseek_core.columns.mapping"}
    assert [pair for pair in pairs if pair[1] not in ALLOWED] == []
    assert [pair for pair in pairs if pair[1] in BAN.split()] == []


@pytest.mark.parametrize("package", ["numpy", "pyarrow", "markdown_it", "yaml"])
def test_a_missing_package_names_the_extra(folder: Path, package: str) -> None:
    call = f"coldseek.build([{str(folder / 'a.md')!r}], {str(folder / 'x')!r})"
    said = run(MISSING.format(paths=PATHS, package=package, call=call))
    assert "coldseek[build]" in said
    assert said.split()[0] == "MissingExtraError"
    assert "\n" not in said


def test_evaluating_without_yaml_names_the_extra() -> None:
    call = "coldseek.evaluate(None, 'q.yaml')"
    assert run(MISSING.format(paths=PATHS, package="yaml", call=call)).startswith("MissingExtraError")


@pytest.mark.parametrize("call", ["coldseek.open({index!r})", "coldseek.build([{source!r}], {output!r})"])
def test_the_jit_without_numba_is_one_clear_error(folder: Path, call: str) -> None:
    call = call.format(index=str(folder / "i"), source=str(folder / "a.md"), output=str(folder / "x"))
    said = run(MISSING.format(paths=PATHS, package="numba", call=call), COLDSEEK_CPU_LEVEL="jit")
    assert said.split()[0] == "KernelError"
    assert "coldseek[build]" in said
    assert "\n" not in said


@pytest.mark.parametrize("package", ["pyarrow", "yaml", "markdown_it"])
def test_searching_needs_no_build_package(folder: Path, package: str) -> None:
    call = f"print(len(coldseek.open({str(folder / 'i')!r}).search('copper').hits))"
    assert run(MISSING.format(paths=PATHS, package=package, call=call)) == "1"
