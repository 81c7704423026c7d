"""coldseek: exact hybrid search that answers from a cold process, and knows when to say "I don't know".

    import coldseek

    with coldseek.open("site.coldseek") as index:
        found = index.search("ERR-7741X", top_k=3, mode="lexical")
        answer = index.retrieve("How do I deploy to GitHub Pages?")
        if answer.answerable:
            print(answer.context)

Building an index and evaluating it need the `build` extra.
"""

import gc

# An import makes many objects and no garbage. To look for it several times takes a cold process over a millisecond.
_collecting = gc.isenabled()
gc.disable()
try:
    from coldseek_core import __version__
    from coldseek_core.errors import (
        BundleError,
        ClosedIndexError,
        ColdseekError,
        CorruptIndexError,
        EmbedderError,
        EmbedderMismatchError,
        FormatVersionError,
        HookError,
        IndexFileError,
        IndexLockedError,
        KernelError,
        MissingExtraError,
        NotAnIndexError,
        SourceError,
        UsageError,
        VectorSizeError,
    )

    from .index import Index, open
finally:
    if _collecting:
        gc.enable()

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coldseek_core.embed.protocol import Embedder as Embedder
    from coldseek_core.ingest.build import BuildReport as BuildReport
    from coldseek_core.quality.evaluation import EvalReport as EvalReport
    from coldseek_core.search.explanation import Explanation as Explanation
    from coldseek_core.search.highlighting import Match as Match
    from coldseek_core.search.hooks import BuiltIn as BuiltIn
    from coldseek_core.search.hooks import Cancelled as Cancelled
    from coldseek_core.search.hooks import HookQuery as HookQuery
    from coldseek_core.search.hooks import RerankHook as RerankHook
    from coldseek_core.search.hooks import RetrieveHook as RetrieveHook
    from coldseek_core.search.neighbors import Neighbors as Neighbors
    from coldseek_core.search.packing import Source as Source
    from coldseek_core.search.refusal import Refusal as Refusal
    from coldseek_core.search.results import ChunkView as ChunkView
    from coldseek_core.search.results import Hit as Hit
    from coldseek_core.search.results import RetrieveResult as RetrieveResult
    from coldseek_core.search.results import SearchResult as SearchResult

    from .lazy import build as build
    from .lazy import evaluate as evaluate
    from .lazy import verify as verify
else:
    _ELSEWHERE = {
        "coldseek.lazy": ("build", "evaluate", "verify"),
        "coldseek_core.embed.protocol": ("Embedder",),
        "coldseek_core.ingest.build": ("BuildReport",),
        "coldseek_core.quality.evaluation": ("EvalReport",),
        "coldseek_core.search.explanation": ("Explanation",),
        "coldseek_core.search.highlighting": ("Match",),
        "coldseek_core.search.neighbors": ("Neighbors",),
        "coldseek_core.search.hooks": ("BuiltIn", "Cancelled", "HookQuery", "RerankHook", "RetrieveHook"),
        "coldseek_core.search.packing": ("Source",),
        "coldseek_core.search.refusal": ("Refusal",),
        "coldseek_core.search.results": ("ChunkView", "Hit", "RetrieveResult", "SearchResult"),
    }

    def __getattr__(name: str) -> object:
        """What a question does not need, imported when it is asked for; some of it needs the `build` extra."""
        for module, names in _ELSEWHERE.items():
            if name in names:
                return getattr(__import__(module, fromlist=names), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "BundleError",
    "ClosedIndexError",
    "ColdseekError",
    "CorruptIndexError",
    "EmbedderError",
    "EmbedderMismatchError",
    "FormatVersionError",
    "HookError",
    "Index",
    "IndexFileError",
    "IndexLockedError",
    "KernelError",
    "MissingExtraError",
    "NotAnIndexError",
    "SourceError",
    "UsageError",
    "VectorSizeError",
    "__version__",
    "build",
    "evaluate",
    "open",
    "verify",
]
