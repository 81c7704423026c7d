"""A folder of compiled kernels that tests copy and damage."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from kernels.fresh_process import ANSWER, USE_KERNELS, environment, finish, start

# Time limits of single examples say nothing on a machine that others use too.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


@pytest.fixture(scope="session")
def compiled_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose cache two processes filled at once."""
    home = tmp_path_factory.mktemp("home")
    processes = [start(USE_KERNELS, environment(home), home) for _ in range(2)]
    assert [finish(process) for process in processes] == [(0, ANSWER, "")] * 2
    return home


@pytest.fixture
def home_copy(compiled_home: Path, tmp_path: Path) -> Callable[[], Path]:
    """Makes a copy of that home to damage."""
    return lambda: Path(shutil.copytree(compiled_home, tmp_path / "home", symlinks=True))
