"""The visible text of HTML elements that stand in a line, and the exact text of preformatted ones."""

import re
from collections.abc import Sequence

from coldseek_core.ingest.html_tree import Element

_CODE_TAGS = frozenset({"code", "tt", "samp"})
# Where code begins and ends, until its content is known; the input has no such characters.
_CODE_BEGIN, _CODE_END, _BREAK = "\x01", "\x02", "\x03"
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
_CODE = re.compile("\x01([^\x01\x02]*)\x02")
_SPACES = re.compile(r"[ \t\n\r\f\xa0]+")
_POWER = re.compile(r"[-−+]?\d+\Z|[a-z]\Z")


def inline_text(items: Sequence[Element | str], *, code_marks: bool = True) -> str:
    """Text in one line, or several where `<br>` or a block breaks it. Inline elements vanish, images are their alt
    text, code stands in backticks if `code_marks`."""
    parts: list[str] = []
    _collect(items, parts, code_marks)
    text = _INVISIBLE.sub("", _SPACES.sub(" ", "".join(parts)))
    # Code that goes on in the next element is one piece of code.
    text = text.replace(_CODE_END + _CODE_BEGIN, "")
    text = _CODE.sub(_in_backticks, text).replace(_CODE_BEGIN, "").replace(_CODE_END, "")
    lines = (" ".join(line.split(" ")).strip() for line in text.split(_BREAK))
    return "\n".join(line for line in (_SPACES.sub(" ", line) for line in lines) if line)


def _in_backticks(code: re.Match[str]) -> str:
    inside = code[1].replace(_BREAK, " ")
    text = inside.strip()
    if not text:
        return " " if inside else ""
    before = " " if inside[0] == " " else ""
    after = " " if inside[-1] == " " else ""
    if "`" not in text:
        return f"{before}`{text}`{after}"
    marks = "`" * (1 + max(len(run) for run in re.findall("`+", text)))
    return f"{before}{marks} {text} {marks}{after}"


def _collect(items: Sequence[Element | str], parts: list[str], code_marks: bool) -> None:
    for item in items:
        if isinstance(item, str):
            parts.append(_CONTROLS.sub("", item))
            continue
        tag = item.tag
        if tag == "br":
            parts.append(_BREAK)
        elif tag == "img":
            parts.append(_CONTROLS.sub("", item.get("alt")))
        elif tag in _CODE_TAGS and code_marks:
            parts.append(_CODE_BEGIN)
            _collect(item.children, parts, False)
            parts.append(_CODE_END)
        elif tag == "math":
            parts.append(math_text(item))
        elif tag == "svg":
            parts.append(svg_text(item))
        elif tag == "sup":
            _superscript(item, parts, code_marks)
        elif tag == "q":
            parts.append('"')
            _collect(item.children, parts, code_marks)
            parts.append('"')
        elif tag == "rt":
            parts.append("(")
            _collect(item.children, parts, code_marks)
            parts.append(")")
        elif tag not in {"rp", "wbr"}:
            if item.is_block and tag != "br":
                parts.append(_BREAK)
            _collect(item.children, parts, code_marks)
            if item.is_block:
                parts.append(_BREAK)


def _superscript(item: Element, parts: list[str], code_marks: bool) -> None:
    """A power keeps a sign, for 10<sup>6</sup> is not 106."""
    inside: list[str] = []
    _collect(item.children, inside, code_marks)
    text = "".join(inside)
    before = parts[-1][-1:] if parts else ""
    if _POWER.match(text.strip()) and (before.isalnum() or before in {")", _CODE_END}):
        parts.append("^")
    parts += inside


def math_text(math: Element) -> str:
    """A formula: its TeX source if it carries one, else its signs in reading order."""
    for element in math.elements():
        if element.tag == "annotation" and "tex" in element.get("encoding").lower():
            return _CONTROLS.sub("", " ".join(element.text().split()))
    if math.get("alttext"):
        return _CONTROLS.sub("", math.get("alttext"))
    return _CONTROLS.sub("", _formula(math))


def _formula(element: Element) -> str:
    pieces = [
        _formula(child) for child in element.child_elements() if child.tag not in {"annotation", "annotation-xml"}
    ]
    own = "".join("".join(child.split()) for child in element.children if isinstance(child, str))
    joints = {"mfrac": "/", "msup": "^", "msub": "_", "munder": "_", "mover": "^"}
    if element.tag in joints and len(pieces) == 2:
        return joints[element.tag].join(piece if len(piece) <= 2 else f"({piece})" for piece in pieces)
    if element.tag == "msqrt":
        return f"√({''.join(pieces)})"
    if element.tag == "mo" and own not in "()[]{},.|\u2061\u2062\u2063\u2064":
        return f" {own} "
    return own + "".join(pieces)


def svg_text(svg: Element) -> str:
    """The words of a drawing: its labels, else what it is called if it counts as an image."""
    labels = [
        " ".join(element.text().split()) for element in svg.elements() if element.tag in {"text", "foreignobject"}
    ]
    if any(labels):
        return _CONTROLS.sub("", " ".join(filter(None, labels)))
    if svg.get("role").lower() != "img":
        return ""
    title = next((element for element in svg.elements() if element.tag in {"title", "desc"}), None)
    return _CONTROLS.sub("", svg.get("aria-label") or ("" if title is None else " ".join(title.text().split())))


def preformatted_text(element: Element) -> str:
    """Text with its white space as written; `<br>` and the end of a block inside it break the line."""
    parts: list[str] = []
    _collect_preformatted(element, parts)
    return _CONTROLS.sub("", "".join(parts)).replace("\u200b", "").replace("\ufeff", "")


def _collect_preformatted(element: Element, parts: list[str]) -> None:
    for child in element.children:
        if isinstance(child, str):
            parts.append(child)
        elif child.tag == "br":
            parts.append("\n")
        elif child.tag == "img":
            parts.append(child.get("alt"))
        else:
            _collect_preformatted(child, parts)
            if child.is_block and parts and not parts[-1].endswith("\n"):
                parts.append("\n")
