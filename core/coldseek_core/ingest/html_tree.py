"""A page of HTML as a small tree of our own. Parsing is selectolax's job (lexbor, as browsers parse)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from coldseek_core.ingest.html_guard import bounded
from coldseek_core.ingest.html_text import BLOCK_TAGS

_IGNORED = frozenset({"-comment", "-doctype", "script", "style", "template", "noscript"})
_FOLDING = frozenset({"table", "ul", "ol", "dl", "menu", "dir"})
_TABLE_PARTS = frozenset({"thead", "tbody", "tfoot", "tr", "td", "th"})
# Functions that walk the tree may call themselves: Python's stack is not endless.
_DEEPEST = 120


@dataclass(slots=True, eq=False)
class Element:
    """An element. `tag` is in lower case; `tokens` are its classes in lower case; `is_block` tells whether it, or
    anything inside it, ends a line of text."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    children: list["Element | str"] = field(default_factory=list["Element | str"])
    tokens: frozenset[str] = frozenset()
    is_block: bool = False

    def get(self, name: str) -> str:
        """An attribute's value without white space around it, "" if it is not there."""
        return self.attributes.get(name, "").strip()

    def elements(self) -> Iterator["Element"]:
        """All elements below this one, in reading order."""
        pending: list[Element] = [child for child in reversed(self.children) if isinstance(child, Element)]
        while pending:
            element = pending.pop()
            yield element
            pending += [child for child in reversed(element.children) if isinstance(child, Element)]

    def child_elements(self) -> list["Element"]:
        return [child for child in self.children if isinstance(child, Element)]

    def first(self, *tags: str) -> "Element | None":
        """The first element below this one that has one of these tags."""
        return next((element for element in self.elements() if element.tag in tags), None)

    def text(self) -> str:
        """All text below, as written, parted by spaces where elements meet."""
        parts: list[str] = []
        pending: list[Element | str] = [self]
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                parts.append(item)
            else:
                pending += reversed(item.children)
        return " ".join(parts)


def parse_html(source: str) -> Element:
    """The `html` element of a page, without comments, scripts, styles and templates.

    What stands more than 120 elements deep belongs to the element at that depth, and the deepest tables and lists are
    plain blocks. Takes time in proportion to the
    length of `source`.
    """
    parsed = LexborHTMLParser(bounded(source)).root
    root = Element("html")
    if parsed is None:
        return root
    root = _element(parsed, "html")
    path = [root]
    depth = 0
    node = _first_child(parsed)
    while node is not None:
        tag = (node.tag or "-").lower()
        inside: LexborNode | None = None
        if tag == "-text":
            path[-1].children.append(node.text_content or "")
        elif tag not in _IGNORED and tag[0] != "-":
            inside = _first_child(node)
            element = _element(node, tag)
            if _is_unfolded(tag, path[-1], depth):
                element.tag = "div"
            if depth < _DEEPEST:
                path[-1].children.append(element)
                if inside is not None:
                    path.append(element)
            elif element.is_block:
                path[-1].children.append(Element("br"))
        if inside is not None:
            depth += 1
            node = inside
            continue
        following = _next(node)
        while following is None and depth > 0:
            node = _parent(node)
            if depth <= _DEEPEST:
                path.pop()
            depth -= 1
            following = _next(node)
        node = following
    return _with_blocks(root)


def _is_unfolded(tag: str, parent: Element, depth: int) -> bool:
    """Whether a table or list would stand so deep that its rows, cells or items would be cut off; if so, they follow
    it, for they stand in no table then."""
    if tag in _FOLDING:
        return depth >= _DEEPEST - 10
    return tag in _TABLE_PARTS and parent.tag not in _TABLE_PARTS and parent.tag != "table"


# Types of what selectolax returns differ between its versions.
def _first_child(node: LexborNode) -> LexborNode | None:
    return node.first_child


def _next(node: LexborNode) -> LexborNode | None:
    return node.next


def _parent(node: LexborNode) -> LexborNode:
    parent: LexborNode | None = node.parent
    return node if parent is None else parent


def _element(node: LexborNode, tag: str) -> Element:
    attributes = {name.lower(): value or "" for name, value in node.attributes.items()}
    tokens = frozenset(attributes["class"].lower().split()) if "class" in attributes else frozenset[str]()
    return Element(tag, attributes, [], tokens, tag in BLOCK_TAGS)


def _with_blocks(root: Element) -> Element:
    """Marks every element that holds a block as one, deepest first."""
    for element in reversed([root, *root.elements()]):
        if not element.is_block and element.tag not in {"svg", "math"}:
            element.is_block = any(child.is_block for child in element.children if isinstance(child, Element))
    return root
