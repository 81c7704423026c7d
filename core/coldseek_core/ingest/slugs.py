"""Anchors as the site's renderer makes them from heading text."""

import re
import unicodedata
from functools import lru_cache

from coldseek_core.errors import UsageError

_VITEPRESS_SPECIAL = re.compile("[\\s~`!@#$%^&*()\\-_+=\\[\\]{}|\\\\;:\"'“”‘’<>,.?/]+")
_VITEPRESS_CONTROL = re.compile("[\u0000-\u001f]")
_COMBINING = re.compile("[\u0300-\u036f]")


@lru_cache(maxsize=4096)
def _kept_by_github(character: str) -> bool:
    """Letters, letter-like numbers and symbols, marks, decimal digits, connectors such as `_`, hyphen and
    space."""
    if character in "- ":
        return True
    category = unicodedata.category(character)
    return (
        category[0] in "LM" or category in {"Nd", "Nl", "Pc"} or 0x24B6 <= ord(character) <= 0x24E9
    )  # circled letters


def github_slug(heading: str) -> str:
    """GitHub's rule, also docusaurus's: lower case, punctuation dropped, each space a hyphen."""
    return "".join(filter(_kept_by_github, heading.strip().lower())).replace(" ", "-")


def mkdocs_slug(heading: str) -> str:
    """Python-Markdown's rule: ASCII only, runs of spaces and hyphens are one hyphen."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode("ascii")
    plain = re.sub(r"[^\w\s-]", "", plain).strip().lower()
    return re.sub(r"[-\s]+", "-", plain)


def vitepress_slug(heading: str) -> str:
    """VitePress's rule: accents off, punctuation and spaces one hyphen, `_` before a leading digit."""
    plain = _COMBINING.sub("", unicodedata.normalize("NFKD", heading))
    plain = _VITEPRESS_SPECIAL.sub("-", _VITEPRESS_CONTROL.sub("", plain)).strip("-")
    return re.sub(r"^(?=\d)", "_", plain).lower()


_RULES = {"docusaurus": github_slug, "mkdocs": mkdocs_slug, "vitepress": vitepress_slug, "none": github_slug}


class Slugger:
    """Hands out the anchors of one page, in reading order; a slug that was given out gets a number."""

    def __init__(self, framework: str = "none") -> None:
        if framework not in _RULES:
            raise UsageError(f"unknown framework {framework!r}; known are {', '.join(sorted(_RULES))}")
        self._framework = framework
        self._slug = _RULES[framework]
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}

    def anchor(self, heading: str) -> str:
        """The anchor of the next heading. Takes time in proportion to its length, however often it is
        repeated."""
        slug = self._slug(heading)
        separator = "-"
        anchor, base, number = slug, slug, self._last.get(slug, 0)
        if self._framework == "mkdocs":
            separator = "_"
            numbered = re.fullmatch(r"(.*)_(\d{1,9})", slug, re.DOTALL)
            if numbered and slug in self._taken:  # Python-Markdown counts on from a number that is already there
                base = numbered[1]
                number = max(int(numbered[2]), self._last.get(base, 0))
        while anchor in self._taken or (not anchor and self._framework == "mkdocs"):
            number += 1
            anchor = f"{base}{separator}{number}"
        if number:
            self._last[base] = number
        self._taken.add(anchor)
        return anchor

    def reserve(self, anchor: str) -> None:
        """Takes note of an anchor written out in the page; only some renderers count it."""
        if self._framework != "docusaurus":
            self._taken.add(anchor)
