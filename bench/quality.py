"""Keyword quality on judged data, beside bm25s on the same copies in the same run: a Markdown table.

    COLDSEEK_TEST_DATA=... python bench/quality.py [--title-weights]

nDCG@10 over queries with a judged answer. bm25s: variant "lucene", k1 1.5, b 0.75, Snowball stems and its English stop
words on title and text; character bigrams for Chinese. `--title-weights` compares weights of the title instead.
"""

import argparse
import gzip
import json
import math
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bm25s
import Stemmer

import coldseek
from coldseek_core.ingest.corpus import Corpus
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.ingest.index_writer import write_index
from coldseek_core.search.settings import DEFAULT_SCORING
from coldseek_core.text import Analyser

SETS = (
    ("scifact", "en"),
    ("cosqa-test", "en"),
    ("k8s-docs", "en"),
    ("mtrag-un-ibmcloud", "en"),
    ("squad2-dev", "en"),
    ("drcd-dev", "zh-TW"),
)
TITLE_WEIGHTS = (0.5, 1.0, 2.0, 3.0)


@dataclass(frozen=True)
class Judged:
    """Texts (id, title, text), queries (id, text) with answers, and graded answers by query."""

    texts: list[tuple[str, str, str]]
    queries: list[tuple[str, str]]
    answers: dict[str, dict[str, float]]


def read_judged(folder: Path) -> Judged:
    answers: dict[str, dict[str, float]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, document, score = line.split("\t")[:3]
        if re.fullmatch(r"[0-9.]+", score) and float(score) > 0:
            answers.setdefault(query, {})[document] = float(score)
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    return Judged(
        [(row["_id"], row.get("title") or "", row["text"]) for row in rows],
        [(query["_id"], query["text"]) for query in queries if query["_id"] in answers],
        answers,
    )


def ndcg_at_10(found: Iterable[str], answers: Mapping[str, float]) -> float:
    gain = sum(answers.get(one, 0.0) / math.log2(rank + 2) for rank, one in enumerate(list(found)[:10]))
    best = sum(score / math.log2(rank + 2) for rank, score in enumerate(sorted(answers.values(), reverse=True)[:10]))
    return gain / best


def mean_ndcg(judged: Judged, search: Callable[[str], list[str]]) -> float:
    values = [ndcg_at_10(search(text), judged.answers[query]) for query, text in judged.queries]
    return sum(values) / len(values)


def with_coldseek(judged: Judged, language: str, scoring: dict[str, Any]) -> float:
    folder = Path(tempfile.mkdtemp(prefix="coldseek-quality-"))
    analyser = Analyser(language)
    documents = [Document(name, name, name, title, {}, (Chunk(name, text),)) for name, title, text in judged.texts]
    try:
        write_index(
            folder,
            Corpus.of(documents),
            analyser=analyser,
            scoring=scoring,
            embedder=None,
            use_given_vectors=False,
            retrieval={},
            description={},
            on_progress=lambda stage, done: None,  # noqa: ARG005
        )
        with coldseek.open(folder) as index:
            return mean_ndcg(
                judged, lambda text: [hit.chunk.id for hit in index.search(text, top_k=10, mode="lexical").hits]
            )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def with_bm25s(judged: Judged, language: str) -> float:
    stemmer: Any = Stemmer.Stemmer("english")  # its stub names less than bm25s asks for

    def tokens(texts: list[str]) -> Any:
        if language == "en":
            return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False, return_ids=False)
        return [[text[place : place + 2] for place in range(len(text) - 1)] for text in texts]

    retriever = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    retriever.index(tokens([f"{title} {text}" for _, title, text in judged.texts]), show_progress=False)
    names = [name for name, _, _ in judged.texts]

    def search(text: str) -> list[str]:
        rows, _ = retriever.retrieve(tokens([text]), k=10, show_progress=False)
        return [names[row] for row in rows[0]]

    return mean_ndcg(judged, search)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--title-weights", action="store_true", help="compare weights of the title")
    options = parser.parse_args()
    data = Path(os.environ.get("COLDSEEK_TEST_DATA", Path(__file__).parents[2] / "shared/data")) / "judged"
    columns = [f"title {weight:g}" for weight in TITLE_WEIGHTS] if options.title_weights else ["coldseek", "bm25s"]
    print(f"| judged set | queries | {' | '.join(columns)} |\n|---|---|{'---|' * len(columns)}")
    for name, language in SETS:
        judged = read_judged(data / name)
        if options.title_weights:
            figures = [
                with_coldseek(judged, language, {**DEFAULT_SCORING, "weights": [weight, 1.0, 1.0]})
                for weight in TITLE_WEIGHTS
            ]
        else:
            figures = [with_coldseek(judged, language, DEFAULT_SCORING), with_bm25s(judged, language)]
        print(f"| {name} | {len(judged.queries):,} | {' | '.join(f'{figure:.3f}' for figure in figures)} |", flush=True)


if __name__ == "__main__":
    main()
