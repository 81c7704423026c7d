"""Writes that have reached the disk when the call returns."""

import os
from pathlib import Path


def flush(path: Path) -> None:
    """fsync a file or a folder (a folder's own entries: what it holds by which name). Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_new_file(path: Path, data: bytes) -> None:
    """Write a file that must not be there yet, and fsync it. Raises OSError."""
    with path.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
