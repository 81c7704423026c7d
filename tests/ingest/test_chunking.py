import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.errors import UsageError
from coldseek_core.ingest.assembly import make_chunks
from coldseek_core.ingest.chunking import Chunking, pack
from coldseek_core.ingest.documents import Chunk
from coldseek_core.ingest.markdown import parse_markdown
from coldseek_core.ingest.measure import MEASURES, count_tokens
from ingest.pages_on_disk import pieces_of


def chunks_of(source: str, title: str = "Guide", chunking: Chunking | None = None) -> tuple[Chunk, ...]:
    return make_chunks(parse_markdown(source), title, "/guide", chunking or Chunking())


def shared_length(first: str, second: str) -> int:
    """How much of the end of `first` opens `second`."""
    return max((length for length in range(len(second) + 1) if first.endswith(second[:length])), default=0)


@pytest.mark.parametrize(
    "arguments",
    [(50,), (99,), (400, 300), (400, -1), (400, True), ("400",), (400.0,), (10**7,), (400, 100, "words"), (None, 700)],
)
def test_settings_that_cannot_work_are_errors(arguments: tuple[object, ...]) -> None:
    with pytest.raises(UsageError, match=r"chunk|unit"):
        Chunking(*arguments)  # pyright: ignore[reportArgumentType]


def test_defaults() -> None:
    assert (Chunking().size, Chunking().overlap) == (1200, 150)
    assert (Chunking(unit="tokens").size, Chunking(unit="tokens").overlap) == (450, 67)
    assert Chunking(400).overlap == 50
    assert Chunking(400, 0).overlap == 0


def test_sections_anchors_and_heading_paths() -> None:
    source = "# Guide\n\nintro\n\n## Install\n\na\n\n### With pnpm\n\nb\n\n## Empty\n\n## Configure\n\nc"
    assert [(chunk.id, chunk.anchor, chunk.heading_path, chunk.section) for chunk in chunks_of(source)] == [
        ("/guide", "", (), 0),
        ("/guide#install", "install", ("Install",), 1),
        ("/guide#with-pnpm", "with-pnpm", ("Install", "With pnpm"), 2),
        ("/guide#configure", "configure", ("Configure",), 3),
    ]


def test_a_first_heading_that_repeats_the_title_is_the_top_of_the_page() -> None:
    assert [chunk.anchor for chunk in chunks_of("# guide\n\ntext")] == [""]
    assert [chunk.text for chunk in chunks_of("before\n\n# Guide\n\nafter")] == ["before\n\nafter"]
    assert [chunk.anchor for chunk in chunks_of("## Other\n\na\n\n# Guide\n\nb")] == ["other", "guide"]
    assert chunks_of("# Guide\n") == ()


def test_ids_are_unique_whatever_anchors_are_written() -> None:
    long = "word " * 500
    source = f"## A {{#x}}\n{long}\n## B {{#x}}\n{long}\n## C {{#x~2}}\n{long}"
    ids = [chunk.id for chunk in chunks_of(source)]
    assert len(ids) > 6
    assert len(set(ids)) == len(ids)
    assert ids[:2] == ["/guide#x", "/guide#x~2"]


def test_pieces_of_a_section_share_its_ordinal_and_overlap_stays_inside() -> None:
    sentences = " ".join(f"Sentence number {number} of the section." for number in range(60))
    chunks = chunks_of(f"{sentences}\n\n## Next\n\nOnly this.")
    assert {chunk.section for chunk in chunks[:-1]} == {0}
    assert chunks[-1].section == 1
    assert chunks[-1].text == "Only this."


@pytest.mark.parametrize("between", [" ", "\n", "\n\n", "\n- "])
def test_thirty_sentences_in_pieces_that_overlap(between: str) -> None:
    source = "- " * between.endswith("- ") + between.join(
        f"This is the sentence number {n} of them." for n in range(30)
    )
    pieces = pieces_of(source, Chunking(400, 100))
    assert len(pieces) > 3
    for first, second in zip(pieces, pieces[1:], strict=False):
        assert len(second) <= 400
        assert 30 <= shared_length(first, second) <= 100
        assert second.lstrip("- ").startswith("This is")
    for number in range(30):
        assert any(f"number {number} of" in piece for piece in pieces)


