"""A disk that gets full at any write: the old index is whole, nothing half-written stays, and the error says why."""

import os
import resource
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from coldseek_core.columns.check import check_files
from coldseek_core.columns.publish import publish
from coldseek_core.errors import IndexFileError
from columns.processes import forked, run_script
from columns.small_index import first_text, write_with

OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")


def test_a_disk_without_room_for_each_write_and_each_file(tmp_path: Path) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("mounting a small disk needs the command unshare")
    allowed = subprocess.run([*OWN_MOUNTS, "mount", "-t", "tmpfs", "tmpfs", str(tmp_path)], capture_output=True)
    if allowed.returncode:
        pytest.skip("this system lets nobody mount a small disk in a namespace")
    run_script("filling.py", tmp_path, launcher=OWN_MOUNTS)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_limit_of_the_files_size_that_each_file_meets(tmp_path: Path) -> None:
    """Needs no disk of its own: the system refuses what goes beyond so many bytes of a file."""
    root = tmp_path / "i.coldseek"
    publish(root, write_with("older"))
    publish(root, write_with("old"))
    before = sorted(os.listdir(root))
    largest = max(path.stat().st_size for path in root.rglob("*") if path.is_file())

    def refused_at_every_limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        for limit in range(0, largest - 100, 200):
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
            with pytest.raises(IndexFileError, match=r"cannot be written: File too large; check .* the free space"):
                publish(root, write_with("new"))
            assert sorted(os.listdir(root)) == before
            assert first_text(root) == "old"
        assert check_files(root) == []

    assert forked(refused_at_every_limit) == 0
    publish(root, write_with("new"))
    assert first_text(root) == "new"
