"""Which site generator a folder of pages belongs to: asked for, or guessed from what is in and around it."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from coldseek_core.errors import UsageError
from coldseek_core.ingest.sources import SourceFile

FRAMEWORKS = ("docusaurus", "mkdocs", "vitepress", "none")
_LEVELS_ABOVE = 3
_PAGES_LOOKED_AT = 200
_BYTES_LOOKED_AT = 8_192
_MARKED = {".md", ".mdx", ".markdown"}
_CONFIGS = {
    "docusaurus": re.compile(r"docusaurus\.config\.(?:js|ts|mjs|cjs|mts|cts)\Z"),
    "mkdocs": re.compile(r"mkdocs\.ya?ml\Z"),
    "vitepress": re.compile(r"\.vitepress\Z"),
}
_TRACES = {
    "docusaurus": re.compile(
        rb"^(?:sidebar_(?:position|label|class_name)|pagination_(?:next|prev)|toc_max_heading_level):"
        rb"|from ['\"]@(?:theme|docusaurus|site)/|^```mdx-code-block",
        re.MULTILINE,
    ),
    "vitepress": re.compile(
        rb"\.vitepress/|^<script [^>\n]*\bsetup\b|^layout: (?:home|page|doc)\s*$"
        rb"|^:{3,} code-group|^```\w+ twoslash|from ['\"]vitepress",
        re.MULTILINE,
    ),
    "mkdocs": re.compile(rb"^(?:!!!|\?\?\?\+?) \w+|^===[+!]? \"|^--8<-- ", re.MULTILINE),
}


def check_framework(framework: str | None) -> None:
    """Raises UsageError if `framework` is neither None (guess) nor one that is known."""
    if framework is not None and framework not in FRAMEWORKS:
        raise UsageError(
            f"unknown framework {framework!r}; use one of {', '.join(FRAMEWORKS)}, or leave it out to guess"
        )


def guess_framework(root: str, files: Sequence[SourceFile]) -> str:
    """The framework of the pages `files` of one root: by a configuration file in the root or up to three
    folders above it, the nearest first; else by `_category_` files and by traces in the pages; else
    "none"."""
    for folder in _and_above(root):
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        for framework, pattern in _CONFIGS.items():
            if any(pattern.match(name) for name in names):
                return framework
    pages = [file for file in files if file.root == root and file.suffix in _MARKED]
    counts = dict.fromkeys(_TRACES, 0)
    for file in pages[:_PAGES_LOOKED_AT]:
        head = _head(file.path)
        for framework, pattern in _TRACES.items():
            counts[framework] += pattern.search(head) is not None
    for folder in {os.path.dirname(file.path) for file in pages}:
        if any(os.path.exists(os.path.join(folder, f"_category_.{suffix}")) for suffix in ("json", "yml", "yaml")):
            counts["docusaurus"] += _PAGES_LOOKED_AT
    best = max(_TRACES, key=lambda framework: counts[framework])
    return best if counts[best] else "none"


def _and_above(root: str) -> list[Path]:
    path = Path(root)
    return [path, *list(path.parents)[:_LEVELS_ABOVE]]


def _head(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_BYTES_LOOKED_AT).replace(b"\r\n", b"\n")
    except OSError:
        return b""


def has_clean_urls(root: str) -> bool:
    """Whether the VitePress configuration in or above `root` says `cleanUrls: true`."""
    for folder in _and_above(root):
        config = folder / ".vitepress"
        if config.is_dir():
            texts = (_head(path) for path in sorted(config.glob("config*")) if path.is_file())
            return any(re.search(rb"\bcleanUrls\s*:\s*true\b", text) for text in texts)
    return False
