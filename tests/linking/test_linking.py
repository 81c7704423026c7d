"""Modules in one file are what they are in files of their own."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import coldseek
import coldseek_core
from coldseek_core import LinkedModules
from coldseek_core.linking import FILE, LinkError, linked_source

PACKAGES = {module.__name__: Path(module.__file__ or "").parent for module in (coldseek, coldseek_core)}

DESCRIBE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import coldseek
import coldseek_core.search.refusal, coldseek_core.search.recent_filters, coldseek_core.search.word_filter
import coldseek_core.text.unicode_tables
def told(value):
    return [type(value).__name__, *(getattr(value, name, None) for name in ("__module__", "__qualname__", "__doc__"))]
print(json.dumps({
    name: {
        "doc": module.__doc__,
        "file": module.__file__,
        "package": module.__package__,
        "path": list(getattr(module, "__path__", [])),
        "names": {
            key: told(value) for key, value in vars(module).items()
            if key not in ("__builtins__", "__spec__", "__loader__", "__cached__", "__annotations__")
        },
    }
    for name, module in sys.modules.items() if name.partition(".")[0] in ("coldseek", "coldseek_core")
    and name not in ("coldseek_core", "coldseek_core.linked")
}))
"""

ASK = """
import json, sys
sys.path.insert(0, sys.argv[1])
import coldseek
import coldseek_core.errors
with coldseek.open(sys.argv[2]) as index:
    answers = [index.retrieve(question).to_dict() for question in json.loads(sys.argv[3])]
    try:
        index.search("kettle", top_k=0)
    except coldseek.UsageError as error:
        answers.append(str(error))
for answer in answers[:-1]:
    del answer["latencyMs"]
print(json.dumps([type(coldseek_core.errors.__loader__).__name__, answers]))
"""

QUESTIONS = ["Where is the copper kettle?", "Wie heißt der Kessel?", "Who won the cup?", "鍋", ""]


