"""Hooks of `retrieve`: what they may do, and that nothing they do goes further than their own answer."""

import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek_core.ingest.documents import Chunk, Document
from search.worlds import write_documents

QUESTION = "copper kettle"
COUNT = 20


def written(folder: Path, name: str = "d") -> Path:
    """20 chunks about the question, the more the lower the row, and 5 about something else."""
    texts = ["copper kettle" + " filler" * row for row in range(COUNT)] + [f"iron pan number {row}" for row in range(5)]
    documents = [
        Document(
            f"{name}{row}",
            f"{row}.md",
            f"/{row}",
            "",
            {"locale": "en" if row % 2 else "ja", "tags": ["a"]},
            (Chunk(f"{name}{row}~0", text, vector=(1.0, float(row))),),
        )
        for row, text in enumerate(texts)
    ]
    return write_documents(folder, documents, retrieval={"min_similarity": 1.0})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("hooks") / "i")


@pytest.fixture
def reported() -> list[Exception]:
    return []


@pytest.fixture
def index(folder: Path, reported: list[Exception]) -> Iterator[coldseek.Index]:
    with coldseek.open(folder, on_error=reported.append) as opened:
        yield opened


@pytest.fixture
def other(tmp_path: Path) -> Iterator[coldseek.Index]:
    with coldseek.open(written(tmp_path / "other", "x")) as opened:
        yield opened


def rows_of(answer: Any) -> list[int]:
    return [hit.row for hit in answer.hits]


def plain(answer: Any) -> dict[str, Any]:
    return {name: value for name, value in answer.to_dict().items() if name != "latencyMs"}


def test_the_fifteenth_becomes_the_first(index: coldseek.Index) -> None:
    seen: list[list[int]] = []

    def rerank(question: str, hits: list[Any], cancelled: Callable[[], bool]) -> list[Any]:
        assert question == QUESTION
        assert not cancelled()
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
        assert sorted((hit.score for hit in hits), reverse=True) == [hit.score for hit in hits]
        seen.append([hit.row for hit in hits])
        return [hits[14], *hits[:14], *hits[15:]]

    answer = index.retrieve(QUESTION, top_k=3, candidates=20, rerank_hook=rerank)
    assert seen == [list(range(COUNT))]
    assert rows_of(answer) == [14, 0, 1]
    assert [hit.rank for hit in answer.hits] == [1, 2, 3]
    assert answer.sources[0].url == "/14"
    assert answer.hooks == ("rerank",)
    assert "hooks" not in answer.to_dict()
    scores = [hit.score for hit in answer.hits]
    assert scores == sorted(set(scores), reverse=True)


def test_a_reranker_may_drop_and_its_filter_stands(index: coldseek.Index) -> None:
    assert rows_of(index.retrieve(QUESTION, rerank_hook=lambda _q, hits, _c: hits[4:6])) == [4, 5]
    refused = index.retrieve(QUESTION, rerank_hook=lambda _q, _hits, _c: [])
    assert not refused.answerable
    assert refused.refusal is not None
    assert refused.refusal.smallest_change() is None
    assert (refused.best_similarity, refused.best_keyword_coverage) == (None, 0.0)


def test_what_fails_the_gate_stays_out_whoever_names_it(index: coldseek.Index) -> None:
    pan = index.chunks[COUNT + 1]
    assert rows_of(index.retrieve(QUESTION, rerank_hook=lambda _q, hits, _c: [pan, hits[2]])) == [2]
    assert rows_of(index.retrieve(QUESTION, retrieve_hook=lambda _q, _search: [pan, 5])) == [5]
    assert not index.retrieve(QUESTION, retrieve_hook=lambda _q, _search: [pan]).answerable


def test_candidates_that_fail_the_gate_are_offered_but_never_instead_of_others(index: coldseek.Index) -> None:
    seen: list[int] = []

    def rerank(_question: str, hits: list[Any], _cancelled: object) -> list[Any]:
        seen.extend(hit.row for hit in hits)
        return hits

    vector = [0.0, 1.0]  # like the last rows, of which five do not pass
    options: dict[str, Any] = {"vector": vector, "candidates": 22, "min_keyword_coverage": 1.0}
    answer = index.retrieve(QUESTION, rerank_hook=rerank, **options)
    assert len(seen) == 22
    assert set(range(COUNT)) < set(seen)
    assert rows_of(answer) == rows_of(index.retrieve(QUESTION, **options))


