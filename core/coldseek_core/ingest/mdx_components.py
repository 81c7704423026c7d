"""Components of an MDX page: where their names come from, and which are known to show no more than what is kept of
them."""

import re

from coldseek_core.ingest.html_text import LEFT_OUT

# What stands inside them, and their titles and labels, is all that they say; or they say nothing.
_KNOWN_WORDS = """
    Accordion AccordionGroup AccordionItem Accordions Admonition Alert Aside Badge BrowserOnly Callout Card CardGrid
    CardGroup Cards Caution Check Code CodeBlock CodeGroup Col Column Columns Danger Details DocCardList Expandable
    Figure FileTree Fragment Frame Grid Head Heading Icon Image Img Important Info Kbd Link LinkCard Note React.Fragment
    Row Step Steps Success Summary Suspense TOCInline Tab TabItem TabList TabPanel Tabs Tabs.Tab ThemedImage Tip Tooltip
    Trans Translate Warning
"""
_KNOWN = frozenset(_KNOWN_WORDS.split())
_KNOWN_PACKAGES = re.compile(
    r"(?:@theme(?:-original|-init)?|@docusaurus|nextra|nextra-theme-docs|@astrojs/starlight|fumadocs-ui|rspress|@rspress|"
    r"vocs|next|react)(?:/|\Z)|astro:"
)
_PICTURE = re.compile(r"\.(?:svg|png|jpe?g|gif|webp|avif|ico)(?:\?.*)?\Z", re.IGNORECASE)
_PARTIAL = re.compile(r"\.(?:mdx?|markdown)\Z", re.IGNORECASE)
_IMPORT = re.compile(r"import\s+(?P<names>[^\"']*?)\s*from\s*[\"'](?P<module>[^\"'\n]{1,1000})[\"']")
_DEFAULT = re.compile(r"[A-Za-z_$][\w$]*")
_BRACES = re.compile(r"\{([^{}]*)\}")
_ALL = re.compile(r"\*\s*as\s+([\w$]+)")
_LONGEST_STATEMENT = 10_000
_LONGEST_NAME = 60


class Components:
    """What an MDX page imports and uses. A page without an own place, as in a test, includes nothing."""

    def __init__(self) -> None:
        self.modules: dict[str, str] = {}
        self._used: dict[str, list[int]] = {}  # by name: how often, and the first line

    def imported(self, statement: str) -> None:
        """Takes note of the names that an import statement gives."""
        found = _IMPORT.match(statement[:_LONGEST_STATEMENT])
        if found is None:
            return
        names = found["names"].removeprefix("type ").strip()
        default = _DEFAULT.match(names)
        local = [default[0]] if default else []
        local += _ALL.findall(names)
        for braces in _BRACES.findall(names):
            local += [part.split()[-1] for part in braces.split(",") if part.strip()]
        self.modules |= dict.fromkeys(local, found["module"])

    def used(self, name: str, line: int, indent: str) -> str:  # noqa: ARG002 - the indent is for those that include
        """Takes note of a component's tag. Returns what stands in its place, "" if only what it holds does."""
        self._used.setdefault(name, [0, line])[0] += 1
        return ""

    def partial(self, name: str) -> str:
        """The Markdown file that `name` is the text of, as written in the import, "" if it is none."""
        module = self.modules.get(name, "")
        return module if _PARTIAL.search(module) else ""

    def unknown(self) -> list[tuple[str, int, int]]:
        """(name, first line, how often) of components that may show something that is not in the page, by name."""
        found = [
            (_shortened(name), line, count)
            for name, (count, line) in self._used.items()
            if name not in _KNOWN and not self._is_known_import(name.split(".")[0])
        ]
        return sorted(found)

    def _is_known_import(self, name: str) -> bool:
        module = self.modules.get(name, "")
        return bool(_KNOWN_PACKAGES.match(module) or _PICTURE.search(module) or _PARTIAL.search(module))


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + LEFT_OUT
