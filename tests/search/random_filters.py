"""Random filters over the documents of a random world, and what the pure-Python implementation keeps of them."""

import random
from collections.abc import Sequence
from typing import Any

from baseline.filters import FilteredChunk, kept_rows
from baseline.tokens import Token, as_tokens
from coldseek_core.ingest.documents import Document
from coldseek_core.text import Analyser

DATES = ["2025-12-31", "2026-05-01", "2026-05-01T10:30:00Z", "2026-05-01 23:30:00-02:00", "2026-06-01T00:00"]
VALUES: dict[str, list[Any]] = {
    "locale": ["en", "ja"],
    "version": [1, 2, "2", 2.5, True],
    "updated": [*DATES, "soon"],
    "tags": [[], ["ci"], ["ci", "2026-05-01"], ["b"]],
}


def random_metadata(rng: random.Random) -> dict[str, Any]:
    """Of each key one of its values, or none."""
    return {key: rng.choice(values) for key, values in VALUES.items() if rng.random() < 0.8}


class FilteredWorld:
    """The chunks of a world's documents, as filters see them."""

    def __init__(self, documents: Sequence[Document], analyser: Analyser) -> None:
        self._analyser = analyser
        self._documents = documents
        self.keys = sorted({key for document in documents for key in document.metadata})
        self.chunks = [
            FilteredChunk(
                document.id,
                document.path,
                document.metadata,
                [self.tokens(text) for text in (document.title, "\n".join(chunk.heading_path), chunk.text)],
            )
            for document in documents
            for chunk in document.chunks
        ]
        self._texts = [
            text
            for document in documents
            for chunk in document.chunks
            for text in (document.title, "\n".join(chunk.heading_path), chunk.text)
            if self.tokens(text)
        ]

    def tokens(self, text: str) -> list[Token]:
        return as_tokens([token.as_tuple() for token in self._analyser.analyse(text)])

    def kept(self, conditions: dict[str, Any]) -> frozenset[int]:
        return kept_rows(self.chunks, conditions, self.tokens)

    def random_filter(self, rng: random.Random) -> dict[str, Any]:
        conditions: dict[str, Any] = {}
        if self.keys and rng.random() < 0.6:
            keys = rng.sample(self.keys, rng.randint(1, min(2, len(self.keys))))
            conditions["metadata"] = {key: random_condition(rng, key) for key in keys}
        if rng.random() < 0.15:
            conditions["document_ids"] = [rng.choice(self._documents).id for _ in range(rng.randint(0, 9))]
        if rng.random() < 0.15:
            names = [rng.choice(self._documents).path for _ in range(rng.randint(1, 9))]
            names = [name.rpartition("/")[2] if rng.random() < 0.5 else name for name in names]
            conditions["filename"] = names[0] if rng.random() < 0.3 else names
        for name in ("contains", "phrase"):
            text = self.random_words(rng)
            if rng.random() < 0.3 and self.tokens(text):
                conditions[name] = text
        return conditions

    def random_words(self, rng: random.Random) -> str:
        """Some words of a text that is there, mostly as they follow each other."""
        words = rng.choice(self._texts or ["word"]).split()
        first = rng.randrange(len(words))
        some = words[first : first + rng.randint(1, 3)]
        if rng.random() < 0.3:
            rng.shuffle(some)
        return rng.choice([" ", " ", "-", "!  "]).join(some)


def random_condition(rng: random.Random, key: str) -> Any:
    values = [one for value in VALUES[key] for one in (value if isinstance(value, list) else [value])]
    chosen = [rng.choice(values) for _ in range(rng.randint(0, 3))]
    operators: dict[str, Any] = {
        "eq": rng.choice(values),
        "ne": rng.choice(values),
        "in": chosen,
        "nin": chosen,
        "exists": rng.random() < 0.5,
    }
    comparable = [1, 1.5, 2, 2.5] if rng.random() < 0.3 else DATES
    operators |= {name: rng.choice(comparable) for name in ("gt", "gte", "lt", "lte")}
    kind = rng.random()
    if kind < 0.2:
        return operators["eq"]
    if kind < 0.3:
        return chosen
    return {name: operators[name] for name in rng.sample(sorted(operators), rng.choice([1, 1, 2]))}
