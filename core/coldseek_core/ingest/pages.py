"""Where a page is found on the built site, which pages are not part of it, and what a page is called."""

import posixpath
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from coldseek_core.errors import UsageError

_INDEX_NAMES = {"index", "readme"}
_NUMBERED = re.compile(r"(\d+)\s*[-_.]+\s*([^-_.\s].*)\Z", re.DOTALL)
# Names that only look numbered: 2021-01-01-news, 7.0-foo.
_DATE_OR_VERSION = re.compile(r"(?:\d{2}|\d{4})[-_.]\d{2}(?:[-_.](?:\d{2}|\d{4}))?|\d+[-_.]\d+")
# What would end a URL or its path; letters of every script stay readable.
_UNSAFE = re.compile(r'[\x00-\x20"#<>?\\^`{|}\x7f]|%(?![0-9A-Fa-f]{2})')
_TEST_FILE = re.compile(r".*\.(?:test|spec)\Z")


@dataclass(frozen=True, slots=True)
class Page:
    """`url` with the base URL; `name` is the title of a page that has no other."""

    url: str
    name: str


def check_base_url(base_url: str) -> str:
    """`base_url` without a slash at its end and, if it is no full address, with one at its start; "" for
    the root.

    Raises UsageError for white space, a query or a fragment.
    """
    if re.search(r"\s|[\x00-\x1f]", base_url):
        raise UsageError(f"base URL {base_url!r} holds white space; write it as in a browser's address line")
    try:
        parts = urlsplit(base_url)
    except ValueError as error:
        raise UsageError(f"base URL {base_url!r} is no URL: {error}") from None
    if parts.query or parts.fragment or base_url.endswith(("?", "#")):
        raise UsageError(f"base URL {base_url!r} holds a query or fragment; leave out what follows '?' or '#'")
    base_url = base_url.rstrip("/")
    if base_url and not parts.scheme and not base_url.startswith("/"):
        base_url = "/" + base_url
    return base_url


def left_out(relative: str, values: dict[str, Any], framework: str) -> str:
    """Why the page is no part of the site or of its search; "" if it is. `values` is its front matter."""
    parts = relative.split("/")
    if framework == "docusaurus":
        if any(part.startswith("_") or part == "__tests__" for part in parts):
            return "its name, or its folder's, starts with an underscore"
        if _TEST_FILE.match(posixpath.splitext(parts[-1])[0]):
            return "it is a test file"
    for key in ("draft", "unlisted", "noindex"):
        if values.get(key) is True:
            return f"its front matter says {key}: true"
    search: Any = values.get("search")
    if search is False or (isinstance(search, dict) and search.get("exclude") is True):  # pyright: ignore[reportUnknownMemberType]
        return "its front matter takes it out of the search"
    return ""


def page_of(relative: str, values: dict[str, Any], framework: str, base_url: str, clean_urls: bool = False) -> Page:
    """The page built from the file at `relative`. `base_url` as from check_base_url.

    docusaurus: `slug` and `id` honoured, number prefixes removed, index, README and a page named like its
    folder are the folder, no slash at the end. mkdocs: `/page/`, index and README are the folder.
    vitepress: `/page.html` or, with `clean_urls`, `/page`; index is the folder with a slash. none: the path
    without its suffix.
    """
    stem = posixpath.splitext(relative)[0]
    if framework == "docusaurus":
        return _docusaurus_page(stem, values, base_url)
    folder, _, name = stem.rpartition("/")
    title = (posixpath.basename(folder) or name) if name.lower() in _INDEX_NAMES else name
    if framework == "mkdocs":
        path = folder if name.lower() in _INDEX_NAMES else stem
        return Page(joined_url(base_url, path, slash=True), title)
    if framework == "vitepress":
        if name == "index":
            return Page(joined_url(base_url, folder, slash=True), title)
        return Page(joined_url(base_url, stem if clean_urls else stem + ".html"), title)
    return Page(joined_url(base_url, stem), title)


def joined_url(base_url: str, path: str, slash: bool = False) -> str:
    """`base_url` and `path` with one slash between, and one at the end if `slash`; never empty."""
    path = _UNSAFE.sub(lambda found: quote(found[0], safe=""), path.strip("/"))
    url = f"{base_url}/{path}" if path else base_url
    if (slash or not url) and not url.endswith("/"):
        url += "/"
    return url


def _without_number(name: str) -> str:
    if _DATE_OR_VERSION.match(name):
        return name
    found = _NUMBERED.match(name)
    return found[2] if found else name


def _docusaurus_page(stem: str, values: dict[str, Any], base_url: str) -> Page:
    *folders, name = stem.split("/")
    is_folder = name.lower() in _INDEX_NAMES or (bool(folders) and name.lower() == folders[-1].lower())
    if values.get("parse_number_prefixes") is not False:
        folders = [_without_number(folder) for folder in folders]
        name = _without_number(name)
    title = folders[-1] if is_folder and folders else name
    identifier = _text(values.get("id"))
    slug = _text(values.get("slug"))
    directory = "/" + "".join(folder + "/" for folder in folders)
    if slug.startswith("/"):
        path = slug
    elif not slug and is_folder:
        path = directory
    else:
        path = posixpath.join(directory, slug or identifier or name)
    path = posixpath.normpath(path.replace("//", "/"))
    return Page(joined_url(base_url, "" if path in {"/", "."} else path), title)


def _text(value: Any) -> str:
    """A front matter value as text: a slug may be written as a number."""
    return "" if value is None or isinstance(value, dict | list | bool) else str(value).strip()  # pyright: ignore[reportUnknownArgumentType]
