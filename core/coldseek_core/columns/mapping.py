"""A file mapped read-only into memory, its size checked first."""

import mmap
import os

from coldseek_core.errors import CorruptIndexError, IndexFileError
from coldseek_core.kernels.memory import address_of

_FILE_KIND = 0o170000
_REGULAR_FILE = 0o100000


def release_view(view: memoryview) -> None:
    """Release a memoryview, unless something was made of it that is still in use."""
    try:  # noqa: SIM105 (contextlib is not loaded on the way to a query)
        view.release()
    except BufferError:
        pass


def open_regular_file(path: str) -> "tuple[int, int]":
    """(descriptor, size in bytes) of a file opened for reading; the caller closes the descriptor.

    Raises OSError, and CorruptIndexError for what is not a regular file (a pipe would block, a device has no
    size).
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        status = os.fstat(descriptor)
        if status.st_mode & _FILE_KIND != _REGULAR_FILE:
            raise CorruptIndexError(
                f"{path} is not a regular file, and an index is a folder of plain files; build the index again"
            )
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, status.st_size


class MappedFile:
    """A whole file, mapped read-only.

    `view` is a memoryview of its bytes, `address` where they begin in memory. A file that is cut short while
    it is mapped cannot be guarded against: replace files of an index by rename only.
    """

    __slots__ = ("_map", "address", "path", "size", "view")

    def __init__(self, path: str, size: int) -> None:
        """Map the file at `path`, which must have exactly `size` bytes, at least one.

        Raises FileNotFoundError if it is gone, CorruptIndexError if its size differs, IndexFileError if it
        cannot be read.
        """
        if size < 1:
            raise CorruptIndexError(f"{path} should have {size} bytes, but no file of an index is empty")
        try:
            descriptor, found = open_regular_file(path)
            try:
                if found != size:
                    raise CorruptIndexError(
                        f"{path} has {found} bytes, the manifest says {size}: it was "
                        f"{'truncated' if found < size else 'changed'}; build the index again or restore it from a copy"
                    )
                mapped = mmap.mmap(descriptor, size, prot=mmap.PROT_READ)
            finally:
                os.close(descriptor)
        except FileNotFoundError:
            raise
        except ValueError as error:
            raise CorruptIndexError(f"{path} was truncated while it was opened; build the index again") from error
        except NotADirectoryError as error:
            raise CorruptIndexError(f"{path} is not in a folder; build the index again") from error
        except OSError as error:
            raise IndexFileError(f"{path} cannot be read: {error.strerror or error}") from error
        self.path = path
        self.size = size
        self.view = memoryview(mapped)
        self.address = address_of(mapped)
        self._map: mmap.mmap | None = mapped

    def close(self) -> None:
        """Release `view` and unmap the file. Closing twice is fine.

        If somebody still holds a slice of `view`, or an array made of it, the mapping goes with the last of
        them instead.
        """
        release_view(self.view)
        self.address = 0
        mapped, self._map = self._map, None
        try:
            if mapped is not None:
                mapped.close()
        except BufferError:
            pass


def damaged(path: str, what: str) -> CorruptIndexError:
    """The error for a file of an index whose contents are wrong."""
    return CorruptIndexError(f"{path} is damaged: {what}; build the index again or restore it from a copy")


def shown(value: object) -> str:
    """`value` for a message, however long or strange it is."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
