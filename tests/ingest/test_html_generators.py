"""Pages as generators build them, cut down: their navigation goes, their text stays."""

import pytest

from ingest.html_probes import headings_of, html_page_text

NAV = "<ul><li><a href=a>NAVIGATION</a></li></ul>"
PAGES = {
    "docbook": f"""
        <body><div class="navheader"><table><tr><th colspan="3">Manual</th></tr><tr><td><a
        accesskey="p">Prev</a></td> </tr></table><hr></div><div class="sect1" id="TOPIC"><div
        class="titlepage"><div><div><h2 class="title">Topic</h2> </div></div></div><div class="toc"><dl
        class="toc"><dt>{NAV}</dt></dl></div><a id="i" class="indexterm"></a><p>Body text.<a href="#ftn.1"
        class="footnote"><sup class="footnote">[1]</sup></a></p><div class="sect2" id="PART"><div
        class="titlepage"><h3 class="title">Part</h3></div><p>More.</p></div></div><div
        class="navfooter"><hr>{NAV}</div>""",
    "sphinx": f"""
        <body><div class="related" role="navigation" aria-label="related">{NAV}</div><div class="document"><div
        class="documentwrapper"><div class="bodywrapper"><div class="body" role="main"><section
        id="topic"><h1>Topic<a class="headerlink" href="#topic">¶</a></h1><p>Body text.</p><section id="part"><span
        id="old"></span><h2>Part<a class="headerlink"
        href="#part">¶</a></h2><p>More.</p></section></section></div></div></div><div class="sphinxsidebar"
        role="navigation">{NAV}</div></div><div class="footer">© Copyright NAVIGATION</div>""",
    "readthedocs": f"""
        <body><nav class="wy-nav-side">{NAV}</nav><section class="wy-nav-content-wrap"><nav
        class="wy-nav-top">{NAV}</nav><div role="navigation" aria-label="Page navigation"><ul
        class="wy-breadcrumbs"><li> NAVIGATION</li></ul></div><div role="main" class="document"><div
        itemprop="articleBody"><div class="section" id="topic"><h1>Topic</h1><p>Body text.</p><div class="section"
        id="part"><h2>Part</h2><p>More.</p></div></div></div> </div><footer><div
        class="rst-footer-buttons">{NAV}</div></footer></section>""",
    "doxygen": f"""
        <body><div id="top"><div id="titlearea"><table><tr><td>NAVIGATION</td></tr></table></div><div id="main-nav">
        {NAV}</div></div><div id="nav-path" class="navpath">{NAV}</div><div class="header"><div
        class="headertitle"><div class="title">Topic</div></div></div><div class="contents"><p>Body text.</p><a
        id="part"></a><h2 class="memtitle"><span class="permalink"><a href="#part">◆&#160;</a></span>Part</h2><div
        class="memitem">More.</div></div><hr class="footer"><address class="footer">Generated NAVIGATION</address>""",
    "javadoc": f"""
        <body><div class="flex-box"><header role="banner"><nav role="navigation">{NAV}</nav></header><main
        role="main"><div class="header"><h1 class="title">Topic</h1></div><p>Body text.</p><section
        class="details"><ul class="details-list"><li><section class="detail" id="part"><h2>Part</h2><div
        class="block">More.</div></section></li></ul> </section></main><footer
        role="contentinfo">NAVIGATION</footer></div>""",
    "rustdoc": f"""
        <body class="rustdoc"><nav class="sidebar">{NAV}</nav><main><div class="width-limiter"><section
        id="main-content" class="content"><div class="main-heading"><span
        class="rustdoc-breadcrumbs">NAVIGATION</span><h1>Topic <button id="copy-path">NAVIGATION</button></h1><span
        class="sub-heading">NAVIGATION</span></div><details open><summary class="hideme">NAVIGATION</summary><div
        class="docblock"><p>Body text.</p></div></details><h2 id="part" class="section-header">Part<a href="#part"
        class="anchor">§</a></h2><p>More.</p></section></div></main>""",
    "docusaurus": f"""
        <body><div role="region" aria-label="Skip"><a class="skipToContent" href="#__docusaurus_skipToContent"></a>
        </div><nav class="navbar">{NAV}</nav><div class="main-wrapper"><aside
        class="theme-doc-sidebar-container">{NAV}</aside><main> <div class="row"><div class="col"><article><nav
        class="theme-doc-breadcrumbs">{NAV}</nav><div class="theme-doc-markdown
        markdown"><header><h1>Topic</h1></header><p>Body text.</p><h2 class="anchor" id="part">Part<a
        class="hash-link" href="#part">​</a></h2><p>More.</p></div><footer class="theme-doc-footer">Edit
        NAVIGATION</footer></article><nav class="pagination-nav">{NAV}</nav></div><div><div
        class="table-of-contents">{NAV}</div></div></div></main></div><footer class="footer">NAVIGATION</footer>""",
    "mkdocs-material": f"""
        <body><a href="#topic" class="md-skip">NAVIGATION</a><header class="md-header">{NAV}</header><div
        class="md-container"><main class="md-main"><div class="md-main__inner"><div
        class="md-sidebar">{NAV}</div><div class="md-content"><article class="md-content__inner md-typeset"><a
        class="md-content__button" href="e">NAVIGATION</a><h1 id="topic">Topic</h1><p>Body text.</p><h2
        id="part">Part<a class="headerlink" href="#part">#</a></h2><p>More.</p><aside
        class="md-source-file">NAVIGATION</aside></article></div></div></main><footer
        class="md-footer">{NAV}</footer></div>""",
    "vitepress": f"""
        <body><div id="app"><div class="Layout"><a class="VPSkipLink visually-hidden"
        href="#VPContent">NAVIGATION</a> <header class="VPNav">{NAV}</header><aside
        class="VPSidebar">{NAV}</aside><div class="VPContent has-sidebar"><div class="VPDoc"><div class="aside"><div
        class="VPDocAside">{NAV}</div></div><main class="main"><div class="vp-doc"><div><h1 id="topic"
        tabindex="-1">Topic <a class="header-anchor" href="#topic">​</a></h1><p>Body text.</p><h2 id="part">Part <a
        class="header-anchor" href="#part">​</a></h2><p>More.</p></div></div></main><footer
        class="VPDocFooter">{NAV}</footer></div></div></div></div>""",
    "hugo-docsy": f"""
        <body class="td-page"><header><nav class="td-navbar">{NAV}</nav></header><div class="td-outer"><main
        role="main" class="td-main"><aside class="td-sidebar">{NAV}</aside><aside class="td-sidebar-toc"><div
        class="td-page-meta">NAVIGATION</div>{NAV}</aside><nav aria-label="breadcrumb">{NAV}</nav><div
        class="td-content"><h1>Topic </h1><p>Body text.</p><h2 id="part">Part<a class="td-heading-self-link"
        href="#part"></a></h2><p>More.</p></div></main> </div><footer>NAVIGATION</footer>""",
    "mdbook": f"""
        <body><nav id="sidebar" class="sidebar">{NAV}</nav><div id="page-wrapper"><div class="page"><div
        id="menu-bar">{NAV}</div><div id="content" class="content"><main><h1 id="topic"><a class="header"
        href="#topic">Topic</a></h1> <p>Body text.</p><h2 id="part"><a class="header"
        href="#part">Part</a></h2><p>More.</p></main><nav class="nav-wrapper">{NAV}</nav></div></div></div>""",
    "asciidoctor": f"""
        <body class="article"><div id="header"><h1>Topic</h1><div id="toc" class="toc"><div
        id="toctitle">NAVIGATION</div>{NAV}</div></div><div id="content"><div class="paragraph"><p>Body
        text.</p></div><div class="sect1"><h2 id="part"><a class="anchor" href="#part"></a>Part</h2><div
        class="sectionbody"><div class="paragraph"><p>More.</p></div></div></div></div><div id="footer"><div
        id="footer-text">NAVIGATION</div></div>""",
    "mediawiki": f"""
        <body><div id="content"><h1 id="firstHeading">Topic</h1><div id="mw-content-text"><p>Body text.</p><div
        id="toc" class="toc"><h2>Contents</h2>{NAV}</div><h2><span class="mw-headline" id="part">Part</span><span
        class="mw-editsection">[edit]</span></h2><p>More.</p></div></div><div id="catlinks">NAVIGATION</div>""",
    "texinfo": f"""
        <body><div class="header"><p>Next: <a rel="next">NAVIGATION</a></p></div><h1>Topic</h1><p>Body text.</p>
        <div class="section" id="part"><h2>Part</h2><p>More.</p></div><div class="nav-panel">{NAV}</div>""",
}