def test_without_overlap_nothing_is_repeated() -> None:
    source = " ".join(f"Sentence number {number}." for number in range(100))
    assert " ".join(pieces_of(source, Chunking(100, 0))) == source


def test_paragraphs_are_packed_greedily_and_not_torn_if_they_fit() -> None:
    paragraphs = [f"{letter * 40}." for letter in "abcdefgh"]
    assert pieces_of("\n\n".join(paragraphs), Chunking(130, 0)) == [
        "\n\n".join(paragraphs[start : start + 3]) for start in (0, 3, 6)
    ]


def test_split_code_is_fenced_again_on_both_sides() -> None:
    code = [f"let value{number} = {number};" for number in range(100)]
    source = "Before.\n\n```js title=x\n" + "\n".join(code) + "\n```\n\nAfter."
    pieces = pieces_of(source, Chunking(300, 100))
    assert all(len(piece) <= 300 for piece in pieces)
    lines: list[str] = []
    for piece in pieces:
        assert piece.count("```js title=x\n") == 1
        assert piece.count("```") == 2
        lines += piece.split("```js title=x\n")[1].split("\n```")[0].split("\n")
    assert lines == code
    assert pieces[0].startswith("Before.\n\n```js")
    assert pieces[-1].endswith("```\n\nAfter.")


def test_overlap_never_carries_a_fence() -> None:
    source = "\n\n".join(f"Words before block {n}.\n\n```\n{'code ' * 30}{n}\n```" for n in range(8))
    for first, second in zip(pieces := pieces_of(source, Chunking(260, 120)), pieces[1:], strict=False):
        assert second.count("```") % 2 == 0
        assert "```" not in second[: shared_length(first, second)]


def test_a_long_line_of_code_and_a_long_info_string_are_cut() -> None:
    for source in ("```js\n" + "a b " * 500 + "\n```", "```" + "info " * 100 + "\n" + "x\n" * 300 + "```"):
        pieces = pieces_of(source, Chunking(200, 50))
        assert all(len(piece) <= 200 and piece.startswith("```") and piece.endswith("```") for piece in pieces)


def test_tables_are_split_between_rows_with_their_header() -> None:
    rows = [f"| {number} | 5,{number:03} |" for number in range(60)]
    source = "Glued to this\n| a | b |\n|---|---|\n" + "\n".join(rows)
    pieces = pieces_of(source, Chunking(200, 50))
    found: list[str] = []
    for piece in pieces:
        assert len(piece) <= 200
        header, *rest = piece.removeprefix("Glued to this\n\n").split("\n")
        assert [header, rest[0]] == ["| a | b |", "| --- | --- |"]
        found += rest[1:]
    assert found == rows


@pytest.mark.parametrize(("before", "prefix"), [("- item\n\n", "  "), ("", "> "), ("1. item\n\n", "   ")])
def test_tables_in_lists_and_quotes_are_split_with_their_header(before: str, prefix: str) -> None:
    rows = [f"{prefix}| {number} | 5,{number:03} |" for number in range(60)]
    lines = [f"{prefix}| a | b |", f"{prefix}|---|---|", *rows]
    pieces = pieces_of(before + "\n".join(lines), Chunking(200, 50))
    assert len(pieces) > 5
    assert all(len(piece) <= 200 and f"{prefix}| a | b |\n{prefix}| --- | --- |\n" in piece for piece in pieces)
    assert [line for piece in pieces for line in piece.split("\n") if "5," in line] == rows


def test_a_header_longer_than_a_piece_keeps_each_row_whole() -> None:
    header = f"| {'word ' * 60}| b |"
    pieces = pieces_of(f"{header}\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", Chunking(150, 20))
    assert [piece.split("\n")[2:] for piece in pieces] == [["| 1 | 2 |"], ["| 3 | 4 |"]]


