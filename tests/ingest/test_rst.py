"""reStructuredText, with and without Sphinx's roles and directives."""

import os
import threading
from pathlib import Path

import pytest
from docutils.core import publish_string
from docutils.parsers.rst import directives, roles
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core.ingest.chunking import Chunking, pack
from coldseek_core.ingest.rst import parse_rst
from ingest.pages_on_disk import read_site


def rst_text(source: str) -> str:
    chunking = Chunking(1_000_000, 0)
    return "\n\n".join(text for section in parse_rst(source)[0] for text in pack(section.blocks, chunking))


def headings(source: str) -> list[tuple[int, str, str]]:
    return [(section.level, section.heading, section.anchor) for section in parse_rst(source)[0][1:]]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            "one *two* **three** ``four`` `link <http://x>`_ |sub|\n\n.. |sub| replace:: five",
            "one two three `four` link five",
        ),
        ("see `here`_ and x_\n\n.. _here: http://a\n.. _x: http://b", "see here and x"),
        ("a [1]_ b\n\n.. [1] Foot note.", "a  b\n\n[1] Foot note."),
        (":ref:`the text <label>` :ref:`label` :doc:`/a/b` :term:`word`", "the text label /a/b word"),
        (":class:`~a.b.C` :py:func:`f` :meth:`C.m()` :option:`--x` :file:`a.txt`", "`C` `f()` `C.m()` `--x` `a.txt`"),
        (":guilabel:`Save` :menuselection:`File --> Open` :unknown:`kept`", "Save File › Open `kept`"),
        ("H\\ :sub:`2`\\ O :math:`a+b`", "H2O a+b"),
        ("- a\n- b\n\n  - c\n\n#. x\n#. y", "- a\n\n- b\n  - c\n\n1. x\n2. y"),
        ("3. a\n4. b", "3. a\n4. b"),
        ("term\n   one\n\n   two\n\nother : kind\n   three", "term\none\n\ntwo\n\nother : kind\nthree"),
        ("text::\n\n   code <x>\n\n     more", "text:\n\n```\ncode <x>\n\n  more\n```"),
        (".. code-block:: python\n   :linenos:\n   :caption: Cap\n\n   x = 1", "Cap\n\n```python\nx = 1\n```"),
        (".. code:: sh\n\n   ls", "```sh\nls\n```"),
        (">>> 1 + 1\n2", "```pycon\n>>> 1 + 1\n2\n```"),
        ("    quoted\n\n    -- Somebody", "> quoted\n\n> Somebody"),
        ("| line one\n|   line two", "line one\nline two"),
        ("-o FILE  what it does\n--all    everything", "`-o FILE`\nwhat it does\n\n`--all`\neverything"),
        ("=== ===\nA   B\n=== ===\n1   x|y\n=== ===", "| A | B |\n| --- | --- |\n| 1 | x\\|y |"),
        (
            ".. list-table:: Cap\n   :header-rows: 1\n\n   * - A\n     - B\n   * - 1\n     - 2",
            "Cap\n\n| A | B |\n| --- | --- |\n| 1 | 2 |",
        ),
        (".. figure:: x.png\n   :alt: Alt text\n\n   The caption.", "Alt text\n\nThe caption."),
        (".. note:: One.\n\n   Two.\n\n.. warning::\n\n   Three.", "One.\n\nTwo.\n\nThree."),
        (".. admonition:: Title\n\n   Body.", "Title\n\nBody."),
        (
            ".. versionadded:: 3.2\n   The thing.\n\n.. deprecated:: 4",
            "New in version 3.2: The thing.\n\nDeprecated since version 4",
        ),
        (".. py:function:: send(x, y)\n   :noindex:\n\n   Sends it.", "`send(x, y)`\nSends it."),
        (
            ".. class:: Foo(x)\n\n   A class.\n\n   .. method:: go()\n\n      Goes.",
            "`Foo(x)`\nA class.\n\n`go()`\nGoes.",
        ),
        (".. class:: special\n\nParagraph.", "Paragraph."),
        (".. tabs::\n\n   .. tab:: Linux\n\n      do it", "Linux\n\ndo it"),
        (".. made-up:: An argument\n   :opt: 1\n\n   Content.", "An argument\n\nContent."),
        (".. made-up:: x.png", ""),
        (
            ".. toctree::\n   :maxdepth: 2\n\n   a\n   b\n\n.. index:: foo\n\n.. a comment\n\n.. contents::\n\ntext",
            "text",
        ),
        (".. mermaid::\n\n   graph TD", "```mermaid\ngraph TD\n```"),
        (".. only:: html\n\n   kept", "kept"),
        (".. glossary::\n\n   word\n      meaning", "word\nmeaning"),
        (".. |today| date::\n\nnow |today|", "now |today|"),
    ],
)
def test_blocks(source: str, text: str) -> None:
    assert rst_text(source) == text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Title\n=====\n\nSub One\n-------\n\nx", [(1, "Title", "title"), (2, "Sub One", "sub-one")]),
        ("A\n=\n\nB\n-\n\nx\n\nB\n-\n\ny", [(1, "A", "a"), (2, "B", "b"), (2, "B", "id1")]),
        (".. _my label:\n\nA ``code`` & more\n==================\n\nx", [(1, "A code & more", "a-code-more")]),
        (".. _kanji:\n\n漢字\n====\n\nx", [(1, "漢字", "kanji")]),
        ("Ünï\n===\n\nx", [(1, "Ünï", "uni")]),
        ("a\n\nA\n=\n\nx\n\nB\n~\n\ny\n\nC\n=\n\nz", [(1, "A", "a"), (2, "B", "b"), (1, "C", "c")]),
    ],
)
def test_sections_and_anchors(source: str, expected: list[tuple[int, str, str]]) -> None:
    assert headings(source) == expected