def run(script: str, *arguments: str) -> Any:
    command = [sys.executable, "-I", "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The packages without the file and with it."""
    folders = tmp_path_factory.mktemp("plain"), tmp_path_factory.mktemp("linked")
    for folder in folders:
        for name, package in PACKAGES.items():
            shutil.copytree(package, folder / name, ignore=shutil.ignore_patterns("__pycache__", FILE))
    (folders[1] / "coldseek_core" / FILE).write_text(linked_source(PACKAGES))
    return folders


def test_modules_are_the_same(folders: tuple[Path, Path]) -> None:
    plain, linked = (run(DESCRIBE, str(folder)) for folder in folders)
    assert plain.keys() == linked.keys()
    assert len(plain) > 40
    for name in plain:
        for module, folder in ((plain[name], folders[0]), (linked[name], folders[1])):
            module["file"] = module["file"].removeprefix(str(folder))
            module["path"] = [path.removeprefix(str(folder)) for path in module["path"]]
        assert plain[name] == linked[name], name


def test_answers_are_the_same(folders: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Kettles\n\nThe copper kettle is on the stove. Der Kessel heißt Egon.\n")
    coldseek.build([tmp_path / "a.md"], tmp_path / "i", embedder="mock")
    plain, linked = (run(ASK, str(folder), str(tmp_path / "i"), json.dumps(QUESTIONS)) for folder in folders)
    assert (plain[0], linked[0]) == ("SourceFileLoader", "LinkedModules")
    assert plain[1] == linked[1]
    assert plain[1][0]["answerable"]
    assert not plain[1][2]["answerable"]


def test_threads_import_at_once(folders: tuple[Path, Path]) -> None:
    script = """
import json, sys, threading
sys.path.insert(0, sys.argv[1])
barrier, found = threading.Barrier(32), []
def work(order):
    barrier.wait()
    if order % 2:
        import coldseek
        found.append(coldseek.UsageError.__module__)
    else:
        from coldseek_core.search.engine import UsageError
        found.append(UsageError.__module__)
threads = [threading.Thread(target=work, args=(order,)) for order in range(32)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(json.dumps(found))
"""
    assert run(script, str(folders[1])) == ["coldseek_core.errors"] * 32


TRICKY = '''"""What a module
  may do."""

import os as system
import os.path
from . import other
from .other import VALUE as taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = "else"

annotated: "int" = 3
declared: "Any"
wide: dict[
    str, int
] = {
    "a": 1,
}
ünïcode: str = "ü"; after: int = 2
text = """
not indented
    indented
""" f"{annotated}\\n" """
end"""
first, (second, *rest) = 1, (2, 3, 4)
for number in range(3):
    square: int = number * number
try:
    raise KeyError("x")
except KeyError as error:
    name = str(error)
finally:
    done = True
with open(__file__) as file:
    lines = sum(1 for line in file if line)
while True:
    counted = [number for number in range(annotated)]
    break
if annotated: one = 1
else: one = 2


def function(value=annotated, *, other=taken):
    """Doc

    of a function."""
    global changed
    changed = value + other

    class Inner:
        kept = value

    return Inner, lambda: annotated


class Thing:
    field: int = annotated
    table = {key: second for key in "ab"}

    def method(self):
        return super().__repr__ is not None and annotated + self.field


made = function()[1]()
thing = Thing().method()
del number
'''


@pytest.fixture
def tricky(tmp_path: Path) -> dict[str, Path]:
    packages = {name: tmp_path / name for name in ("coldseek", "coldseek_core")}
    for package in packages.values():
        package.mkdir()
        (package / "__init__.py").write_text("")
    (tmp_path / "coldseek" / "__init__.py").write_text("from coldseek_core.part import tricky\n")
    (tmp_path / "coldseek_core" / "part").mkdir()
    (tmp_path / "coldseek_core" / "part" / "__init__.py").write_text('"""A package."""\n')
    (tmp_path / "coldseek_core" / "part" / "other.py").write_text("VALUE = 7\n")
    (tmp_path / "coldseek_core" / "part" / "tricky.py").write_text(TRICKY)
    (tmp_path / "coldseek_core" / "part" / "unused.py").write_text("from nowhere import *\n")
    return packages


def shown(value: Any) -> Any:
    return repr(value) if isinstance(value, int | str | list | dict | tuple) else getattr(value, "__qualname__", "")


def test_what_a_module_does_stays_the_same(tricky: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {}
    exec(linked_source(tricky), names)
    modules = names["MODULES"]
    assert list(modules) == ["coldseek_core.part", "coldseek_core.part.other", "coldseek_core.part.tricky"]
    folder = str(tricky["coldseek"].parent) + "/"
    found: list[dict[str, Any]] = []
    for linked in (False, True):
        for name in [name for name in sys.modules if name.partition(".")[0] in tricky]:
            monkeypatch.delitem(sys.modules, name)
        if linked:
            monkeypatch.setattr(sys, "meta_path", [LinkedModules(folder, modules), *sys.meta_path])
        monkeypatch.syspath_prepend(folder)
        module = __import__("coldseek_core.part.tricky", fromlist=["thing"])
        assert isinstance(module.__loader__, LinkedModules) == linked
        left_out = ("__builtins__", "__spec__", "__loader__", "__cached__", "__annotations__")
        found.append({key: shown(value) for key, value in vars(module).items() if key not in left_out})
        assert module.function()[0].kept == module.changed - 7 == 3
        assert not hasattr(module, "unknown")
    assert found[0] == found[1]
    assert found[1]["text"] == repr("\nnot indented\n    indented\n3\n\nend")
    assert found[1]["thing"] == "6"


@pytest.mark.parametrize(
    "line",
    [
        "from .other import *",
        "(name := 3)",
        "if (name := 3): pass",
        "from __future__ import annotations",
        "match 1:\n    case name: pass",
    ],
)
def test_what_cannot_be_linked_is_told(tricky: dict[str, Path], line: str) -> None:
    (tricky["coldseek_core"] / "part" / "tricky.py").write_text(line + "\n")
    with pytest.raises(LinkError, match=r"tricky\.py, line 1: "):
        linked_source(tricky)


def test_the_same_each_time(folders: tuple[Path, Path]) -> None:
    """Also of a folder that has the file already, as a wheel has."""
    script = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from coldseek_core.linking import linked_source
print(json.dumps(linked_source({name: Path(sys.argv[1], name) for name in ("coldseek", "coldseek_core")})))
"""
    first, second = (run(script, str(folder)) for folder in folders)
    assert first == second == linked_source(PACKAGES)
    assert str(PACKAGES["coldseek"].parent) not in first
    assert str(folders[1]) not in second


def test_tools_are_told_of_the_modules_own_files(folders: tuple[Path, Path]) -> None:
    script = """
import importlib, importlib.resources, inspect, json, pkgutil, runpy, sys
sys.path.insert(0, sys.argv[1])
import coldseek, coldseek_core, coldseek_core.text, coldseek_core.errors
before = len(sys.meta_path)
importlib.reload(coldseek_core.errors)
importlib.reload(coldseek_core)
assert len(sys.meta_path) == before
resource = importlib.resources.files("coldseek_core.text").joinpath("unicode_14_0.bin").read_bytes()
print(json.dumps([
    inspect.getsource(coldseek_core.errors),
    inspect.getsource(coldseek.Index.close).split(),
    len(resource), resource == pkgutil.get_data("coldseek_core.text", "unicode_14_0.bin"),
    sorted(name for _, name, _ in pkgutil.walk_packages(coldseek_core.text.__path__)),
    sorted(name for name in runpy.run_module("coldseek_core.search.settings") if name.isupper()),
    importlib.util.find_spec("coldseek_core.columns.reader").origin.removeprefix(sys.argv[1]),
]))
"""
    plain, linked = (run(script, str(folder)) for folder in folders)
    assert plain == linked


def test_another_copy_of_a_package_is_left_alone(folders: tuple[Path, Path]) -> None:
    finder = LinkedModules("/somewhere/", {"coldseek_core.errors": (run, "coldseek_core/errors.py", None)})
    assert finder.find_spec("coldseek_core.errors", [str(folders[0] / "coldseek_core")]) is None
    assert finder.find_spec("coldseek_core.errors", ["/somewhere/coldseek_core"]).origin.endswith("core/errors.py")
    assert finder.find_spec("coldseek_core.unknown", ["/somewhere/coldseek_core"]) is None


def test_a_folder_without_sources(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """Compiled files alone, as those who trim a package leave it."""
    for name in PACKAGES:
        shutil.copytree(folders[1] / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "compileall", "-q", "-b", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    for source in tmp_path.rglob("*.py"):
        source.unlink()
    script = """
import json, sys
sys.path.insert(0, sys.argv[1])
import coldseek, coldseek_core.errors
print(json.dumps([type(coldseek_core.errors.__loader__).__name__, coldseek.UsageError.__module__]))
"""
    assert run(script, str(tmp_path)) == ["LinkedModules", "coldseek_core.errors"]


@pytest.mark.parametrize("collecting", [True, False])
def test_the_collector_is_as_it_was(folders: tuple[Path, Path], collecting: bool) -> None:
    script = """
import gc, json, sys
sys.path.insert(0, sys.argv[1])
if sys.argv[2] == "False":
    gc.disable()
import coldseek
print(json.dumps(gc.isenabled()))
"""
    assert run(script, str(folders[1]), str(collecting)) is collecting