def test_a_row_is_never_cut() -> None:
    row = f"| {'word ' * 60}| 2 |"
    pieces = pieces_of(f"| a | b |\n|---|---|\n| 1 | 2 |\n{row}\n| 3 | 4 |", Chunking(150, 0))
    assert [piece.split("\n")[2:] for piece in pieces] == [
        ["| 1 | 2 |"],
        [f"| {'word ' * 59}word | 2 |"],
        ["| 3 | 4 |"],
    ]


def test_prose_without_spaces_is_cut_at_its_sentences() -> None:
    sentence = "延迟重试策略说明了系统在失败之后怎样等待。"
    pieces = pieces_of(sentence * 60, Chunking(120, 30))
    assert all(len(piece) <= 120 and piece.endswith("。") for piece in pieces)
    assert all(piece.startswith("延迟") for piece in pieces)


@pytest.mark.parametrize("sentence", ["これは文です。", "他说：“好。”", "为什么？", "ﾃｽﾄ｡", "한국어 문장입니다. "])
def test_pieces_of_prose_without_spaces_overlap(sentence: str) -> None:
    pieces = pieces_of(sentence * 200, Chunking(120, 40))
    assert len(pieces) > 5
    for first, second in zip(pieces, pieces[1:], strict=False):
        assert 0 < shared_length(first, second) <= 120
        assert second.startswith(sentence.strip())


def test_unpunctuated_characters_make_progress() -> None:
    for overlap in (0, 60):
        pieces = pieces_of("字" * 5000, Chunking(120, overlap))
        assert all(len(piece) <= 120 for piece in pieces)
        assert sum(map(len, pieces)) >= 5000


@pytest.mark.parametrize("character", ["👩‍👩‍👧‍👦", "👍🏽", "é́", "🇩🇪", "❤️", "각", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])
def test_cuts_never_tear_a_visible_character(character: str) -> None:
    for size in (100, 101, 102, 103):
        pieces = pieces_of(character * 400, Chunking(size, 20))
        assert all(piece == character * (len(piece) // len(character)) for piece in pieces)
        assert len(pieces) > 3


def test_tokens_are_counted_as_documented() -> None:
    assert count_tokens("") == count_tokens(" \n") == 0
    assert count_tokens("rate limits") == 2
    assert count_tokens("configuration") == 3
    assert count_tokens("f(x) 中文") == 6


BLOCKS = st.sampled_from(
    [
        "Some words of prose. And one more sentence here!\n\n",
        "word " * 60 + "\n\n",
        "字" * 300 + "\n\n",
        "- item one\n- item two\n  - inner item\n\n",
        "```py\nprint(1)\n" + "x = 1\n" * 40 + "```\n\n",
        "| a | b |\n|---|---|\n" + "| c | d |\n" * 30 + "\n",
        "> quoted words\n>\n> ```\n> code\n> ```\n\n",
        "> " + "quoted words " * 40 + "\n\n",
        "1. " + "numbered words " * 40 + "\n\n   ```\n" + "   code line\n" * 60 + "   ```\n\n",
        "<div>html</div>\n\n",
    ]
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(BLOCKS, max_size=7), st.integers(100, 400), st.integers(0, 50), st.sampled_from(["characters", "tokens"])
)
def test_pieces_are_never_too_long_and_lose_no_word(sources: list[str], size: int, overlap: int, unit: str) -> None:
    chunking = Chunking(size, overlap, unit)
    blocks = parse_markdown("".join(sources))[0].blocks
    pieces = pack(blocks, chunking)
    assert all(piece.strip() for piece in pieces)
    assert all(MEASURES[unit].count(piece) <= size for piece in pieces)
    whole = "\n\n".join(block.rendered() for block in blocks)
    joined = " ".join(pieces)
    for word in set(whole.split()) - {"字" * 300}:
        assert joined.split().count(word) >= whole.split().count(word)
    assert all(piece.count("```") % 2 == 0 for piece in pieces)