def test_anchors_are_ids_of_the_page_that_docutils_writes() -> None:
    source = "A\n=\n\nx\n\nSome *thing*\n------------\n\ny\n\nAgain\n-----\n\nz\n\nAgain\n-----\n\nq"
    written = publish_string(
        source, writer="html5", settings_overrides={"doctitle_xform": False, "auto_id_prefix": "id", "report_level": 5}
    ).decode()
    for _, _, anchor in headings(source):
        assert f'id="{anchor}"' in written


def test_a_file_as_a_document(tmp_path: Path) -> None:
    source = ":orphan:\n:version: 2\n:tags: a, b\n\nThe Title\n#########\n\nIntro.\n\nPart\n====\n\ntext\n"
    report = read_site(
        tmp_path, {"guide/start.rst": source, "empty.rst": "", "hidden.rst": ":noindex:\n\nx"}, base_url="/d"
    )
    [document] = report.documents
    assert (document.url, document.title) == ("/d/guide/start", "The Title")
    assert document.metadata == {"version": 2, "tags": "a, b"}
    assert [(chunk.id, chunk.text) for chunk in document.chunks] == [
        ("/d/guide/start", "Intro."),
        ("/d/guide/start#part", "text"),
    ]
    assert [os.path.basename(out.path) for out in report.left_out] == ["empty.rst", "hidden.rst"]


def test_bibliographic_fields_behind_the_title() -> None:
    sections, fields = parse_rst("T\n=\n\n:Author: Somebody\n:Version: 1.2\n\nText.\n")
    assert fields == {"author": "Somebody", "version": "1.2"}
    assert sections[1].blocks[0].text == "Text."


@pytest.mark.parametrize(
    "source",
    [".. include:: {0}", ".. literalinclude:: {0}", ".. raw:: html\n   :file: {0}", ".. csv-table::\n   :file: {0}",
     ".. raw:: html\n\n   <b>secret</b>", ".. role:: raw-html(raw)\n   :format: html\n\n:raw-html:`secret`"],
)  # fmt: skip
def test_no_other_file_is_read_and_no_raw_html_taken(tmp_path: Path, source: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    assert "secret" not in rst_text(source.format(tmp_path / "secret.txt") + "\n\ntext").replace(
        str(tmp_path), ""
    ).replace("secret.txt", "")


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("Broken `thing and *more", "Broken `thing and *more"),
        ("+--+\n|ab|\n+-", "+--+\n|ab|\n+-"),
        ("Title\n==\n\ntext", "text"),
        ("text |undefined| [9]_ missing_", "|undefined|"),
        (".. image::\n\ntext", "text"),
        ("A\n=\n\nB\n-\n\nC\n~\n\nD\n-\n\nE\n=\n\nF\n^\n\nG\n~\n\nlast", "last"),
    ],
)
def test_errors_do_not_lose_the_text(source: str, kept: str) -> None:
    assert kept in rst_text(source)


def test_what_is_nested_too_deeply_is_a_problem_or_text(tmp_path: Path) -> None:
    deep = "\n\n".join(" " * depth + "x" for depth in range(600))
    lists = "\n\n".join("  " * depth + "- x" for depth in range(400))
    report = read_site(tmp_path, {"a.rst": deep, "b.rst": lists, "c.rst": "good"})
    assert len(report.documents) + len(report.problems) == 3
    assert all("nested" in problem.reason for problem in report.problems)


def test_docutils_is_left_as_it_was() -> None:
    before = (directives.directive, roles.role, dict(roles._roles))  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
    parse_rst(".. role:: custom\n\n.. default-role:: code\n\n:custom:`x` `y`")
    assert (directives.directive, roles.role, dict(roles._roles)) == before  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]


def test_threads_read_side_by_side() -> None:
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(rst_text(":foo:`x`\n\n.. bar:: a b"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["`x`\n\na b"] * 8


PIECES = st.sampled_from(
    [
        "=====\n",
        "-----\n",
        ".. note::\n",
        ".. x:: y\n",
        "::\n\n",
        "   ",
        "* ",
        "- ",
        "1. ",
        "`",
        "``",
        "*",
        "**",
        "|",
        "_",
        ":a:`b`",
        "\n",
        "\n\n",
        "+--+\n",
        "| a |\n",
        "[1]_ ",
        ".. [1] x\n",
        ".. _a:\n",
        ">>> ",
        ":f: v\n",
        "text",
        "Title\n",
        "\t",
        "\\",
        "漢",
        ".. list-table::\n",
        ".. code::\n",
        ".. |a| replace:: b\n",
        "a_ ",
        "-o X  y\n",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_soup_of_markup_is_lost_without_a_word(tmp_path_factory: pytest.TempPathFactory, source: str) -> None:
    report = read_site(tmp_path_factory.mktemp("rst"), {"a.rst": source})
    assert len(report.documents) + len(report.problems) + len(report.left_out) == 1
    assert not any("cannot be read" in problem.reason for problem in report.problems)
