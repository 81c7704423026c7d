"""MDX to plain Markdown: what a reader of the built page sees, without imports, exports, tags and
expressions.

Children of every component are kept, known or not. Code fences, code spans and math are left as they are.
"""

import html
import re

from coldseek_core.ingest.html_text import INLINE_TAGS
from coldseek_core.ingest.inline_text import MATH
from coldseek_core.ingest.jsx_scan import Scanner, Tag
from coldseek_core.ingest.mdx_attributes import TABS, TabLabels, shown_attributes, string_value
from coldseek_core.ingest.mdx_components import Components

_FENCE = re.compile(
    r"(?P<before>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$",
    re.MULTILINE,
)
_NEXT = re.compile(
    r"(?P<line>^(?:[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?=```|~~~)|(?=import\b|export\b)))|`+|\\.|\{|<|\$",
    re.MULTILINE,
)
_STATEMENT = re.compile(
    r"import\s*(?:[\"'{*]|type\s+[\w$*{]|[\w$]+(?:\s*,|\s+from\b))"
    r"|export\s+(?:default|const|let|var|function|async|class|type|interface|enum)\b|export\s*[{*]"
)
_HEADING_ID = re.compile(r"(?:/\*\s*)?(#[^\s{}*/]+)(?:\s*\*/)?\Z")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]*\Z")
_PLAIN_LINE = re.compile(r"[ \t]{0,3}(?:#{1,6}[ \t]|\|)")
_HIDDEN = frozenset({"Head", "head", "script", "style"})
_LINE_KEPT = 500
# A line this long that is mostly markup is no MDX that somebody wrote; it is left to the Markdown reader.
_ODD_LINE = re.compile(r"^.{20000,}$", re.MULTILINE)
_MARKUP = re.compile(r"[<{`$\\]")


def prepare_mdx(source: str, components: Components | None = None) -> str:
    """Markdown with the text that people read. Front matter must be off already. `components` learns what is imported
    and used, and may put text in a component's place.

    Dropped: import and export statements, comments, tags, expressions that are not a plain string, and what
    stands in `<Head>`, `<script>` and `<style>`. Kept: children, the attributes that are shown (title,
    label, alt, description ...), string expressions. A tab's label becomes a line before its content.
    """
    return _Preparation(_unwrapped(source), components or Components()).run()


def _unwrapped(source: str) -> str:
    """The page without the fences around `mdx-code-block`: what they hold is part of the page."""
    if "mdx-code-block" not in source:
        return source
    lines: list[str] = []
    fence, dropped = "", False
    for line in source.split("\n"):
        found = _FENCE.match(line)
        if fence:
            if _closes(line, fence):
                fence = ""
                if dropped:
                    lines.append("")
                    continue
        elif found:
            fence = found["fence"]
            dropped = found["info"].strip() == "mdx-code-block"
            if dropped:
                lines.append("")
                continue
        lines.append(line)
    return "\n".join(lines)


def _is_odd(line: str) -> bool:
    return len(_MARKUP.findall(line)) * 20 > len(line)


def _closes(line: str, fence: str) -> bool:
    stripped = line.strip(" \t>")
    return len(stripped) >= len(fence) and stripped == fence[0] * len(stripped)


