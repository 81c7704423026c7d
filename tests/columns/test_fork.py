"""A forked child closes an index of its own accord: it waits for its own threads, and for nobody else's."""

import os
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from coldseek_core.columns.in_use import Uses
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.columns.values import Column
from coldseek_core.errors import ClosedIndexError, UsageError
from columns.processes import SECONDS, forked, mappings
from columns.small_index import TEXTS

pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")


@contextmanager
def used_by_a_thread(files: IndexFiles) -> Generator[None]:
    """Another thread is inside `in_use` for as long as the block."""
    inside, go_on = threading.Event(), threading.Event()

    def use() -> None:
        with files.in_use():
            inside.set()
            go_on.wait(2 * SECONDS)

    thread = threading.Thread(target=use, daemon=True)
    thread.start()
    assert inside.wait(SECONDS)
    try:
        yield
    finally:
        go_on.set()
        thread.join(SECONDS)


def close_while_a_thread_reads(files: IndexFiles, root: Path) -> None:
    """Close while another thread of this process reads, and check that this waits for it."""
    inside, go_on = threading.Event(), threading.Event()
    seen: list[Any] = []

    def use() -> None:
        try:
            with files.in_use():
                text = files.texts("chunks", "text")
                inside.set()
                while not go_on.wait(0.001):
                    assert list(text) == TEXTS
                with files.in_use():
                    assert files.texts("chunks", "text")[0] == TEXTS[0]
                seen.append("read to the end")
        except BaseException as error:
            seen.append(error)

    user = threading.Thread(target=use, daemon=True)
    user.start()
    assert inside.wait(SECONDS)
    closer = threading.Thread(target=files.close, daemon=True)
    closer.start()
    closer.join(0.05)
    assert closer.is_alive(), "close did not wait"
    assert mappings(root)
    go_on.set()
    for thread in (closer, user):
        thread.join(SECONDS)
        assert not thread.is_alive()
    assert seen == ["read to the end"]
    assert mappings(root) == []
    with pytest.raises(ClosedIndexError), files.in_use():
        pass


def test_a_child_closes_although_the_parent_was_in_use(index: Path) -> None:
    with IndexFiles.open(index) as files, used_by_a_thread(files):

        def run() -> None:
            assert files.texts("chunks", "text")[0] == TEXTS[0]
            files.close()
            assert not mappings(index)

        assert forked(run) == 0
        assert files.texts("chunks", "text")[0] == TEXTS[0], "the parent's index is not the child's"


def test_a_child_waits_for_its_own_threads(index: Path) -> None:
    with IndexFiles.open(index) as files, used_by_a_thread(files):
        assert forked(lambda: close_while_a_thread_reads(files, index)) == 0
        # And so does a child of the child.
        assert forked(lambda: os._exit(forked(lambda: close_while_a_thread_reads(files, index)))) == 0


def test_a_thread_that_forks_inside_a_use_goes_on_using(index: Path) -> None:
    with IndexFiles.open(index) as files:

        def run() -> None:
            with pytest.raises(UsageError, match="call it after"):
                files.close()
            closer = threading.Thread(target=files.close, daemon=True)
            closer.start()
            while not files.closed:
                time.sleep(0.001)
            closer.join(0.05)
            assert closer.is_alive(), "close did not wait"
            assert files.texts("chunks", "text")[0] == TEXTS[0]
            block.__exit__()
            closer.join(SECONDS)
            assert mappings(index) == []

        block = files.in_use()
        with block:
            assert forked(run) == 0
            assert forked(lambda: os._exit(forked(run))) == 0


def test_a_use_is_left_in_a_child_that_closed(index: Path) -> None:
    """As by a generator of a thread of the parent, which the child collects."""
    with IndexFiles.open(index) as files, used_by_a_thread(files):
        uses: Uses = files._uses  # pyright: ignore[reportPrivateUsage]
        (key,) = uses._counts  # pyright: ignore[reportPrivateUsage]

        def run() -> None:
            files.close()
            uses.leave(key)

        assert forked(run) == 0


def test_a_child_closes_what_was_being_closed(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fork comes while a thread of the parent unmaps the files."""
    parent = os.getpid()
    inside, go_on = threading.Event(), threading.Event()
    release = Column.release
    released: list[str] = []

    def slow(column: Column) -> None:
        released.append(column.name)
        if os.getpid() == parent and len(released) == 3:
            inside.set()
            go_on.wait(2 * SECONDS)
        release(column)

    monkeypatch.setattr(Column, "release", slow)
    files = IndexFiles.open(index)
    closer = threading.Thread(target=files.close, daemon=True)
    closer.start()
    assert inside.wait(SECONDS)

    def run() -> None:
        monkeypatch.setattr(Column, "release", release)
        files.close()
        assert mappings(index) == []

    try:
        assert forked(run) == 0
    finally:
        go_on.set()
        closer.join(SECONDS)
    assert mappings(index) == []
