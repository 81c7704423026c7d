"""`contains` and `phrase`: words as the analyser reads them, all of them, and next to each other."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import UsageError
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.search.engine import SearchEngine
from search.worlds import write_documents

TITLE = "Deploying the Site"
TEXTS = [
    "Deploy your site to GitHub Pages.",
    "GitHub deploys pages; your site is elsewhere.",
    "Set maxRetryCount, or a count of retries.",
    "Set max-retry-count (max retry count).",
    "延迟重试策略说明",
    "延 迟 and 重试",
    "The page of the site of the year",
    "deploy deploy your deploy your site",
    "",
    "Server-side rendering with C++ and ℃ ﬃ.",
]
HEADING = {8: ("Café & cafés", "GitHub Pages")}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    documents = [
        Document(
            f"d{i}",
            f"{i}.md",
            f"/{i}",
            TITLE if i == 9 else "",
            {"row": i},
            (Chunk(f"c{i}", text, HEADING.get(i, ())),),
        )
        for i, text in enumerate(TEXTS)
    ]
    folder = tmp_path_factory.mktemp("words") / "i"
    return SearchEngine(IndexFiles.open(write_documents(folder, documents)))


def kept(engine: SearchEngine, **conditions: Any) -> set[int]:
    found = engine.gate_hits("", range(len(TEXTS)), filter=conditions, min_keyword_coverage=0.0)
    return {hit.row for hit in found}


@pytest.mark.parametrize(
    ("text", "contains", "phrase"),
    [
        ("deploy", {0, 1, 7, 9}, {0, 1, 7, 9}),
        ("DEPLOYED sites", {0, 1, 7, 9}, set()),
        ("your site", {0, 1, 7}, {0, 1, 7}),
        ("your sites!", {0, 1, 7}, {0, 1, 7}),
        ("site your", {0, 1, 7}, set()),
        ("deploy your site", {0, 1, 7}, {0, 7}),
        ("deploy site", {0, 1, 7, 9}, set()),
        ("GitHub Pages", {0, 1, 8}, {0, 8}),
        # Stop words count.
        ("the site", {6, 9}, {6, 9}),
        ("the site of the year", {6}, {6}),
        ("deploying the site", {9}, {9}),
        ("of", {2, 6}, {2, 6}),
        # A title, headings and a text are texts of their own, and the last word of one does not precede another.
        ("site server", {9}, set()),
        ("cafes cafe", {8}, {8}),
        ("cafés github", {8}, {8}),
        # Names as wholes and in parts.
        ("maxRetryCount", {2, 3}, {2, 3}),
        ("max_retry_count", {2, 3}, {2, 3}),
        ("max retry count", {2, 3}, {2, 3}),
        ("max-retry-count", {2, 3}, {2, 3}),
        ("retry counts", {2, 3}, {2, 3}),
        ("count of retries", {2}, {2}),
        ("set maxRetryCount or", {2}, {2}),
        ("set max count", {2, 3}, set()),
        ("server side", {9}, {9}),
        ("server-side rendering", {9}, {9}),
        ("rendering with c++ AND °C ffi", {9}, {9}),
        ("C rendering", {9}, set()),
        # Scripts without spaces.
        ("重试", {4, 5}, {4, 5}),
        ("延迟", {4}, {4}),
        ("延 迟", {4, 5}, {4, 5}),
        ("延迟策略", set(), set()),
        ("重试策略", {4}, {4}),
        ("迟 重", {4, 5}, {4}),
        # One word in no chunk.
        ("deploy zebra", set(), set()),
        ("zebra", set(), set()),
        # Text, not syntax.
        ("deploy OR zebra", set(), set()),
        ('"your site" -deploy', {0, 1, 7}, set()),
    ],
)
def test_what_is_kept(engine: SearchEngine, text: str, contains: set[int], phrase: set[int]) -> None:
    assert kept(engine, contains=text) == contains
    assert kept(engine, phrase=text) == phrase
    assert kept(engine, contains="deploy", phrase=text) == phrase & {0, 1, 7, 9}
    few = {"metadata": {"row": {"lte": 4}}}
    assert kept(engine, phrase=text, **few) == {row for row in phrase if row <= 4}
    assert kept(engine, contains=text, **few) == {row for row in contains if row <= 4}


def test_both_legs_and_many_words(engine: SearchEngine) -> None:
    hits = engine.search("site", filter={"phrase": "deploy your site"}, top_k=50).hits
    assert {hit.row for hit in hits} == {0, 7}
    words = " ".join(["deploy your site"] * 80)
    assert kept(engine, contains=words) == {0, 1, 7}
    assert kept(engine, phrase=words) == set()
    assert kept(engine, contains=" ".join([words] * 10)) == {0, 1, 7}
    with pytest.raises(UsageError, match="up to 256 words, not 258"):
        kept(engine, phrase=" ".join(["deploy your site"] * 86))
    assert kept(engine, contains=" ".join(f"w{i}" for i in range(1024))) == set()


def test_an_empty_index(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("empty") / "i"
    with IndexFiles.open(write_documents(folder, [])) as files:
        empty = SearchEngine(files)
        for conditions in ({"contains": "site"}, {"phrase": "your site"}, {"filename": "a"}):
            assert empty.search("site", filter=conditions).hits == []


def test_words_of_which_nothing_is_left(tmp_path: Path) -> None:
    """Greek stems of some words are empty: such words are in no index, and stand between no others."""
    texts = ["λόγος αγα έργο", "λόγος έργο", "λόγος κόσμος έργο", "αγα"]
    documents = [Document(f"d{i}", "", f"/{i}", "", {}, (Chunk(f"c{i}", text),)) for i, text in enumerate(texts)]
    with IndexFiles.open(write_documents(tmp_path / "i", documents, language="el")) as files:
        greek = SearchEngine(files)
        for text, rows in (("λόγος έργο", {0, 1}), ("λόγος αγα έργο", {0, 1}), ("κόσμος έργο", {2})):
            hits = greek.search("λόγος", filter={"phrase": text}).hits
            assert {hit.row for hit in hits} == rows
        with pytest.raises(UsageError, match="must hold a word"):
            greek.search("λόγος", filter={"contains": "αγα"})


HOSTILE = ["the of " * 4000, "aB" * 8000, "延遲" * 6000, "a." * 8000, "x" * 20000, "x y " * 6000 + "z", "x " * 9000]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_end_soon(tmp_path: Path, text: str) -> None:
    documents = [Document("d", "", "/d", "", {}, (Chunk("c", text),))]
    with IndexFiles.open(write_documents(tmp_path / "i", documents)) as files:
        hostile = SearchEngine(files)
        begin = time.monotonic()
        for one in (text, text[:120], text[1:101], "x " * 100 + "z", "z" + " x" * 100, "the " * 200):
            for name in ("contains", "phrase"):
                with suppress(UsageError):  # too many words
                    assert hostile.search("", filter={name: one}).hits == []
        assert time.monotonic() - begin < 2
