"""From documents to a published index: what is kept of them, byte for byte and value for value."""

from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import CorruptIndexError
from coldseek_core.ingest.documents import Chunk, Document
from search.worlds import write_documents

METADATA: dict[str, Any] = {
    "text": "späť",
    "empty": "",
    "yes": True,
    "no": False,
    "whole": -7,
    "largest": 2**63 - 1,
    "beyond": 2**63,
    "share": 0.1,
    "tags": ["a", "b ö", ""],
    "none": [],
    "dotted.key": 1,
    "key with spaces": "x",
    "日本": "語",
}


def test_metadata_of_all_kinds_comes_back_as_it_went(tmp_path: Path) -> None:
    documents = [
        Document("a", "a.md", "/a", "A", METADATA, (Chunk("a", "alpha"),)),
        Document("b", "b.md", "/b", "B", {}, (Chunk("b", "alpha"),)),
        Document("c", "c.md", "/c", "C", {"text": 5, "whole": "5", "share": 1}, (Chunk("c", "alpha"),)),
    ]
    with coldseek.open(write_documents(tmp_path / "i", documents), verify="full") as index:
        kept = {hit.chunk.id: hit.chunk.metadata for hit in index.search("alpha").hits}
    assert kept["a"] == {**METADATA, "beyond": str(2**63)}
    assert kept["a"]["yes"] is True
    assert kept["b"] == {}
    assert kept["c"] == {"text": 5, "whole": "5", "share": 1}
    assert isinstance(kept["c"]["share"], int)


def test_odd_texts_come_back_as_they_went(tmp_path: Path) -> None:
    texts = ["", " ", "\0nul", "a\nb\r\tc", "😀 family 👨‍👩‍👧", "\u202eright to left", "x" * 300_000, "\ufeffmark"]
    chunks = tuple(
        Chunk(f"c{order} {text[:9]}", text, (text[:20], "h"), text[:5], order) for order, text in enumerate(texts)
    )
    write_documents(tmp_path / "i", [Document("d", "p", "/ü ?#", "T\n", {}, chunks)])
    with IndexFiles.open(tmp_path / "i") as files:
        assert [files.column("chunks", "text")[row] for row in range(len(texts))] == texts
        for row, chunk in enumerate(chunks):
            assert files.column("chunks", "id")[row] == chunk.id
            assert files.column("chunks", "heading_path")[row] == list(chunk.heading_path)
            assert files.column("chunks", "anchor")[row] == chunk.anchor
            assert files.column("chunks", "section")[row] == chunk.section
        assert files.column("documents", "url")[0] == "/ü ?#"
        assert files.column("documents", "title")[0] == "T\n"


def test_writing_twice_makes_one_generation(tmp_path: Path) -> None:
    documents = [Document("a", "a.md", "/a", "A", METADATA, (Chunk("a", "alpha", vector=(1.0, 0.5)),))]
    for name in ("i", "i", "j"):
        write_documents(tmp_path / name, documents)
    names = [sorted(path.name for path in (tmp_path / name).iterdir()) for name in ("i", "j")]
    assert names[0] == names[1]
    assert len(names[0]) == 2


def test_a_document_whose_only_chunk_is_empty(tmp_path: Path) -> None:
    write_documents(tmp_path / "i", [Document("a", "", "/a", "", {}, (Chunk("a", ""),))])
    with coldseek.open(tmp_path / "i", verify="full") as index:
        assert index.search("anything").hits == []
        answer = index.retrieve("anything")
        assert not answer.answerable
        assert answer.refusal is not None
        assert answer.refusal.unknown_words == ["anything"]


def test_an_index_without_documents(tmp_path: Path) -> None:
    write_documents(tmp_path / "i", [])
    with coldseek.open(tmp_path / "i", verify="full") as index:
        assert index.search("anything").hits == []
        answer = index.retrieve("anything")
        assert answer.refusal is not None
        assert answer.refusal.reason == "empty_index"
        assert answer.to_dict()["refusal"]["smallestChange"] is None


@pytest.mark.parametrize("file", ["chunks", "documents", "terms", "term_blocks", "postings", "vectors"])
def test_a_file_that_was_cut_is_noticed_at_open(tmp_path: Path, file: str) -> None:
    documents = [Document("a", "a.md", "/a", "A", {}, (Chunk("a", "alpha", vector=(1.0, 0.5)),))]
    write_documents(tmp_path / "i", documents)
    path = next((tmp_path / "i").glob(f"*/{file}.arrow"))
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(CorruptIndexError, match=file):
        coldseek.open(tmp_path / "i")
