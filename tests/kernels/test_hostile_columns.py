"""Whatever an index's columns hold, kernels stay within their buffers. A fault kills a process, so each kernel is
called from a process of its own, with every buffer between pages that nobody may touch.
"""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROCESS = Path(__file__).with_name("hostile_process.py")
CALLS = {
    "postings_top": 1200,
    "score_rows": 2000,
    "mark_rows": 2000,
    "scan_top": 2000,
    "scan_many_top": 2000,
    "similarity_rows": 2000,
    "quantise": 2000,
    "stop_words": 1500,
    "front_code": 1500,
}


def run(kernel: str, seed: int, calls: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROCESS), kernel, str(seed), str(calls)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("kernel", CALLS)
def test_garbage_never_leads_out_of_bounds(kernel: str) -> None:
    done = run(kernel, 20, CALLS[kernel])
    assert done.returncode == 0, f"{kernel} ended with status {done.returncode}: {done.stderr[-2000:]}"
    assert done.stdout == "survived\n"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kernel", CALLS)
def test_much_more_garbage(kernel: str, seed: int) -> None:
    done = run(kernel, seed, 4 * CALLS[kernel])
    assert done.returncode == 0, f"{kernel} ended with status {done.returncode}: {done.stderr[-2000:]}"


@pytest.mark.parametrize("kernel", ["fault_before", "fault_behind"])
def test_guards_do_catch_a_read_out_of_bounds(kernel: str) -> None:
    assert run(kernel, 0, 2).returncode == -signal.SIGSEGV
