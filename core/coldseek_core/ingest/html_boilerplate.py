"""What of a built page is navigation and decoration: told by tag, role, class and id, as generators write them."""

import re

from coldseek_core.ingest.html_tree import Element

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_DROPPED_TAGS_WORDS = """
    nav iframe object embed canvas audio video dialog map datalist button input select textarea progress meter
    title link meta base
"""
_DROPPED_TAGS = frozenset(_DROPPED_TAGS_WORDS.split())
_DROPPED_ROLES_WORDS = """
    navigation banner contentinfo complementary search menu menubar toolbar dialog alertdialog doc-toc
    doc-backlink tree
"""
_DROPPED_ROLES = frozenset(_DROPPED_ROLES_WORDS.split())
# Classes and ids of one meaning wherever they stand.
_DROPPED_NAMES_WORDS = """
    navheader navfooter navbar nav-bar navigation site-nav site-header site-footer page-footer page-nav
    main-nav side-nav sidenav sidebar sidebar-nav sidebar-drawer sphinxsidebar sphinxsidebarwrapper related
    related-pages rst-footer-buttons rst-versions wy-nav-side wy-nav-top wy-side-nav-search wy-breadcrumbs
    bd-sidebar bd-sidebar-primary bd-sidebar-secondary bd-toc bd-header bd-footer bd-header-article
    prev-next-area prev-next-footer prev-next-bottom header-article article-header-buttons toc-drawer
    back-to-top back-to-top-button content-icon-container view-this-page edit-this-page viewcode-link
    viewcode-back mobile-header announcement breadcrumb breadcrumbs theme-doc-breadcrumbs rustdoc-breadcrumbs
    md-path navpath nav-path toc toctree-wrapper table-of-contents tableofcontents theme-doc-toc-mobile
    theme-doc-toc-desktop
    shortcontents local-toc page-toc on-this-page td-toc book-toc sidetoc contents-list docs-toc sec_contents
    sec_shortcontents pagination pagination-nav pager prev-next prevnext page-navigation nav-links
    nav-previous nav-next nav-panel edit-link editlink edit-page theme-edit-this-page theme-doc-footer
    theme-doc-version-badge theme-doc-version-banner github-link last-updated lastupdated page-meta
    td-page-meta skip-link skiplink skip-nav skipnav skip-to-content skip-to-main skip md-skip vpskiplink
    mw-jump-link sr-only visually-hidden visuallyhidden screen-reader-text md-header md-tabs md-sidebar
    md-footer md-content__button md-source-file md-source md-search md-feedback md-top md-clipboard
    md-annotation__index vpnav vplocalnav vpsidebar vpdocaside vpdocfooter vpfooter vpbackdrop
    vpdocoutlineitem vpdocasideoutline td-sidebar td-sidebar-toc td-page-meta td-footer td-navbar book-menu
    book-header book-footer feedback feedback--link menu-bar nav-wrapper nav-wide-wrapper nav-chapters
    mobile-nav-chapters sidebar-resize-handle titlearea main-menu main-navbar navrow1 navrow2 navrow3 navrow4
    msearchselectwindow msearchresultswindow msearchbox nav-sync nav-tree ttc permalink memtitle-permalink
    topnav top-nav subnav sub-nav bottomnav navlist navlistsearch subnavlist fixednav navpadding legalcopy
    legal-copy copy-path out-of-band rightside rustdoc-topbar rustdoc-toolbar rustdoc-toc settings-menu
    help-menu src-link mw-editsection mw-editsection-bracket navbox catlinks printfooter noprint sitesub
    contentsub headerlink header-anchor hash-link heading-anchor anchor-link anchorjs-link doc-anchor
    anchor-element td-heading-self-link headline-hash heading-link toc-backref-link linenos lineno linenodiv
    line-number line-numbers line-numbers-wrapper line-numbers-rows ln lnt gutter copybtn copy-button copy-btn
    btn-copy clipboard-copy copy code-lang-label cookie-banner cookie-consent cookiebar giscus utterances
    disqus_thread comments-section share-buttons social-share search-results search-box searchbox search-form
    docsearch algolia-docsearch tablist-filler footnote-backref footnote-reference footnote-ref fn-backref
    reversefootnote hideme menu-title mdbook-menu-bar mdbook-sidebar
"""
_DROPPED_NAMES = frozenset(_DROPPED_NAMES_WORDS.split())
# Kept even where a rule above would drop them: notes that are set in an aside, say.
_CONTENT_NAMES = re.compile(
    r"(?:.*-)?(?:admonition|aside|callout|alert|note|tip|warning|caution|important|danger|info|hint|topic|footnote|"
    r"footnotes|footnote-list|citation|citation-list|seealso|margin-note|highlight|example)(?:-\w+)?\Z"
)
_SECTION_NAMES = re.compile(
    r"(?:section|sect\d|refsect\d|refentry|refsynopsisdiv|chapter|appendix|part|preface|simplesect|level\d|book)\Z"
)
_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_SIGNS = frozenset({"#", "¶", "§", "◆", "🔗", "∞", "⚓", "◆\xa0", "[#]", "[¶]", "[src]", "[source]"})
_NEVER = frozenset({"html", "body", "main", "article", *_HEADINGS})


