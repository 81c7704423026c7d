"""What ingestion makes of files: documents, their chunks, and problems worth telling the user about."""

from dataclasses import dataclass, field

MetadataValue = str | int | float | bool | list[str]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one section: what is ranked and returned.

    `heading_path` holds plain text, outermost heading first, without the page's title; `anchor` is "" at
    the top of a page; `section` is the ordinal of the section in its document, from 0, shared by the pieces
    of one section; `vector` is only there if the input brought one.
    """

    id: str
    text: str
    heading_path: tuple[str, ...] = ()
    anchor: str = ""
    section: int = 0
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A page with its chunks in reading order. `path` is where it was read from, below its source, `url` where readers
    find it."""

    id: str
    path: str
    url: str
    title: str
    metadata: dict[str, MetadataValue] = field(default_factory=dict[str, MetadataValue])
    chunks: tuple[Chunk, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something that could not be used, or not as written: which file, and why, with the way to mend it."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, order=True)
class Note:
    """Something that whoever builds may want to know, and that is no problem; told once for all its places."""

    text: str
    path: str
    line: int
    count: int = 1
