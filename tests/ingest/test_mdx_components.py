"""Components that are not known are told of, and partials are read where they are shown."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import coldseek
from coldseek_core.ingest.mdx import prepare_mdx
from coldseek_core.ingest.mdx_components import Components
from coldseek_core.ingest.read import ReadReport, read_documents
from ingest.pages_on_disk import read_site, write_site


def unknown_in(source: str) -> list[tuple[str, int, int]]:
    components = Components()
    prepare_mdx(source, components)
    return components.unknown()


def texts_of(report: ReadReport) -> dict[str, str]:
    return {document.url: "\n\n".join(chunk.text for chunk in document.chunks).strip() for document in report.documents}


@pytest.mark.parametrize(
    "source",
    [
        "<Tabs><TabItem value='a'>x</TabItem></Tabs>",
        "<Note title='t'>x</Note> <Tip/> <React.Fragment>y</React.Fragment>",
        "import Own from '@theme/Own';\n\n<Own>x</Own>",
        "import {One, Two as Three} from '@docusaurus/x';\n\n<One/> <Three/>",
        "import * as All from 'nextra/components';\n\n<All.Thing/>",
        "import Default, {\n  Named,\n} from '@astrojs/starlight/components';\n\n<Default/> <Named/>",
        "<Later/>\n\nimport Later from '@theme/Later';",
        "import Logo from './logo.svg';\n\n<Logo width={3}/>",
        "```jsx\n<Unknown/>\n```\n\n`<Unknown>` and \\<Unknown> and <div>x</div> <my-element/>",
        "<Head><Unknown/></Head>",
    ],
)
def test_what_is_known(source: str) -> None:
    assert unknown_in(source) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<Chart data={x}/>", [("Chart", 1, 1)]),
        ("text\n\n<Chart>kept</Chart>\n\n<Chart/>\n<Other.Part/>", [("Chart", 3, 2), ("Other.Part", 6, 1)]),
        ("import Chart from '@site/src/Chart';\n\n<Chart/>", [("Chart", 3, 1)]),
        ("import {Tip as Own} from './own';\n\n<Own/>", [("Own", 3, 1)]),
        ("export const Here = () => <b>x</b>;\n\n<Here/>", [("Here", 3, 1)]),
        ("## <Chart/> heading\n\n| a |\n|---|\n| <Cell/> |", [("Cell", 5, 1), ("Chart", 1, 1)]),
        (f"<{'A' * 5000}/>", [("A" * 60 + "…", 1, 1)]),
    ],
)
def test_what_is_unknown(source: str, expected: list[tuple[str, int, int]]) -> None:
    assert unknown_in(source) == expected


def test_each_unknown_component_is_told_of_once_and_fails_nothing(tmp_path: Path) -> None:
    pages = {f"p{number}.mdx": "---\ntitle: T\n---\n\n" + "<Chart>kept</Chart>\n\n" * 50 for number in range(10)}
    site = write_site(tmp_path / "site", {**pages, "z.mdx": "<Other/>\n\ntext"})
    report = coldseek.build([site], tmp_path / "index")
    assert report.problems == ()
    assert report.warnings == (
        f"unknown component <Chart>: only the text inside it is kept (500 times, first in {site / 'p0.mdx'}, line 5)",
        f"unknown component <Other>: only the text inside it is kept (in {site / 'z.mdx'}, line 1)",
    )
    assert report.to_dict()["warnings"] == list(report.warnings)
    assert coldseek.build([site], tmp_path / "index", workers=2).warnings == report.warnings


def test_very_many_names_are_summed_up(tmp_path: Path) -> None:
    site = write_site(tmp_path, {"p.mdx": "text\n\n" + "".join(f"<C{number}/>\n" for number in range(5_000))})
    warnings = read_documents([site], framework="none").warnings
    assert len(warnings) == 51
    assert warnings[-1] == "and 4,950 more of this kind"


def test_a_partial_is_read_where_it_is_shown(tmp_path: Path) -> None:
    report = read_site(
        tmp_path,
        {
            "a/page.mdx": "---\ntitle: P\n---\nimport Intro from './_intro.mdx';\nimport Two from \"../_b/two.md\";\n\n"
            "# P\n\nBefore.\n\n<Intro name='x' />\n\n- item\n\n  <Two/>\n\nBehind <Two/> it.",
            "a/_intro.mdx": "---\ntitle: no\n---\nimport Deep from './_deep.mdx'\n\n## Setup\n\n"
            "Intro **text**.\n\n<Deep/>",
            "a/_deep.mdx": "Deep text.",
            "_b/two.md": "Two.\n\n```js\nimport x from 'y';\n```",
        },
        "docusaurus",
    )
    [document] = report.documents
    assert (report.problems, report.warnings) == ((), ())
    assert [(chunk.heading_path, chunk.anchor) for chunk in document.chunks] == [((), ""), (("Setup",), "setup")]
    two = "Two.\n\n```js\nimport x from 'y';\n```"
    indented = "- item\n\n  Two.\n  ```js\n  import x from 'y';\n  ```"
    assert document.chunks[1].text == f"Intro text.\n\nDeep text.\n\n{indented}\n\nBehind\n\n{two}\n\nit."


def test_partials_by_the_root_of_the_site_and_before_their_import(tmp_path: Path) -> None:
    report = read_site(
        tmp_path,
        {"docs/deep/p.mdx": "<Intro/>\n\nimport Intro from '@site/docs/_intro.md'", "docs/_intro.md": "Here."},
        "docusaurus",
    )
    assert texts_of(report) == {"/docs/deep/p": "Here."}
    assert (report.problems, report.warnings) == ((), ())


def test_a_partial_that_is_a_page_too_stays_one(tmp_path: Path) -> None:
    report = read_site(tmp_path, {"a.mdx": "import B from './b.mdx'\n\n<B/>\n\n<C/>", "b.mdx": "Text.\n\n<C/>"})
    assert texts_of(report) == {"/a": "Text.", "/b": "Text."}
    assert [warning.rpartition("(")[2] for warning in report.warnings] == [
        f"2 times, first in {tmp_path / 'a.mdx'}, line 5)"
    ]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"p.mdx": "import P from './p.mdx'\n\n<P/>\n\ntext"}, "line 3: './p.mdx' is not included: it includes itself"),
        (
            {
                "p.mdx": "import A from './_a.mdx'\n\n<A/>\n\ntext",
                "_a.mdx": "import B from './_b.mdx'\n\n<B/>",
                "_b.mdx": "import A from './_a.mdx'\n\n<A/>",
            },
            "line 3: './_a.mdx' is not included: it includes itself",
        ),
        ({"p.mdx": "import A from './none.mdx'\n\n<A/>\n\ntext"}, "no such file"),
        ({"p.mdx": "import A from './_a.mdx'\n\n<A/>\n\ntext", "_a.mdx/x.txt": ""}, "no such file"),
        ({"p.mdx": "import A from './_a.mdx'\n\n<A/>\n\ntext", "_a.mdx": b"\xff\xfe\xfa"}, "cannot be decoded"),
        ({"p.mdx": "import A from './_a.mdx'\n\n<A/>\n\ntext", "_a.mdx": b"a\0b"}, "binary"),
        ({"p.mdx": "import A from './_a.mdx'\n\n<A/>\n\ntext", "_a.mdx": "long " * 900_000}, "too large"),
        ({"p.mdx": "import A from './_a\0.mdx'\n\n<A/>\n\ntext"}, ""),
        ({"p.mdx": f"import A from './{'a' * 900}.mdx'\n\n<A/>\n\ntext"}, ""),
    ],
)
def test_partials_that_cannot_be_included(tmp_path: Path, files: dict[str, str | bytes], reason: str) -> None:
    report = read_site(tmp_path, files, "docusaurus")
    if reason:
        assert [reason in problem.reason for problem in report.problems] == [True]
    else:
        assert report.problems
    if b"\0" not in os.fsencode(files["p.mdx"]):
        assert texts_of(report)["/p"] == "text"


@pytest.mark.parametrize(
    "module", ["../secret.md", "./link.md", "./folder/secret.md", "@site/../secret.md", "/{}/secret.md"]
)
def test_nothing_outside_the_source_folder_is_read(tmp_path: Path, module: str) -> None:
    write_site(tmp_path, {"secret.md": "secret words", "other/secret.md": "secret words"})
    module = module.replace("/{}", str(tmp_path))
    site = write_site(tmp_path / "site", {"p.mdx": f"import A from '{module}'\n\n<A/>\n\ntext"})
    (site / "link.md").symlink_to(tmp_path / "secret.md")
    (site / "folder").symlink_to(tmp_path / "other")
    report = read_documents([site / "p.mdx"], framework="none")
    assert texts_of(report) == {"/p": "text"}
    assert report.warnings == (
        f"the partial {module!r} is outside the source folder and not read (in {site / 'p.mdx'}, line 3)",
    )


def test_links_inside_the_source_folder_are_followed(tmp_path: Path) -> None:
    site = write_site(tmp_path, {"p.mdx": "import A from './_link.md'\n\n<A/>", "x/_real.md": "text"})
    (site / "_link.md").symlink_to(site / "x/_real.md")
    (site / "_loop.md").symlink_to(site / "_loop.md")
    assert texts_of(read_documents([site], framework="docusaurus")) == {"/p": "text"}
    (site / "p.mdx").write_text("import A from './_loop.md'\n\n<A/>\n\nrest")
    report = read_documents([site], framework="docusaurus")
    assert texts_of(report) == {"/p": "rest"}
    assert any("_loop.md" in problem.reason for problem in report.problems)


def test_a_pipe_is_no_partial(tmp_path: Path) -> None:
    site = write_site(tmp_path, {"p.mdx": "import A from './_pipe.md'\n\n<A/>\n\nrest"})
    os.mkfifo(site / "_pipe.md")
    report = read_documents([site], framework="docusaurus")
    assert texts_of(report) == {"/p": "rest"}


def test_repeated_inclusion_does_not_blow_up(tmp_path: Path) -> None:
    """Each file shows the next one ten times: 10^9 copies of the last."""
    files = {f"_p{number}.mdx": f"import N from './_p{number + 1}.mdx'\n\n" + "<N/>\n\n" * 10 for number in range(9)}
    site: dict[str, str | bytes] = {**files, "_p9.mdx": "word", "p.mdx": files["_p0.mdx"].replace("_p1", "_p0")}
    report = read_site(tmp_path, site, "docusaurus")
    assert sum(map(len, texts_of(report).values())) < 3_000_000
    assert any("characters; split the page" in problem.reason for problem in report.problems)


def test_an_endless_row_of_partials_ends(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        f"_p{number}.mdx": f"import N from './_p{number + 1}.mdx'\n\nword{number}\n\n<N/>" for number in range(50)
    }
    report = read_site(tmp_path, {**files, "p.mdx": "import N from './_p0.mdx'\n\n<N/>"}, "docusaurus")
    assert texts_of(report)["/p"].endswith("word9")
    assert [problem.reason.split(": ")[-1] for problem in report.problems] == [
        "it is the 11th file in a row that includes another"
    ]


def test_a_deep_indent_does_not_multiply_a_partial(tmp_path: Path) -> None:
    site: dict[str, str | bytes] = {
        "p.mdx": "import N from './_n.mdx'\n\n" + (" " * 400 + "<N/>\n\n") * 20,
        "_n.mdx": "a\n" * 100_000,
    }
    report = read_site(tmp_path, site, "docusaurus")
    assert any("characters; split the page" in problem.reason for problem in report.problems)


@given(
    st.lists(
        st.sampled_from(
            ["import ", "{", "}", "* as N", "N", ",", " from ", "'./a.mdx'", '"@site/x.md"', ";", "\n", "\n\n", "<N/>"]
        ),
        max_size=30,
    ).map("".join)
)
def test_any_imports_are_read(source: str) -> None:
    components = Components()
    prepare_mdx(source, components)
    assert all(count > 0 and line > 0 for _, line, count in components.unknown())
