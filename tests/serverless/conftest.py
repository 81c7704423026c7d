"""Copied runtimes, one that nobody may write and copies to damage, and what they should answer."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import coldseek
from coldseek_core.kernels.levels import levels_of, machine, offered_levels
from coldseek_core.kernels.sealed_files import open_library, read_table
from kernels.conftest import sealed_libraries as sealed_libraries
from serverless.asking import answers
from serverless.copied_runtime import Runtime, copy_packages, public_python

PAGES = {
    "kettles.md": "---\nprice: 2.5\n---\n# Kettles\n\nA copper kettle boils.\n\n## Care\n\nCopper, max_retry_count.\n",
    "pans.md": "---\nprice: 7\n---\n# Pans\n\nAn iron pan, error ERR-7741X.\n",
    "deploy.md": "# Deploying\n\nDeploy to GitHub Pages: how pages are built, and maxRetryCount.\n",
    "retry.md": "# 重试\n\n延迟重试策略说明。\n",
}


@pytest.fixture(scope="session")
def offered(sealed_libraries: Path) -> list[str]:
    """The levels that this machine offers, best first."""
    lowest = levels_of(machine())[-1]
    return offered_levels(open_library(str(sealed_libraries), lowest, read_table(str(sealed_libraries))))


@pytest.fixture(scope="session")
def small_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("serverless")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    coldseek.build([*folder.glob("*.md")], folder / "i.coldseek", base_url="/docs", embedder="mock")
    return folder / "i.coldseek"


@pytest.fixture(scope="session")
def expected(small_index: Path) -> str:
    """What this process answers, by whichever kernels it has."""
    with coldseek.open(small_index) as index:
        return answers(index)


@pytest.fixture(scope="session")
def runtime(sealed_libraries: Path, small_index: Path) -> Iterator[Runtime]:
    """Nobody writes to this one: not its owner either, by its permissions."""
    python = public_python()
    # pytest's own folders are closed to other users.
    with tempfile.TemporaryDirectory(prefix="coldseek-runtime-") as place:
        root = Path(place)
        copy_packages(root / "site", sealed_libraries)
        shutil.copytree(small_index, root / "i.coldseek")
        for path in (root, *root.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        yield Runtime(root / "site", root / "i.coldseek", python)
        for path in (root, *root.rglob("*")):
            path.chmod(0o755)


@pytest.fixture
def runtime_copy(runtime: Runtime, tmp_path: Path) -> Callable[[], Runtime]:
    """Makes a copy of it to damage."""

    def copy() -> Runtime:
        root = Path(tempfile.mkdtemp(dir=tmp_path))
        shutil.copytree(runtime.site.parent, root / "copy", copy_function=shutil.copyfile)
        for path in root.rglob("*"):
            path.chmod(0o755)
        return Runtime(root / "copy" / "site", root / "copy" / "i.coldseek", runtime.python)

    return copy
