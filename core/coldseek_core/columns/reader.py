"""Opens an index: maps its files and gives columns that are read in place. It costs O(number of columns)."""

import _thread
import os
import sys

from coldseek_core.columns.in_use import Use, Uses
from coldseek_core.columns.layout import FilePlace, check_layout
from coldseek_core.columns.manifest import MANIFEST_NAME, read_manifest
from coldseek_core.columns.mapping import MappedFile
from coldseek_core.columns.schema import file_name
from coldseek_core.columns.values import Booleans, ByteStrings, Codes, Column, Numbers, TextLists, Texts, column_at
from coldseek_core.errors import CorruptIndexError, IndexFileError, NotAnIndexError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    AnyColumn = Numbers | Booleans | ByteStrings | TextLists | Codes

__all__ = ["Booleans", "ByteStrings", "Codes", "Column", "IndexFiles", "Numbers", "TextLists", "Texts"]


class IndexFiles:
    """The files of one generation of an index, mapped read-only.

    `path`: the index's folder. `manifest`: the manifest's body. `generation`: its name. `mapped_bytes`: the
    size of all files; `copied_bytes`: how much of them had to be copied to private memory because it was not
    aligned.

    Files keep being those of the generation that was opened, whatever is built beside them.
    """

    def __init__(self, path: str, body: "dict[str, Any]") -> None:
        """Map what the manifest's `body` names. `open` is the usual way.

        Raises FileNotFoundError if a file is gone, CorruptIndexError and IndexFileError as `open` does.
        """
        self.path = path
        self.manifest = body
        self.generation: str = body["generation"]
        folder = os.path.join(path, self.generation)
        layout = check_layout(body, os.path.join(path, MANIFEST_NAME))
        self._uses = Uses()
        self._releasing: dict[int, _thread.LockType] = {}
        self._maps: dict[str, MappedFile] = {}
        self._columns: dict[str, dict[str, AnyColumn]] = {}
        try:
            self._map_all(folder, layout)
        except BaseException:
            self.close()
            raise
        self.mapped_bytes = sum(mapped.size for mapped in self._maps.values())
        self.copied_bytes = sum(column.copied for columns in self._columns.values() for column in columns.values())

    def _map_all(self, folder: str, layout: "dict[str, FilePlace]") -> None:
        for file, place in layout.items():
            mapped = self._maps[file] = MappedFile(os.path.join(folder, file_name(file)), place.size)
            columns: dict[str, AnyColumn] = {}
            self._columns[file] = columns
            for name, column_place in place.columns.items():
                columns[name] = column_at(f"{file}.{name}", mapped, column_place)

    @classmethod
    def open(cls, path: "str | os.PathLike[str]") -> "IndexFiles":
        """Open the index in the folder `path`.

        Raises NotAnIndexError (nothing there, or something else), FormatVersionError (another format),
        CorruptIndexError (a file is missing, truncated, or contradicts the manifest) and IndexFileError (a
        file that cannot be read).
        """
        if sys.byteorder != "little":
            raise IndexFileError(
                f"index files are little-endian, this machine is {sys.byteorder}-endian; use another machine"
            )
        folder = os.fsdecode(path)
        gone = ""
        while True:
            body = read_manifest(folder)
            try:
                return cls(folder, body)
            except FileNotFoundError as error:
                if body["generation"] != gone:
                    # A rebuild may have removed the generation between the two reads; then the manifest names a
                    # newer one by now.
                    gone = body["generation"]
                    continue
                above, name = os.path.split(os.path.abspath(folder))
                if name == gone:
                    raise NotAnIndexError(
                        f"{folder} is one generation of an index; open the folder above it, {above}"
                    ) from error
                raise CorruptIndexError(
                    f"{error.filename} is missing; build the index again or restore it from a copy"
                ) from error

    def has(self, file: str) -> bool:
        """Whether the index has that file; one without `vectors` is keyword-only. Raises ClosedIndexError."""
        with self.in_use():
            return file in self._columns

    def file_view(self, file: str) -> memoryview:
        """All bytes of a file, as they were mapped. Use it inside `in_use`. Raises as `columns` does."""
        with self.in_use():
            self._of(file)
            return self._maps[file].view

    def columns(self, file: str) -> "tuple[str, ...]":
        """The names of the columns of a file. Raises UsageError if the index has no such file, ClosedIndexError."""
        return tuple(self._of(file))

    def column(self, file: str, name: str) -> "AnyColumn":
        """A column. Raises UsageError if there is none of that name, ClosedIndexError after `close`."""
        columns = self._of(file)
        if name not in columns:
            raise UsageError(f"the file {file} has no column {name!r}; it has {', '.join(columns)}")
        return columns[name]

    def numbers(self, file: str, name: str) -> Numbers:
        """A column of numbers. Raises as `column` does, and UsageError for a column of another type."""
        column = self.column(file, name)
        if not isinstance(column, Numbers):
            raise self._other_type(column, "numbers")
        return column

    def texts(self, file: str, name: str) -> Texts:
        """A column of texts. Raises as `column` does, and UsageError for a column of another type."""
        column = self.column(file, name)
        if not isinstance(column, Texts):
            raise self._other_type(column, "texts")
        return column

    def byte_strings(self, file: str, name: str) -> ByteStrings:
        """A column of byte strings or texts. Raises as `column` does, UsageError for a column of another type."""
        column = self.column(file, name)
        if not isinstance(column, ByteStrings):
            raise self._other_type(column, "byte strings")
        return column

    def text_lists(self, file: str, name: str) -> TextLists:
        """A column of lists of texts. Raises as `column` does, UsageError for a column of another type."""
        column = self.column(file, name)
        if not isinstance(column, TextLists):
            raise self._other_type(column, "lists of texts")
        return column

    def codes(self, file: str, name: str) -> Codes:
        """A column of vectors. Raises as `column` does, and UsageError for a column of another type."""
        column = self.column(file, name)
        if not isinstance(column, Codes):
            raise self._other_type(column, "codes")
        return column

    def _other_type(self, column: "AnyColumn", wanted: str) -> UsageError:
        return UsageError(f"{column.name} is of type {column.type}, not {wanted}; read it with column()")

    def _of(self, file: str) -> "dict[str, AnyColumn]":
        with self.in_use():
            if file not in self._columns:
                raise UsageError(f"the index has no file {file!r}; it has {', '.join(self._columns)}")
            return self._columns[file]

    def in_use(self) -> Use:
        """A `with` block during which `close`, called by another thread, waits. Blocks nest.

        Raises ClosedIndexError on entering it after `close`.
        """
        return Use(self._uses)

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._uses.closed

    def close(self) -> None:
        """Refuse new uses, wait for the running ones, and unmap all files. Closing twice is fine.

        Values that were read stay good. Raises UsageError inside an `in_use` block of the same thread.
        """
        self._uses.close()
        # Every process has a lock of its own: a forked child may inherit one that a thread of its parent holds,
        # and finishes what that thread began.
        with self._releasing.setdefault(os.getpid(), _thread.allocate_lock()):
            for columns in self._columns.values():
                for column in columns.values():
                    column.release()
            for mapped in self._maps.values():
                mapped.close()
            self._columns.clear()
            self._maps.clear()

    def __enter__(self) -> "IndexFiles":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
