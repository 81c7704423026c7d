"""Writers beside writers are refused; readers beside writers see one whole generation each."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from coldseek_core.columns.check import check_files
from coldseek_core.columns.publish import publish
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import IndexLockedError
from columns.small_index import first_text, terms_of, write_small_index, write_with


def test_a_second_writer_is_refused_at_once(tmp_path: Path) -> None:
    """Within a process, and from another one."""
    script = (
        "import sys; from pathlib import Path\n"
        "from coldseek_core.columns.publish import publish\n"
        "from coldseek_core.errors import IndexLockedError\n"
        "try: publish(Path(sys.argv[1]), lambda folder: print('ran') or {})\n"
        "except IndexLockedError as error: print(error)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def write(folder: Path) -> dict[str, Any]:
        with pytest.raises(IndexLockedError, match="another process is writing"):
            publish(tmp_path, write_small_index)
        other = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert other.stdout.startswith("another process is writing")
        return write_small_index(folder)

    publish(tmp_path, write)
    publish(tmp_path, write_with("after"))
    assert first_text(tmp_path) == "after"


RACE = """
import os, sys
from pathlib import Path
from coldseek_core.columns.publish import publish
from coldseek_core.errors import IndexLockedError
from coldseek_core.kernels import digest
from columns.small_index import write_with

digest(b"")
root, own = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
published = 0
while published < 6:
    try:
        publish(root, write_with(*[f"{own}{published} {row}" for row in range(5)]))
        published += 1
    except IndexLockedError:
        pass
"""


def test_writers_that_race_publish_one_after_the_other(tmp_path: Path) -> None:
    """Each of three processes publishes six times; whoever is refused tries again. Nothing is ever a mixture."""
    root = tmp_path / "i.coldseek"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, str(root), own],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for own in "abc"
    ]
    try:
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("go\n")
            writer.stdin.flush()
        seen: set[str] = set()
        while any(writer.poll() is None for writer in writers):
            if not (root / "manifest.msgpack").exists():
                continue
            with IndexFiles.open(root) as files:
                column = files.texts("chunks", "text")
                texts = [column.text_at(row) for row in range(len(column))]
            (one,) = {text.split()[0] for text in texts}
            assert texts == [f"{one} {row}" for row in range(5)]
            seen.add(one)
        for writer in writers:
            _, complaints = writer.communicate(timeout=60)
            assert writer.returncode == 0, complaints
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    assert seen
    assert check_files(root) == []
    assert len(os.listdir(root)) == 3, "the current generation, the one before, and the manifest"


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_child_that_was_forked_while_writing_does_not_keep_the_lock(tmp_path: Path) -> None:
    wait, release = os.pipe()
    children: list[int] = []

    def write(folder: Path) -> dict[str, Any]:
        child = os.fork()
        if child == 0:
            os.close(release)
            os.read(wait, 1)
            os._exit(0)
        children.append(child)
        return write_small_index(folder)

    try:
        publish(tmp_path, write)
        publish(tmp_path, write_with("two"))
    finally:
        os.close(release)
        os.close(wait)
        for child in children:
            os.waitpid(child, 0)


def test_readers_beside_rebuilds_see_one_generation_each(tmp_path: Path) -> None:
    """Eight readers open all the time while the index is built again and again: no errors, no mixtures."""
    texts = [[f"{word} {row}" for row in range(5)] for word in ("one", "two", "three", "four")]
    publish(tmp_path, write_with(*texts[0]))
    wrong: list[object] = []
    seen: set[str] = set()
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                with IndexFiles.open(tmp_path) as files:
                    column = files.texts("chunks", "text")
                    found = [column.text_at(row) for row in range(len(column))]
                    words = terms_of(files)
                if found not in texts or found[0].split()[0] not in words:
                    wrong.append(found)
                seen.add(found[0])
        except BaseException as error:
            wrong.append(error)

    readers = [threading.Thread(target=read) for _ in range(8)]
    for reader in readers:
        reader.start()
    try:
        for chosen in texts * 2:
            publish(tmp_path, write_with(*chosen))
    finally:
        done.set()
    for reader in readers:
        reader.join(10)
    assert wrong == []
    assert len(seen) > 1


def test_a_reader_keeps_the_generation_it_opened(tmp_path: Path) -> None:
    publish(tmp_path, write_with("one", "uno"))
    with IndexFiles.open(tmp_path) as files:
        for text in ("two", "three", "four"):
            publish(tmp_path, write_with(text))
        assert list(files.texts("chunks", "text")) == ["one", "uno"]
    assert first_text(tmp_path) == "four"


@pytest.mark.parametrize("times", [1, 4])
def test_a_generation_gone_between_two_reads_is_looked_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """However often that happens: as long as the manifest names another one, there is something to open."""
    import coldseek_core.columns.reader as reader

    publish(tmp_path, write_with("one"))
    real = reader.read_manifest
    reads: list[str] = []

    def slow(folder: str) -> dict[str, Any]:
        body = real(folder)
        reads.append(body["generation"])
        if len(reads) <= times:
            publish(tmp_path, write_with(f"between {len(reads)}"))
            publish(tmp_path, write_with(f"last {len(reads)}"))
        return body

    monkeypatch.setattr(reader, "read_manifest", slow)
    assert first_text(tmp_path) == f"last {times}"
    assert len(set(reads)) == len(reads) == times + 1
