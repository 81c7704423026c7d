"""Markdown (CommonMark with tables) to sections of blocks. Parsing is markdown-it-py's job."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from coldseek_core.ingest.block_writer import BlockWriter
from coldseek_core.ingest.directives import add_directives, without_alert_marker
from coldseek_core.ingest.html_text import html_text, without_embedded_data
from coldseek_core.ingest.inline_text import InlineText, add_math, without_interpolations
from coldseek_core.ingest.sections import Section
from coldseek_core.ingest.slugs import Slugger

_HEADING_ID = re.compile(r"\s*(?:\\?\{:?[^{}#]*#(?P<braces>[^\s{}]+)[^{}]*\}|\[#(?P<brackets>[^\s\[\]]+)\])\s*\Z")
_HEADING_CLASSES = re.compile(r"(?<=\S)\s*\{:?\s*(?:\.[A-Za-z][\w-]*\s*)+\}\Z")
_ANCHOR_TAG = re.compile(r"""<a\s[^<>]*?\b(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'>]+))""", re.IGNORECASE)
# A container's end right after an HTML block, which the parser takes for a part of it.
_LONE_MARKER = re.compile(r"^[ \t]*:{3,}[ \t]*$", re.MULTILINE)
# Lines that a generator replaces by another file's content, which is not there to be read.
_INCLUDE = re.compile(r"^[ \t]*(?:\{\{#\w+[^{}\n]*\}\}|<<<[ \t]+\S+.*)[ \t]*$\n?", re.MULTILINE)


@lru_cache(maxsize=2)
def _parser(indented_code: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    parser.validateLink = _any_link  # type: ignore[method-assign]
    add_directives(parser)
    add_math(parser)
    if not indented_code:
        parser.disable("code")
    return parser


def _any_link(url: str) -> bool:  # noqa: ARG001 - the parser's signature
    """Links are never rendered, only their text is kept: none is refused."""
    return True


def parse_markdown(source: str, framework: str = "none", *, indented_code: bool = True) -> list[Section]:
    """The sections of a page without front matter, in reading order; the first one has level 0 and no
    heading.

    `framework` decides how anchors are made. In MDX indented text is no code: `indented_code=False`.
    """
    source = _INCLUDE.sub("", without_embedded_data(source))
    parser = _parser(indented_code)
    env: dict[str, Any] = {}
    tokens: list[Token] = []
    parser.block.parse(source, parser, env, tokens)
    walker = _Walker(tokens, InlineText(parser, env, drop_interpolations=framework == "vitepress"), Slugger(framework))
    walker.walk()
    return walker.writer.sections


class _Walker:
    def __init__(self, tokens: Sequence[Token], inline: InlineText, slugger: Slugger) -> None:
        self.writer = BlockWriter()
        self._tokens = tokens
        self._inline = inline
        self._slugger = slugger

    def walk(self) -> None:
        position = 0
        while position < len(self._tokens):
            position = self._step(position)

    def _step(self, position: int) -> int:
        """Handles the token at `position`; returns where the next one to handle is."""
        token = self._tokens[position]
        kind = token.type
        if kind == "heading_open":
            self._heading(token, self._tokens[position + 1].content)
            return position + 3
        if kind == "paragraph_open":
            self.writer.text(self._inline(self._tokens[position + 1].content), tight=token.hidden)
            return position + 3
        if kind == "table_open":
            return self._table(position + 1)
        if kind in {"fence", "code_block"}:
            self.writer.code(token.content, token.info)
        elif kind == "html_block":
            self._html(token.content)
        elif kind == "blockquote_open":
            self.writer.open_quote("" if self._drop_alert_marker(position) else "> ")
        elif kind == "list_item_open":
            self.writer.open_item(f"{token.info}{token.markup} ")
        elif kind in {"blockquote_close", "list_item_close"}:
            self.writer.close()
        elif kind in {"bullet_list_open", "ordered_list_open"}:
            self.writer.begin_list()
        return position + 1

    def _drop_alert_marker(self, position: int) -> bool:
        following = self._tokens[position + 1 : position + 3]
        if len(following) < 2 or following[0].type != "paragraph_open":
            return False
        rest = without_alert_marker(following[1].content)
        if rest is not None:
            following[1].content = rest
        return rest is not None

    def _heading(self, token: Token, content: str) -> None:
        if not content.strip():
            self.writer.text(token.markup)
            return
        text = " ".join(self._inline(content, code_marks=False).split())
        explicit = ""
        text = _HEADING_CLASSES.sub("", text)
        # What stands in code is shown, and steers nothing.
        written = None if content.rstrip().endswith("`") else _HEADING_ID.search(text)
        if written:
            explicit, text = written["braces"] or written["brackets"], text[: written.start()]
        elif "<a" in content.lower() and (tag := _ANCHOR_TAG.search(content)):
            explicit = tag[1] or tag[2] or tag[3]
        if explicit:
            self._slugger.reserve(explicit)
        anchor = explicit or self._slugger.anchor(text)
        self.writer.heading(int(token.tag[1]), text, anchor)

    def _html(self, source: str) -> None:
        text = html_text(_LONE_MARKER.sub("", source))
        self.writer.text(without_interpolations(text) if self._inline.drop_interpolations else text, tight=True)

    def _table(self, position: int) -> int:
        rows: list[list[str]] = []
        while self._tokens[position].type != "table_close":
            token = self._tokens[position]
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(" ".join(self._inline(token.content).split()))
            position += 1
        self.writer.table(rows)
        return position + 1