@pytest.mark.parametrize("generator", PAGES)
def test_text_without_navigation(generator: str) -> None:
    assert html_page_text(PAGES[generator]).split("\n\n") == ["Body text.", "More."]
    assert headings_of(PAGES[generator])[-1][1:] == ("Part", "part" if generator != "docbook" else "PART")
    if generator != "mediawiki":
        assert [text for _, text, _ in headings_of(PAGES[generator])] == ["Topic", "Part"]


@pytest.mark.parametrize("name", ["pagination", "toc", "related", "sidebar", "footer", "search", "navigation"])
def test_a_section_about_navigation_stays(name: str) -> None:
    for page in (
        f'<main><section id="{name}"><h2>It</h2><p>text</p></section></main>',
        f'<main><div class="section" id="{name}"><h2>It</h2><p>text</p></div></main>',
        f'<main><div class="sect2" id="{name}"><h3>It</h3><p>text</p></div></main>',
        f'<main><h2 id="{name}">It</h2><p>text</p></main>',
    ):
        assert html_page_text(page) == "text"
        assert headings_of(page)[0][1:] == ("It", name)


def test_a_table_of_contents_stays_where_there_is_nothing_else() -> None:
    page = '<h1>Chapter 2</h1><div class="toc"><dl><dt><a>2.1. Introduction</a><dt><a>2.2. Concepts</a></dl></div>'
    assert html_page_text(page) == "2.1. Introduction\n\n2.2. Concepts"
    assert html_page_text(page + "<p>text") == "text"


