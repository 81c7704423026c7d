"""What a question's terms and weights are, against the naive twin: any text, hostile text, and real questions."""

import ctypes
import gzip
import json
import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import coldseek
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.kernels import load
from coldseek_core.search.dictionary import Dictionary
from coldseek_core.search.query import TermArrays, resolve_query
from coldseek_core.search.settings import QUERY_TERM_LIMIT
from coldseek_core.text import Analyser
from coldseek_core.text.workspace import Workspace
from hostile_questions import HOSTILE
from search.naive_query import TermEntry, entries_of
from search.naive_query import resolve_query as naive_query
from search.worlds import PIECES, UNKNOWN, write_documents
from text.written import TEXTS, WORDS

LANGUAGES = ("en", "tr", "zh", "none")
UNKNOWN_IDF = 700_000
DATA = Path(os.environ.get("COLDSEEK_TEST_DATA", Path(__file__).resolve().parents[2].parent / "shared" / "data"))
JUDGED = ("cosqa-test", "drcd-dev", "k8s-docs", "mtrag-un-ibmcloud", "nq-open-dev", "scifact", "squad2-dev")


class Flat:
    """An embedder that analyses nothing."""

    id = "flat"
    dimensions = 2

    def embed(self, texts: Sequence[str], /) -> list[list[float]]:
        return [[1.0, 2.0] for _ in texts]


class Opened:
    """An index, and its terms as the twin takes them."""

    def __init__(self, files: IndexFiles, analyser: Analyser) -> None:
        self.files = files
        self.analyser = analyser
        self.dictionary = Dictionary(files, load())
        self.entries: dict[str, TermEntry] = entries_of(files)

    def check(self, text: str, unknown_idf: int = UNKNOWN_IDF) -> None:
        got = resolve_query(text, self.analyser, self.dictionary, unknown_idf)
        expected = naive_query(text, self.analyser, self.entries, unknown_idf)
        assert sorted(read(got.all_terms)) == sorted(expected.terms)
        assert sorted(read(got.scored_terms)) == sorted(term for term in expected.terms if term[3])
        assert sorted(read(got.weighed_terms)) == sorted(term for term in expected.terms if term[2])
        assert got.unknown_words == expected.unknown_words
        assert (got.total_weight, got.trimmed) == (expected.total_weight, expected.trimmed)
        assert got.has_words == expected.has_words


def read(terms: TermArrays) -> list[tuple[int, int, int, bool]]:
    columns = [(ctypes.c_int64 * terms.count).from_address(at) for at in (terms.starts, terms.dfs, terms.weights)]
    scored = (ctypes.c_uint8 * terms.count).from_address(terms.scored)
    return [(start, df, weight, bool(scores)) for start, df, weight, scores in zip(*columns, scored, strict=True)]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Opened]]:
    """An index for each language, with terms of many frequencies."""
    rng = random.Random(11)
    pieces = [*PIECES, *(word for word in WORDS if rng.random() < 0.7)]
    texts = [" ".join(rng.choices(pieces, k=rng.choice([1, 5, 30]))) for _ in range(60)]
    documents = [
        Document(f"d{order}", f"d{order}.md", f"/d{order}", "", {}, (Chunk(id=f"d{order}~0", text=text),))
        for order, text in enumerate(texts)
    ]
    result: dict[str, Opened] = {}
    for language in LANGUAGES:
        folder = write_documents(tmp_path_factory.mktemp("query") / "i.coldseek", documents, language)
        result[language] = Opened(IndexFiles.open(folder), Analyser(language))
    yield result
    for one in result.values():
        one.files.close()


QUESTIONS = st.lists(st.sampled_from([*PIECES, *UNKNOWN, *WORDS, " ", "the"]) | TEXTS, max_size=10).map(" ".join)


