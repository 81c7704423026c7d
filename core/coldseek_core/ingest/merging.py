"""The documents of several files in the order of rows, without those that come twice."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..columns.texts import Texts, sort_order
from .corpus import Corpus
from .documents import Document, Problem
from .html_urls import HTML_SUFFIXES, is_own_place, page_key


def merge_documents(documents: Sequence[Document], corpora: Sequence[Corpus], problems: list[Problem]) -> Corpus:
    """All documents by (url, path). What is left out, by the rules of `read.merge`, is added to `problems`.

    `corpora` are of JSONL files, whose documents may be as many as there is memory for: there is an object for each
    only if something comes twice.
    """
    if len(corpora) == 1 and not documents:
        return corpora[0]  # of one path, and by (url, id)
    if corpora:
        pages = Corpus.of(documents)
        joined = Corpus.joined([pages, *corpora])
        keys = Texts.joined([Texts.of([_key(document) for document in documents]), *(one.ids for one in corpora)])
        if keys.numbered()[1] == len(joined) and joined.chunk_ids.numbered()[1] == joined.chunk_count:
            return joined.sorted_by(sort_order(joined.urls, joined.paths, keys))
        documents = joined.documents()
    kept = _unique(sorted(documents, key=_order), problems)
    kept.sort(key=lambda document: (document.url, document.path))
    return Corpus.of(kept)


def _order(document: Document) -> tuple[str, bool, str, str]:
    own = not document.path.lower().endswith(HTML_SUFFIXES) or is_own_place(document.url, document.path)
    return _key(document), not own, document.url, document.path


def _key(document: Document) -> str:
    """What no two documents share: the id, which is the URL; of HTML pages without a slash at the end."""
    return page_key(document.id) if document.path.lower().endswith(HTML_SUFFIXES) else document.id


def _unique(documents: Iterable[Document], problems: list[Problem]) -> list[Document]:
    kept: list[Document] = []
    owners: dict[str, str] = {}
    chunk_owners: dict[str, str] = {}
    for document in documents:
        key = _key(document)
        if key in owners:
            reason = f"has the URL or id {document.id!r}, as {owners[key]} has, and is left out; rename one"
            problems.append(Problem(document.path, reason))
            continue
        owners[key] = document.path
        chunks = document.chunks
        repeated = [chunk.id for chunk in chunks if chunk.id in chunk_owners]
        for chunk_id in repeated:
            reason = (
                f"the chunk id {chunk_id!r} is used in {chunk_owners[chunk_id]} too; the chunk is left out; rename one"
            )
            problems.append(Problem(document.path, reason))
        if repeated:
            chunks = tuple(chunk for chunk in chunks if chunk.id not in chunk_owners)
        chunk_owners.update((chunk.id, document.path) for chunk in chunks)
        if chunks:
            kept.append(replace(document, chunks=chunks) if repeated else document)
    return kept
