"""A small index, made by the plainest means, whose parts fit together."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.columns.writer import write_file
from kernels.naive import decode_terms, front_code, posting_words

TEXTS = ["deploy to pages", "", "重试 deploy 🧊", "naïve café\n\0 deploy", "pages"]
DIMENSIONS = 5
METADATA = {
    "metadata.string.type": ["guide", None],
    "metadata.integer.year": [None, -(2**63)],
    "metadata.number.weight": [0.1, None],
    "metadata.boolean.draft": [None, True],
    "metadata.strings.tags": [["a", "", "🧊"], None],
    "metadata.string.a.b": ["", "dotted key"],
}


def fnv1a(data: bytes) -> int:
    """FNV-1a, 64 bits."""
    value = 14695981039346656037
    for byte in data:
        value = (value ^ byte) * 1099511628211 % 2**64
    return value


def columns_of(texts: list[str]) -> dict[str, dict[str, Any]]:
    """All columns of an index of two documents whose chunks are `texts`; vectors are made up."""
    postings: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        for word in set(text.split()):
            postings.setdefault(word, []).append(row)
    terms = sorted(postings, key=str.encode)
    lengths = [len(postings[term]) for term in terms]
    impacts = iter(range(1, sum(lengths) + 1))
    words, starts = posting_words([[(row, next(impacts)) for row in postings[term]] for term in terms])
    keys, blocks = front_code([term.encode() for term in terms])
    codes = np.arange(len(texts) * DIMENSIONS, dtype=np.int64).reshape(len(texts), DIMENSIONS) % 255 - 127
    return {
        "chunks": {
            "id": [f"/page#{row}" for row in range(len(texts))],
            "document": np.arange(len(texts), dtype=np.uint32) % 2,
            "section": np.arange(len(texts), dtype=np.uint32),
            "anchor": ["" if row % 2 else f"a{row}" for row in range(len(texts))],
            "heading_path": [["Title", f"Part {row}"][: row % 3] for row in range(len(texts))],
            "text": texts,
        },
        "documents": {
            "id": ["one", "two"],
            "path": ["one.md", "two.md"],
            "url": ["/one", "/two"],
            "title": ["One", "Zwei ä"],
            **METADATA,
        },
        "terms": {
            "df": np.array(lengths, np.uint32),
            "idf": np.arange(1, len(terms) + 1, dtype=np.uint32),
            "start": np.array(starts, np.int64),
        },
        "term_blocks": {"key": np.array(keys, np.uint64), "terms": blocks},
        "postings": {"word": np.array(words, np.uint16)},
        "vectors": {
            "codes": codes.astype(np.int8),
            "remainders": np.zeros((len(texts), (DIMENSIONS + 1) // 2), np.int8),
            "scale": np.full(len(texts), 0.125, np.float32),
            "square": 256 * (codes * codes).sum(axis=1),
        },
    }


def write_small_index(
    folder: Path, texts: list[str] | None = None, settings: dict[str, Any] | None = None, vectors: bool = True
) -> dict[str, Any]:
    """Write the files of an index and return the body of its manifest, as `publish` wants it."""
    return write_columns(folder, columns_of(TEXTS if texts is None else texts), settings, vectors)


def write_columns(
    folder: Path,
    columns: dict[str, dict[str, Any]],
    settings: dict[str, Any] | None = None,
    vectors: bool = True,
) -> dict[str, Any]:
    """Write these columns and return the body of their manifest."""
    if not vectors:
        columns = {file: content for file, content in columns.items() if file != "vectors"}
    return {
        "settings": settings or {},
        "counts": {
            "chunks": len(columns["chunks"]["id"]),
            "documents": len(columns["documents"]["id"]),
            "terms": len(columns["terms"]["df"]),
            "postings": int(np.sum(columns["terms"]["df"])),
        },
        "files": {file: write_file(folder, file, content) for file, content in columns.items()},
    }


def write_with(*texts: str) -> Callable[[Path], dict[str, Any]]:
    """What `publish` calls, for an index of these chunks."""
    return lambda folder: write_small_index(folder, list(texts))


def terms_of(files: IndexFiles) -> list[str]:
    """The terms of an index, in the order of their rows."""
    blocks = files.byte_strings("term_blocks", "terms")
    return [term.decode() for term in decode_terms([blocks.bytes_at(row) for row in range(len(blocks))])]


def first_text(root: Path) -> str:
    """The text of the first chunk of the index that is current."""
    with IndexFiles.open(root) as files:
        return files.texts("chunks", "text").text_at(0)
