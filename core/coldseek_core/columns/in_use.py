"""Lets `close` wait for what is still reading."""

import _thread
import os

from coldseek_core.errors import ClosedIndexError, UsageError

_POLL_SECONDS = 0.001

# A thread that forks goes on in the child, inside all the uses that it began: (process, thread) of the one thread
# that did, in the processes before this one. No other thread of those runs here.
_forked_from: "frozenset[tuple[int, int]]" = frozenset()
_process = os.getpid()


def _note_fork() -> None:
    global _forked_from, _process
    thread = _thread.get_ident()
    _forked_from = frozenset({*(key for key in _forked_from if key[1] == thread), (_process, thread)})
    _process = os.getpid()


os.register_at_fork(after_in_child=_note_fork)


class Uses:
    """Counts the running uses of something that will be closed.

    Every thread changes only its own entry of a dict, and registers before it looks whether it is too late;
    the closer says that it is too late before it looks who is there. So one of the two sees the other, and no
    lock is held that a fork could leave locked for ever. Entries name their process, because a forked child
    inherits those of threads that do not run in it, and may start threads of the same identity.
    """

    __slots__ = ("_counts", "closed")

    def __init__(self) -> None:
        self._counts: dict[tuple[int, int], int] = {}
        self.closed = False

    def enter(self) -> "tuple[int, int]":
        """Begin a use; returns the key for `leave`, (process, thread). Raises ClosedIndexError, except inside
        another use of the same thread.
        """
        key = (os.getpid(), _thread.get_ident())
        count = self._counts.get(key, 0)
        self._counts[key] = count + 1
        if self.closed and not count and self._of_this_thread() == [key]:
            self.leave(key)
            raise ClosedIndexError("the index was closed; open it again")
        return key

    def leave(self, key: "tuple[int, int]") -> None:
        """End a use that `enter` began, in this process or in the one that forked it."""
        count = self._counts[key] - 1
        if count:
            self._counts[key] = count
        else:
            del self._counts[key]

    def close(self) -> None:
        """Refuse new uses and wait until the running ones of this process are over. Raises UsageError inside a
        use of the same thread.
        """
        if self._of_this_thread():
            raise UsageError("close() was called inside a use of its own index, for which it waits; call it after that")
        self.closed = True
        pause = _thread.allocate_lock()
        pause.acquire()
        while self._running():
            pause.acquire(True, _POLL_SECONDS)

    def _running(self) -> "list[tuple[int, int]]":
        process = os.getpid()
        return [key for key in list(self._counts) if key[0] == process or key in _forked_from]

    def _of_this_thread(self) -> "list[tuple[int, int]]":
        thread = _thread.get_ident()
        return [key for key in self._running() if key[1] == thread]


class Use:
    """`with` block of one use."""

    __slots__ = ("_key", "_uses")

    def __init__(self, uses: Uses) -> None:
        self._uses = uses
        self._key = (0, 0)

    def __enter__(self) -> None:
        self._key = self._uses.enter()

    def __exit__(self, *_: object) -> None:
        self._uses.leave(self._key)
