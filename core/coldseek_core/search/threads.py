"""Runs independent pieces of work in a few threads and always waits for all of them."""

from _thread import allocate_lock, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable
    from typing import Any, TypeVar

    Value = TypeVar("Value")


def in_threads(work: "Callable[[int], Value]", count: int, threads: int) -> "list[Value]":
    """`[work(0), ..., work(count - 1)]`, made by the calling thread and up to `threads` - 1 others.

    Raises what the lowest piece that failed has raised; after a failure no further piece is begun. No thread outlives
    the call, so that what the caller holds open stays open for all of them. Where no thread can be started, the calling
    thread does the work alone.
    """
    if threads < 2 or count < 2:
        return [work(order) for order in range(count)]
    results: dict[int, Value] = {}
    errors: dict[int, BaseException] = {}
    orders = iter(range(count))  # one step of it is atomic

    def take() -> None:
        for order in orders:
            if errors:
                return
            try:
                results[order] = work(order)
            except BaseException as error:
                errors[order] = error

    running: list[LockType] = []
    try:
        for _ in range(min(threads, count) - 1):
            done = allocate_lock()
            done.acquire()
            try:
                start_new_thread(_run, (take, done))
            except RuntimeError:
                break
            running.append(done)
        take()
    finally:
        interruption = _wait_for(running)
    if interruption is not None:
        raise interruption
    if errors:
        raise errors[min(errors)]
    return [results[order] for order in range(count)]


def _run(take: "Callable[[], None]", done: "Any") -> None:
    try:
        take()
    finally:
        done.release()


def _wait_for(running: "list[LockType]") -> "BaseException | None":
    """Wait, whatever interrupts; the interruption is returned."""
    interruption: BaseException | None = None
    for done in running:
        while True:
            try:
                done.acquire()
                break
            except BaseException as error:
                interruption = error
    return interruption
