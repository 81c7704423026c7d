"""What a process has mapped, and children that must not hang the tests."""

import os
import signal
import time
import traceback
from collections.abc import Callable
from pathlib import Path

SECONDS = 10


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