class _Preparation:
    def __init__(self, source: str, components: Components) -> None:
        self._source = source
        self._components = components
        self._tabs = TabLabels()
        self._counted = (0, 1)  # an offset and the number of its line
        self._scanner = Scanner(source)
        self._out: list[str] = []
        self._line = ""  # the beginning of the line of output that is being written
        self._paragraph_end = -1
        self._statement_end = -1
        self._unclosed_code: dict[int, int] = {}

    def run(self) -> str:
        source = self._source
        position = 0
        odd = [line.span() for line in _ODD_LINE.finditer(source) if _is_odd(line[0])]
        while found := _NEXT.search(source, position):
            start = found.start()
            while odd and odd[0][1] <= start:
                odd.pop(0)
            if odd and odd[0][0] <= start:
                position = self._verbatim(position, odd[0][1])
                continue
            self._write(source[position:start])
            mark = source[start] if found.end() > start else ""
            if found["line"] is not None:
                position = self._line_start(start, found.end())
            elif mark == "`":
                position = self._code_span(start, found.end())
            elif mark == "{":
                position = self._expression(start)
            elif mark == "<":
                position = self._tag(start)
            elif mark == "$":
                math = MATH.match(source, start)
                position = self._verbatim(start, math.end() if math else start + 1)
            else:
                position = self._verbatim(start, found.end())
        self._write(source[position:])
        return "".join(self._out)

    def _write(self, text: str) -> None:
        if text:
            self._out.append(text)
            cut = text.rfind("\n")
            if cut >= 0:
                self._line = text[cut + 1 : cut + 1 + _LINE_KEPT]
            elif len(self._line) < _LINE_KEPT:
                self._line += text[:_LINE_KEPT]

    def _verbatim(self, start: int, end: int) -> int:
        self._write(self._source[start:end])
        return end

    def _line_start(self, start: int, end: int) -> int:
        """A line that begins with a fence, import or export."""
        fence = _FENCE.match(self._source, start)
        if fence:
            return self._verbatim(start, self._fence_end(fence))
        if end == start and _STATEMENT.match(self._source, start) and self._may_begin_statement(start):
            self._statement_end = self._scanner.statement_end(start)
            self._components.imported(self._source[start : self._statement_end])
            return self._statement_end
        return self._verbatim(start, max(end, start + 1))

    def _fence_end(self, fence: re.Match[str]) -> int:
        mark = fence["fence"]
        closing = re.compile(rf"^[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$", re.MULTILINE)
        found = closing.search(self._source, fence.end())
        return found.end() if found else len(self._source)

    def _may_begin_statement(self, start: int) -> bool:
        """Whether import or export stands where a block begins, and so is no word of a paragraph."""
        if start in {0, self._statement_end + 1}:
            return True
        line = self._source[max(0, start - 1000) : start - 1].rpartition("\n")[2].strip()
        return not line or line.startswith(("<", "{", "```", "~~~"))

    def _code_span(self, start: int, end: int) -> int:
        length = end - start
        if self._paragraph_end < end:
            found = self._scanner.find("\n\n", end)
            self._paragraph_end = len(self._source) if found < 0 else found
        paragraph_end = self._paragraph_end
        if self._unclosed_code.get(length) == paragraph_end:
            return self._verbatim(start, end)
        closing = re.compile(rf"(?<!`)`{{{length}}}(?!`)").search(self._source, end, paragraph_end)
        if closing is None:
            self._unclosed_code[length] = paragraph_end
            return self._verbatim(start, end)
        return self._verbatim(start, closing.end())

    def _expression(self, start: int) -> int:
        end = self._scanner.braces_end(start)
        if end < 0:
            return self._verbatim(start, start + 1)
        inner = self._source[start + 1 : end - 1]
        heading_id = _HEADING_ID.match(inner)
        if heading_id:
            self._write(f"{{{heading_id[1]}}}")
            return end
        if self._line.lstrip().startswith(":::"):  # attributes of a container
            return self._verbatim(start, end)
        text = string_value(inner)
        if "\n" in text.strip("\n"):  # a template string of several lines is code for a component that shows code
            self._write(f"\n\n```\n{text.strip(chr(10))}\n```\n\n")
        else:
            self._write(html.escape(text, quote=False) if "<" in text or "&" in text else text)
        return end

    def _tag(self, start: int) -> int:
        if self._source.startswith("<!--", start):
            end = self._scanner.find("-->", start)
            return end + 3 if end >= 0 else self._verbatim(start, start + 4)
        tag = self._scanner.tag(start)
        if tag is None or (not tag.name and tag.attributes):
            return self._verbatim(start, start + 1)
        if tag.name in _HIDDEN and not tag.closing and not tag.empty:
            end = self._scanner.find(f"</{tag.name}", tag.end)
            return end if end >= 0 else tag.end
        self._tabs.see(tag)
        in_line = _PLAIN_LINE.match(self._line)
        if _is_component(tag) and not tag.closing:
            indent = self._line[: len(self._line) - len(self._line.lstrip(" \t"))]
            included = self._components.used(tag.name, self._line_number(start), indent)
            if included and not in_line:
                self._write(f"\n\n{indent}{included}\n\n{indent}")
                return tag.end
        if in_line:
            self._tag_in_line(tag, start)
        else:
            self._tag_in_flow(tag)
        return tag.end

    def _line_number(self, offset: int) -> int:
        counted, number = self._counted
        self._counted = (offset, number + self._source.count("\n", counted, offset))
        return self._counted[1]

    def _tag_in_line(self, tag: Tag, start: int) -> None:
        """A tag in a heading or table row, which must stay one line."""
        heading = not self._line.lstrip().startswith("|")
        if heading and tag.name == "a" and not tag.closing and ("id" in tag.attributes or "name" in tag.attributes):
            self._verbatim(start, tag.end)  # it names the heading's anchor
        elif tag.name == "br":
            self._write(" ")
        elif not heading or tag.name == "img":
            self._write(" ".join(shown_attributes(tag)))

    def _tag_in_flow(self, tag: Tag) -> None:
        indent = self._line[: len(self._line) - len(self._line.lstrip(" \t"))]
        shown = self._tabs.shown(tag) if tag.name in TABS else shown_attributes(tag)
        at_start = not self._line.strip()
        alone = at_start and self._source[tag.end : tag.end + 200].split("\n", 1)[0].strip() == ""
        if tag.name == "br":
            self._write("\n" + indent if not at_start else "")
        elif tag.name[:1].islower() and (tag.name in INLINE_TAGS or _ITEM.match(self._line)):
            self._write(" ".join(shown))
        elif tag.name in TABS or tag.name[:1].islower() or (at_start and shown) or alone:
            if not at_start:
                self._write("\n\n" + indent)
            if shown:
                self._write("\n\n".join(shown).replace("\n\n", "\n\n" + indent) + "\n\n" + indent)
            elif not alone and tag.closing:
                self._write("\n\n" + indent)
        elif shown:
            self._write(" ".join(shown) + " ")


def _is_component(tag: Tag) -> bool:
    return tag.name[:1].isupper() or "." in tag.name
