"""Whatever texts, tables and vocabularies hold, the kernels stay within their buffers; see test_hostile_columns."""

import subprocess
import sys
from pathlib import Path

import pytest

PROCESS = Path(__file__).with_name("hostile_text.py")
KERNELS = (
    *("tokenise", "enter_terms", "weigh_terms", "count_terms", "join_fields", "place_postings"),
    *("enter_texts", "separate_texts", "pack_postings"),
)
CALLS = 3000


def run(kernel: str, seed: int, calls: int) -> None:
    command = [sys.executable, str(PROCESS), kernel, str(seed), str(calls)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{kernel} ended with status {done.returncode}: {done.stderr[-2000:]}"
    assert done.stdout == "survived\n"


@pytest.mark.parametrize("kernel", KERNELS)
def test_garbage_never_leads_out_of_bounds(kernel: str) -> None:
    run(kernel, 20, CALLS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kernel", KERNELS)
def test_much_more_garbage(kernel: str, seed: int) -> None:
    run(kernel, seed, 4 * CALLS)
