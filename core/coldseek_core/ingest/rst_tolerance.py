"""Roles and directives that docutils does not know, most of them Sphinx's: their text is kept."""

import re
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, cast

from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles

_LOCK = threading.RLock()
# Nothing that a reader of the built page sees there, or made from what is not in the file.
_DROPPED_WORDS = """
    toctree index tabularcolumns highlight currentmodule module py:currentmodule py:module program
    default-domain contents sectnum section-numbering include raw literalinclude image-sg date default-role
    meta title target-notes header footer ifconfig autosummary sectionauthor moduleauthor codeauthor
    codeauthor bibliography minigallery todolist inheritance-diagram plot jupyter-execute raw-html testsetup
    testcleanup
"""
_DROPPED = frozenset(_DROPPED_WORDS.split())
_CODE_WORDS = """
    code code-block sourcecode doctest testcode testoutput prompt ipython productionlist parsed-code console
    graphviz mermaid uml plantuml digraph graph code-tab code-cell
"""
_CODE = frozenset(_CODE_WORDS.split())
# Their argument steers the generator, their content is the page's.
_WRAPPERS = frozenset({"only", "rst-class", "cssclass", "hlist", "grid", "tab-set", "highlights", "columns"})
_NOTES = frozenset({"seealso", "todo", "deprecated", "versionadded", "versionchanged", "versionremoved"})
_VERSIONS = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
}
_OBJECTS = re.compile(
    r"(?:(?:py|c|cpp|js|rst|std|rb|php|go|java|cmake):)?(?:function|method|classmethod|staticmethod|class|exception|"
    r"data|attribute|property|decorator|decoratormethod|macro|type|struct|union|enum|enumerator|member|var|alias|"
    r"concept|namespace|option|cmdoption|envvar|describe|object|confval|setting|command|variable|"
    r"opcode|pdbcommand|2to3fixer|automodule|autoclass|autofunction|automethod|autodata|autoattribute|autoexception)\Z"
)
_PLAIN_ROLES_WORDS = """
    ref doc term numref any abbr kbd guilabel menuselection dfn download index eq keyword sub-ref cite
"""
_PLAIN_ROLES = frozenset(_PLAIN_ROLES_WORDS.split())
_TARGET = re.compile(r"(?P<text>.*?)\s*<(?P<target>[^<>]*)>\Z", re.DOTALL)


class _AnyOptions(dict[str, Any]):
    """Options of every name are taken, their values as written."""

    def __missing__(self, key: str) -> Callable[[str | None], str]:
        return lambda value: value or ""

    def __contains__(self, key: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return True


class _Tolerant(Directive):
    required_arguments = 0
    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = cast(Any, _AnyOptions())

    def _parsed(self) -> list[nodes.Node]:
        holder = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, cast(Any, holder))
        return list(holder.children)

    def _line(self, text: str) -> list[nodes.Node]:
        found, messages = self.state.inline_text(text, self.lineno)
        return [nodes.paragraph(text, "", *found), *messages]


class _Dropped(_Tolerant):
    def run(self) -> Sequence[nodes.Node]:
        return []


class _Code(_Tolerant):
    def run(self) -> Sequence[nodes.Node]:
        code = "\n".join(self.content)
        language = self.arguments[0].split()[0] if self.arguments and self.arguments[0] else ""
        if self.name not in {"code", "code-block", "sourcecode", "code-tab", "code-cell"}:
            if not code and self.arguments:
                code = self.arguments[0]
            language = {"doctest": "pycon", "testcode": "python", "ipython": "python"}.get(self.name, self.name)
            language = "" if language in {"prompt", "testoutput", "productionlist", "parsed-code"} else language
        caption = self.options.get("caption", "")
        block = nodes.literal_block(code, code, language=language)
        return [*(self._line(caption) if caption else []), block]


class _Wrapper(_Tolerant):
    def run(self) -> Sequence[nodes.Node]:
        return self._parsed()


class _Note(_Tolerant):
    def run(self) -> Sequence[nodes.Node]:
        lead = _VERSIONS.get(self.name, "")
        argument = self.arguments[0] if self.arguments else ""
        if lead:
            version, rest = ("".join(argument.split()[:1]), " ".join(argument.split()[1:]))
            lead = f"{lead} {version}:" if rest or self.content else f"{lead} {version}"
            argument = rest
        text = f"{lead} {argument}".strip()
        return [*(self._line(text) if text else []), *self._parsed()]


