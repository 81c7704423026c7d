"""What a user writes who has turned every check of the type checkers on: all of the public surface, once.

    python user_program.py PAGES INDEX

Checked and run by test_user_types.py, from outside the repository.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import coldseek
from coldseek import (
    BuildReport,
    BuiltIn,
    ChunkView,
    Embedder,
    EvalReport,
    Explanation,
    Hit,
    HookQuery,
    Index,
    Match,
    Neighbors,
    Refusal,
    RetrieveResult,
    SearchResult,
    Source,
)


class Letters:
    """An embedder of one's own."""

    id = "letters-2"
    dimensions = 2
    similarity_needs_keyword = True

    def embed(self, texts: Sequence[str], /) -> list[list[float]]:
        return [[1.0 + text.count("e"), float(len(text))] for text in texts]


def rerank(question: str, hits: list[Hit], cancelled: Callable[[], bool]) -> list[Hit]:
    if cancelled():
        return hits
    return sorted(hits, key=lambda hit: question in hit.chunk.text, reverse=True)


def retrieve(query: HookQuery, search: BuiltIn) -> list[Hit]:
    if query.vector is not None and not query.text:
        return []
    return search(candidates=10, mode="lexical", filter={"metadata": {"locale": "en"}}) or search(top_k=3)


def on_progress(stage: str, done: int, total: int) -> None:
    print(f"{stage}: {done} of {total}")


def show(found: SearchResult) -> float:
    best = 0.0
    for hit in found.hits:
        chunk: ChunkView = hit.chunk
        similarity = 0.0 if hit.similarity is None else hit.similarity
        best = max(best, similarity, hit.keyword_coverage)
        print(hit.rank, hit.row, hit.score, hit.keyword_score, chunk.id, chunk.section_url, chunk.heading_path)
        locale = chunk.metadata.get("locale")
        if isinstance(locale, str):
            print(locale.upper(), chunk.title, chunk.anchor, len(chunk.text))
    if found.mode.degraded is not None:
        print(found.mode.requested, found.mode.ran, found.mode.degraded.upper())
    print(found.query, found.trimmed_terms, f"{found.latency_ms:.1f} ms")
    return best


def show_more(found: SearchResult) -> None:
    for hit in found.hits:
        matches: list[Match] = hit.matches or []
        print([hit.chunk.text[match.start : match.end] == match.token for match in matches])
        neighbors: Neighbors | None = hit.neighbors
        if neighbors is not None:
            print([chunk.row for chunk in (*neighbors.before, *neighbors.after)])
        told: Explanation | None = hit.explanation
        if told is None:
            continue
        ranks = [leg.rank or leg.rank_of_all for leg in (told.keyword, told.vector) if leg is not None]
        print(told.found_by, ranks, told.passes_gate, told.keyword_coverage.margin, told.similarity.threshold)
        print({word.word: word.score for word in told.words}, sum(word.impact + word.df for word in told.words))


def explain(answer: RetrieveResult) -> str:
    if answer.refusal is None:
        sources: list[Source] = answer.sources
        return answer.context + "".join(f"[{source.number}] {source.url} {source.title}" for source in sources)
    refusal: Refusal = answer.refusal
    nearest = refusal.keyword_coverage
    missed = "" if nearest is None else f"{nearest.chunk.title} {nearest.value} {nearest.margin}"
    change = refusal.smallest_change()
    unknown: list[str] = refusal.unknown_words
    return " ".join([refusal.reason, refusal.message, missed, *unknown, "" if change is None else str(change["to"])])


def ask(index: Index) -> None:
    show(index.search("copper kettle", top_k=3, mode="hybrid", filter={"metadata": {"locale": ["en", "de"]}}))
    show(index.search("copper", vector=[1.0, 2.0]))
    show_more(index.search("copper", highlight=True, explain=True, expand=1, max_per_document=2, score_threshold=0.1))
    show(index.search("copper", hybrid=False, vector=[1.0, 2.0]))
    for found in index.search_many(["copper", "iron"], vectors=[None, (0.5, 1.0)], workers=2):
        show(found)
    print(explain(index.retrieve("copper kettle", top_k=2, min_keyword_coverage=0.4, site_name="the kettle site")))
    print(explain(index.retrieve("copper kettle", rerank_hook=rerank, retrieve_hook=retrieve)))
    print(explain(index.retrieve("copper", max_per_document=1, highlight=True, expand=2)))
    print(explain(index.retrieve("zebra crossing", rerank_hook=False, cancelled=lambda: False)))
    first: ChunkView = index.chunks[0]
    passing: list[Hit] = index.gate_hits("copper kettle", [0, first, first.id], min_similarity=0.99)
    print([hit.rank for hit in passing], len(index.chunks), [chunk.id for chunk in index.chunks])
    print(index.path, index.generation, index.info()["counts"])


def main(pages: Path, folder: Path) -> int:
    own: Embedder = Letters()
    report: BuildReport = coldseek.build(
        [pages], folder, base_url="/docs", embedder=own, retrieval={"top_k": 4}, on_progress=on_progress
    )
    print(report.generation, report.chunks, [problem.reason for problem in report.problems], report.warnings)
    failures: list[Exception] = []
    hooks = {"rerank": rerank}
    with coldseek.open(folder, embedder=own, on_error=failures.append, hooks=hooks, hook_timeout=1.0) as index:
        ask(index)
        judged: EvalReport = coldseek.evaluate(
            index, {"questions": [{"question": "copper kettle", "expect": "/docs/kettle"}]}
        )
        print(judged.metrics()["hit@1"], judged.failures())
    faults: list[str] = coldseek.verify(folder)
    try:
        coldseek.open(folder / "nowhere", verify="full", embed_timeout=None, scan_threads=2)
    except coldseek.NotAnIndexError as error:
        faults.append(str(error))
    except (coldseek.CorruptIndexError, coldseek.FormatVersionError, coldseek.EmbedderMismatchError):
        raise
    except coldseek.ColdseekError:
        return 1
    return 0 if len(faults) == 1 and not failures else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
