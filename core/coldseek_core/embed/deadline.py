"""Calls that may never come back, given up after a deadline."""

from _thread import allocate_lock, start_new_thread
from os import getpid

from ..errors import EmbedderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Value = TypeVar("Value")

MOST_GIVEN_UP = 4  # calls that were given up and still run; with so many, nothing is asked
MOST_RUNNING = 64  # calls at one time, given up or not


class _Counts:
    """Threads of one process: after a fork the child has none of them, and a lock may have been copied held."""

    __slots__ = ("given_up", "lock", "process", "running")

    def __init__(self) -> None:
        self.process = getpid()
        self.lock = allocate_lock()
        self.running = 0
        self.given_up = 0


class _Call:
    """What a thread makes of what it was asked."""

    __slots__ = ("error", "finished", "given_up", "value")

    def __init__(self) -> None:
        self.value: Any = None
        self.error: BaseException | None = None
        self.finished = False
        self.given_up = False


class DeadlineCalls:
    """Runs calls in threads of their own and waits for each only so long.

    A thread cannot be stopped, so one that is given up runs on; what it returns in the end is dropped. No more than
    MOST_GIVEN_UP of them are left behind by calls one after the other: until one comes back, calls fail at once.
    The threads do not keep the process from ending. Safe for threads and forks.
    """

    def __init__(self) -> None:
        self._counts = _Counts()

    def run(self, name: str, call: "Callable[[], Value]", seconds: float) -> "Value":
        """The result of `call`, or whatever it raises. `name` is the embedder's, for messages.

        Raises EmbedderError if there is none after `seconds`, or too many earlier calls are still running.
        """
        # The context carries what tracing and the like keep in variables of the calling thread.
        from _contextvars import copy_context

        counts = self._enter(name)
        context = copy_context()
        done = allocate_lock()
        done.acquire()
        this = _Call()

        def work() -> None:
            try:
                this.value = context.run(call)
            except BaseException as error:
                this.error = error
            finally:
                _leave(counts, this)
                done.release()

        try:
            start_new_thread(work, ())
        except RuntimeError as error:
            _leave(counts, this)
            raise EmbedderError(f"the embedder {name!r} was not asked: {error}") from error
        try:
            done.acquire(timeout=seconds)
        finally:  # also when the wait is interrupted
            with counts.lock:
                if not this.finished:
                    this.given_up = True
                    counts.given_up += 1
        if this.given_up:
            raise EmbedderError(f"the embedder {name!r} gave no answer within {seconds:.3g} s")
        if this.error is not None:
            raise this.error
        result: Value = this.value
        return result

    def _enter(self, name: str) -> _Counts:
        counts = self._counts
        if counts.process != getpid():
            counts = self._counts = _Counts()
        with counts.lock:
            stalled, running = counts.given_up, counts.running
            if stalled < MOST_GIVEN_UP and running < MOST_RUNNING:
                counts.running += 1
                return counts
        if stalled >= MOST_GIVEN_UP:
            what = f"{stalled} earlier calls have not come back"
        else:
            what = f"{running} calls are running"
        raise EmbedderError(f"the embedder {name!r} is not asked at present: {what}")


def _leave(counts: _Counts, this: _Call) -> None:
    with counts.lock:
        this.finished = True
        counts.running -= 1
        if this.given_up:
            counts.given_up -= 1
