"""reStructuredText to sections of blocks. Parsing is docutils's job."""

import re
from typing import Any, cast

from docutils import nodes
from docutils.core import publish_doctree

from coldseek_core.ingest.rst_blocks import RstBlocks
from coldseek_core.ingest.rst_tolerance import tolerant_docutils
from coldseek_core.ingest.sections import Section

_SETTINGS = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 5,
    "warning_stream": False,
    "input_encoding": "unicode",
    "doctitle_xform": False,
    "docinfo_xform": False,
    "sectnum_xform": False,
    "syntax_highlight": "none",
    "smart_quotes": False,
    "auto_id_prefix": "id",
    "line_length_limit": 1_000_000,
    "embed_stylesheet": False,
}
_BIBLIOGRAPHIC_WORDS = "author authors address contact date version revision status organization copyright"
_BIBLIOGRAPHIC = frozenset(_BIBLIOGRAPHIC_WORDS.split())


def parse_rst(source: str) -> tuple[list[Section], dict[str, Any]]:
    """(sections, fields) of a page. The fields are those of a field list at the very top, or of a bibliographic one
    behind the title; their names are in lower case.

    No other file is read and no raw HTML taken. Unknown roles and directives keep their text. May raise whatever
    docutils raises for what it cannot handle.
    """
    with tolerant_docutils():
        document = publish_doctree(source, settings_overrides=dict(_SETTINGS))
    fields = _take_fields(document)
    blocks = RstBlocks(document)
    blocks.write(document)
    return blocks.writer.sections, fields


def _take_fields(document: nodes.document) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    first = _first_content(document)
    if isinstance(first, nodes.field_list):
        fields |= _fields(first)
        document.remove(first)
        first = _first_content(document)
    if isinstance(first, nodes.section):
        inside = _first_content(first)
        if isinstance(inside, nodes.field_list) and set(found := _fields(inside)) & _BIBLIOGRAPHIC:
            fields = found | fields
            first.remove(inside)
    return fields


def _first_content(parent: nodes.Element) -> nodes.Node | None:
    skipped = (nodes.comment, nodes.target, nodes.title, nodes.system_message, nodes.substitution_definition)
    return next((child for child in parent.children if not isinstance(child, skipped)), None)


def _fields(listed: nodes.field_list) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for field in listed.children:
        if isinstance(field, nodes.field) and len(field.children) == 2:
            name, body = cast("list[nodes.Element]", field.children)
            text = " ".join(body.astext().split())
            fields[" ".join(name.astext().lower().split())] = _value(text)
    return fields


def _value(text: str) -> Any:
    """A field without a text is a mark that is set; numbers and truth values are read as such."""
    if text.lower() in {"", "true"}:
        return True
    if text.lower() == "false":
        return False
    return int(text) if re.fullmatch(r"-?(?:0|[1-9]\d{0,17})", text) else text
