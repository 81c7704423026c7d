"""A writer killed at any step leaves the old index or the new one, whole."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from coldseek_core.columns.check import check_files
from coldseek_core.columns.publish import publish
from coldseek_core.columns.reader import IndexFiles
from columns.small_index import write_small_index

# Forks a child per step; the child publishes and is killed just before its n-th system call that changes the
# disk. Exits with the number of steps after which a child was no longer killed.
SCRIPT = """
import os, shutil, signal, sys
from pathlib import Path
from coldseek_core.columns import publish as module
from columns.small_index import write_small_index
from coldseek_core.kernels import digest

digest(b"")
work = Path(sys.argv[1])

def publish_and_die_at(root, step):
    count = 0
    def counted(real):
        def call(*arguments, **options):
            nonlocal count
            if count == step:
                os.kill(os.getpid(), signal.SIGKILL)
            count += 1
            return real(*arguments, **options)
        return call
    # What is killed is the process, not the machine, so the data need not reach the disk.
    os.fsync = lambda _: None
    for name in ("mkdir", "rename", "fsync", "unlink", "rmdir", "open"):
        setattr(os, name, counted(getattr(os, name)))
    module.publish(root, lambda folder: write_small_index(folder, ["new"]))

step = 0
while True:
    root = work / f"step-{step}"
    shutil.copytree(work / "old", root)
    child = os.fork()
    if child == 0:
        try:
            publish_and_die_at(root, step)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(3)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        print(step)
        sys.exit(0)
    if status != -signal.SIGKILL:
        sys.exit(1)
    step += 1
"""


def test_killed_before_any_step_the_old_or_the_new_index_is_whole(tmp_path: Path) -> None:
    old = tmp_path / "old"
    for text in ("older", "old"):
        publish(old, lambda folder, text=text: write_small_index(folder, [text]))
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    steps = int(run.stdout)
    assert steps > 25
    seen: list[str] = []
    for step in range(steps + 1):
        root = tmp_path / f"step-{step}"
        assert check_files(root) == []
        with IndexFiles.open(root) as files:
            seen.append(files.texts("chunks", "text").text_at(0))
        # The next writer is not held up by what the dead one left, and clears it away.
        publish(root, lambda folder: write_small_index(folder, ["next"]))
        assert not [name for name in os.listdir(root) if name.startswith(".tmp")]
        assert len(os.listdir(root)) == 3
        shutil.rmtree(root)
    assert set(seen) == {"old", "new"}
    assert seen == sorted(seen, reverse=True), "once the new index is there, it stays"
    assert signal.SIGKILL == 9
