"""Ranking quality on judged data: floors that a change must not fall through."""

import gzip
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek_core.ingest.build import build_index
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.quality.evaluation import evaluate_index
from search.worlds import write_documents


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def ndcg_at_10(ranked: list[str], relevant: dict[str, int]) -> float:
    gains = [relevant.get(one, 0) / math.log2(place + 2) for place, one in enumerate(ranked[:10])]
    best = sorted(relevant.values(), reverse=True)[:10]
    return sum(gains) / sum(gain / math.log2(place + 2) for place, gain in enumerate(best))


def test_ndcg_itself() -> None:
    assert ndcg_at_10(["a"], {"a": 1}) == 1.0
    assert ndcg_at_10(["x", "a"], {"a": 1}) == pytest.approx(1 / math.log2(3))
    assert ndcg_at_10(["x"] * 10 + ["a"], {"a": 1}) == 0.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "language", "floor"), [("scifact", "en", 0.68), ("drcd-dev", "zh-TW", 0.96), ("cosqa-test", "en", 0.32)]
)
def test_keywords(tmp_path: Path, shared_data: Path, name: str, language: str, floor: float) -> None:
    folder = shared_data / "judged" / name
    documents = [
        Document(line["_id"], "", f"/{line['_id']}", line.get("title") or "", {}, (Chunk(line["_id"], line["text"]),))
        for line in lines_of(folder / "corpus.jsonl.gz")
    ]
    relevant: dict[str, dict[str, int]] = {}
    for row in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, document, score = row.split("\t")[:3]
        if score.isdigit() and int(score) > 0:
            relevant.setdefault(query, {})[document] = int(score)
    write_documents(tmp_path / "i", documents, language)
    scores: list[float] = []
    with coldseek.open(tmp_path / "i") as index:
        for query in lines_of(folder / "queries.jsonl"):
            if query["_id"] in relevant:
                hits = index.search(query["text"], top_k=10, mode="lexical").hits
                scores.append(ndcg_at_10([hit.chunk.id for hit in hits], relevant[query["_id"]]))
    mean = sum(scores) / len(scores)
    print(f"{name}: nDCG@10 {mean:.4f} over {len(scores)} queries")
    assert mean >= floor


@pytest.mark.parametrize(("embedder", "first", "third", "wrong"), [("none", 15, 18, 2), ("mock", 13, 16, 22)])
def test_docusaurus(tmp_path: Path, shared_data: Path, embedder: str, first: int, third: int, wrong: int) -> None:
    folder = shared_data / "docs" / "docusaurus"
    build_index([folder / "website" / "docs"], tmp_path / "i", base_url="/docs", embedder=embedder)
    with coldseek.open(tmp_path / "i") as index:
        assert index.info()["counts"]["documents"] == 87
        report = evaluate_index(index.retrieve, folder / "questions.yaml")
    ranks = [outcome.rank or 99 for outcome in report.answerable]
    figures = (sum(rank == 1 for rank in ranks), sum(rank <= 3 for rank in ranks))
    print(f"{embedder}: hit@1, hit@3 {figures}, wrongly refused {sum(one.refused for one in report.answerable)}")
    assert len(ranks) == 22
    assert sum(outcome.refused for outcome in report.unanswerable) == 6
    assert figures[0] >= first
    assert figures[1] >= third
    assert sum(outcome.refused for outcome in report.answerable) <= wrong
