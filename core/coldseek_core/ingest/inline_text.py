"""The visible text of a paragraph, heading or table cell: what a reader of the built page sees."""

import html
import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from coldseek_core.ingest.html_text import BLOCK_TAGS, alt_text

# Longer content, or content that is mostly punctuation, is not parsed but stripped by patterns that take
# linear time: the parser needs up to 20 microseconds a character on unclosed brackets.
_LONGEST_PARSED = 10_000
_LONGEST_DENSE = 1_000
_DENSITY = 0.25
_SPECIAL = re.compile(r"[\[\]()<>!*_`~&\\{}|]")
MATH = re.compile(r"\$\$[^$]{1,5000}\$\$|\$(?=[^\s$])(?:[^$\n\\]|\\.|\n(?![ \t]*\n)){0,499}(?<=\S)\$(?!\d)")
_TEX = re.compile(r"\\[A-Za-z,;:!{}]")
_INTERPOLATION = re.compile(r"\{\{[^{}]{0,500}\}\}")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,1000})\](?:\([^()\n]{0,2000}\)|\[[^\[\]\n]{0,200}\])")
_TAG_NAME = re.compile(r"</?([A-Za-z][\w-]*)")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,1000}>")
# A reference whose definition is elsewhere (in an included file, say): shown is its text. `rows[i][j]` is
# none.
_REFERENCE = re.compile(r"(?<![^\s(])\[([^\[\]\n]{1,1000})\]\[[^\[\]\n]{0,200}\]")


class InlineText:
    """Turns inline Markdown into visible text, with the link definitions of one page."""

    def __init__(self, parser: MarkdownIt, env: dict[str, Any], drop_interpolations: bool = False) -> None:
        self._parser = parser
        self._env = env
        self.drop_interpolations = drop_interpolations

    def __call__(self, content: str, *, code_marks: bool = True) -> str:
        """Visible text: links are their text, images their alt text, entities decoded, emphasis marks and
        tags dropped.

        Code spans keep their backticks if `code_marks`.
        """
        if not content:
            return ""
        tokens = self._parsed(content)
        if tokens is None:
            text = html.unescape(_TAG.sub(_break_or_nothing, _LINK.sub(r"\1", content)))
        else:
            text = self._joined(tokens, code_marks)
        lines = (line.strip(" \t") for line in text.split("\n"))
        return "\n".join(line for line in lines if line).strip()

    def _parsed(self, content: str) -> list[Token] | None:
        """Tokens, or None if the content is too long or too odd for the parser."""
        if len(content) > _LONGEST_PARSED:
            return None
        if len(content) > _LONGEST_DENSE and len(_SPECIAL.findall(content)) > _DENSITY * len(content):
            return None
        tokens: list[Token] = []
        try:
            self._parser.inline.parse(content, self._parser, self._env, tokens)
        except RecursionError:
            return None
        return tokens

    def _joined(self, tokens: Sequence[Token], code_marks: bool) -> str:
        parts: list[str] = []
        plain: list[str] = []
        for token in tokens:
            kind = token.type
            if kind in {"text", "text_special"}:
                plain.append(token.content)
            elif kind in {"softbreak", "hardbreak"}:
                plain.append("\n")
            elif kind == "html_inline":
                plain.append(_tag_text(token.content))
            elif kind in {"code_inline", "image", "math"}:
                parts += (self._plain(plain), self._special(token, code_marks))
                plain = []
        return "".join((*parts, self._plain(plain)))

    def _plain(self, pieces: list[str]) -> str:
        text = _REFERENCE.sub(r"\1", "".join(pieces))
        return without_interpolations(text) if self.drop_interpolations else text

    def _special(self, token: Token, code_marks: bool) -> str:
        if token.type == "image":
            return self._joined(token.children or [], code_marks=False)
        if token.type == "math" or not code_marks:
            return token.content
        space = " " if token.content.startswith("`") or token.content.endswith("`") else ""
        return f"{token.markup}{space}{token.content}{space}{token.markup}"


def _tag_text(tag: str) -> str:
    found = _TAG_NAME.match(tag)
    name = found[1].lower() if found else ""
    return "\n" if name == "br" or name in BLOCK_TAGS else alt_text(tag) if name == "img" else ""


def _break_or_nothing(tag: re.Match[str]) -> str:
    return "\n" if _tag_text(tag[0]) == "\n" else ""


def without_interpolations(text: str) -> str:
    """Text without `{{ ... }}`, which VitePress fills in when it builds the page."""
    return _INTERPOLATION.sub("", text) if "{{" in text else text


def add_math(parser: MarkdownIt) -> None:
    """Keeps math between dollar signs as written, if it holds a TeX command: its `_` and `\\,` are no
    Markdown."""
    parser.inline.ruler.before("escape", "math", _math)


def _math(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    found = MATH.match(state.src, state.pos)
    if found is None or not _TEX.search(found[0]):
        return False
    if not silent:
        state.push("math", "", 0).content = found[0]
    state.pos = found.end()
    return True
