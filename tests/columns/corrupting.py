"""Damages copies of an index at random, in a process of its own: a fault of memory must end it, not the tests.

    python corrupting.py INDEX SCRATCH FIRST_SEED COUNT

Prints a line for each damage that full verification did not name, or that a plain open and question answered with
anything but an answer or a typed error; then `done`.
"""

import random
import shutil
import struct
import sys
import time
from pathlib import Path

import coldseek

QUESTIONS = ("copper kettle", "max_retry_count", "重試策略", "nothing-like-that")
SLOWEST = 10.0  # seconds for an open and four questions, far above what they take


def damage(folder: Path, rng: random.Random) -> str:
    """Change one file's bytes; returns what was done."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
    path = rng.choice(files)
    data = bytearray(path.read_bytes())
    before = bytes(data)
    kind = rng.choice(["cut", "flip", "flips", "swap", "zeros", "garbage", "longer", "offsets", "lie"])
    place = rng.randrange(len(data))
    if kind == "cut":
        del data[place:]
    elif kind == "flip":
        data[place] ^= 1 << rng.randrange(8)
    elif kind == "flips":
        for _ in range(20):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == "swap":
        other = rng.randrange(len(data))
        data[place : place + 8], data[other : other + 8] = data[other : other + 8], data[place : place + 8]
    elif kind == "zeros":
        data[place : place + 64] = bytes(len(data[place : place + 64]))
    elif kind == "garbage":
        data[place : place + 64] = rng.randbytes(len(data[place : place + 64]))
    elif kind == "longer":
        data += rng.randbytes(rng.randrange(1, 100))
    else:  # plausible numbers in place of others: offsets, sizes, ids
        value = rng.choice([0, 1, 255, 2**31, 2**32 - 1, 2**40, 2**63 - 1, len(data)])
        data[place : place + 8] = struct.pack("<Q", value)[: len(data[place : place + 8])]
    if bytes(data) == before:
        data.append(0)
    path.write_bytes(data)
    return f"{kind} at {place} of {path.relative_to(folder)}"


def main(index: Path, scratch: Path, first: int, count: int) -> None:
    for seed in range(first, first + count):
        copy = scratch / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(index, copy)
        done = f"seed {seed}: {damage(copy, random.Random(seed))}"
        try:
            if not coldseek.verify(copy):
                print(f"{done}: not named by verification")
        except coldseek.ColdseekError:
            pass
        except Exception as error:
            print(f"{done}: verification raised {type(error).__name__}: {error}")
        begin = time.monotonic()
        try:
            with coldseek.open(copy) as opened:
                for question in QUESTIONS:
                    opened.search(question)
                    opened.retrieve(question)
        except coldseek.ColdseekError:
            pass
        except Exception as error:
            print(f"{done}: open and question raised {type(error).__name__}: {error}")
        if time.monotonic() - begin > SLOWEST:
            print(f"{done}: slow")
    print("done")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
