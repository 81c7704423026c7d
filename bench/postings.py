"""Ranking by postings alone: the best 40 of a question's words, beside bm25s and tantivy, in one thread.

    python bench/postings.py [--json FILE] [--sizes N,N] [--real [--sample N]]

200,000 chunks of 80 words (COLDSEEK_BENCH_CHUNKS: that size only; `--sizes`: others) drawn by a Zipf law, exponent
1.07, from 200,000 words. Columns are made by NumPy as an index has them. Questions: 60 of 6 such words, 5 of 1,000
different words, 20 of one word of the 1,000 rarest. Each is asked 9 times of each contender, in turn; of a question's 9
times the median counts, and the table gives the median and the mean of these over the questions. With --real, the
postings are those of the passages of the shared test data (about N of them), and questions are 1,000 headings.

What is counted: all from known words to Python numbers in order. Here: `LexicalLeg.top`, from terms that are looked
up. Exhaustive: the same without skipping; the answers must be equal. bm25s, numba backend: `retrieve` of token ids, of
the same postings as float32. tantivy, up to 200,000 chunks: `search` of a ready boolean query of term queries, without
a count of hits.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["NUMBA_NUM_THREADS"] = "1"

import numpy as np
from numpy.typing import NDArray

from coldseek_core import kernels
from coldseek_core.kernels.memory import Numbers
from coldseek_core.search.legs import LexicalLeg
from coldseek_core.search.query import TermArrays
from machine import machine, print_table, smoke_chunks, write_figures
from passages import Passages
from zipf_postings import K1, Columns, Words

SIZES = (200_000,)
BEST = 40
ROUNDS = 9
LARGEST_TANTIVY = 200_000
HEADINGS = 1_000

Ids = NDArray[np.int64]
Answer = tuple[list[int], list[int]]  # rows and scores


class Exhaustive:
    """The kernels, with a `postings_top` that skips nothing."""

    def __init__(self, loaded: Any) -> None:
        self._loaded = loaded

    def postings_top(self, *arguments: int) -> int:
        return self._loaded.postings_top(*arguments[:10], 0, *arguments[11:])


def coldseek_ranking(columns: Any, loaded: Any) -> Callable[[Ids], Callable[[], Answer]]:
    leg = LexicalLeg(columns, loaded, columns.chunks)

    def prepare(ids: Ids) -> Callable[[], Answer]:
        # As `weigh_terms` writes them: starts, document frequencies, weights.
        numbers = [*(int(columns.starts[word]) for word in ids), *(int(columns.df[word]) for word in ids)]
        terms, scored = Numbers.of("q", [*numbers, *[1] * len(ids)]), Numbers.of("B", [1] * len(ids))
        query: Any = type("Query", (), {"scored_terms": TermArrays(terms, scored, len(ids), 0, len(ids))})
        return lambda: leg.top(query, BEST, None)

    return prepare


def bm25s_ranking(columns: Columns | Passages) -> Callable[[Ids], Callable[[], Any]]:
    import bm25s

    retriever: Any = bm25s.BM25(k1=K1, b=0.75, backend="numba")
    starts = np.concatenate([[0], columns.ends]).astype(np.int64 if columns.ends[-1] >= 2**31 else np.int32)
    retriever.scores = {
        "data": columns.weights,
        "indices": columns.rows,
        "indptr": starts,
        "num_docs": columns.chunks,
    }
    retriever.vocab_dict = {str(word): word for word in range(len(columns.df))}
    retriever.unique_token_ids_set = set(range(len(columns.df)))
    retriever.nonoccurrence_array = None

    def prepare(ids: Ids) -> Callable[[], Any]:
        query = [ids.tolist()]

        def ask() -> Answer:
            found = retriever.retrieve(query, k=BEST, n_threads=1, show_progress=False)
            return found.documents[0].tolist(), found.scores[0].tolist()

        return ask

    return prepare


def tantivy_ranking(columns: Columns | Passages) -> Callable[[Ids], Callable[[], Any]]:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="whitespace", index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(1_000_000_000, 1)
    for ids in columns.texts:
        document = tantivy.Document()
        document.add_text("text", " ".join(map(str, ids.tolist())))
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def prepare(ids: Ids) -> Callable[[], Any]:
        terms = [tantivy.Query.term_query(schema, "text", str(word), "freq") for word in ids]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])

        def ask() -> Any:
            return [(place.doc, score) for score, place in searcher.search(query, BEST, count=False).hits]

        return ask

    return prepare


def questions(columns: Columns | Passages) -> dict[str, list[Ids]]:
    """Known words, each once."""
    if isinstance(columns, Passages):
        return {"headings": columns.questions(HEADINGS)}
    words = Words(2)
    random = np.random.default_rng(3)
    present = np.flatnonzero(columns.df)
    rare = present[np.argsort(columns.df[present], kind="stable")[:1000]]

    def known(drawn: Ids) -> Ids:
        return np.array([word for word in dict.fromkeys(drawn.tolist()) if columns.df[word]], np.int64)

    return {
        "6 words": [known(words.draw(6)) for _ in range(60)],
        "1,000 words": [known(words.draw(6000))[:1000] for _ in range(5)],
        "1 rare word": [random.choice(rare, 1) for _ in range(20)],
    }


def timed(ask: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    ask()
    return time.perf_counter() - begin


def same_scores(first: Answer, second: Answer, fixed_point: int, words: int) -> bool:
    """Whether each place has the same score up to rounding: a peer has floats, and orders ties otherwise."""
    loose = words / fixed_point + 1e-3
    theirs = [score for score in second[1] if score > 0.0]
    return len(first[1]) == len(theirs) and all(
        abs(mine / fixed_point - other) <= loose for mine, other in zip(first[1], theirs, strict=True)
    )


def measure(columns: Columns | Passages, largest_tantivy: int = LARGEST_TANTIVY) -> list[dict[str, Any]]:
    chunks = columns.chunks
    loaded = kernels.load()
    contenders: dict[str, Callable[[Ids], Callable[[], Any]]] = {
        "coldseek": coldseek_ranking(columns, loaded),
        "exhaustive": coldseek_ranking(columns, Exhaustive(loaded)),
        "bm25s": bm25s_ranking(columns),
    }
    if chunks <= largest_tantivy:
        contenders["tantivy"] = tantivy_ranking(columns)
    figures: list[dict[str, Any]] = []
    for kind, asked in questions(columns).items():
        medians: dict[str, list[float]] = {name: [] for name in contenders}
        for ids in asked:
            ready = {name: prepare(ids) for name, prepare in contenders.items()}
            answer = ready["coldseek"]()
            if ready["exhaustive"]() != answer:
                raise SystemExit(f"skipping changed the answer to {ids.tolist()}")
            if not same_scores(answer, ready["bm25s"](), columns.fixed_point, len(ids)):
                raise SystemExit(f"bm25s scores {ids.tolist()} otherwise")
            times: dict[str, list[float]] = {name: [] for name in ready}
            for turn in range(ROUNDS):
                # In another order each time: what comes after a contender that reads little finds its caches full.
                for name in np.random.default_rng(turn).permutation(list(ready)).tolist():
                    times[name].append(timed(ready[name]))
            for name, taken in times.items():
                medians[name].append(statistics.median(taken))
        figures.append(
            {
                "chunks": chunks,
                "postings": len(columns.rows),
                "bytesAPosting": columns.words.nbytes / len(columns.rows),
                "fixedPoint": columns.fixed_point,
                "questions": kind,
                "medianSeconds": {name: statistics.median(found) for name, found in medians.items()},
                "meanSeconds": {name: statistics.mean(found) for name, found in medians.items()},
            }
        )
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the raw figures there")
    parser.add_argument("--sizes", metavar="N,N", help="how many chunks")
    parser.add_argument("--real", action="store_true", help="the passages of the shared test data")
    parser.add_argument("--sample", type=int, metavar="N", help="about so many of them")
    options = parser.parse_args()
    began = machine()
    smoke = smoke_chunks()
    if options.real:
        figures = measure(Passages(options.sample), 1 << 30)
    else:
        given = tuple(int(size) for size in options.sizes.split(",")) if options.sizes else SIZES
        figures = [
            one
            for chunks in ((smoke,) if smoke else given)
            for one in measure(Columns(chunks, chunks <= LARGEST_TANTIVY))
        ]
    write_figures(options.json, began, figures)
    names = list(dict.fromkeys(name for one in figures for name in one["medianSeconds"]))
    print_table(
        ["chunks", "questions", "bytes a posting", *(f"{name}, ms: median (mean)" for name in names)],
        [
            [
                f"{one['chunks']:,}",
                one["questions"],
                f"{one['bytesAPosting']:.2f}",
                *(
                    f"{one['medianSeconds'][name] * 1e3:.3f} ({one['meanSeconds'][name] * 1e3:.3f})"
                    if name in one["medianSeconds"]
                    else ""
                    for name in names
                ),
            ]
            for one in figures
        ],
    )


if __name__ == "__main__":
    main()
