"""HTML gives the same blocks as Markdown does."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ingest.html_probes import headings_of, html_page_text
from ingest.pages_on_disk import text_of

SAME_AS_MARKDOWN = [
    "one\n\ntwo **bold** and *it* and `code`",
    "- a\n- b\n  - c\n\nafter",
    "1. a\n2. b\n\n   more\n\n3. c",
    "3. a\n4. b",
    "> quote\n>\n> two",
    "```js\nif (a < b) {\n  c();\n}\n```",
    "````\n```\nx\n```\n````",
    "| a | b |\n| --- | --- |\n| 1 | `x\\|y` |\n| 2 | 3 |",
    "- a\n\n  ```sh\n  run\n  ```\n- b",
    "a [link](http://x.y) and ![alt text](i.png)",
    "- > quote in a list\n- x",
]


@pytest.mark.parametrize("source", SAME_AS_MARKDOWN)
def test_rendered_markdown_reads_as_its_source(source: str) -> None:
    rendered = MarkdownIt("commonmark").enable("table").render(source)
    assert html_page_text(rendered) == text_of(source)


def test_words_of_blocks_are_apart_and_words_in_a_line_are_not() -> None:
    page = "<h1>Net</h1><p>Cost <b>up</b>!</p><script>x</script>&amp;lt;"
    assert headings_of(page) == [(1, "Net", "")]
    assert html_page_text(page) == "Cost up!\n\n&lt;"
    assert html_page_text("<div>Report</div><div>Revenue</div>") == "Report\n\nRevenue"
    assert html_page_text("<p>un<b>believ</b><i>able</i></p>") == "unbelievable"
    assert html_page_text("<p>a<br>b</p>") == "a\nb"
    assert html_page_text("<span>a<div>b</div>c</span>") == "a\n\nb\n\nc"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("x<sup>2</sup> 10<sup>-6</sup> 1<sup>st</sup> H<sub>2</sub>O", "x^2 10^-6 1st H2O"),
        ("<code>a</code><code>b</code> <code> c </code> <code>x`y</code> <code></code>", "`ab` `c` `` x`y ``"),
        ("<a href=x><code>get()</code></a>, <tt>t</tt>, <kbd>Ctrl</kbd>", "`get()`, `t`, Ctrl"),
        ("<q>so</q> <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", '"so" 漢(kan)'),
        ("a\u200bb\u00adc\u00a0d<wbr>e", "abc de"),
        ("<math><mfrac><mi>a</mi><mn>2</mn></mfrac><mo>=</mo><msup><mi>b</mi><mn>2</mn></msup></math>", "a/2 = b^2"),
        (
            r'<math><mi>x</mi><annotation encoding="application/x-tex">\sqrt{x}</annotation></math>',
            r"\sqrt{x}",
        ),
        (
            "see <svg><style>.a{}</style><title>t</title><text>box one</text><path d='M0'/></svg> here",
            "see box one here",
        ),
        ("<svg><title>GitHub</title><path/></svg>icon", "icon"),
        ('<svg role="img" aria-label="Flow"><path/></svg>', "Flow"),
        ("<img src=x alt='A map'> <img src=y>", "A map"),
        ("a\x01b\x02c\x03", "abc"),
    ],
)
def test_text_in_a_line(source: str, text: str) -> None:
    assert html_page_text(f"<p>{source}</p>") == text


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('<pre><code class="language-js">a &lt; b\n\n  c</code></pre>', "```js\na < b\n\n  c\n```"),
        (
            '<div class="highlight-python notranslate"><div class="highlight"><pre><span></span>x</pre></div></div>',
            "py",
        ),
        ('<div class="highlight highlight-source-shell"><pre>ls</pre></div>', "```shell\nls\n```"),
        ('<pre class="brush: sql; gutter: false">SELECT</pre>', "```sql\nSELECT\n```"),
        ('<pre class="sourceCode haskell"><code>f</code></pre>', "```haskell\nf\n```"),
        ('<pre class="rust rust-example-rendered"><code>f</code></pre>', "```rust\nf\n```"),
        ('<div class="highlight-default"><pre>x</pre></div>', "```\nx\n```"),
        ('<pre data-language="toml">x</pre>', "```toml\nx\n```"),
        ("<pre>a<br>b<div>c</div><div>d</div></pre>", "```\na\nbc\nd\n```"),
        ("<pre>&amp;lt; &amp;amp;</pre>", "```\n&lt; &amp;\n```"),
        ("<pre>\n  indented\n\n</pre>", "```\n  indented\n```"),
        (
            '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td><pre>a\nb</pre>',
            "```\na\nb\n```",
        ),
        ('<pre><span class="lineno">1</span>a\n<span class="ln">2</span>b</pre>', "```\na\nb\n```"),
        (
            '<div class="language-js"><button class="copy"></button><span class="lang">js</span><pre><code>'
            '<span class="line">a</span>\n<span class="line">b</span></code></pre></div>',
            "```js\na\nb\n```",
        ),
    ],
)
def test_code(source: str, code: str) -> None:
    assert html_page_text(source) == ("```python\nx\n```" if code == "py" else code)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp")), min_size=1).map(str.strip))
def test_code_is_exact(code: str) -> None:
    text = html_page_text(f"<p>x</p><pre>{html.escape(code)}</pre>")
    assert text == (f"x\n\n```\n{code}\n```" if code and "```" not in code else text)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<table><tr><th>A<th>B<tr><td>1<td>2</table>", "| A | B |\n| --- | --- |\n| 1 | 2 |"),
        ("<table><tr><td>1<td>2<tr><td>3<td>4</table>", "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"),
        ("<table><tr><th>a<td>1<tr><th>b<td>2</table>", "|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |"),
        (
            "<table><caption>Cap</caption><thead><tr><td>A<td>B</thead><tr><td rowspan=2>x<td>1<tr><td>2<tr>"
            "<td colspan=2>w</table>",
            "Cap\n\n| A | B |\n| --- | --- |\n| x | 1 |\n| x | 2 |\n| w |  |",
        ),
        (
            "<table><tr><th>A<th>B<tr><td><p>p<p>q<td><ul><li>l<li>m</ul></table>",
            "| A | B |\n| --- | --- |\n| p q | l m |",
        ),
        ("<table><tr><td><p>only</p><pre>code</pre></table>", "only\n\n```\ncode\n```"),
        ("<table><tr><th>Function<tr><td><p>f()</p><p>does it</p></table>", "Function\n\nf()\ndoes it"),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb"),
        ("<table><tr><td><table><tr><td>1<td>2</table><td>side</table>", "|  |  |\n| --- | --- |\n| 1 | 2 |\n\nside"),
        ("<table></table><table><tr></table><p>x", "x"),
        ("<table><tr><th>A<th>B<tr><td>1</table>", "| A | B |\n| --- | --- |\n| 1 |  |"),
        ("<table><tr><td colspan=x rowspan=-1>a<td colspan=99999999999>b</table>", "|  |  |\n| --- | --- |\n| a | b |"),
    ],
)
def test_tables(source: str, text: str) -> None:
    assert html_page_text(source) == text


def test_a_table_with_long_cells_is_read_row_by_row() -> None:
    long = "word " * 300
    source = f"<table><tr><th>Name<th>What<tr><td>a<td>{long}<tr><td>b<td>short</table>"
    assert html_page_text(source).split("\n\n") == [f"Name: a\nWhat: {long.strip()}", "Name: b\nWhat: short"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<dl><dt>a<dd>one<p>two<dt>b<dt>c<dd>three</dl>", "a\none\n\ntwo\n\nb\nc\nthree"),
        ("<dl><dt>a<dd><pre>x</pre></dl>", "a\n\n```\nx\n```"),
        ("<dl><dt>a<dd>x<dl><dt>b<dd>y</dl></dl>", "a\nx\n\n- b\n  y"),
        ("<dl><div><dt>a</dt><dd>x</dd></div></dl>", "a\nx"),
        ("<details><summary>Sum</summary><p>inside</details>", "Sum\n\ninside"),
        ("<figure><img alt=pic><figcaption>cap</figcaption></figure>", "pic\n\ncap"),
        ("<div class='admonition note'><p class='admonition-title'>Note<p>Body</div>", "Note\n\nBody"),
        ("<div class=note><h3>Note</h3><p>Body</div>", "Note\n\nBody"),
        ("<aside class='admonition tip'><p>Body</aside>", "Body"),
        ("<ul><li>a<ul><li>b</ul><li><input type=checkbox>c</ul>", "- a\n  - b\n- c"),
        ("<ol start=3><li>a<li value=9>b<li>c</ol>", "3. a\n9. b\n10. c"),
        ("<ul><li><h3>H</h3>x</ul>", "- ### H\n  x"),
        ("<p>a<hr><p>b", "a\n\nb"),
    ],
)
def test_other_blocks(source: str, text: str) -> None:
    assert html_page_text(source) == text


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>no</p>",
        '<p style="color:red; display: none">no</p>',
        '<i aria-hidden="true">no</i>',
        "<template>no</template>",
        "<noscript>no</noscript>",
        "<style>no</style>",
        "<!-- no -->",
        '<span class="sr-only">no</span>',
        "<button>no</button>",
        "<select><option>no</select>",
        "<iframe>no</iframe>",
        "<video>no</video>",
    ],
)
def test_what_is_not_seen_is_dropped(hidden: str) -> None:
    assert html_page_text(f"<p>yes</p>{hidden}") == "yes"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<h2 id=a>A</h2>", (2, "A", "a")),
        ("<section id=s><h2>A</h2></section>", (2, "A", "s")),
        (
            '<div class="sect2" id="S-1"><div class="titlepage"><div><h3 class="title">A</h3></div></div></div>',
            (3, "A", "S-1"),
        ),
        ('<h2><a id="x"></a>A</h2>', (2, "A", "x")),
        ('<h2><a name="x">A</a></h2>', (2, "A", "x")),
        ('<a name="x"></a><h2>A</h2>', (2, "A", "x")),
        ('<p><a id="x"></a></p>\n<h2>A</h2>', (2, "A", "x")),
        (
            '<h2><span class="mw-headline" id="A_b">A b</span><span class="mw-editsection">[edit]</span></h2>',
            (2, "A b", "A_b"),
        ),
        ('<h2 id=a>A<a class="headerlink" href="#a" title="Link">¶</a></h2>', (2, "A", "a")),
        ('<h2 id=a><a class="header" href="#a">A</a></h2>', (2, "A", "a")),
        ('<h2 id=a tabindex=-1>A <a class="header-anchor" href="#a">\u200b</a></h2>', (2, "A", "a")),
        ("<h3 id=a>Use <code>get()</code> &amp; <em>go</em></h3>", (3, "Use get() & go", "a")),
        ("<div role=heading aria-level=4 id=a>A</div>", (4, "A", "a")),
        (
            '<a id="a1"></a><h2 class="memtitle"><span class="permalink"><a href="#a1">◆\u00a0</a></span>f()</h2>',
            (2, "f()", "a1"),
        ),
        ("<div id=far><p>text</p><h2>A</h2></div>", (2, "A", "")),
    ],
)
def test_headings_and_their_anchors(source: str, expected: tuple[int, str, str]) -> None:
    assert headings_of(source) == [expected]


def test_tabs_are_kept_under_their_labels() -> None:
    docusaurus = (
        '<div class="tabs-container"><ul role="tablist"><li role="tab">npm</li><li role="tab">Yarn</li></ul><div>'
        '<div role="tabpanel"><p>npm i</p></div><div role="tabpanel" hidden=""><p>yarn add</p></div></div></div>'
    )
    material = (
        '<div class="tabbed-set"><input type="radio" id="t1"><input type="radio" id="t2"><div class="tabbed-labels">'
        '<label for="t1">npm</label><label for="t2">Yarn</label></div><div class="tabbed-content">'
        '<div class="tabbed-block"><p>npm i</p></div><div class="tabbed-block"><p>yarn add</p></div></div></div>'
    )
    for source in (docusaurus, material):
        assert html_page_text(source) == "npm\n\nnpm i\n\nYarn\n\nyarn add"
