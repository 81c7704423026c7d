"""What readers see of the attributes of MDX components: titles, labels, and the labels of tabs."""

import re

from coldseek_core.ingest.jsx_scan import Tag

TABS = frozenset({"TabItem", "Tab", "Tabs.Tab", "TabPanel"})
_STRING = re.compile(
    r"""\s*(?:"(?P<double>[^"\\\n]*)"|'(?P<single>[^'\\\n]*)'|`(?P<template>(?:[^`\\$]|\\.|\$(?!\{))*)`)\s*\Z"""
)
_COMMENTS = re.compile(r"/\*.*?\*/", re.DOTALL)
_READ = ("title", "label", "heading", "caption", "summary", "alt", "description")
_LISTS = ("items", "values", "labels")
_LONGEST_LIST = 10_000
_LISTED = re.compile(r"""\{(?P<object>[^{}]*)\}|"(?P<double>[^"\\\n]*)"|'(?P<single>[^'\\\n]*)'""")
_MEMBER = re.compile(r"""["']?(label|title|value)["']?\s*:\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)')""")


class TabLabels:
    """The labels that stand at the tag around the tabs: `<Tabs items={["npm", "yarn"]}>`, in the order of the tabs, or
    `<Tabs values={[{label: "npm", value: "n"}]}>`, by their values."""

    def __init__(self) -> None:
        self._open: list[tuple[dict[str, str], list[str]]] = []

    def see(self, tag: Tag) -> None:
        """Takes note of the tag that is next on the page."""
        if tag.name != "Tabs" or tag.empty:
            return
        if tag.closing:
            del self._open[-1:]
            return
        by_value: dict[str, str] = {}
        in_order: list[str] = []
        for name in _LISTS:
            for listed in _LISTED.finditer(tag.attributes.get(name, "")[1:_LONGEST_LIST]):
                members = {found[1]: found[2] or found[3] or "" for found in _MEMBER.finditer(listed["object"] or "")}
                label = members.get("label") or members.get("title") or listed["double"] or listed["single"] or ""
                by_value[members.get("value", label)] = label
                in_order.append(label)
        in_order.reverse()
        self._open.append((by_value, in_order))

    def shown(self, tab: Tag) -> list[str]:
        """The label of a tab, as a list of one; none if it has none."""
        if tab.closing:
            return []
        by_value, in_order = self._open[-1] if self._open else ({}, [])
        following = in_order.pop() if in_order else ""
        own = next((text for name in ("label", "title") if (text := _attribute(tab, name))), "")
        value = _attribute(tab, "value")
        label = own or by_value.get(value, "") or value or following
        return [label] if label else []


def shown_attributes(tag: Tag) -> list[str]:
    """The texts of a tag's attributes that readers see."""
    if tag.closing or not tag.attributes:
        return []
    if tag.name[:1].islower():
        names = ("alt",) if tag.name == "img" else ()
    else:
        names = _READ
    return [text for name in names if (text := _attribute(tag, name))]


def _attribute(tag: Tag, name: str) -> str:
    value = tag.attributes.get(name, "")
    if value.startswith("{"):
        inner = value[1:-1]
        value = string_value(inner) or (re.sub(r"<[^<>]*>|\{[^{}]*\}", "", inner) if "<" in inner else "")
    return " ".join(value.split())


def string_value(expression: str) -> str:
    """The value of an expression that is one string and nothing else, "" of every other expression."""
    if "/*" in expression:
        expression = _COMMENTS.sub("", expression)
    found = _STRING.match(expression)
    if found is None:
        return ""
    if found["template"] is not None:
        return re.sub(r"\\([`$\\])", r"\1", found["template"])
    return found["double"] if found["double"] is not None else found["single"]
