"""Where JavaScript expressions, statements and JSX tags end in an MDX page. Linear in the page's length."""

import re
from dataclasses import dataclass, field

_SCRIPT = re.compile(r"[{}()\[\]]|//[^\n]*|/\*|[\"'`]|\n")
_STRINGS = {
    '"': re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    "'": re.compile(r"'(?:[^'\\\n]|\\.)*'"),
    "`": re.compile(r"`(?:[^`\\]|\\.)*`", re.DOTALL),
}
_CONTINUES = re.compile(r"(?:[=,(\[{:?|+*]|&&|=>|\bfrom|\bdefault)[ \t]*\Z")
_GOES_ON = re.compile(r"[ \t]*(?:[.?:)\]}|+]|&&|from\b|=)")
_TAG_NAME = re.compile(r"</?(?P<name>[A-Za-z_$][\w$.:-]*)?")
_ATTRIBUTE = re.compile(r"\s*(?:(?P<end>/?\s*>)|(?P<brace>\{)|(?P<name>[^\s=/<>{}\"'`]+)(?P<equals>\s*=\s*)?)")
_BARE_VALUE = re.compile(r"[^\s\"'{}<>=`]+")


@dataclass(slots=True)
class Tag:
    """A JSX tag. `attributes` holds texts as written: string values unquoted, expressions with their
    braces."""

    name: str
    closing: bool
    empty: bool
    end: int
    attributes: dict[str, str] = field(default_factory=dict[str, str])


class Scanner:
    """Finds ends in `text`. Searches that fail are charged to a budget, so a page of unclosed braces stays
    cheap."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._budget = 100_000 + len(text) // 4
        self._missing: set[str] = set()

    def find(self, needle: str, start: int) -> int:
        """`str.find` that remembers what is not there any more."""
        if needle in self._missing:
            return -1
        found = self._text.find(needle, start)
        if found < 0:
            self._missing.add(needle)
        return found

    def braces_end(self, start: int) -> int:
        """The offset behind the `}` that closes the `{` at `start`, -1 if none does."""
        depth = 0
        position = start
        while self._budget > 0:
            found = _SCRIPT.search(self._text, position)
            if found is None:
                break
            mark = found[0]
            position = found.end()
            if mark in "{([":
                depth += 1
            elif mark in "})]":
                depth -= 1
                if depth <= 0:
                    return position if mark == "}" else -1
            else:
                position = self._skip(mark, found.start(), position)
        self._budget -= max(position - start, 1)
        return -1

    def statement_end(self, start: int) -> int:
        """The offset of the end of the line that ends the import or export statement at `start`."""
        depth = 0
        position = start
        first_blank = -1
        while found := _SCRIPT.search(self._text, position):
            mark = found[0]
            position = found.end()
            if mark in "{([":
                depth += 1
            elif mark in "})]":
                depth -= 1
            elif mark != "\n":
                position = self._skip(mark, found.start(), position)
            else:
                blank = self._text[position : position + 1] in {"\n", ""}
                if blank and first_blank < 0:
                    first_blank = found.start()
                if self._budget <= 0 or (depth <= 0 and (blank or not self._goes_on(start, found.start()))):
                    return found.start()
        if depth <= 0 or first_blank < 0:
            return len(self._text)
        self._budget -= len(self._text) - start
        return first_blank  # brackets that never close: the statement ends where its paragraph does

    def _goes_on(self, start: int, line_end: int) -> bool:
        line_start = max(self._text.rfind("\n", start, line_end) + 1, start)
        return bool(_CONTINUES.search(self._text[line_start:line_end]) or _GOES_ON.match(self._text, line_end + 1))

    def _skip(self, mark: str, start: int, behind: int) -> int:
        """The offset behind the string or comment at `start`; `behind` if it is no whole one."""
        if mark in _STRINGS:
            if mark == "`" and self.find(mark, behind) < 0:
                return behind
            whole = _STRINGS[mark].match(self._text, start)
            return whole.end() if whole else behind
        if mark == "/*":
            closed = self.find("*/", behind)
            return closed + 2 if closed >= 0 else behind
        return behind

    def tag(self, start: int) -> Tag | None:
        """The JSX tag or fragment at `start`, None if there is no whole one."""
        found = _TAG_NAME.match(self._text, start)
        if found is None:
            return None
        tag = Tag(found["name"] or "", self._text.startswith("</", start), False, -1)
        position = found.end()
        while part := _ATTRIBUTE.match(self._text, position):
            position = part.end()
            if part["end"]:
                tag.empty = part["end"].startswith("/")
                tag.end = position
                return tag
            if not tag.name:
                return None
            if part["brace"]:
                position = self.braces_end(position - 1)
                if position < 0:
                    return None
            elif part["equals"]:
                value_end = self._value_end(position)
                if value_end < 0:
                    return None
                value = self._text[position:value_end]
                tag.attributes[part["name"]] = value[1:-1] if value[:1] in {'"', "'"} else value
                position = value_end
        return None

    def _value_end(self, start: int) -> int:
        mark = self._text[start : start + 1]
        if mark == "{":
            return self.braces_end(start)
        if mark in {'"', "'"}:
            return self.find(mark, start + 1) + 1 or -1
        bare = _BARE_VALUE.match(self._text, start)
        return bare.end() if bare else -1
