"""An MDX page with the texts of the Markdown files that it imports and shows (`import Intro from './_intro.mdx'`, then
`<Intro />`)."""

import os
from dataclasses import dataclass, field

from coldseek_core.errors import SourceError
from coldseek_core.ingest.decoding import read_text
from coldseek_core.ingest.documents import Note, Problem
from coldseek_core.ingest.front_matter import split_front_matter
from coldseek_core.ingest.html_text import without_embedded_data
from coldseek_core.ingest.mdx import prepare_mdx
from coldseek_core.ingest.mdx_components import Components
from coldseek_core.ingest.sources import SourceFile

# All partials of one page together, counted as often as they are shown.
_MOST_INCLUDED = 1_000_000
_DEEPEST = 10


@dataclass(slots=True)
class MdxText:
    """`text` is Markdown. `notes` are components that are not known, and partials outside the source folder."""

    text: str
    problems: list[Problem] = field(default_factory=list[Problem])
    notes: list[Note] = field(default_factory=list[Note])


def read_mdx(file: SourceFile, source: str) -> MdxText:
    """The page at `file` as Markdown, partials included. `source` is the whole file.

    Read are only Markdown files whose real place is inside the folder that `file` was found under.
    """
    return _Reading(file).page(source)


class _Reading:
    """One page and all that it includes."""

    def __init__(self, file: SourceFile) -> None:
        self._path = str(file.path)
        self._root = os.path.realpath(file.root)
        self._open: list[str] = []
        self._left = _MOST_INCLUDED
        self._texts: dict[str, str] = {}
        self._result = MdxText("")

    def page(self, source: str) -> MdxText:
        self._result.text = self._prepared(self._path, source)
        self._result.notes = sorted(set(self._result.notes))
        self._result.problems = sorted(set(self._result.problems))
        return self._result

    def _prepared(self, path: str, source: str) -> str:
        body = split_front_matter(source)[1]
        lines_before = source.count("\n") - body.count("\n")
        body = without_embedded_data(body)
        self._open.append(os.path.realpath(path))
        components = _Including(self, path, lines_before)
        text = prepare_mdx(body, components)
        if components.used_before_import:
            again = _Including(self, path, lines_before)
            again.modules |= components.modules
            components, text = again, prepare_mdx(body, again)
        self._open.pop()
        for name, line, count in components.unknown():
            told = f"unknown component <{name}>: only the text inside it is kept"
            self._result.notes.append(Note(told, path, line + lines_before, count))
        return text

    def included(self, module: str, importer: str, line: int, indent: str) -> str:
        """The text of the partial `module` as `importer` shows it, "" if it cannot be taken."""
        path = self._found(module, importer)
        if not path:
            told = f"the partial {module!r} is outside the source folder and not read"
            self._result.notes.append(Note(told, importer, line))
            return ""
        text, reason = self._text_of(path)
        length = len(text) + text.count("\n") * len(indent)
        if not reason and length > self._left:
            reason = f"the partials of the page come to more than {_MOST_INCLUDED:,} characters; split the page"
        if reason:
            self._result.problems.append(Problem(importer, f"line {line}: {module!r} is not included: {reason}"))
            return ""
        self._left -= length
        return text.replace("\n", "\n" + indent)

    def _found(self, module: str, importer: str) -> str:
        """The real path of a partial, "" if it is outside. `@site/` is whatever folder above holds such a file."""
        folder = os.path.dirname(os.path.realpath(importer))
        if not module.startswith("@site/"):
            return self._inside(os.path.join(folder, module))
        while self._inside(folder):
            path = self._inside(os.path.join(folder, module.removeprefix("@site/")))
            if os.path.isfile(path):
                return path
            folder = os.path.dirname(folder)
        return ""

    def _inside(self, path: str) -> str:
        try:
            real = os.path.realpath(path)
            return real if os.path.commonpath([real, self._root]) == self._root else ""
        except (OSError, ValueError):
            return ""

    def _text_of(self, path: str) -> tuple[str, str]:
        """(text, why there is none)."""
        if path in self._open:
            return "", "it includes itself"
        if len(self._open) > _DEEPEST:
            return "", f"it is the {_DEEPEST + 1}th file in a row that includes another"
        if path not in self._texts:
            if not os.path.isfile(path):
                return "", "there is no such file; check the path"
            if os.path.getsize(path) > 4 * _MOST_INCLUDED:
                return "", "it is too large to be part of a page"
            try:
                source = read_text(path)
            except SourceError as error:
                return "", str(error)
            self._texts[path] = self._prepared(path, source).strip("\n")
        return self._texts[path], ""


class _Including(Components):
    """The components of one file; those that are partials are their text."""

    def __init__(self, reading: _Reading, path: str, lines_before: int) -> None:
        super().__init__()
        self._reading = reading
        self._path = path
        self._lines_before = lines_before
        self._seen: set[str] = set()

    @property
    def used_before_import(self) -> bool:
        """Whether a partial was shown above the statement that imports it, and so missed."""
        return any(self.partial(name) for name in self._seen)

    def used(self, name: str, line: int, indent: str) -> str:
        partial = self.partial(name)
        if partial:
            return self._reading.included(partial, self._path, line + self._lines_before, indent)
        self._seen.add(name)
        return super().used(name, line, indent)