def test_one_that_passes_is_not_cut_for_one_that_does_not(tmp_path: Path) -> None:
    texts = [("iron pan", (0.0, 1.0)), (QUESTION, (1.0, 0.0))]
    documents = [Document(text, "", f"/{text}", "", {}, (Chunk(text, text, vector=vector),)) for text, vector in texts]
    with coldseek.open(write_documents(tmp_path / "i", documents)) as index:
        options: dict[str, Any] = {"vector": [1.0, 2.0], "candidates": 1, "min_similarity": 1.0}
        seen: list[list[int]] = []

        def rerank(_question: str, hits: list[Any], _cancelled: object) -> list[Any]:
            seen.append([hit.row for hit in hits])
            return hits

        assert rows_of(index.retrieve(QUESTION, **options)) == [1]
        assert rows_of(index.retrieve(QUESTION, rerank_hook=rerank, **options)) == [1]
        index.retrieve(QUESTION, rerank_hook=rerank, **{**options, "candidates": 2})
        assert seen == [[1], [1, 0]]


def test_a_hook_that_changes_nothing_changes_nothing(index: coldseek.Index) -> None:
    for question in (QUESTION, "iron", "filler pan", "zebra", "", "filler kettle zebra"):
        for vector in (None, [1.0, 2.0]):
            expected = index.retrieve(question, vector=vector)
            choices: list[dict[str, Any]] = [
                {"rerank_hook": lambda _q, hits, _c: hits},
                {"retrieve_hook": lambda _query, search: search()},
                {"retrieve_hook": lambda _query, search: search(), "rerank_hook": lambda _q, hits, _c: iter(hits)},
            ]
            for hooks in choices:
                answer = index.retrieve(question, vector=vector, **hooks)
                assert rows_of(answer) == rows_of(expected)
                assert answer.context == expected.context
                assert answer.hooks == tuple(name.removesuffix("_hook") for name in hooks)


def test_the_query_and_the_built_in_retrieval(index: coldseek.Index) -> None:
    seen: list[Any] = []

    def retrieve(query: Any, search: Any) -> Any:
        seen.extend((query.text, query.vector, len(query.chunks)))
        seen.append([hit.row for hit in search(top_k=3, candidates=4, mode="lexical")])
        seen.append([hit.row for hit in search(top_k=2, mode="semantic")])
        seen.append({hit.chunk.metadata["locale"] for hit in search(filter={"metadata": {"locale": "en"}})})
        return [chunk for chunk in index.chunks if chunk.row in (3, 7)]

    answer = index.retrieve(QUESTION, vector=[3.0, 1.0], retrieve_hook=retrieve)
    assert seen == [QUESTION, [3.0, 1.0], COUNT + 5, [0, 1, 2], [0, 1], {"en"}]
    assert rows_of(answer) == [3, 7]
    index.retrieve(QUESTION, retrieve_hook=lambda query, _search: seen.append(query.vector) or [])
    assert seen[-1] is None


def test_rerank_follows_retrieve(index: coldseek.Index) -> None:
    seen: list[int] = []

    def rerank(_question: str, hits: list[Any], _cancelled: object) -> list[Any]:
        seen.extend(hit.row for hit in hits)
        return hits[::-1]

    answer = index.retrieve(
        QUESTION, retrieve_hook=lambda _q, _s: [9, 8, 7, 6], rerank_hook=rerank, candidates=3, top_k=2
    )
    assert seen == [9, 8, 7]
    assert rows_of(answer) == [7, 8]
    assert answer.hooks == ("retrieve", "rerank")


def test_what_names_no_chunk_is_dropped(index: coldseek.Index, other: coldseek.Index, reported: list[Any]) -> None:
    theirs = other.search("kettle").hits
    mine = index.search("kettle").hits
    named = [*theirs, theirs[0].chunk, -1, 10**9, 10**30, "no such id", "d3~0", mine[1], mine[1].chunk, mine[1].row, 3]
    assert rows_of(index.retrieve(QUESTION, retrieve_hook=lambda _q, _s: named)) == [3, mine[1].row]
    assert rows_of(index.retrieve(QUESTION, rerank_hook=lambda _q, _h, _c: named)) == [3, mine[1].row]
    assert reported == []


