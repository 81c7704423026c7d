"""What a process has mapped, and children that must not hang the tests."""

import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

SECONDS = 10
ROOT = Path(__file__).resolve().parents[2]


def mappings(root: Path) -> list[str]:
    """The lines of this process's memory map that name a file under `root`."""
    return [line for line in Path("/proc/self/maps").read_text().splitlines() if str(root) in line]


def forked(run: Callable[[], object]) -> int:
    """Run something in a forked child: 0 if it returned, 1 if it raised, minus the signal that ended it; a child
    that does not end is killed."""
    child = os.fork()
    if child == 0:
        try:
            run()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        finished, status = os.waitpid(child, os.WNOHANG)
        if finished:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def run_script(name: str, *arguments: object, launcher: Sequence[str] = ()) -> None:
    """Run a script beside this file in a fresh process, which `launcher` starts if given; it must print `done` and
    nothing else."""
    environment = {**os.environ, "PYTHONPATH": ":".join(str(ROOT / name) for name in ("core", "bindings", "tests"))}
    done = subprocess.run(
        [*launcher, sys.executable, str(Path(__file__).with_name(name)), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=1200,
        env=environment,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), (done.stdout[-3000:], done.stderr[-3000:])
