"""Publishes to a disk that is too small by ever less; prints what went wrong, then `done`.

    unshare --user --map-root-user --mount python filling.py SCRATCH

Run it in mount and user namespaces of its own: the disk is a tmpfs whose size and number of files are set anew for each
attempt, so that each write, each new file and each new folder is once the one for which there is no room.
"""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from coldseek.cli import main as command
from coldseek_core.columns.check import check_files
from coldseek_core.columns.publish import publish
from coldseek_core.errors import IndexFileError
from columns.small_index import first_text, write_with

PAGE = 4096


def mount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)], check=True)


def with_bytes(disk: Path, pages: int) -> str:
    status = os.statvfs(disk)
    return f"remount,nr_inodes=0,size={(status.f_blocks - status.f_bfree) * status.f_frsize + pages * PAGE}"


def with_files(disk: Path, files: int) -> str:
    status = os.statvfs(disk)
    return f"remount,size=8m,nr_inodes={status.f_files - status.f_ffree + files}"


def fill(disk: Path, limited: Callable[[Path, int], str], attempt: Callable[[Path], str | None]) -> None:
    """Attempt to publish beside an index that is there, with room for 0, 1, 2... more until it fits.

    `attempt` says how it was refused, or None if it was not.
    """
    mount(disk, "size=8m,nr_inodes=1000")
    root = disk / "i.coldseek"
    publish(root, write_with("older"))
    publish(root, write_with("old"))
    before = sorted(os.listdir(root))
    refused = 0
    while True:
        mount(disk, limited(disk, refused))
        told = attempt(root)
        if told is None:
            break
        if "No space left on device" not in told or "free space" not in told or "\n" in told:
            print(f"{limited.__name__} {refused}: said {told!r}")
        if sorted(os.listdir(root)) != before:
            print(f"{limited.__name__} {refused}: left {sorted(set(os.listdir(root)) - set(before))}")
        if first_text(root) != "old" or check_files(root):
            print(f"{limited.__name__} {refused}: the old index is not whole")
        refused += 1
    if refused < 5:
        print(f"{limited.__name__}: only {refused} attempts were refused")
    if first_text(root) == "old" or check_files(root):
        print(f"{limited.__name__}: the new index is not whole")
    subprocess.run(["umount", str(disk)], check=True)


def by_library(root: Path) -> str | None:
    try:
        publish(root, write_with("new"))
    except IndexFileError as error:
        return str(error)
    return None


def by_command(root: Path) -> str | None:
    page = root.parent.parent / "page.md"
    page.write_text("# Kettle\n\nCopper kettle.\n")
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        status = command(["build", str(page), "-o", str(root)])
    return said.getvalue().removeprefix("coldseek: ").rstrip("\n") if status else None


def main(scratch: Path) -> None:
    disk = scratch / "disk"
    disk.mkdir()
    for attempt in (by_library, by_command):
        for limited in (with_bytes, with_files):
            fill(disk, limited, attempt)
    print("done")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