def test_a_list_of_pages_of_sphinx_is_a_table_of_contents() -> None:
    pages = '<div class="toctree-wrapper compound"><ul><li class="toctree-l1"><a href="a.html">A</a></ul></div>'
    page = f'<div class="body" role="main"><section id="x"><h1>X</h1>{pages}'
    assert html_page_text(page) == "- A"
    assert html_page_text(f"{page}<p>text") == "text"


def test_the_index_of_docbook_is_no_text() -> None:
    """It names every other page, so that it would be found by each question, and answers none."""
    entries = '<dl><dt id="i1">abs, <a class="indexterm" href="f.html">Functions</a></dt></dl>'
    letters = '<a href="#indexdiv-A">A</a> | <a href="#indexdiv-B">B</a>'
    index = (
        f'<div class="index" id="bookindex"><div class="titlepage"><h2 class="title">Index</h2></div><p>{letters}</p>'
        f'<div class="indexdiv" id="indexdiv-A"><h3>A</h3>{entries}</div></div>'
    )
    assert html_page_text(f"<body>{index}") == ""
    assert html_page_text(f"<body><p>text</p>{index}") == "text"
    assert html_page_text('<body><div class="index"><p>text</p></div>') == "text"


def test_a_page_without_any_container_is_its_body() -> None:
    assert html_page_text("<p>a<p>b") == "a\n\nb"
    assert html_page_text("plain text") == "plain text"
    assert html_page_text("<main></main><p>beside</p>") == "beside"


def test_several_articles_are_all_read() -> None:
    page = "<main><article><h2>A</h2><p>one</article><article><h2>B</h2><p>two</article></main>"
    assert html_page_text(page) == "one\n\ntwo"
