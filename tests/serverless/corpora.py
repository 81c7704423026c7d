"""Indexes of real documents, and of made names, and what to ask of them."""

import gzip
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coldseek
from coldseek_core.ingest.documents import Chunk, Document
from search.worlds import write_documents

CORPORA = ("docusaurus", "kubernetes", "drcd", "identifiers")
VERBS = ("get", "set", "parse", "retry", "open", "flush", "deploy", "build", "render", "encode", "merge", "split")
NOUNS = ("Token", "URL", "HTTPServer", "page_count", "Limit", "v2", "IDs", "Utf8", "OAuth2Client", "row", "max-size")


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def identifiers(count: int) -> Iterator[tuple[str, str]]:
    """Made names in a sentence each, in as many ways of writing."""
    rng = random.Random(11)
    for number in range(count):
        words = [rng.choice(VERBS), *rng.choices(NOUNS, k=rng.randint(1, 3))]
        name = rng.choice(["", "_", "-", ".", "::", "/"]).join(words)
        yield f"n{number}", f"`{name}` calls {rng.choice(NOUNS)}.{rng.choice(VERBS)}() with ERR-{rng.randint(1, 99)}X."


def texts_of(shared_data: Path, name: str, most: int) -> Iterator[tuple[str, str]]:
    """(id, text) of a corpus."""
    if name == "identifiers":
        yield from identifiers(most)
    elif name == "docusaurus":
        folder = shared_data / "docs" / "docusaurus" / "website" / "docs"
        for path in itertools.islice(sorted(folder.rglob("*.mdx")), most):
            yield str(path.relative_to(folder)), path.read_text(encoding="utf-8")
    else:
        folder = {"kubernetes": "k8s-docs", "drcd": "drcd-dev"}[name]
        for line in itertools.islice(lines_of(shared_data / "judged" / folder / "corpus.jsonl.gz"), most):
            yield line["_id"], line["text"]


def questions_of(shared_data: Path, name: str, texts: list[str], count: int) -> list[str]:
    """People's questions where there are some, and stretches of the texts, with odd ends cut off anywhere."""
    rng = random.Random(5)
    asked: list[str] = []
    for folder in {"kubernetes": ["k8s-docs"], "drcd": ["drcd-dev"]}.get(name, []):
        lines = [line["text"] for line in lines_of(shared_data / "judged" / folder / "queries.jsonl")]
        asked = rng.sample(lines, min(count // 2, len(lines)))
    while len(asked) < count:
        text = rng.choice(texts)
        start = rng.randrange(max(1, len(text)))
        asked.append(text[start : start + rng.choice([3, 12, 40, 40, 120, 700])])
    return asked


def build(folder: Path, shared_data: Path, name: str, most: int) -> list[str]:
    """Build an index with vectors by the mock; returns the texts."""
    pairs = [pair for pair in texts_of(shared_data, name, most) if pair[1].strip()]
    language = "zh-TW" if name == "drcd" else "en"
    if name == "docusaurus":
        source = shared_data / "docs" / "docusaurus" / "website" / "docs"
        paths = [source / path for path, _ in pairs]
        coldseek.build(paths, folder, base_url="/docs", embedder="mock")
    else:
        rng = random.Random(3)
        documents = [
            Document(key, "", f"/{key}", key, {}, (Chunk(key, text, vector=_vector(rng)),)) for key, text in pairs
        ]
        write_documents(folder, documents, language)
    return [text for _, text in pairs]


def _vector(rng: random.Random) -> tuple[float, ...]:
    """Clustered, so that similarities are close to each other."""
    centre = rng.randrange(6)
    return tuple(rng.gauss(1.0 if place % 6 == centre else 0.0, 0.3) for place in range(100))
