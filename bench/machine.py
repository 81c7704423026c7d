"""What a run of a benchmark was made on, and where its raw figures go."""

import datetime
import json
import os
import platform
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import coldseek

PACKAGES = ("numpy", "numba", "llvmlite", "pyarrow", "msgpack", "PyStemmer")


def smoke_chunks() -> int | None:
    """The size that COLDSEEK_BENCH_CHUNKS asks for in place of the real ones, for a run that only has to work."""
    wanted = os.environ.get("COLDSEEK_BENCH_CHUNKS")
    return int(wanted) if wanted else None


def machine() -> dict[str, Any]:
    """Processor, cores, memory, versions, date and load of this machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memoryBytes": memory,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "versions": {"coldseek": coldseek.__version__, **{name: version(name) for name in PACKAGES}},
        "loadAverage": os.getloadavg(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def work_of_others() -> float:
    """Seconds that all processors have worked for anything but this process since some moment, to 10 ms or so."""
    values = [int(value) for value in Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]]
    idle = values[3] + values[4]
    return (sum(values) - idle) / os.sysconf("SC_CLK_TCK") - time.process_time()


def write_figures(target: Path | None, began: dict[str, Any], figures: list[dict[str, Any]]) -> None:
    """Keep the raw figures of a run; `began` is what `machine` said before it."""
    if target is not None:
        target.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"machine": began, "figures": figures}, indent=1, ensure_ascii=False)
        target.write_text(text + "\n", encoding="utf-8")


def print_table(head: list[str], rows: list[list[str]]) -> None:
    """A Markdown table on standard output."""
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
