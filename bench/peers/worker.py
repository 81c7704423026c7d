"""One contender in a process of its own, on one core: writes its index, or opens that and answers.

    python -c "from peers.worker import main; main()" build|ask KIND NAME DATA INDEX

Prints its figures as one line of JSON: seconds and bytes. Imports little, so that memory is the contender's.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from peers.contender import Contender, Peer, contender_of

WARM_UP = 10
WARM_UP_SECONDS = 5.0
ROUNDS = 5
OPENINGS = 5
# After so many seconds no further question is asked, if there are times enough for a 99th percentile.
MOST_SECONDS = 2.0 if os.environ.get("COLDSEEK_BENCH_CHUNKS") else 20.0
FEWEST_TIMES = 100
# Of who takes seconds for a question, a median is enough.
MOST_SECONDS_OF_ALL = 3 * MOST_SECONDS
FEWEST_TIMES_OF_ALL = 9
THREAD_SETTINGS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "TOKIO_WORKER_THREADS",
    "LANCE_CPU_THREADS",
)


def seconds_of(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def of_process(*names: str) -> dict[str, int]:
    """Fields of /proc/self/status: sizes in bytes, others as they are."""
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        fields = dict(line.split(":", 1) for line in status)
    values = {name: fields[name].split() for name in names}
    return {name: int(value[0]) * (1024 if value[1:] == ["kB"] else 1) for name, value in values.items()}


def build(contender: Contender, data: Path, index: Path) -> dict[str, Any]:
    from peers.dataset import read_texts, read_vectors

    source = read_texts(data) if contender.kind == "keywords" else read_vectors(data)
    peer = contender.peer()
    seconds = seconds_of(lambda: peer.build(source, index))
    return {"build": seconds, "indexBytes": peer.index_bytes(index), "buildPeak": of_process("VmHWM")["VmHWM"]}


def ask(contender: Contender, data: Path, index: Path) -> dict[str, Any]:
    if contender.kind == "keywords":
        asked = [text for text, _ in json.loads((data / "asked_texts.json").read_text(encoding="utf-8"))]
    else:
        asked = json.loads((data / "asked_vectors.json").read_text(encoding="utf-8"))
    before = of_process("RssAnon")["RssAnon"]
    begin = time.perf_counter()
    peer = contender.peer()
    imported = time.perf_counter()
    peer.open(index)
    opened = time.perf_counter()
    questions = [peer.question(one) for one in asked]
    first = seconds_of(lambda: peer.top(questions[0]))
    figures: dict[str, Any] = {"import": imported - begin, "firstOpen": opened - imported, "firstAnswer": first}
    figures.update(answer(peer, questions))
    after = of_process("RssAnon", "VmHWM", "Threads")
    figures.update(privateGrowth=after["RssAnon"] - before, askPeak=after["VmHWM"], threads=after["Threads"])
    figures["openings"] = reopen(peer, index)
    return figures


def answer(peer: Peer, questions: list[Any]) -> dict[str, Any]:
    """Seconds of each answer, round after round; those that the processor worked for us, in all threads; rows found."""
    begin = time.perf_counter()
    for question in questions[:WARM_UP]:
        if time.perf_counter() - begin < WARM_UP_SECONDS:
            peer.top(question)
    times: list[float] = []
    worked: list[float] = []
    found: list[list[int]] = []
    begin = time.perf_counter()
    while len(times) < ROUNDS * len(questions):
        spent = time.perf_counter() - begin
        if spent > MOST_SECONDS and len(times) >= FEWEST_TIMES:
            break
        if spent > MOST_SECONDS_OF_ALL and len(times) >= FEWEST_TIMES_OF_ALL:
            break
        question = questions[len(times) % len(questions)]
        before = time.process_time()
        start = time.perf_counter()
        rows = peer.top(question)
        times.append(time.perf_counter() - start)
        worked.append(time.process_time() - before)
        if len(found) < len(questions):
            found.append([int(row) for row in rows])
    return {"times": times, "processorTimes": worked, "found": found}


def reopen(peer: Peer, index: Path) -> list[float]:
    """Seconds of several openings in a process that has done it before."""
    times: list[float] = []
    while len(times) < OPENINGS and sum(times) < MOST_SECONDS:
        peer.close()
        times.append(seconds_of(lambda: peer.open(index)))
    peer.close()
    return times


def main() -> None:
    step, kind, name, data, index = sys.argv[1:]
    # Before anything is imported: thread pools are made for the cores that a process may use.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ.update(dict.fromkeys(THREAD_SETTINGS, "1"))
    steps = {"build": build, "ask": ask}
    print(json.dumps(steps[step](contender_of(kind, name), Path(data), Path(index))))


if __name__ == "__main__":
    main()
