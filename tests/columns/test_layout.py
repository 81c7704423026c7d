"""Manifests that lie: whatever they say, an error of the right type comes before anything is mapped or read
wrongly.
"""

import copy
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coldseek_core.columns.layout import check_layout
from coldseek_core.columns.manifest import MANIFEST_NAME, read_manifest
from coldseek_core.columns.publish import publish
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import CorruptIndexError
from columns.forged import forge, read_everything, seal
from columns.small_index import write_small_index

Change = Callable[[dict[str, Any]], object]


def column(file: str, name: str, **values: Any) -> Change:
    return lambda body: body["files"][file]["columns"][name].update(values)


def buffer(file: str, name: str, which: str, span: Any) -> Change:
    return lambda body: body["files"][file]["columns"][name]["buffers"].update({which: span})


LIES: list[tuple[str, Change, str]] = [
    ("no file", lambda body: body["files"].pop("chunks"), "does not name the file chunks"),
    ("file is a list", lambda body: body["files"].update(chunks=[]), "files.chunks is"),
    ("no size", lambda body: body["files"]["chunks"].pop("size"), "files.chunks.size is None"),
    ("size 0", lambda body: body["files"]["chunks"].update(size=0), "offset is"),
    ("size negative", lambda body: body["files"]["chunks"].update(size=-1), "size is -1"),
    ("size a float", lambda body: body["files"]["chunks"].update(size=10.0), "size is 10.0"),
    ("size true", lambda body: body["files"]["chunks"].update(size=True), "size is True"),
    ("size larger", lambda body: body["files"]["chunks"].update(size=2**40), "bytes, the manifest says"),
    ("size huge", lambda body: body["files"]["chunks"].update(size=2**64 - 1), "whole number from 0"),
    ("no checksum", lambda body: body["files"]["chunks"].pop("sha256"), "sha256 is None"),
    (
        "path as file",
        lambda body: body["files"].update({"../chunks": {}}),
        "'../chunks' is no name for a file",
    ),
    ("empty file name", lambda body: body["files"].update({"": {}}), "is no name for a file"),
    ("long file name", lambda body: body["files"].update({"x" * 65: {}}), "is no name for a file"),
    (
        "unknown file missing",
        lambda body: body["files"].update(extra={"size": 9, "sha256": "", "columns": {}}),
        "missing",
    ),
    ("no columns", lambda body: body["files"]["terms"].pop("columns"), "files.terms.columns is None"),
    (
        "no column",
        lambda body: body["files"]["terms"]["columns"].pop("df"),
        "does not name the column terms.df",
    ),
    ("column a number", lambda body: body["files"]["terms"]["columns"].update(df=4), r"terms\.df is 4"),
    ("type string_view", column("chunks", "text", type="string_view"), "has the type 'string_view'"),
    ("type utf8", column("chunks", "text", type="utf8"), "has the type 'utf8'"),
    ("type a list", column("chunks", "text", type=["large_utf8"]), "has the type"),
    ("type other", column("chunks", "document", type="int32"), "has the type int32, expected uint32"),
    ("type longer", column("chunks", "document", type="int64"), "rows need"),
    ("length negative", column("chunks", "document", length=-1), "length is -1"),
    ("length longer", column("chunks", "document", length=10**6), "rows need 4000000"),
    ("length huge", column("chunks", "document", length=2**63), "whole number from 0"),
    ("length that would wrap", column("terms", "start", length=2**61), "rows need"),
    ("length shorter", column("chunks", "document", length=1), "has 1 rows, counts say"),
    ("length a float", column("chunks", "document", length=1.5), "length is 1.5"),
    ("nulls where none may be", column("chunks", "text", nulls=1), "buffers.validity"),
    ("nulls over length", column("chunks", "text", nulls=6), "nulls is 6"),
    ("nulls without bitmap", column("documents", "metadata.string.a.b", nulls=1), "buffers.validity"),
    (
        "nulls with bitmap",
        lambda body: (
            column("chunks", "text", nulls=1)(body),
            buffer("chunks", "text", "validity", [0, 8])(body),
        ),
        "has 1 nulls, expected none",
    ),
    ("width negative", column("vectors", "codes", width=-5), "width is -5"),
    ("width 0", column("vectors", "codes", width=0), "width is 0"),
    ("width larger", column("vectors", "codes", width=131_071), "rows need"),
    ("width too large", column("vectors", "codes", width=131_072), "whole number from 0 to 131071"),
    ("width of numbers", column("chunks", "document", width=1), "only fixed_size_list<int8> has a width"),
    ("no buffers", column("chunks", "document", buffers={}), "buffers.values is None"),
    ("buffers a list", column("chunks", "document", buffers=[]), "buffers is"),
    ("span of three", buffer("chunks", "document", "values", [0, 1, 2]), "expected \\[offset, length\\]"),
    ("span a map", buffer("chunks", "document", "values", {}), "expected \\[offset, length\\]"),
    ("offset negative", buffer("chunks", "document", "values", [-8, 32]), "offset is -8"),
    ("offset behind the end", buffer("chunks", "document", "values", [10**6, 32]), "offset is 1000000"),
    ("offset huge", buffer("chunks", "document", "values", [2**64 - 8, 32]), "offset is"),
    ("offset none", buffer("chunks", "document", "values", [None, 32]), "offset is None"),
    ("buffer over the end", buffer("postings", "word", "values", [500, 300]), "length is 300"),
    ("buffer length negative", buffer("chunks", "document", "values", [0, -1]), "length is -1"),
    ("buffer too short", buffer("chunks", "document", "values", [0, 4]), "has 4 bytes"),
    ("text offsets too short", buffer("chunks", "text", "offsets", [0, 40]), "has 40 bytes, 5 rows need 48"),
    (
        "odd child offsets",
        buffer("chunks", "heading_path", "child_offsets", [0, 31]),
        "whole number of 64-bit",
    ),
    ("no count", lambda body: body["counts"].pop("chunks"), "counts.chunks is None"),
    ("count other", lambda body: body["counts"].update(chunks=6), "counts say 6"),
    ("count over 32 bits", lambda body: body["counts"].update(chunks=2**32), "counts.chunks is 4294967296"),
    ("count a text", lambda body: body["counts"].update(terms="5"), "counts.terms is '5'"),
    ("block too many", column("term_blocks", "key", length=2, buffers={"values": [0, 16]}), "has 2 rows, counts say 1"),
    ("no blocks", column("term_blocks", "terms", length=0), "term_blocks.terms has 0 rows, counts say 1"),
    ("blocks of text", column("term_blocks", "terms", type="large_utf8"), "large_utf8, expected large_binary"),
    ("block offsets too short", buffer("term_blocks", "terms", "offsets", [0, 8]), "has 8 bytes, 1 rows need 16"),
    ("bitmap too short", buffer("documents", "metadata.string.type", "validity", [0, 0]), "2 rows need 1"),
    (
        "unknown kind of metadata",
        lambda body: body["files"]["documents"]["columns"].update(
            {"metadata.date.x": body["files"]["documents"]["columns"]["id"]}
        ),
        "is no metadata column",
    ),
    (
        "metadata of another type",
        lambda body: body["files"]["documents"]["columns"].update(
            {"metadata.integer.x": body["files"]["documents"]["columns"]["id"]}
        ),
        "expected int64",
    ),
    ("another generation", lambda body: body.update(generation="f" * 16), "is missing"),
]