def without_boilerplate(root: Element) -> None:
    """Takes navigation, page headers and footers, controls and hidden elements out of the tree below `root`.

    A table of contents stays if the page holds no other text.
    """
    contents: list[tuple[Element, Element]] = []
    for parent in [root, *root.elements()]:
        if not parent.children:
            continue
        kept: list[Element | str] = []
        for child in parent.children:
            if isinstance(child, str) or not is_boilerplate(child, parent):
                kept.append(child)
            elif _is_contents(child) and not _is_hidden(child):
                # Its place is kept, empty, in case it is needed after all.
                stand_in = Element("div")
                contents.append((stand_in, child))
                kept.append(stand_in)
        parent.children = kept
    if contents and not has_text(root):
        for stand_in, child in contents:
            stand_in.children = [child]
            stand_in.is_block = True


def has_text(root: Element) -> bool:
    """Whether there is a letter or digit outside headings below `root`."""
    pending: list[Element | str] = [root]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            if any(character.isalnum() for character in item):
                return True
        elif item.tag not in _HEADINGS and item.tag != "head":
            pending += item.children
    return False


def is_boilerplate(element: Element, parent: Element) -> bool:
    """Whether an element is no part of what the page says."""
    tag = element.tag
    if tag in _DROPPED_TAGS:
        return True
    attributes = element.attributes
    if not attributes:
        return tag in {"header", "footer", "aside"} and _is_page_frame(element, parent)
    if tag in _NEVER:
        return tag in _HEADINGS and _is_hidden(element)
    if _is_hidden(element):
        return attributes.get("role") != "tabpanel"
    role = element.get("role").lower()
    if role in _DROPPED_ROLES:
        return not _holds_title(element)
    if tag in {"header", "footer", "aside"}:
        return _is_page_frame(element, parent)
    if tag == "label":
        return "for" in attributes and not any("tab" in token for token in element.tokens | parent.tokens)
    if tag == "a" and (_is_link_to_neighbour(element) or _is_permalink(element)):
        return True
    if element.tokens and not element.tokens.isdisjoint(_DROPPED_NAMES):
        return not _is_section(element) and not _holds_title(element)
    if tag in {"div", "p", "address"} and not element.tokens.isdisjoint({"header", "footer"}):
        return all(part.tag not in _HEADINGS and "headertitle" not in part.tokens for part in element.elements())
    if "sub-heading" in element.tokens and "main-heading" in parent.tokens:  # rustdoc: version and source
        return True
    if tag == "span" and "lang" in element.tokens:  # the name of a code block's language
        return any(token.startswith("language-") for token in parent.tokens)
    if "index" in element.tokens and any("indexdiv" in part.tokens for part in element.child_elements()):
        return True  # DocBook's index: links, in the order of the alphabet
    name = element.get("id").lower()
    if name in _DROPPED_NAMES or name in {"header", "footer", "top", "nav", "menu", "search", "contents-toc"}:
        return tag in {"div", "ul", "ol", "table", "form", "p", "span", "a", "td"} and _is_frame_by_id(element)
    return False


def _is_frame_by_id(element: Element) -> bool:
    """Ids are also made of headings: a section on pagination is none of the page's own."""
    if _is_section(element):
        return False
    heading = element.first(*_HEADINGS)
    return heading is None or element.get("id").lower().startswith(("toc", "tableofcontents", "sidebar", "sec_"))


def _is_section(element: Element) -> bool:
    return element.tag == "section" or any(_SECTION_NAMES.match(token) for token in element.tokens)


def _holds_title(element: Element) -> bool:
    return element.first("h1") is not None


def _is_page_frame(element: Element, parent: Element) -> bool:
    """Whether a header, footer or aside belongs to the page and not to what it says."""
    if element.tag == "header":
        return element.first(*_HEADINGS) is None
    if element.tag == "footer":
        return parent.tag not in {"blockquote", "figure"}
    role = element.get("role").lower()
    kept = role in {"note", "doc-footnote", "doc-endnotes", "doc-tip"}
    return not kept and not any(_CONTENT_NAMES.match(token) for token in element.tokens)


def _is_hidden(element: Element) -> bool:
    attributes = element.attributes
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return True
    if attributes.get("aria-hidden", "").lower() == "true":
        return True
    style = attributes.get("style", "")
    return bool(style) and _HIDDEN_STYLE.search(style) is not None


def _is_link_to_neighbour(element: Element) -> bool:
    words = element.get("rel").lower().split()
    return "prev" in words or "next" in words or element.get("href").lower() in {"#main-content", "#skip"}


def _is_permalink(element: Element) -> bool:
    """A link that is shown as a sign, mostly of a heading to itself (¶, #, §), or as a footnote's number."""
    if "href" not in element.attributes or element.is_block:
        return False
    if "footnote" in element.tokens or element.get("role").lower() == "doc-noteref":
        return True
    text = element.text().strip()
    if element.get("href").startswith("#") and not text:
        return element.first("img", "svg") is None and not element.get("id") and not element.get("name")
    return text in _SIGNS


def _is_contents(element: Element) -> bool:
    names = {*element.tokens, element.get("id").lower()}
    return any("toc" in name or "contents" in name for name in names)
