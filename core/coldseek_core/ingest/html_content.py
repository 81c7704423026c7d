"""Where on a built page its own text is."""

from coldseek_core.ingest.html_boilerplate import has_text, without_boilerplate
from coldseek_core.ingest.html_tabs import label_tabs
from coldseek_core.ingest.html_tree import Element

# Containers that generators put the text in, the most telling first; classes or ids.
_CONTAINERS = (
    "md-content__inner",
    "theme-doc-markdown",
    "vp-doc",
    "mw-content-text",
    "furo-main-content",
    "markdown-body",
    "td-content",
    "book-page",
    "main-content",
    "articlebody",
    "article-content",
    "post-content",
    "entry-content",
    "documentwrapper",
)


def main_content(root: Element) -> Element:
    """The element that holds the page's own text, without navigation: `main` or role "main", else a container that
    generators are known to use, else the only article, else the body. Changes the tree below `root`."""
    body = root.first("body") or root
    label_tabs(body)
    without_boilerplate(body)
    elements = list(body.elements())
    mains = [element for element in elements if element.tag == "main" or element.get("role").lower() == "main"]
    for wanted in _CONTAINERS:
        mains += [element for element in elements if wanted in element.tokens or element.get("id").lower() == wanted]
    mains += [element for element in elements if element.get("itemprop").lower() == "articlebody"]
    found = next((element for element in mains if has_text(element)), None)
    if found is None or found.tag in {"main", "body"}:
        inside = found or body
        articles = [element for element in inside.elements() if element.tag == "article"]
        if len(articles) == 1 and has_text(articles[0]) and _holds_most(articles[0], inside):
            found = articles[0]
    return found or body


def _holds_most(part: Element, whole: Element) -> bool:
    return 2 * len("".join(part.text().split())) >= len("".join(whole.text().split()))
