"""What an index keeps on disk: its files, their columns, and each column's type.

Every file is one Arrow IPC file, uncompressed, of one record batch. A *file* is named here without its
ending: `chunks` is `chunks.arrow` on disk. Types are spelled as Arrow spells them.
"""

FORMAT = "coldseek"
FORMAT_VERSION = 4

TEXT = "large_utf8"
TEXTS = "large_list<large_utf8>"
CODES = "fixed_size_list<int8>"
BOOLEAN = "bool"

# A number type's letter for memoryview.cast, and its size in bytes.
NUMBERS = {
    "int8": ("b", 1),
    "uint8": ("B", 1),
    "int16": ("h", 2),
    "uint16": ("H", 2),
    "int32": ("i", 4),
    "uint32": ("I", 4),
    "int64": ("q", 8),
    "uint64": ("Q", 8),
    "float32": ("f", 4),
    "float64": ("d", 8),
}

# The buffers that a column of a type has, in the order of the Arrow layout. Any column may have a "validity"
# buffer too.
BUFFERS = {
    TEXT: ("offsets", "values"),
    TEXTS: ("offsets", "child_offsets", "child_values"),
    CODES: ("values",),
    BOOLEAN: ("values",),
    **dict.fromkeys(NUMBERS, ("values",)),
}

COLUMNS = {
    "chunks": {
        "id": TEXT,
        "document": "uint32",
        "section": "uint32",
        "anchor": TEXT,
        "heading_path": TEXTS,
        "text": TEXT,
    },
    "documents": {"id": TEXT, "path": TEXT, "url": TEXT, "title": TEXT},
    "terms": {"term": TEXT, "df": "uint32", "idf": "uint32", "start": "int64"},
    "term_slots": {"slot": "uint32"},
    "postings": {"word": "uint16"},
    "vectors": {"codes": CODES, "remainders": CODES, "scale": "float32", "square": "int64"},
}

# Files that an index may lack: one without vectors is keyword-only.
OPTIONAL_FILES = ("vectors",)

# Which of the manifest's counts a file's columns are as long as. The hash table's size has a rule of its own, and how
# many words the postings take depends on how they lie.
COUNTS = ("chunks", "documents", "terms", "postings")
COUNT_OF_FILE = {
    "chunks": "chunks",
    "documents": "documents",
    "terms": "terms",
    "vectors": "chunks",
}

# Rows, document rows and term_id + 1 are stored as uint32. A dot product of one 8-bit plane fits int32 up to
# this many dimensions.
MAX_ROWS = 2**32 - 2
MAX_POSTINGS = 2**62
MAX_DIMENSIONS = 131_071
MIN_SLOTS = 8

METADATA_TYPES = {
    "string": TEXT,
    "integer": "int64",
    "number": "float64",
    "boolean": BOOLEAN,
    "strings": TEXTS,
}
_METADATA_PREFIX = "metadata."


def file_name(file: str) -> str:
    """The name on disk of a file, relative to its generation's folder."""
    return file + ".arrow"


def metadata_column(kind: str, key: str) -> str:
    """The name of the column of documents that holds the metadata `key` where its values are of `kind`."""
    return f"{_METADATA_PREFIX}{kind}.{key}"


def metadata_parts(column: str) -> "tuple[str, str] | None":
    """(kind, key) of a metadata column, or None if `column` is not one. The key may hold dots."""
    if not column.startswith(_METADATA_PREFIX):
        return None
    kind, dot, key = column[len(_METADATA_PREFIX) :].partition(".")
    return (kind, key) if dot and kind in METADATA_TYPES else None


def column_type(file: str, column: str) -> "str | None":
    """The type that the format fixes for a column, or None where it fixes none."""
    fixed = COLUMNS.get(file, {}).get(column)
    if fixed is None and file == "documents":
        parts = metadata_parts(column)
        if parts is not None:
            return METADATA_TYPES[parts[0]]
    return fixed


def may_be_null(file: str, column: str) -> bool:
    """Only metadata columns have nulls: a document may lack a key that another has."""
    return file == "documents" and metadata_parts(column) is not None


def slots_for(terms: int) -> int:
    """The least size of the hash table for so many terms: a power of two, at least twice the terms, at least
    8.
    """
    size = MIN_SLOTS
    while size < 2 * terms:
        size *= 2
    return size