class _Object(_Tolerant):
    """A described object: its signatures are the term, the content is the definition."""

    def run(self) -> Sequence[nodes.Node]:
        if self.name == "class" and self._is_html_class():
            return self._parsed()
        signatures = [line.strip() for line in "\n".join(self.arguments).split("\n") if line.strip()]
        terms = [nodes.term("", "", nodes.literal(text, text.rstrip("\\"))) for text in signatures]
        definition = nodes.definition("", *self._parsed())
        item = nodes.definition_list_item("", *terms, definition)
        item["ids"] = [signatures[0].split("(")[0].strip().split(" ")[-1]] if signatures else []
        return [nodes.definition_list("", item)]

    def _is_html_class(self) -> bool:
        """docutils' own `class` names classes for the next element: lower-case words."""
        argument = self.arguments[0] if self.arguments else ""
        return re.fullmatch(r"[a-z0-9 _-]*", argument) is not None


class _Unknown(_Tolerant):
    """The argument is a title if there is content; alone it is kept if it reads as text."""

    def run(self) -> Sequence[nodes.Node]:
        argument = self.arguments[0] if self.arguments else ""
        keep = bool(argument) and (" " in argument or any(self.content))
        return [*(self._line(argument) if keep else []), *self._parsed()]


def _directive_class(name: str) -> type[Directive] | None:
    """Our class for a directive, None for those that docutils handles well."""
    if name in _DROPPED:
        return _Dropped
    if name in _CODE:
        return _Code
    if name in _NOTES:
        return _Note
    if name in _WRAPPERS:
        return _Wrapper
    return _Object if _OBJECTS.match(name) else None


def _role(
    name: str,
    rawtext: str,
    text: str,
    lineno: int,  # noqa: ARG001 - the signature of a role
    inliner: Any,  # noqa: ARG001
    options: Any = None,  # noqa: ARG001
    content: Any = (),  # noqa: ARG001
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """The text of an unknown role: of `title <target>` the title; names of code in a code span."""
    text = nodes.unescape(text)
    found = _TARGET.match(text)
    kind = name.lower().rpartition(":")[2]
    if found and found["text"] and kind != "samp":
        text = found["text"]
    elif found and found["target"] and kind in {"ref", "doc"}:
        text = found["target"]
    if kind in _PLAIN_ROLES:
        if kind == "menuselection":
            text = text.replace("-->", "›")
        return [nodes.inline(rawtext, text.lstrip("!"))], []
    if text.startswith("~"):
        text = text.rpartition(".")[2] if "." in text else text[1:]
    text = text.lstrip("!")
    if kind in {"func", "meth"} and not text.endswith(")") and not found:
        text += "()"
    return [nodes.literal(rawtext, text)], []


def _no_text(*_: Any, **__: Any) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Raw HTML in a line: not taken."""
    return [], []


@contextmanager
def tolerant_docutils() -> Generator[None]:
    """docutils with our roles and directives, and afterwards as it was. One thread at a time."""
    with _LOCK:
        known_directive, known_role = directives.directive, roles.role
        table: dict[str, Any] = cast(Any, roles)._roles
        saved = dict(table)

        def directive(name: str, language: Any, document: Any) -> tuple[Any, list[Any]]:
            ours = _directive_class(name.lower())
            if ours is not None:
                return ours, []
            found, _ = cast(Any, known_directive)(name, language, document)
            return found or _Unknown, []

        def role(name: str, language: Any, lineno: int, reporter: Any) -> tuple[Any, list[Any]]:
            found, messages = cast(Any, known_role)(name, language, lineno, reporter)
            if found is None or name.lower() in {"abbreviation", "index"}:
                return _role, []
            if getattr(found, "base_role", None) is roles.raw_role:
                return _no_text, []
            return found, messages

        module_directives, module_roles = cast(Any, directives), cast(Any, roles)
        module_directives.directive, module_roles.role = directive, role
        try:
            yield
        finally:
            module_directives.directive, module_roles.role = known_directive, known_role
            table.clear()
            table.update(saved)
