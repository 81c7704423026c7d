"""The sealed libraries on disk: a folder with one library for each CPU level, and a table of their digests.

The table is text, one name and digest a line; the last line, `table`, has the digest of those before it, so that a
table that was cut is known. In a checkout the line `source` holds the digest of the kernels' source; if that has
changed, every library is stale. An installed copy has no such line: its source doesn't change. Times of files mean
nothing here.
"""

import os
import sys
from _imp import create_dynamic, exec_dynamic

try:
    from _blake2 import blake2b  # hashlib, which has the same function, is slow to import
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FOLDER = os.path.join(os.path.dirname(__file__), "sealed")
TABLE = "table.txt"
MODULE = "coldseek_kernels"  # what a library is called as a Python module
SOURCE = "source"
_WHOLE = "table"

# A table is a few hundred bytes.
_LONGEST_TABLE = 65536


class UnusableLibraryError(Exception):
    """A level's library cannot be used; says why. `damaged`: it should have been usable."""

    def __init__(self, reason: str, damaged: bool = False) -> None:
        super().__init__(reason)
        self.damaged = damaged


def sealed_folder() -> str:
    """Where the libraries of this copy of the package are."""
    return _FOLDER


def library_name(level: str, digest: str) -> str:
    """The digest is in the name, so that a new library never takes the place of one that is in use."""
    return f"{level}-{digest[:16]}.so"


def digest_of(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def source_digest() -> str:
    """Digest of all Python files beside this one, with their names: whatever a library may come from."""
    folder = os.path.dirname(__file__)
    parts: list[bytes] = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            data = _read(os.path.join(folder, name))
            parts += (name.encode(), b" %d " % len(data), data)
    return digest_of(b"".join(parts))


def read_table(folder: str) -> "dict[str, str]":
    """Level (and `source`) to digest; empty if there is no table.

    Raises UnusableLibraryError if it is damaged, or the source has changed since.
    """
    try:
        data = _read(os.path.join(folder, TABLE), _LONGEST_TABLE)
    except OSError:
        return {}
    lines, _, end = data.rpartition(_WHOLE.encode() + b" ")
    if end != digest_of(lines).encode() + b"\n":
        raise UnusableLibraryError(f"the table {os.path.join(folder, TABLE)} is damaged", damaged=True)
    try:
        table = dict(line.split(" ") for line in lines.decode("ascii").splitlines())
    except ValueError as error:
        raise UnusableLibraryError(f"the table {os.path.join(folder, TABLE)} is damaged", damaged=True) from error
    if SOURCE in table and table[SOURCE] != source_digest():
        raise UnusableLibraryError("the kernels' source has changed since they were sealed")
    return table


def write_table(folder: str, table: "dict[str, str]") -> None:
    """Replace the table as a whole. Others may do so at the same time."""
    path = os.path.join(folder, TABLE)
    lines = "".join(f"{name} {digest}\n" for name, digest in sorted(table.items())).encode("ascii")
    own = f"{path}.{os.urandom(8).hex()}.new"
    with open(own, "wb") as file:
        file.write(lines + f"{_WHOLE} {digest_of(lines)}\n".encode("ascii"))
    os.replace(own, path)


def open_library(folder: str, level: str, table: "dict[str, str]") -> "Any":
    """A level's functions (python_module.py says which), once its bytes are those that the table names.

    Raises UnusableLibraryError.
    """
    if level not in table:
        raise UnusableLibraryError("not sealed")
    path = os.path.join(folder, library_name(level, table[level]))
    try:
        # Loading a file that was cut can end the process, so its bytes are checked before.
        if digest_of(_read(path)) != table[level]:
            raise UnusableLibraryError(f"{path} is damaged", damaged=True)
        return _load(path)
    except (OSError, ImportError) as error:
        raise UnusableLibraryError(f"{path} cannot be loaded: {error}", damaged=True) from error


def _load(path: str) -> "Any":
    """As a Python module, which costs least (`importlib` would do the same, but is slow to import), else by ctypes."""
    # Elsewhere objects are laid out in another way: without a GIL, or traced.
    if sys.implementation.name == "cpython" and "t" not in sys.abiflags and not hasattr(sys, "getobjects"):
        try:
            module = create_dynamic(type(__spec__)(MODULE, None, origin=path))
            exec_dynamic(module)
            return module
        except ImportError:
            pass  # a sub-interpreter with a GIL of its own takes no such module; a file that is no library fails below
    from .by_ctypes import open_sealed

    return open_sealed(path)


def _read(path: str, longest: int = 1 << 26) -> bytes:
    """A file's bytes, at most `longest` of them, without the cost of Python's file objects."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        size = min(os.fstat(descriptor).st_size, longest)
        parts: list[bytes] = []
        while size > 0 and (part := os.read(descriptor, size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)
