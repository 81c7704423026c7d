"""Lets `close` wait for what is still reading."""

import _thread
import os

from coldseek_core.errors import ClosedIndexError, UsageError

_POLL_SECONDS = 0.001


class Uses:
    """Counts the running uses of something that will be closed.

    Every thread changes only its own entry of a dict, and registers before it looks whether it is too late;
    the closer says that it is too late before it looks who is there. So one of the two sees the other, and no
    lock is held that a fork could leave locked for ever.
    """

    __slots__ = ("_counts", "_process", "closed")

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self._process = os.getpid()
        self.closed = False

    def enter(self) -> int:
        """Begin a use; returns the key for `leave`. Raises ClosedIndexError, except inside another use of the
        same thread.
        """
        thread = _thread.get_ident()
        count = self._counts.get(thread, 0)
        self._counts[thread] = count + 1
        if self.closed and not count:
            self.leave(thread)
            raise ClosedIndexError("the index was closed; open it again")
        return thread

    def leave(self, thread: int) -> None:
        """End a use that `enter` began."""
        count = self._counts[thread] - 1
        if count:
            self._counts[thread] = count
        else:
            del self._counts[thread]

    def close(self) -> None:
        """Refuse new uses and wait until the running ones are over. Raises UsageError inside a use of the
        same thread.
        """
        if self._counts.get(_thread.get_ident()):
            raise UsageError("close() was called inside a use of its own index, for which it waits; call it after that")
        self.closed = True
        if self._process != os.getpid():
            # The threads of the process that was forked do not run here.
            self._counts.clear()
            self._process = os.getpid()
        pause = _thread.allocate_lock()
        pause.acquire()
        while self._counts:
            pause.acquire(True, _POLL_SECONDS)


class Use:
    """`with` block of one use."""

    __slots__ = ("_thread", "_uses")

    def __init__(self, uses: Uses) -> None:
        self._uses = uses
        self._thread = 0

    def __enter__(self) -> None:
        self._thread = self._uses.enter()

    def __exit__(self, *_: object) -> None:
        self._uses.leave(self._thread)
