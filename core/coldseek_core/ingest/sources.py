"""Which files are read: folders walked in one fixed order, whatever the file system or the arguments'
order."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from coldseek_core.columns.manifest import MANIFEST_NAME
from coldseek_core.errors import UsageError
from coldseek_core.ingest.documents import Problem

KNOWN_SUFFIXES = (".md", ".markdown", ".mdx", ".html", ".htm", ".xhtml", ".rst", ".txt", ".text", ".jsonl", ".ndjson")
_NAME_NOT_UTF8 = "its name is not UTF-8; rename it"
_SPHINX = "objects.inv"  # in the top folder of each site that Sphinx builds
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read. `root` is the folder it was found under, `relative` its path from there with `/`."""

    root: str
    relative: str

    @property
    def path(self) -> Path:
        return Path(self.root) / self.relative

    @property
    def suffix(self) -> str:
        return os.path.splitext(self.relative)[1].lower()


def find_files(sources: Sequence[str | Path]) -> tuple[list[SourceFile], list[Problem]]:
    """Every readable file among `sources` (files and folders), each once, ordered by (relative path, root).

    In folders, names that start with a dot, `node_modules` and the copies of sources that Sphinx puts into a site are
    left out, other suffixes are ignored, and links are followed without going round in circles. A file that two
    sources share belongs to the outermost of them. A source that does not exist, has an unknown suffix or holds no
    document is a Problem.
    Raises UsageError if `sources` is empty or a single string in disguise.
    """
    if isinstance(sources, str | Path):
        raise UsageError(f"sources must be a list of paths, got {sources!r}; write [{str(sources)!r}]")
    if not sources:
        raise UsageError("no sources given; name at least one file or folder")
    found: dict[str, SourceFile] = {}
    problems: list[Problem] = []
    for source in sorted({os.path.abspath(source) for source in sources}, key=lambda path: (path.count(os.sep), path)):
        files, reasons = _files_of(source)
        problems.extend(reasons)
        for file in files:
            found.setdefault(os.path.realpath(file.path), file)
    ordered = sorted(found.values(), key=lambda file: (file.relative, file.root))
    return ordered, sorted(set(problems))


def _files_of(source: str) -> tuple[list[SourceFile], list[Problem]]:
    """The files of one source, and what is wrong with it."""
    known = " ".join(KNOWN_SUFFIXES)
    if os.path.isdir(source):
        problems: list[Problem] = []
        files = [SourceFile(source, relative) for relative in _walk(source, problems)]
        if not files and not problems:
            problems.append(Problem(source, f"no documents in this folder; known suffixes are {known}"))
        return files, problems
    if not os.path.exists(source):
        return [], [Problem(source, "there is no such file or folder; check the path")]
    folder, name = os.path.split(source)
    file = SourceFile(folder, name)
    if not os.path.isfile(source):
        return [], [Problem(source, "neither a file nor a folder; name a regular file")]
    if not _is_text(name):
        return [], [Problem(source, _NAME_NOT_UTF8)]
    if file.suffix not in KNOWN_SUFFIXES:
        shown = f"suffix {file.suffix!r}" if file.suffix else "no suffix"
        reason = f"{shown}, and so no known kind of document; known suffixes are {known}"
        return [], [Problem(source, reason)]
    return [file], []


def _walk(source: str, problems: list[Problem]) -> list[str]:
    """Relative paths of known files below `source`, each folder once: by its real path or the first link to it.

    An index's own folder is no source: it may lie among the documents.
    """
    files: list[str] = []
    linked_files: list[str] = []
    pending = [""]
    linked: list[str] = []
    visited: set[str] = set()
    while pending or linked:
        prefix = pending.pop() if pending else linked.pop(0)
        folder = os.path.join(source, prefix)
        real = os.path.realpath(folder)
        if real in visited:
            continue
        visited.add(real)
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            problems.append(Problem(folder, "the folder cannot be listed; check its permissions"))
            continue
        if any(entry.name == MANIFEST_NAME for entry in listed):
            continue
        skipped = (
            _SKIPPED_FOLDERS | {"_sources"} if any(entry.name == _SPHINX for entry in listed) else _SKIPPED_FOLDERS
        )
        for entry in listed:
            if entry.name.startswith(".") or entry.name in skipped:
                continue
            kind = _kind(entry)
            relative = prefix + entry.name
            known = os.path.splitext(entry.name)[1].lower() in KNOWN_SUFFIXES
            if not _is_text(entry.name):
                if known or kind == "folder":
                    problems.append(Problem(entry.path, _NAME_NOT_UTF8))
            elif kind == "folder":
                (linked if entry.is_symlink() else pending).append(relative + "/")
            elif kind == "file" and known:
                (linked_files if entry.is_symlink() else files).append(relative)
            elif known and entry.is_symlink():
                problems.append(Problem(entry.path, "a link that leads nowhere; mend or remove it"))
    return files + linked_files


def _kind(entry: os.DirEntry[str]) -> str:
    """What an entry is, links followed; a link that leads nowhere or to itself is nothing."""
    try:
        return "folder" if entry.is_dir() else "file" if entry.is_file() else ""
    except OSError:
        return ""


def _is_text(name: str) -> bool:
    """Whether the file system's name is decodable text (undecodable bytes come as lone surrogates)."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
