"""Tabs: alternatives of which a browser shows one. Each keeps its text, under its label."""

from coldseek_core.ingest.html_tree import Element

_LISTS = frozenset({"tabbed-labels", "tabs"})
_PANELS = frozenset({"tabbed-block", "tab-pane", "tabpanel"})
_PANEL_LISTS = frozenset({"tabbed-content", "blocks", "tab-content"})


def label_tabs(root: Element) -> None:
    """Moves the labels of tab lists to the start of their panels (docusaurus, VitePress, MkDocs, Bootstrap)."""
    for parent in [root, *root.elements()]:
        bars = [child for child in parent.child_elements() if _is_tab_list(child)]
        if len(bars) != 1:
            continue
        labels = _labels(bars[0])
        panels = _panels(parent)
        if labels and len(labels) == len(panels):
            parent.children.remove(bars[0])
            for label, panel in zip(labels, panels, strict=True):
                panel.children.insert(0, Element("p", {}, [label], is_block=True))
                panel.is_block = True
                for name in ("hidden", "aria-hidden"):
                    panel.attributes.pop(name, None)
                panel.attributes["role"] = "tabpanel"


def _is_tab_list(element: Element) -> bool:
    return element.get("role").lower() == "tablist" or not element.tokens.isdisjoint(_LISTS)


def _labels(bar: Element) -> list[str]:
    tabs = [element for element in bar.elements() if element.get("role").lower() == "tab"]
    tabs = tabs or [element for element in bar.elements() if element.tag == "label"]
    return [text for tab in tabs if (text := " ".join(tab.text().split()))]


def _panels(parent: Element) -> list[Element]:
    found: list[Element] = []
    for child in parent.child_elements():
        if _is_panel(child):
            found.append(child)
        elif not _is_tab_list(child) and child.tag != "input":
            inside = child.child_elements()
            if not child.tokens.isdisjoint(_PANEL_LISTS) or all(map(_is_panel, inside)):
                found += inside
    return found


def _is_panel(element: Element) -> bool:
    return element.get("role").lower() == "tabpanel" or not element.tokens.isdisjoint(_PANELS)
