"""Open, ask and close again and again: no handle, no mapping and no private memory is left behind."""

import pytest

from serverless.copied_runtime import Runtime

# Prints, after a warm-up, how many handles, mappings, blocks of Python's memory and KiB of private memory were added.
CODE = """
import gc, os, sys
import coldseek
from asking import QUESTIONS
def once(number):
    with coldseek.open({index!r}) as index:
        index.search(QUESTIONS[number % len(QUESTIONS)]).to_dict()
        index.retrieve(QUESTIONS[number % 5]).to_dict()
def lines(path):
    with open(path, "rb") as file:
        return file.readlines()
def held():
    gc.collect()
    mappings = lines("/proc/self/maps")
    (private,) = [int(line.split()[1]) for line in lines("/proc/self/status") if line.startswith(b"RssAnon")]
    of_index = sum(b".arrow" in line for line in mappings)
    return len(os.listdir("/proc/self/fd")), of_index, len(mappings), sys.getallocatedblocks(), private
for number in range({warm_up}):
    once(number)
before = held()
for number in range({times}):
    once(number)
after = held()
assert before[1] == 0, "the index is mapped after closing"
print(*(now - then for then, now in zip(before, after)))
"""


def check(runtime: Runtime, warm_up: int, times: int) -> None:
    code = CODE.format(index=str(runtime.index), warm_up=warm_up, times=times)
    status, output, errors = runtime.run(code)
    assert (status, errors) == (0, "")
    handles, of_index, mappings, blocks, private = map(int, output.split())
    print(f"{times} openings: {blocks} blocks, {private} KiB of private memory, {mappings} mappings")
    assert (handles, of_index) == (0, 0)
    assert mappings <= 3  # arenas of Python's, which it takes and gives back
    assert blocks <= 300
    assert private <= 700


def test_nothing_grows_with_openings(runtime: Runtime) -> None:
    check(runtime, 200, 500)


@pytest.mark.slow
def test_nothing_grows_with_ten_thousand_openings(runtime: Runtime) -> None:
    check(runtime, 2_000, 10_000)


def test_nothing_is_left_of_openings_that_fail(runtime: Runtime) -> None:
    """A folder that is no index, a level that there is not: both are refused before or after files are mapped."""
    code = f"""
import os
import coldseek
def held():
    with open("/proc/self/maps", "rb") as file:
        return len(os.listdir("/proc/self/fd")), file.read().count(b".arrow")
before = held()
for number in range(300):
    for path, verify in (("/nonexistent", "open"), ({str(runtime.site)!r}, "open"), ({str(runtime.index)!r}, "x")):
        try:
            coldseek.open(path, verify=verify)
        except coldseek.ColdseekError:
            continue
        raise AssertionError(path)
assert held() == before, (held(), before)
"""
    assert runtime.run(code) == (0, "", "")
