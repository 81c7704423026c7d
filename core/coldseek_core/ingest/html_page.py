"""HTML files of a built site to documents."""

import posixpath
import re

from coldseek_core.errors import SourceError
from coldseek_core.ingest.assembly import make_chunks, same_heading
from coldseek_core.ingest.block_writer import DEFINITION_LEVEL
from coldseek_core.ingest.decoding import read_bytes
from coldseek_core.ingest.documents import Document, MetadataValue, Problem
from coldseek_core.ingest.html_blocks import blocks_of
from coldseek_core.ingest.html_content import main_content
from coldseek_core.ingest.html_decoding import decode_html
from coldseek_core.ingest.html_guard import with_closing_tags
from coldseek_core.ingest.html_inline import inline_text
from coldseek_core.ingest.html_text import without_embedded_data
from coldseek_core.ingest.html_tree import Element, parse_html
from coldseek_core.ingest.html_urls import canonical_url, own_url
from coldseek_core.ingest.page_files import NO_TEXT, FileResult, PageSettings
from coldseek_core.ingest.sections import Section
from coldseek_core.ingest.sources import SourceFile

# Pages that generators add to every site, and that say nothing of their own.
_GENERATED = re.compile(r"(?:404|genindex(?:-\w+)?|py-modindex)\.x?html?\Z", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s+(?:[|·•—–:»«›‹/-]|::|&mdash;)\s+|:\s+")
_REDIRECT = re.compile(r"\d+\s*[;,]\s*url\s*=", re.IGNORECASE)
_SITE_NAMES = frozenset({"og:site_name", "application-name", "apple-mobile-web-app-title"})


def read_html_file(file: SourceFile, settings: PageSettings) -> FileResult:
    """A page of a built site: its own text, without navigation.

    Left out: pages whose `robots` meta tag says noindex, that redirect, or that hold no text.
    """
    shown = str(file.path)
    if _GENERATED.match(posixpath.basename(file.relative)):
        return FileResult(left_out="it is a page that the generator adds to every site")
    try:
        source = decode_html(read_bytes(file.path))
    except SourceError as error:
        return FileResult(problems=(Problem(shown, str(error)),))
    if file.suffix == ".xhtml" or source.lstrip()[:5] == "<?xml":
        source = with_closing_tags(source)
    try:
        root = parse_html(without_embedded_data(source))
        return _result(file, settings, root)
    except RecursionError:
        return FileResult(problems=(Problem(shown, "its elements are nested too deeply to be read"),))


def _result(file: SourceFile, settings: PageSettings, root: Element) -> FileResult:
    head = root.first("head") or Element("head")
    metas = _metas(head)
    robots = f"{metas.get('robots', '')},{metas.get('googlebot', '')}".lower()
    if re.search(r"\b(?:noindex|none)\b", robots):
        return FileResult(left_out="its robots meta tag says noindex")
    if _REDIRECT.match(metas.get("refresh", "")):
        return FileResult(left_out="it only redirects to another page")
    url = own_url(file.relative, settings.base_url, settings.clean_urls)
    for link in head.elements():
        if link.tag == "link" and "canonical" in link.get("rel").lower().split() and link.get("href"):
            url = canonical_url(link.get("href"), url)
            break
    sections = blocks_of(main_content(root))
    title = _title(head, metas, root, sections) or _name(file.relative)
    chunks = make_chunks(sections, title, url, settings.chunking)
    if not chunks:
        return FileResult(left_out=NO_TEXT)
    return FileResult((Document(url, file.relative, url, title, _metadata(root, metas), chunks),))


def _metas(head: Element) -> dict[str, str]:
    """Contents of meta tags by their name in lower case; the first of a name counts."""
    found: dict[str, str] = {}
    for meta in head.elements():
        if meta.tag == "meta":
            name = meta.get("name") or meta.get("property") or meta.get("http-equiv")
            found.setdefault(name.lower(), " ".join(meta.get("content").split()))
    return found


def _metadata(root: Element, metas: dict[str, str]) -> dict[str, MetadataValue]:
    metadata: dict[str, MetadataValue] = {}
    description = metas.get("description") or metas.get("og:description")
    if description:
        metadata["description"] = description
    keywords = [word for part in metas.get("keywords", "").split(",") if (word := part.strip())]
    if keywords:
        metadata["keywords"] = keywords
    locale = root.get("lang") or root.get("xml:lang")
    if locale:
        metadata["locale"] = locale
    return metadata


def _name(relative: str) -> str:
    """What a page without any title is called: its file, or its folder if it is an index."""
    stem = posixpath.splitext(relative)[0]
    folder, name = posixpath.split(stem)
    return posixpath.basename(folder) or name if name.lower() == "index" else name


def _title(head: Element, metas: dict[str, str], root: Element, sections: list[Section]) -> str:
    """The title tag without the site's name, where one page alone tells which part that is: a part that a meta tag
    names, or what is around a part that the first heading repeats. Without a title tag, the first heading."""
    tag = next((element for element in head.elements() if element.tag == "title"), None)
    given = "" if tag is None else " ".join(tag.text().split())
    headings = [section.heading for section in sections if section.level == 1][:1]
    headings += [section.heading for section in sections[1:2] if section.level < DEFINITION_LEVEL]
    outside = root.first("h1")
    if outside is not None and all(section.level != 1 for section in sections):
        headings.append(" ".join(inline_text(outside.children, code_marks=False).split()))
    headings = [heading for heading in headings if heading]
    if metas.get("generator", "").lower() == "rustdoc":
        given = given.removesuffix(" - Rust")
    if not given:
        return headings[0] if headings else ""
    parts = _parts(given)
    for heading in headings:
        for part in parts:
            if same_heading(part, heading):
                return heading
    for site in filter(None, (metas.get(name, "") for name in sorted(_SITE_NAMES))):
        for found in _SEPARATOR.finditer(given):
            before, after = given[: found.start()], given[found.end() :]
            if same_heading(after, site) or same_heading(before, site):
                return (before if same_heading(after, site) else after).strip() or given
    return given


def _parts(title: str) -> list[str]:
    """`title`, and what is left of it when it ends, or begins, at a separator; the longest first."""
    parts = [title]
    for found in list(_SEPARATOR.finditer(title))[:20]:
        parts += [title[: found.start()].strip(), title[found.end() :].strip()]
    return sorted(filter(None, parts), key=len, reverse=True)
