"""First use, threads, forks, exits and restores of a cold process, in a copied runtime."""

import pytest

from serverless.copied_runtime import Runtime

OPEN = """
import os, signal, threading
import coldseek
from coldseek_core import kernels
from asking import QUESTIONS, answers
INDEX = {index!r}
signal.alarm(60)  # ends a process that hangs
"""


def code(runtime: Runtime, text: str) -> str:
    return OPEN.format(index=str(runtime.index)) + text


# What each of 32 threads does first in its process: open the index for itself, or ask one that is open.
FIRST_USES = {
    "each its own": "with coldseek.open(INDEX) as index: found.append(answers(index))",
    "one for all": "found.append(answers(shared))",
}


@pytest.mark.parametrize("use", FIRST_USES)
def test_32_threads_ask_first(use: str, runtime: Runtime, expected: str) -> None:
    opened = "shared = coldseek.open(INDEX)" if use == "one for all" else ""
    text = f"""
barrier, found = threading.Barrier(32), []
{opened}
def first():
    barrier.wait()
    {FIRST_USES[use]}
threads = [threading.Thread(target=first) for _ in range(32)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(found) == 32 and len(set(found)) == 1, len(set(found))
print(found[0])
"""
    assert runtime.run(code(runtime, text)) == (0, f"{expected}\n", "")


def test_16_threads_ask_200_questions_each(runtime: Runtime) -> None:
    """Each thread asks in an order of its own; all answers are those that one thread gets."""
    status, output, errors = runtime.run(
        code(
            runtime,
            """
failed = []
with coldseek.open(INDEX) as index:
    alone = [answers(index, [question]) for question in QUESTIONS]
    def ask(number):
        for turn in range(100):  # a question is one search and one retrieve
            place = (number * 7 + turn * (2 * number + 1)) % len(QUESTIONS)
            if answers(index, [QUESTIONS[place]]) != alone[place]:
                failed.append(place)
    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
print(failed)
""",
        )
    )
    assert (status, output, errors) == (0, "[]\n", "")


def test_a_child_of_a_fork_after_the_first_query_answers_and_exits(runtime: Runtime, expected: str) -> None:
    status, output, errors = runtime.run(
        code(
            runtime,
            """
index = coldseek.open(INDEX)
first = answers(index)
child = os.fork()
if child == 0:
    signal.alarm(20)
    sys.exit(0 if answers(index) == first else 1)  # through the interpreter's whole shutdown
assert os.waitpid(child, 0)[1] == 0
assert answers(index) == first
print(first)
""",
        )
    )
    assert (status, output, errors) == (0, f"{expected}\n", "")


def test_children_of_forks_while_threads_ask(runtime: Runtime, expected: str) -> None:
    """Forks fall anywhere into the threads' queries; each child has an index that nobody else uses any more."""
    text = """
index = coldseek.open(INDEX)
first, stop, wrong = answers(index), threading.Event(), []
def ask():
    while not stop.is_set():
        if answers(index) != first:
            wrong.append(1)
threads = [threading.Thread(target=ask) for _ in range(6)]
for thread in threads: thread.start()
for _ in range(25):
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        same = answers(index) == first
        index.close()
        with coldseek.open(INDEX) as again:
            same = same and answers(again) == first
        os._exit(0 if same else 1)
    wrong += [status for status in [os.waitpid(child, 0)[1]] if status]
stop.set()
for thread in threads: thread.join()
assert wrong == [], wrong
print(first)
"""
    # Newer Pythons warn of every fork beside threads.
    status, output, errors = runtime.run(
        code(runtime, text), "-W", "error", "-W", "ignore:This process:DeprecationWarning"
    )
    assert (status, output, errors) == (0, f"{expected}\n", "")


def test_a_process_that_opens_and_asks_exits(runtime: Runtime, expected: str) -> None:
    """With the index left open, closed, or used by a daemon thread."""
    for end in ("", "index.close()", "threading.Thread(target=answers, args=(index,) * 1, daemon=True).start()"):
        text = f"signal.alarm(20)\nindex = coldseek.open(INDEX)\nprint(answers(index))\n{end}\n"
        assert runtime.run(code(runtime, text)) == (0, f"{expected}\n", ""), end


def test_a_restore_on_another_machine_selects_again_and_scores_stay_equal(
    runtime: Runtime, expected: str, offered: list[str]
) -> None:
    """Down to each lesser level and up again, with the index and its kernels in use all the time."""
    machines = [offered[place:] for place in range(len(offered))]
    text = f"""
from coldseek_core.kernels import loader
with coldseek.open(INDEX) as index:
    first, levels = answers(index), [kernels.load().level]
    for machine in {[*machines[1:], *machines[::-1]]!r}:
        loader.offered_levels = lambda library: machine
        kernels.recheck()
        assert answers(index) == first, machine
        levels.append(kernels.load().level)
print(first)
print(levels)
"""
    status, output, errors = runtime.run(code(runtime, text))
    assert (status, errors) == (0, "")
    assert output == f"{expected}\n{[*offered, *offered[::-1]]!r}\n"


def test_a_restore_is_met_by_the_children_of_forks_too(runtime: Runtime, expected: str, offered: list[str]) -> None:
    text = f"""
from coldseek_core.kernels import loader
index = coldseek.open(INDEX)
first = answers(index)
child = os.fork()
if child == 0:
    loader.offered_levels = lambda library: {offered[-1:]!r}
    kernels.recheck()
    os._exit(0 if answers(index) == first and kernels.load().level == {offered[-1]!r} else 1)
assert os.waitpid(child, 0)[1] == 0
print(kernels.load().level, answers(index))
"""
    assert runtime.run(code(runtime, text)) == (0, f"{offered[0]} {expected}\n", "")


def test_a_restore_where_no_level_can_be_had_leaves_no_kernel_in_use(runtime: Runtime) -> None:
    """Code for a CPU that is not there any more would end the process; questions are refused instead."""
    text = """
from coldseek_core.kernels import loader
index = coldseek.open(INDEX)
answers(index)
loader.offered_levels = lambda library: []
for call in (kernels.recheck, lambda: index.search("copper"), lambda: index.retrieve("copper")):
    try:
        call()
        print("answered")
    except coldseek.ColdseekError as error:
        print(type(error).__name__)
"""
    assert runtime.run(code(runtime, text)) == (0, "KernelError\n" * 3, "")
