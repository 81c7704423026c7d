"""Private memory of opening an index and asking one question, in a process that does nothing else.

    python bench/memory.py INDEX QUESTION.json

QUESTION.json holds `text` and `vector`. Prints JSON: bytes by which RssAnon (private) and RssFile (mapped files, shared
with other processes) grew. The kernels are loaded before, as in a process that serves more than one index.
"""

import gc
import json
import sys
from pathlib import Path

import coldseek
from coldseek_core import kernels


def resident() -> dict[str, int]:
    """RssAnon and RssFile of this process, in bytes."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines())
    return {name: int(fields[name].split()[0]) * 1024 for name in ("RssAnon", "RssFile")}


def main() -> None:
    folder, question_file = sys.argv[1:]
    question = json.loads(Path(question_file).read_text(encoding="utf-8"))
    kernels.load()
    gc.collect()
    before = resident()
    with coldseek.open(folder) as index:
        index.retrieve(question["text"], vector=question["vector"])
        after = resident()
    print(json.dumps({name: after[name] - before[name] for name in before}))


if __name__ == "__main__":
    main()