@pytest.mark.parametrize(("change", "says"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES])
def test_a_lie_is_a_corrupt_index(index: Path, change: Change, says: str) -> None:
    forge(index, change)
    with pytest.raises(CorruptIndexError, match=says) as caught:
        IndexFiles.open(index)
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def forgeable() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        publish(root, write_small_index)
        body = read_manifest(folder)
        yield root, body, places(body)


def places(body: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything inside a body."""
    inner = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    return [path] * bool(path) + [place for key, value in inner for place in places(value, (*path, key))]


junk = (
    st.none()
    | st.booleans()
    | st.integers(-3, 300)
    | st.integers(-(2**63), 2**64 - 1)
    | st.sampled_from([2**31, 2**32, 2**61, 2**62, 2**63 - 1, 2**64 - 1])
    | st.floats()
    | st.sampled_from(["", "uint32", "int8", "bool", "large_utf8", "large_list<large_utf8>", "../x", "\0"])
    | st.binary(max_size=3)
    | st.lists(st.integers(-1, 2000), max_size=3)
    | st.dictionaries(st.text("ab", max_size=2), st.integers(0, 9), max_size=2)
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_lie_is_another_error(forgeable: tuple[Path, Any, list[tuple[Any, ...]]], data: st.DataObject) -> None:
    """Anything in the body replaced by anything: opening and reading works, or says which file is damaged."""
    root, body, within = forgeable
    body = copy.deepcopy(body)
    for _ in range(data.draw(st.integers(1, 3))):
        *parents, last = data.draw(st.sampled_from(within))
        inside = body
        value = data.draw(junk)
        # The change before this one may have taken the place away.
        with suppress(LookupError, TypeError):
            for key in parents:
                inside = inside[key]
            inside[last] = value
    (root / MANIFEST_NAME).write_bytes(seal(body))
    with suppress(CorruptIndexError):
        read_everything(root)


@settings(deadline=None)
@given(st.recursive(junk, lambda inner: st.dictionaries(st.text("ab", max_size=1) | st.integers(), inner)))
def test_no_body_is_another_error(body: Any) -> None:
    with pytest.raises(CorruptIndexError):
        check_layout({"files": body, "counts": body, "settings": {}}, "m")
