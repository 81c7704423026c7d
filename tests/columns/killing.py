"""Kills builds at random moments beside readers; prints what went wrong, then `done`.

    python killing.py SCRATCH KILLS READERS

Builds alternate between two sets of pages; every text of a set names its set, so an answer that mixes generations, or
one that comes from neither, shows. Processes are forked from one that has everything loaded.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

import coldseek

PAGES = 12
_NO_SET = 3


def write_sets(scratch: Path) -> list[Path]:
    folders = [scratch / name for name in ("alpha", "beta")]
    for folder in folders:
        folder.mkdir()
        for number in range(PAGES):
            text = f"# Kettle {number}\n\nCopper kettle {folder.name} number {number}.\n"
            (folder / f"p{number}.md").write_text(text)
    return folders


def build(folder: Path, index: Path) -> None:
    coldseek.build([folder], index, embedder="mock")


def read(index: Path, stop: Path) -> int:
    """Open and ask until `stop` is there. 0: every answer was whole and of one set."""
    answers = 0
    while not stop.exists() or answers == 0:
        with coldseek.open(index) as opened:
            hits = opened.search("copper kettle", top_k=PAGES).hits
        sets = {word for hit in hits for word in ("alpha", "beta") if word in hit.chunk.text}
        if len(hits) != PAGES or len(sets) != 1:
            print(f"a reader got {len(hits)} hits of {sorted(sets)}", flush=True)
            return _NO_SET
        answers += 1
    return 0


def forked(action: "object", *arguments: object) -> int:
    """Process id of a child that runs `action` and exits with what it returns (1 if it raises)."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        status = int(action(*arguments) or 0)  # pyright: ignore
    except BaseException as error:
        print(f"{getattr(action, '__name__', action)} raised {type(error).__name__}: {error}", flush=True)
    finally:
        os._exit(status)


def main(scratch: Path, kills: int, readers: int) -> None:
    rng = random.Random(1)
    index, stop = scratch / "i.coldseek", scratch / "stop"
    folders = write_sets(scratch)
    build(folders[0], index)
    begin = time.monotonic()
    build(folders[1], index)
    longest = time.monotonic() - begin
    reading = [forked(read, index, stop) for _ in range(readers)]
    killed = 0
    for attempt in range(kills):
        process = forked(build, folders[attempt % 2], index)
        time.sleep(rng.uniform(0.0, longest))
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        killed += os.WIFSIGNALED(status)
        # Moments stay spread over all of a build, however busy the machine is.
        longest *= 1.05 if os.WIFSIGNALED(status) else 0.95
        if not os.WIFSIGNALED(status) and os.waitstatus_to_exitcode(status):
            print(f"build {attempt} failed with {os.waitstatus_to_exitcode(status)}", flush=True)
        with coldseek.open(index) as opened:
            if len(opened.search("copper kettle", top_k=PAGES).hits) != PAGES:
                print(f"after kill {attempt} the index is not whole", flush=True)
    stop.touch()
    for process in reading:
        _, status = os.waitpid(process, 0)
        if os.waitstatus_to_exitcode(status):
            print(f"a reader ended with {os.waitstatus_to_exitcode(status)}", flush=True)
    faults = coldseek.verify(index)
    if faults:
        print(f"verification: {faults[0]}", flush=True)
    if killed < kills // 3:
        print(f"only {killed} of {kills} builds were killed before they were done", flush=True)
    print("done")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
