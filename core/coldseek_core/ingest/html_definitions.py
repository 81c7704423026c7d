"""Definition lists of an HTML page: terms, where links to them lead, and what belongs to them."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from coldseek_core.ingest.html_inline import inline_text
from coldseek_core.ingest.html_tree import Element

# A shorter definition stays with its neighbours: many tiny sections are found no better, and read worse.
_SHORTEST_SECTION = 200


@dataclass(slots=True)
class Definition:
    """One `dd` with its terms, or a term without one. `term` has a line for each term and code in backticks; `heading`
    is the same in one line without them; `anchor` is the first id of a term, "" without one or if the whole is too
    short for a section of its own."""

    term: str
    heading: str
    anchor: str
    body: Element = field(default_factory=lambda: Element("dd"))


def own_id(element: Element) -> str:
    return element.get("id") or (element.get("name") if element.tag == "a" else "")


def id_inside(parent: Element) -> str:
    return next((found for element in parent.elements() if (found := own_id(element))), "")


def definitions_of(parent: Element) -> Iterator[Definition | Element | str]:
    """The definitions of a `dl`, and what stands between them."""
    pending = deque(parent.children)
    terms: list[Element] = []
    anchor = ""  # of an empty element before a term
    while pending:
        child = pending.popleft()
        if isinstance(child, Element) and child.tag == "div":
            anchor = own_id(child) or anchor
            pending.extendleft(reversed(child.children))
        elif isinstance(child, Element) and child.tag == "dt":
            child.attributes.setdefault("id", id_inside(child) or anchor)
            terms.append(child)
            anchor = ""
        elif isinstance(child, Element) and child.tag == "dd":
            yield _definition(terms, child)
            terms = []
        elif isinstance(child, Element) and own_id(child) and not child.text().strip():
            anchor = own_id(child)
        else:
            yield child
    for term in terms:
        yield _definition([term], Element("dd"))


def _definition(terms: list[Element], body: Element) -> Definition:
    texts = [text for term in terms if (text := inline_text(term.children))]
    plain = [" ".join(inline_text(term.children, code_marks=False).replace("\n", ", ").split()) for term in terms]
    anchor = next((found for term in terms if (found := term.get("id"))), "")
    if anchor and not _has_length([*terms, body], _SHORTEST_SECTION):
        anchor = ""
    return Definition("\n".join(texts), ", ".join(filter(None, plain)), anchor, body)


def _has_length(elements: Sequence[Element], least: int) -> bool:
    """Whether there are at least so many characters of text; looks no further than that."""
    pending: list[Element | str] = list(reversed(elements))
    while pending and least > 0:
        item = pending.pop()
        if isinstance(item, str):
            least -= len(item.strip())
        else:
            pending += reversed(item.children)
    return least <= 0
