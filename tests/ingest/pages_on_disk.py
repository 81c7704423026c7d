"""Small sites for the tests of this folder."""

from pathlib import Path

from coldseek_core.ingest.chunking import Chunking, pack
from coldseek_core.ingest.markdown import parse_markdown
from coldseek_core.ingest.read import ReadReport, read_documents


def write_site(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Writes files by relative path; returns the folder."""
    for relative, content in files.items():
        path = folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return folder


def read_site(
    folder: Path, files: dict[str, str | bytes], framework: str | None = "none", **options: str
) -> ReadReport:
    return read_documents([write_site(folder, files)], framework=framework, **options)  # pyright: ignore[reportArgumentType]


def text_of(source: str) -> str:
    """The page's visible text, all sections together, as one piece of unlimited length would hold it."""
    chunking = Chunking(1_000_000, 0)
    return "\n\n".join(text for section in parse_markdown(source) for text in pack(section.blocks, chunking))


def pieces_of(source: str, chunking: Chunking) -> list[str]:
    """The pieces of the first section of a page."""
    return pack(parse_markdown(source)[0].blocks, chunking)