@given(QUESTIONS, st.sampled_from(LANGUAGES), st.sampled_from([0, 1, UNKNOWN_IDF, 1 << 20]))
def test_any_text(opened: dict[str, Opened], text: str, language: str, unknown_idf: int) -> None:
    opened[language].check(text, unknown_idf)


@given(st.lists(st.sampled_from([*PIECES, *WORDS]), max_size=6).map("".join), st.sampled_from(LANGUAGES))
def test_words_run_together(opened: dict[str, Opened], text: str, language: str) -> None:
    opened[language].check(text)


@pytest.mark.parametrize("size", [3_000, 40_000])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text(opened: dict[str, Opened], name: str, size: int) -> None:
    opened["en"].check(HOSTILE[name](size))


@pytest.mark.parametrize("extra", [-1, 0, 1, 200])
@pytest.mark.parametrize("unknown_idf", [0, UNKNOWN_IDF, 1 << 20])
def test_terms_at_the_limit(opened: dict[str, Opened], extra: int, unknown_idf: int) -> None:
    """Known terms of many frequencies among unknown ones, which share long beginnings, around the limit."""
    one = opened["none"]
    known = sorted(one.entries)[:150]
    unknown = [f"{'z' * (order % 61)}{order:x}" for order in range(QUERY_TERM_LIMIT + extra - len(known))]
    words = known + unknown
    random.Random(extra).shuffle(words)
    one.check(" ".join(words), unknown_idf)


def test_a_workspace_is_left_as_it_was_found(opened: dict[str, Opened]) -> None:
    """A question after a hostile one is answered as before it."""
    one = opened["en"]
    for name in HOSTILE:
        one.check("retry backoff max_retry_count 延迟重试 café unknown-word")
        one.check(HOSTILE[name](2_000))


@pytest.mark.parametrize("name", JUDGED)
def test_real_questions(opened: dict[str, Opened], tmp_path: Path, name: str) -> None:
    """Over an index of some passages of the same collection, where it has any."""
    folder = DATA / "judged" / name
    if not folder.is_dir():
        pytest.skip(f"the shared test data is not at {DATA}")
    language = "zh-TW" if name == "drcd-dev" else "en"
    questions = [json.loads(line)["text"] for line in (folder / "queries.jsonl").read_text().splitlines()[:400]]
    one = opened["zh" if language != "en" else "en"]
    corpus = folder / "corpus.jsonl.gz"
    if corpus.is_file():
        with gzip.open(corpus, "rt", encoding="utf-8") as lines:
            texts = [json.loads(line)["text"] for _, line in zip(range(150), lines, strict=False)]
        documents = [
            Document(f"d{order}", f"d{order}.md", f"/d{order}", "", {}, (Chunk(id=f"d{order}~0", text=text),))
            for order, text in enumerate(texts)
        ]
        one = Opened(IndexFiles.open(write_documents(tmp_path / "i", documents, language)), Analyser(language))
    for question in questions:
        one.check(question)
    one.check(" ".join(questions))
    if corpus.is_file():
        one.files.close()


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
def test_a_question_is_analysed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    """Whether it has words is known before it is embedded, and its terms after that."""
    (tmp_path / "a.md").write_text("# Kettle\n\nCopper kettle.\n")
    coldseek.build([tmp_path / "a.md"], tmp_path / "i", embedder=Flat())
    analysed: list[str] = []
    tokenise = Workspace.tokenise

    def noted(self: Workspace, text: str, text_limit: int) -> int:
        analysed.append(text)
        return tokenise(self, text, text_limit)

    with coldseek.open(tmp_path / "i", embedder=Flat()) as index:
        monkeypatch.setattr(Workspace, "tokenise", noted)
        for ask in (
            lambda: index.search("a kettle", mode=mode),
            lambda: index.retrieve("a kettle", mode=mode),
            lambda: index.search_many(["a kettle"], mode=mode),
            lambda: index.gate_hits("a kettle", [0], mode=mode),
        ):
            analysed.clear()
            assert ask()
            assert analysed == ["a kettle"]
