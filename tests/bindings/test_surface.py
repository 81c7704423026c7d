"""The public surface: a change of it must be meant."""

import inspect
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek_core import errors

PAGES = {
    "a.md": "---\nlocale: en\n---\n# Kettles\n\nA copper kettle boils water.\n\n## Care\n\nPolish the copper.\n",
    "b.md": "---\nlocale: ja\n---\n# Pans\n\nAn iron pan, error ERR-7741X.\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("surface")
    for name, text in PAGES.items():
        (folder / name).write_text(text)
    coldseek.build([folder / name for name in PAGES], folder / "i", embedder="mock")
    return folder


@pytest.fixture
def index(folder: Path) -> Iterator[coldseek.Index]:
    with coldseek.open(folder / "i") as opened:
        yield opened


def test_names() -> None:
    raised = {
        name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, errors.ColdseekError)
    }
    assert set(coldseek.__all__) == raised | {"Index", "__version__", "build", "evaluate", "open", "verify"}
    assert list(coldseek.__all__) == sorted(coldseek.__all__)
    for name in coldseek.__all__:
        assert getattr(coldseek, name) is not None
    assert all(name in (errors.__doc__ or "") for name in raised)


@pytest.mark.parametrize(
    ("function", "signature"),
    [
        (
            coldseek.open,
            "path *embedder=None *verify='open' *on_error=None *embed_timeout=5.0"
            " *hooks=None *hook_timeout=None *scan_threads=1 *queries_a_pass=16",
        ),
        (
            coldseek.build,
            "sources output *base_url='' *framework=None *clean_urls=None *language='en' *embedder=None"
            " *embed_model=None"
            " *embed_base_url=None *chunk_size=None *chunk_overlap=None *chunk_unit=None *scoring=None *retrieval=None"
            " *site_name=None *no_answer_message=None *workers=1 *on_progress=None",
        ),
        (coldseek.evaluate, "index questions"),
        (coldseek.verify, "path"),
        (
            coldseek.Index.search,
            "self query *top_k=5 *mode=None *vector=None *filter=None *hybrid=None"
            " *score_threshold=None *max_per_document=None *highlight=False *explain=False *expand=0",
        ),
        (
            coldseek.Index.retrieve,
            "self question *top_k=None *candidates=None *rrf_k=None *min_similarity=None *min_keyword_coverage=None"
            " *similarity_needs_keyword=None *max_context_chars=None *max_per_document=None *highlight=False *expand=0"
            " *mode=None *vector=None *filter=None"
            " *site_name=None *no_answer_message=None *retrieve_hook=None *rerank_hook=None *cancelled=None",
        ),
        (
            coldseek.Index.search_many,
            "self queries *vectors=None *workers=None *top_k=5 *mode=None *filter=None *hybrid=None"
            " *score_threshold=None *max_per_document=None *highlight=False *explain=False *expand=0",
        ),
        (
            coldseek.Index.gate_hits,
            "self question rows_or_hits *min_similarity=None *min_keyword_coverage=None *similarity_needs_keyword=None"
            " *mode=None *vector=None *filter=None",
        ),
        (coldseek.Index.close, "self"),
        (coldseek.Index.info, "self"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_signatures(function: Any, signature: str) -> None:
    shown: list[str] = []
    for name, one in inspect.signature(function).parameters.items():
        star = {one.KEYWORD_ONLY: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        shown.append(star + name + ("" if one.default is one.empty else f"={one.default!r}"))
    assert " ".join(shown) == signature


def test_what_an_index_offers(index: coldseek.Index) -> None:
    offered = {name for name in dir(index) if not name.startswith("_")}
    assert offered == {
        *("chunks", "close", "gate_hits", "generation", "info", "path", "retrieve", "search", "search_many"),
    }
    assert index.generation in repr(index)
    information = index.info()
    assert information["counts"]["documents"] == 2
    assert "canaries" not in information["settings"]["embedder"]
    assert set(information["fileBytes"]) == {"chunks", "documents", "terms", "term_blocks", "postings", "vectors"}


def test_a_closed_index(folder: Path) -> None:
    index = coldseek.open(folder / "i")
    hit, chunk = index.search("kettle").hits[0], index.chunks[0]
    shown = hit.to_dict(), chunk.to_dict()
    index.close()
    index.close()
    assert "kettle" in hit.chunk.text
    assert (hit.to_dict(), chunk.to_dict()) == shown
    for ask in (
        index.search,
        index.retrieve,
        lambda query: index.search_many([query]),
        lambda query: index.gate_hits(query, [0]),
        lambda query: index.chunks[len(query) - len(query)],
    ):
        with pytest.raises(coldseek.ClosedIndexError):
            ask("kettle")
    with open("/proc/self/maps") as maps:
        assert str(folder) not in maps.read()


def test_many_threads_get_equal_answers(index: coldseek.Index) -> None:
    queries = ["copper kettle", "iron", "ERR-7741X", "how to polish", "nothing of that"] * 10
    expected = [
        (index.search(query).to_dict()["hits"], index.retrieve(query).to_dict()["sources"]) for query in queries
    ]
    results: list[list[Any]] = []
    barrier = threading.Barrier(16)

    def run() -> None:
        barrier.wait()
        results.append([(index.search(q).to_dict()["hits"], index.retrieve(q).to_dict()["sources"]) for q in queries])

    threads = [threading.Thread(target=run) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 16
    assert all(result == expected for result in results)


def test_verify_levels(folder: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "i"
    shutil.copytree(folder / "i", copy)
    assert coldseek.verify(copy) == []
    coldseek.open(copy, verify="full").close()
    place = next(copy.glob("*/postings.arrow"))
    data = bytearray(place.read_bytes())
    data[len(data) // 2] ^= 0xFF
    place.write_bytes(data)
    coldseek.open(copy).close()
    assert coldseek.verify(copy)
    with pytest.raises(coldseek.CorruptIndexError, match="postings"):
        coldseek.open(copy, verify="full")
    with pytest.raises(coldseek.UsageError, match="open, full"):
        coldseek.open(copy, verify="none")


def test_quick_answers_of_the_readme(index: coldseek.Index) -> None:
    (hit,) = index.search("ERR-7741X", top_k=3, mode="lexical").hits
    assert hit.chunk.metadata == {"locale": "ja"}
    answer = index.retrieve("How do I polish copper?", filter={"metadata": {"locale": "en"}})
    assert answer.answerable
    assert answer.sources[0].url.endswith("#care")
    assert answer.context.startswith("[1] Kettles > Care (")


@pytest.mark.parametrize("embedder", ["mock", 5, object(), type("E", (), {"id": "mock-512"})()], ids=range(4))
def test_an_embedder_that_is_none(folder: Path, embedder: Any) -> None:
    with pytest.raises(coldseek.ColdseekError):
        coldseek.open(folder / "i", embedder=embedder)


@pytest.mark.parametrize("path", [5, None, "", "\0", "/nowhere", __file__, b"/nowhere", "/dev/null", "/proc"])
def test_paths_that_are_no_index(path: Any) -> None:
    with pytest.raises(coldseek.ColdseekError) as caught:
        coldseek.open(path)
    assert "\n" not in str(caught.value)


BAD_OPTIONS: list[dict[str, Any]] = [
    {"top_k": 0},
    {"top_k": 51},
    {"top_k": True},
    {"top_k": 2.0},
    {"top_k": "5"},
    {"mode": "fuzzy"},
    {"mode": ["lexical"]},
    {"filter": {"x": 1}},
    {"vector": [1.0]},
    {"max_per_document": 51},
    {"max_per_document": "2"},
    {"highlight": 1},
    {"expand": 3},
]
BAD_OF_SEARCH: list[dict[str, Any]] = [
    {"hybrid": 0},
    {"hybrid": False, "mode": "semantic"},
    {"score_threshold": 1.01},
    {"score_threshold": True},
    {"explain": "yes"},
]
BAD_SETTINGS: list[dict[str, Any]] = [
    {"candidates": 0},
    {"candidates": 1001},
    {"rrf_k": 0},
    {"min_similarity": 1.01},
    {"min_similarity": float("nan")},
    {"min_keyword_coverage": -0.1},
    {"min_keyword_coverage": "half"},
    {"similarity_needs_keyword": "no"},
    {"max_context_chars": 0},
    {"site_name": 5},
    {"no_answer_message": 5},
]


@pytest.mark.parametrize("options", [*BAD_OPTIONS, *BAD_OF_SEARCH, *BAD_SETTINGS], ids=str)
def test_options_that_cannot_be_used(index: coldseek.Index, options: dict[str, Any]) -> None:
    asks = [index.search, index.retrieve]
    if options in BAD_SETTINGS or options in BAD_OF_SEARCH:
        asks = [index.retrieve if options in BAD_SETTINGS else index.search]
    for ask in asks:
        with pytest.raises(coldseek.UsageError) as caught:
            ask("zebra", **options)
        message = str(caught.value)
        assert "\n" not in message
        # What came and what would do: a name and a range, a list or a way.
        assert any(word in message for word in (" from ", "one of", "there are", "must", "embed it"))


@pytest.mark.parametrize("text", [None, 5, b"bytes", ["list"]])
def test_a_query_that_is_no_text(index: coldseek.Index, text: Any) -> None:
    for ask in (index.search, index.retrieve):
        with pytest.raises(coldseek.UsageError, match="text"):
            ask(text)


def test_a_rebuild_beside_an_open_index(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old words")
    coldseek.build([tmp_path / "a.txt"], tmp_path / "i")
    with coldseek.open(tmp_path / "i") as index:
        (tmp_path / "a.txt").write_text("new things")
        coldseek.build([tmp_path / "a.txt"], tmp_path / "i")
        assert index.search("words").hits
        assert not index.search("things").hits