def test_a_filter_holds_for_hooks(index: coldseek.Index) -> None:
    english: dict[str, Any] = {"metadata": {"locale": "en"}}
    seen: list[str] = []

    def retrieve(_query: Any, search: Any) -> Any:
        for conditions in (None, {}, {"metadata": {"locale": ["ja", "en"]}}):
            seen.extend(hit.chunk.metadata["locale"] for hit in search(filter=conditions))
        return range(COUNT)

    answer = index.retrieve(QUESTION, filter=english, retrieve_hook=retrieve)
    assert set(seen) == {"en"}
    assert rows_of(answer) == [1, 3, 5, 7, 9, 11]
    assert rows_of(index.retrieve(QUESTION, filter=english, rerank_hook=lambda _q, _h, _c: range(4))) == [1, 3]


def raising(*_: object) -> Any:
    raise RuntimeError("down\nand out")


def half_way(*_: object) -> Any:
    yield 3
    raise LookupError


NONSENSE: list[Any] = [None, 5, 2.5, "d3~0", b"x", {"hits": []}, object(), [None], [2.5], [[3]], [True], [{}], [b"x"]]


@pytest.mark.parametrize("hook", [raising, half_way, *NONSENSE], ids=range(2 + len(NONSENSE)))
def test_a_hook_that_fails_is_reported_and_done_without(
    index: coldseek.Index, reported: list[Exception], hook: Any
) -> None:
    function = hook if callable(hook) else lambda *_: hook
    expected = plain(index.retrieve(QUESTION))
    for name in ("retrieve", "rerank"):
        options: dict[str, Any] = {f"{name}_hook": function}
        answer = index.retrieve(QUESTION, **options)
        assert plain(answer) == expected
        assert answer.hooks == ()
        error = reported.pop()
        assert isinstance(error, coldseek.HookError)
        assert error.__cause__ is not None
        assert name in str(error)
        assert "\n" not in str(error)
    assert reported == []


def test_one_hook_fails_and_the_other_counts(index: coldseek.Index, reported: list[Exception]) -> None:
    answer = index.retrieve(QUESTION, retrieve_hook=raising, rerank_hook=lambda _q, hits, _c: hits[::-1], top_k=2)
    assert (rows_of(answer), answer.hooks) == ([19, 18], ("rerank",))
    answer = index.retrieve(QUESTION, retrieve_hook=lambda _q, _s: [6, 5], rerank_hook=raising)
    assert (rows_of(answer), answer.hooks) == ([6, 5], ("retrieve",))
    assert len(reported) == 2


def test_a_bad_option_of_search_is_the_hooks_failure(index: coldseek.Index, reported: list[Exception]) -> None:
    options: list[dict[str, Any]] = [
        {"top_k": 0},
        {"top_k": "5"},
        {"candidates": 1001},
        {"mode": "fuzzy"},
        {"mode": "semantic"},
        {"filter": {"x": 1}},
        {"colour": "red"},
    ]
    for option in options:
        answer = index.retrieve(QUESTION, retrieve_hook=lambda _q, search, option=option: search(**option))
        assert rows_of(answer) == [0, 1, 2, 3, 4, 5]
    assert len(reported) == len(options)


def test_what_never_ends_is_read_so_far_and_no_further(index: coldseek.Index, reported: list[Exception]) -> None:
    taken = itertools.count()
    answer = index.retrieve(QUESTION, retrieve_hook=lambda _q, _s: (next(taken) % 7 for _ in itertools.count()))
    assert rows_of(answer) == [0, 1, 2, 3, 4, 5]
    assert next(taken) == 1000
    assert rows_of(index.retrieve(QUESTION, rerank_hook=lambda _q, h, _c: itertools.cycle(h[:2]))) == [0, 1]
    assert reported == []


def test_edits_in_place_reach_nobody(index: coldseek.Index, reported: list[Exception]) -> None:
    expected = plain(index.retrieve(QUESTION))

    def vandal(_question: str, hits: list[Any], _cancelled: object) -> Any:
        kept = list(hits)
        for hit in hits:
            hit.score, hit.row, hit.rank, hit.similarity, hit.keyword_coverage = 99.0, 0, -1, 1.0, 1.0
            hit.chunk.text = hit.chunk.id = hit.chunk.url = "spoiled"
            hit.chunk.metadata["tags"].append("spoiled")
            hit.chunk.metadata["locale"] = "spoiled"
        hits.clear()
        return kept

    answer = plain(index.retrieve(QUESTION, rerank_hook=vandal))
    assert "spoiled" not in str(answer)
    assert [hit["row"] for hit in answer["hits"]] == [hit["row"] for hit in expected["hits"]]

    def raises_after(*arguments: Any) -> Any:
        vandal(*arguments)
        raise RuntimeError

    assert plain(index.retrieve(QUESTION, rerank_hook=raises_after)) == expected

    def spoils_chunks(query: Any, _search: Any) -> Any:
        chunks = list(query.chunks)
        for chunk in chunks:
            chunk.row, chunk.generation, chunk.text = "0", "x", "spoiled"
        query.text = query.vector = "spoiled"
        return [*chunks, 2]

    assert rows_of(index.retrieve(QUESTION, vector=[1.0, 1.0], retrieve_hook=spoils_chunks)) == [2]
    assert plain(index.retrieve(QUESTION)) == expected
    assert len(reported) == 1


