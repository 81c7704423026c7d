"""close() waits for what runs, leaves nothing mapped, and what was read stays good."""

import gc
import os
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coldseek_core.columns.in_use import Uses
from coldseek_core.columns.mapping import MappedFile
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import ClosedIndexError, CorruptIndexError, UsageError
from columns.forged import forge
from columns.processes import mappings
from columns.small_index import TEXTS


def descriptors(root: Path) -> list[str]:
    links = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
    return [link for link in links if os.path.exists(link) and str(root) in os.readlink(link)]


def test_close_leaves_no_mapping_and_values_stay_good(index: Path) -> None:
    files = IndexFiles.open(index)
    assert len(mappings(index)) == 6
    text = files.texts("chunks", "text")[2]
    path = files.text_lists("chunks", "heading_path")[2]
    codes = files.codes("vectors", "codes")[1]
    kept: list[Any] = [files.column(file, name) for file in files.manifest["files"] for name in files.columns(file)]
    view = files.numbers("postings", "word").view
    files.close()
    assert mappings(index) == []
    assert descriptors(index) == []
    assert (text, path, list(codes or [])[:1]) == (TEXTS[2], ["Title", "Part 2"], [-122])
    with pytest.raises(ValueError, match="released"):
        view[0]
    for column in kept:
        for use in (
            lambda column=column: column[0],
            lambda column=column: len(column),
            lambda column=column: column.name,
            lambda column=column: column.is_null(0),
        ):
            with pytest.raises(ClosedIndexError, match="open"):
                use()
        with pytest.raises(AttributeError):
            column.no_such_attribute  # noqa: B018
    with pytest.raises(ClosedIndexError):
        files.column("chunks", "text")
    with pytest.raises(ClosedIndexError), files.in_use():
        pass
    assert files.closed
    files.close()


def test_a_kept_slice_goes_when_it_is_dropped(index: Path) -> None:
    files = IndexFiles.open(index)
    rows = files.numbers("postings", "word").view[1:3]
    expected = list(rows)
    files.close()
    assert len(mappings(index)) == 1
    assert list(rows) == expected
    del rows
    gc.collect()
    assert mappings(index) == []


def test_a_kept_array_goes_when_it_is_dropped(index: Path) -> None:
    files = IndexFiles.open(index)
    rows = np.frombuffer(files.numbers("postings", "word").view, np.uint16)
    expected = rows.tolist()
    files.close()
    assert rows.tolist() == expected
    assert len(mappings(index)) == 1
    del rows
    gc.collect()
    assert mappings(index) == []


def test_forgotten_indexes_leave_no_mapping(index: Path) -> None:
    files = IndexFiles.open(index)
    del files
    gc.collect()
    assert mappings(index) == []
    assert descriptors(index) == []


def test_an_index_that_does_not_open_leaves_no_mapping(index: Path) -> None:
    forge(index, lambda body: body["files"]["vectors"].update(size=10**6))
    with pytest.raises(CorruptIndexError):
        IndexFiles.open(index)
    gc.collect()
    assert mappings(index) == []
    assert descriptors(index) == []


def test_the_block_closes(index: Path) -> None:
    with pytest.raises(KeyError), IndexFiles.open(index) as files:
        raise KeyError
    assert files.closed
    assert mappings(index) == []


def test_closing_a_mapped_file_twice(index: Path) -> None:
    path = next(index.glob("*/chunks.arrow"))
    mapped = MappedFile(str(path), path.stat().st_size)
    assert bytes(mapped.view) == path.read_bytes()
    mapped.close()
    mapped.close()
    assert mapped.address == 0


def test_close_waits_for_running_uses(index: Path) -> None:
    files = IndexFiles.open(index)
    inside, go_on, closed = threading.Event(), threading.Event(), threading.Event()
    seen: list[Any] = []

    def use() -> None:
        with files.in_use():
            inside.set()
            go_on.wait(5)
            with files.in_use():
                seen.append(files.texts("chunks", "text")[0])
            seen.append(closed.is_set())

    def close() -> None:
        files.close()
        closed.set()

    user = threading.Thread(target=use, daemon=True)
    closers = [threading.Thread(target=close, daemon=True) for _ in range(3)]
    user.start()
    assert inside.wait(5)
    for closer in closers:
        closer.start()
    while not files.closed:
        time.sleep(0.001)
    assert not closed.wait(0.05)
    with pytest.raises(ClosedIndexError), files.in_use():
        pass
    go_on.set()
    for thread in (user, *closers):
        thread.join(5)
        assert not thread.is_alive()
    assert seen == [TEXTS[0], False]
    assert mappings(index) == []


def test_closing_inside_a_use_is_refused(index: Path) -> None:
    with IndexFiles.open(index) as files:
        with files.in_use(), pytest.raises(UsageError, match="call it after"):
            files.close()
        assert files.texts("chunks", "text")[0] == TEXTS[0]


def test_many_threads_read_while_one_closes(index: Path) -> None:
    """Every read gives the right value or ClosedIndexError."""
    for _ in range(10):
        files = IndexFiles.open(index)
        text = files.texts("chunks", "text")
        wrong: list[object] = []
        start = threading.Barrier(5)

        def read(files: IndexFiles = files, text: Any = text, wrong: Any = wrong, start: Any = start) -> None:
            start.wait()
            try:
                while True:
                    with files.in_use():
                        if [text[row] for row in range(len(TEXTS))] != TEXTS:
                            wrong.append("text")
            except ClosedIndexError:
                pass
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=read, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        start.wait()
        time.sleep(0.002)
        files.close()
        for thread in threads:
            thread.join(5)
        assert wrong == []


def test_a_view_released_under_a_reader_is_a_closed_index(index: Path) -> None:
    """As when `close` comes between a reader's look at a view and its use of it, outside `in_use`."""
    with IndexFiles.open(index) as files:
        columns = [files.column(file, name) for file in files.manifest["files"] for name in files.columns(file)]
        assert len({type(column) for column in columns}) == 6
        for column in columns:
            views = {slot for owner in type(column).__mro__ for slot in getattr(owner, "__slots__", ())}
            held = [view for slot in views if isinstance(view := getattr(column, slot), memoryview)]
            assert held
            for view in held:
                view.release()
            with pytest.raises(ClosedIndexError, match="open the index again"):
                column[0]
            with pytest.raises(ClosedIndexError):
                list(column)
        with pytest.raises(ClosedIndexError):
            files.texts("chunks", "text").text_at(0)


def test_whether_there_is_a_file_is_not_told_after_closing(index: Path) -> None:
    files = IndexFiles.open(index)
    assert files.has("vectors")
    assert bytes(files.file_view("terms")) == next(index.glob("*/terms.arrow")).read_bytes()
    with pytest.raises(UsageError, match="no file 'other'"):
        files.file_view("other")
    files.close()
    with pytest.raises(ClosedIndexError):
        files.has("vectors")
    with pytest.raises(ClosedIndexError):
        files.file_view("terms")


def test_leaving_in_another_thread_ends_the_use_that_was_begun() -> None:
    """A generator may be closed by another thread than the one that ran it."""
    uses = Uses()
    begun = uses.enter()
    thread = threading.Thread(target=uses.leave, args=(begun,))
    thread.start()
    thread.join()
    uses.close()
    with pytest.raises(ClosedIndexError):
        uses.enter()
    uses.close()
