"""Every error that coldseek raises on purpose.

    ColdseekError
    ├── UsageError                 an argument, option or setting that cannot be used (also a ValueError)
    │   └── VectorSizeError        a vector with another number of dimensions than the index
    ├── MissingExtraError          a package that an optional part needs is not installed (also an ImportError)
    ├── KernelError                no compiled kernels can be had on this machine
    ├── BundleError                what a bundle needs cannot be had, or it cannot be written
    ├── SourceError                a document that cannot be read, decoded or parsed
    ├── IndexFileError             something is wrong with an index on disk
    │   ├── NotAnIndexError        there is no index at that path
    │   ├── FormatVersionError     the index was written in a format that this version does not read
    │   ├── CorruptIndexError      a file of the index is damaged, truncated or contradicts the manifest
    │   └── IndexLockedError       another process is writing this index
    ├── ClosedIndexError           the index was closed
    ├── HookError                  a hook of `retrieve` failed, was late or returned something unusable
    └── EmbedderError              the embedder failed or returned something unusable
        └── EmbedderMismatchError  the embedder is not the one that the index was built with

Each message says what was expected, what came and how to mend it, on one line.
"""


class ColdseekError(Exception):
    """Base class of all errors above."""


class UsageError(ColdseekError, ValueError):
    """An argument, option or setting that cannot be used."""


class VectorSizeError(UsageError):
    """A vector with another number of dimensions than the index has."""


class MissingExtraError(ColdseekError, ImportError):
    """A package that an optional part needs is not installed; the message names the extra."""


class KernelError(ColdseekError):
    """No compiled kernels can be had on this machine."""


class BundleError(ColdseekError):
    """What a bundle needs cannot be had, or it cannot be written."""


class SourceError(ColdseekError):
    """A document that cannot be read, decoded or parsed."""


class IndexFileError(ColdseekError):
    """Something is wrong with an index on disk."""


class NotAnIndexError(IndexFileError):
    """There is no index at that path."""


class FormatVersionError(IndexFileError):
    """The index was written in a format that this version does not read."""


class CorruptIndexError(IndexFileError):
    """A file of the index is damaged, truncated or contradicts the manifest."""


class IndexLockedError(IndexFileError):
    """Another process is writing this index."""


class ClosedIndexError(ColdseekError):
    """The index was closed."""


class HookError(ColdseekError):
    """A hook of `retrieve` failed, was late or returned something unusable. It is reported, never raised."""


class EmbedderError(ColdseekError):
    """The embedder failed or returned something unusable."""


class EmbedderMismatchError(EmbedderError):
    """The embedder is not the one that the index was built with."""
