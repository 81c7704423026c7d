"""Building: whatever the workers, the order or the repetition, the same index; problems are told, the rest is built."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek_core.ingest.build import build_index


def files_of(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    for order in range(24):
        (folder / f"page{order}.md").write_text(
            f"---\ntype: guide\norder: {order}\nnew: {'true' if order % 2 else 'false'}\ntags: [a, b{order}]\n---\n"
            f"# Page {order}\n\nAbout number{order} and the retries.\n\n## Limits\n\nToken bucket {order}.\n"
        )
    (folder / "sub" / "unicode ñ 延迟.md").write_text("# Über\n\nnaïve café 延迟重试\n", encoding="utf-8")
    lines = [{"id": f"x{i}", "text": f"chunk {i}", "document": f"doc{i // 3}"} for i in range(9)]
    (folder / "more.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    return folder


@pytest.mark.parametrize("embedder", ["none", "mock"])
def test_one_and_two_workers_and_any_order_give_the_same_bytes(tmp_path: Path, pages: Path, embedder: str) -> None:
    one, two, shuffled = (tmp_path / name for name in ("one", "two", "shuffled"))
    first = build_index([pages], one, embedder=embedder)
    build_index([pages], two, embedder=embedder, workers=2)
    assert files_of(one) == files_of(two)
    sources = sorted(pages.iterdir())
    build_index(sources, shuffled, embedder=embedder, framework="none")
    expected = files_of(shuffled)
    other = tmp_path / "other"
    build_index(
        [*sources[::-1], sources[0], pages / "sub" / ".." / "more.jsonl"], other, embedder=embedder, framework="none"
    )
    assert files_of(other) == expected
    again = build_index([pages], one, embedder=embedder)
    assert again.generation == first.generation
    assert files_of(one) == files_of(two)
    assert coldseek.verify(one) == []


def test_two_workers_drop_what_one_drops(tmp_path: Path, pages: Path) -> None:
    lines = [
        {"id": "x0", "text": "again"},
        {"id": "fresh", "text": "fresh"},
        {"id": "x1", "text": "2", "document": "doc0"},
    ]
    (pages / "zz.jsonl").write_text("\n".join(json.dumps(line) for line in lines) + "\nnot json\n")
    reports = [build_index([pages], tmp_path / str(workers), workers=workers) for workers in (1, 2)]
    assert reports[0].problems == reports[1].problems
    assert len(reports[0].problems) >= 3
    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")


def test_a_reader_keeps_its_generation_beside_rebuilds(tmp_path: Path, pages: Path) -> None:
    build_index([pages], tmp_path / "i")
    with coldseek.open(tmp_path / "i") as old:
        before = old.search("number7").to_dict()["hits"]
        for order in range(3):
            (pages / "page7.md").write_text(f"# New\n\nnothing of that, version {order}\n")
            build_index([pages], tmp_path / "i")
            assert old.search("number7").to_dict()["hits"] == before
            with coldseek.open(tmp_path / "i") as new:
                assert new.generation != old.generation
                assert new.search("number7").hits == []
                assert new.search("version").hits
        assert before[0]["chunk"]["title"] == "Page 7"


def test_a_build_that_fails_leaves_the_old_index(tmp_path: Path, pages: Path) -> None:
    build_index([pages], tmp_path / "i")
    before = files_of(tmp_path / "i")

    class Down:
        id = "down"
        dimensions = 2

        def embed(self, texts: Any) -> Any:
            raise RuntimeError(f"down: {len(texts)}")

    with pytest.raises(coldseek.EmbedderError, match="down"):
        build_index([pages], tmp_path / "i", embedder=Down())
    with pytest.raises(coldseek.UsageError):
        build_index([tmp_path / "nowhere"], tmp_path / "i")
    assert files_of(tmp_path / "i") == before


def test_problems_are_told_and_the_rest_is_built(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.md").write_text("# Good\n\ncopper kettle\n")
    (folder / "latin.md").write_bytes("# Caf\xe9 au lait\n".encode("latin-1"))
    (folder / "binary.txt").write_bytes(b"\x7fELF\0\0\1")
    (folder / "empty.md").write_text("")
    (folder / "sixteen.txt").write_bytes("iron pan\n".encode("utf-16"))
    (folder / "gone.md").symlink_to(folder / "nowhere.md")
    (folder / "lines.jsonl").write_text(
        '{"id": "a", "text": "fine"}\n{"id": "a", "text": "again"}\n{oops\n[]\n{"id": "b"}\n\n{"id": "c", "text": 3}\n'
        '{"id": "d", "text": "also fine", "extra": 1}\n{"id": "e", "text": "x", "vector": [1, NaN]}\n'
    )
    report = build_index([folder, tmp_path / "missing", folder / "good.pdf"], tmp_path / "i")
    told = {os.path.basename(problem.path) for problem in report.problems}
    assert {"latin.md", "binary.txt", "lines.jsonl", "missing", "good.pdf"} <= told
    assert not {"good.md", "sixteen.txt"} & told
    lines = [problem.reason for problem in report.problems if problem.path.endswith("lines.jsonl")]
    assert {line.split(":")[0] for line in lines} == {f"line {number}" for number in (2, 3, 4, 5, 7, 8, 9)}
    assert all("\n" not in problem.reason for problem in report.problems)
    json.dumps(report.to_dict(), allow_nan=False)
    with coldseek.open(tmp_path / "i") as index:
        for word in ("kettle", "pan", "fine"):
            assert index.search(word).hits


@pytest.mark.usefixtures("ordinary_permissions")
def test_an_unreadable_file(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\ntext")
    (tmp_path / "b.md").write_text("# B\n\ntext")
    (tmp_path / "b.md").chmod(0)
    (problem,) = build_index([tmp_path / "a.md", tmp_path / "b.md"], tmp_path / "i").problems
    assert problem.path.endswith("b.md")


@pytest.mark.parametrize("content", ["", "   \n\n", "---\ntitle: x\n---\n"])
def test_sources_without_documents(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.md").write_text(content)
    with pytest.raises(coldseek.UsageError, match="no document"):
        build_index([tmp_path / "a.md"], tmp_path / "i")
    assert not (tmp_path / "i").exists()


def test_a_huge_file(tmp_path: Path) -> None:
    (tmp_path / "huge.md").write_text(
        "# Huge\n\n" + "\n\n".join(f"Paragraph {i} about {'words ' * 20}" for i in range(35_000))
    )
    assert (tmp_path / "huge.md").stat().st_size > 4_500_000
    begin = time.process_time()
    report = build_index([tmp_path / "huge.md"], tmp_path / "i")
    assert time.process_time() - begin < 20
    assert report.chunks > 3000
    (tmp_path / "line.txt").write_text("word " * 400_000)
    begin = time.process_time()
    build_index([tmp_path / "line.txt"], tmp_path / "j")
    assert time.process_time() - begin < 20


def test_progress_counts_up(tmp_path: Path, pages: Path) -> None:
    calls: list[tuple[str, int, int]] = []

    def note(stage: str, done: int, total: int) -> None:
        calls.append((stage, done, total))

    report = build_index([pages], tmp_path / "i", embedder="mock", on_progress=note)
    for stage, total in (("read", 26), ("count", report.chunks), ("embed", report.chunks), ("write", report.chunks)):
        done = [call[1] for call in calls if call[0] == stage]
        assert done == sorted(done)
        assert done[-1] == total
        assert {call[2] for call in calls if call[0] == stage} == {total}


def test_given_vectors(tmp_path: Path) -> None:
    lines = [{"id": "a", "text": "north", "vector": [1, 0]}, {"id": "b", "text": "south", "vector": [-1, 0]}]
    (tmp_path / "v.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    report = build_index([tmp_path / "v.jsonl"], tmp_path / "i")
    assert (report.embedder, report.dimensions) == ("given", 2)
    with coldseek.open(tmp_path / "i", verify="full") as index:
        assert index.search("zzz", vector=[-0.5, 0.0], mode="semantic").hits[0].chunk.id == "b"
    assert build_index([tmp_path / "v.jsonl"], tmp_path / "k", embedder="none").dimensions == 0
    with pytest.raises(coldseek.UsageError, match="vectors"):
        build_index([tmp_path / "v.jsonl"], tmp_path / "m", embedder="mock")
    (tmp_path / "w.md").write_text("# W\n\nno vector")
    with pytest.raises(coldseek.UsageError, match=r"\d of 3"):
        build_index([tmp_path / "v.jsonl", tmp_path / "w.md"], tmp_path / "n")


def test_settings_are_kept(tmp_path: Path, pages: Path) -> None:
    build_index(
        [pages],
        tmp_path / "i",
        language="de",
        base_url="/docs",
        site_name="Acme {x}",
        retrieval={"top_k": 2, "min_keyword_coverage": 0.9},
        scoring={"k1": 0.9, "weights": [2, 1, 1]},
        chunk_size=300,
        chunk_overlap=30,
    )
    with coldseek.open(tmp_path / "i") as index:
        kept = index.info()["settings"]
        assert (kept["analyser"]["language"], kept["base_url"], kept["site_name"]) == ("de", "/docs", "Acme {x}")
        assert (kept["scoring"]["k1"], kept["scoring"]["weights"]) == (0.9, [2.0, 1.0, 1.0])
        assert kept["chunking"] == {"size": 300, "overlap": 30, "unit": "characters"}
        answer = index.retrieve("number1 zzzz yyyy xxxx")
        assert answer.refusal is not None
        assert answer.refusal.message == "I don't know. I couldn't find anything about that on Acme {x}."
        assert answer.refusal.unknown_words == ["zzzz", "yyyy", "xxxx"]
        assert len(index.retrieve("retries").hits) == 2
        assert index.retrieve("zzzz", site_name="us").refusal.message.endswith("on us.")  # pyright: ignore
        assert index.retrieve("zzzz", no_answer_message="Nope.").refusal.message == "Nope."  # pyright: ignore