def test_a_hook_that_is_late(folder: Path, reported: list[Exception]) -> None:
    def sleepy(_question: str, hits: list[Any], cancelled: Callable[[], bool]) -> Any:
        while not cancelled():
            time.sleep(0.005)
        return hits[::-1]

    with coldseek.open(folder, hooks={"rerank": sleepy}, hook_timeout=0.03, on_error=reported.append) as index:
        answer = index.retrieve(QUESTION)
        assert (rows_of(answer), answer.hooks) == ([0, 1, 2, 3, 4, 5], ())
        assert index.retrieve(QUESTION, rerank_hook=lambda _q, h, _c: h[3:4]).hooks == ("rerank",)
    assert len(reported) == 1


def test_a_caller_that_gave_up(index: coldseek.Index, reported: list[Exception]) -> None:
    answers = iter([False, True, True])
    told: list[bool] = []

    def rerank(_question: str, _hits: list[Any], cancelled: Callable[[], bool]) -> Any:
        told.extend((cancelled(), cancelled()))
        return []

    answer = index.retrieve(QUESTION, rerank_hook=rerank, cancelled=lambda: next(answers))
    assert told == [False, True]
    assert answer.answerable  # an answer that was given up half way is not taken for one
    assert len(reported) == 1


def test_hooks_of_the_index(folder: Path) -> None:
    with coldseek.open(folder, hooks={"rerank": lambda _q, hits, _c: hits[::-1], "retrieve": None}) as index:  # type: ignore[dict-item]
        assert rows_of(index.retrieve(QUESTION, top_k=1)) == [19]
        assert rows_of(index.retrieve(QUESTION, top_k=1, rerank_hook=False)) == [0]
        assert rows_of(index.retrieve(QUESTION, top_k=1, rerank_hook=lambda _q, hits, _c: hits[1:])) == [1]
        assert index.search(QUESTION, top_k=1).hits[0].row == 0


@pytest.mark.parametrize("hooks", [5, "rerank", ["rerank"], {"rank": raising}, {"rerank": 5}, {5: raising}], ids=str)
def test_hooks_that_cannot_be_used(folder: Path, hooks: Any) -> None:
    with pytest.raises(coldseek.UsageError, match="hook"):
        coldseek.open(folder, hooks=hooks)


def test_options_that_cannot_be_used(folder: Path, index: coldseek.Index) -> None:
    for name in ("retrieve_hook", "rerank_hook", "cancelled"):
        options: dict[str, Any] = {name: "x"}
        with pytest.raises(coldseek.UsageError, match=name):
            index.retrieve(QUESTION, **options)
    for timeout in (0, -1, "5", float("nan"), True):
        with pytest.raises(coldseek.UsageError, match="hook_timeout"):
            coldseek.open(folder, hook_timeout=timeout)  # type: ignore[arg-type]


def test_a_hook_that_closes_the_index(folder: Path, reported: list[Exception]) -> None:
    index = coldseek.open(folder, on_error=reported.append)

    def rerank(_question: str, hits: list[Any], _cancelled: object) -> Any:
        index.close()
        return hits

    with pytest.raises(coldseek.ClosedIndexError):
        index.retrieve(QUESTION, rerank_hook=rerank)


def test_all_chunks(index: coldseek.Index) -> None:
    chunks = index.chunks
    assert len(chunks) == COUNT + 5
    assert [chunk.row for chunk in chunks] == list(range(COUNT + 5))
    assert chunks[-1].id == chunks[len(chunks) - 1].id
    assert chunks[0].to_dict() == index.search(QUESTION).hits[0].chunk.to_dict()
    for row in (COUNT + 5, -COUNT - 6):
        with pytest.raises(IndexError):
            chunks[row]
    for nonsense in (True, "0", None, 1.0, slice(2)):
        with pytest.raises(coldseek.UsageError):
            chunks[nonsense]  # type: ignore[index]
