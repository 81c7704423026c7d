"""The URL of a page of a built site, and which spellings of a URL mean one page."""

import posixpath
import re
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from coldseek_core.ingest.pages import joined_url

HTML_SUFFIXES = (".html", ".htm", ".xhtml")
_INDEX = re.compile(r"(?:\A|(?<=/))(?:index|default)\.x?html?\Z", re.IGNORECASE)
_TRACKING = re.compile(r"(?:utm_\w+|gclid|fbclid|msclkid|mc_cid|mc_eid|ref_src)\Z", re.IGNORECASE)


def own_url(relative: str, base_url: str, clean_urls: bool = False) -> str:
    """Where the file is found on a site: `index.html` is its folder, with a slash; other pages keep their suffix, but
    not with `clean_urls`. `base_url` as from pages.check_base_url."""
    shortened = _INDEX.sub("", relative)
    if shortened != relative:
        return joined_url(base_url, shortened, slash=True)
    return joined_url(base_url, posixpath.splitext(relative)[0] if clean_urls else relative)


def canonical_url(href: str, own: str) -> str:
    """`href` of a page found at `own` as one spelling: no fragment, no tracking parameters, no `index.html`. `own` if
    it is no web address."""
    try:
        parts = urlsplit(urljoin(own, href.strip()))
        query = [(name, value) for name, value in parse_qsl(parts.query, True) if not _TRACKING.match(name)]
    except ValueError:
        return own
    if parts.scheme not in {"", "http", "https"} or not (parts.netloc or parts.path) or re.search(r"\s", href.strip()):
        return own
    path = _INDEX.sub("", parts.path) or "/"
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), path, urlencode(query), ""))


def page_key(url: str) -> str:
    """Equal for two URLs of one page: with and without a slash at the end."""
    path, mark, query = url.partition("?")
    return path.rstrip("/") + mark + query


def is_own_place(url: str, relative: str) -> bool:
    """Whether the file at `relative` is the one that a site shows at `url`, and not another copy of it."""
    path = page_key(urlsplit(url).path)
    stem = posixpath.splitext(_INDEX.sub("", relative).rstrip("/"))[0]
    return any(path.endswith(f"/{place}".rstrip("/")) for place in (stem, page_key(_INDEX.sub("", relative))) if place)
