"""What an index was built with and how it answers: read from the manifest, checked, overridden per question."""

from ..errors import CorruptIndexError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MODES = ("hybrid", "semantic", "lexical")
FIELDS = ("title", "headings", "body")
FIXED_POINT = 65536  # IDF weights are integers of unit 1 / FIXED_POINT
IMPACT_LIMIT = 1 << 16  # impacts stay below it: the unit that an index counts them in is chosen so
WEIGHT_LIMIT = 1 << 22  # IDF weights stay below it, so that 1,024 of them fit 32 bits
QUERY_TERM_LIMIT = 1024
SEARCH_CANDIDATES = 50  # rows a leg of `search`, whatever top_k
TOP_K_LIMIT = 50
CANDIDATES_LIMIT = 1000
THREADS_LIMIT = 64
QUERIES_A_PASS = 16  # of `search_many` that share one scan of the vectors; more gain little
PASS_LIMIT = 1024

# BM25F: weights and length normalisation by field, in the order of FIELDS.
DEFAULT_SCORING: "dict[str, Any]" = {
    "k1": 1.2,
    "weights": [2.0, 1.0, 1.0],
    "b": [0.75, 0.75, 0.75],
}

DEFAULT_NO_ANSWER = "I don't know. I couldn't find anything about that on {site}."
DEFAULT_SITE = "this site"


class RetrievalSettings:
    """How `retrieve` answers. Attributes:

    `top_k` hits returned (1 to 50); `candidates` rows a leg (1 to 1,000); `rrf_k` the constant of reciprocal rank
    fusion (1 to 100,000); `min_similarity` (-1 to 1) and `min_keyword_coverage` (0 to 1), either of which a chunk must
    reach; `similarity_needs_keyword` whether similarity counts only for chunks that share a word with the
    question; `max_context_chars` code points of source text (1 to 10,000,000).
    """

    __slots__ = (
        "candidates",
        "max_context_chars",
        "min_keyword_coverage",
        "min_similarity",
        "rrf_k",
        "similarity_needs_keyword",
        "top_k",
    )

    def __init__(self) -> None:
        self.top_k = 6
        self.candidates = 40
        self.rrf_k = 60
        self.min_similarity = 0.25
        self.min_keyword_coverage = 0.5
        self.similarity_needs_keyword = False
        self.max_context_chars = 8000

    def as_dict(self) -> "dict[str, int | float | bool]":
        return {name: getattr(self, name) for name in self.__slots__}

    def changed(self, options: "dict[str, Any]") -> "RetrievalSettings":
        """A copy with `options` set (None leaves the default). Raises UsageError for a bad name or value."""
        result = RetrievalSettings()
        for name in self.__slots__:
            setattr(result, name, getattr(self, name))
        for name, value in options.items():
            if name not in self.__slots__:
                known = ", ".join(self.__slots__)
                raise UsageError(f"unknown retrieval setting {name!r}; there are: {known}")
            if value is not None:
                setattr(result, name, _checked(name, value))
        return result


_RANGES: "dict[str, tuple[float, float]]" = {
    "top_k": (1, TOP_K_LIMIT),
    "candidates": (1, CANDIDATES_LIMIT),
    "rrf_k": (1, 100_000),
    "max_context_chars": (1, 10_000_000),
    "min_similarity": (-1, 1),
    "min_keyword_coverage": (0, 1),
}
_WHOLE = frozenset(("top_k", "candidates", "rrf_k", "max_context_chars"))


def _checked(name: str, value: "Any") -> "int | float | bool":
    if name == "similarity_needs_keyword":
        if not isinstance(value, bool):
            raise UsageError(f"{name} must be True or False, not {value!r}")
        return value
    return checked_number(name, value, *_RANGES[name], whole=name in _WHOLE)


def checked_number(name: str, value: "Any", low: float, high: float, whole: bool) -> "int | float":
    """`value` if it is a number in range. Raises UsageError that says what the range is."""
    kind = "a whole number" if whole else "a number"
    is_number = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:
        raise UsageError(f"{name} must be {kind} from {low} to {high}, not {value!r}")
    return value if whole else float(value)


def checked_mode(mode: "Any") -> "str | None":
    """`mode` if there is such a one, or None. Raises UsageError that names them."""
    if mode is not None and mode not in MODES:
        raise UsageError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    return mode


class IndexSettings:
    """The settings of an opened index, from its manifest. Keyword scores are in units of 1 / `impact_fixed_point`."""

    __slots__ = (
        "analyser",
        "embedder",
        "impact_fixed_point",
        "no_answer_message",
        "retrieval",
        "site_name",
        "unknown_idf",
    )

    def __init__(self, manifest: "dict[str, Any]", path: str) -> None:
        """Raises CorruptIndexError for settings that are missing or of another kind than a build writes."""
        try:
            settings = manifest["settings"]
            self.analyser = _of_type(settings["analyser"], dict)
            self.embedder = _embedder_settings(settings["embedder"], "vectors" in manifest["files"])
            scoring = _of_type(settings["scoring"], dict)
            self.unknown_idf: int = _of_type(scoring["unknown_idf"], int)
            self.impact_fixed_point: int = _of_type(scoring["impact_fixed_point"], int)
            self.retrieval = RetrievalSettings().changed(_of_type(settings["retrieval"], dict))
            self.site_name = _text_or_none(settings["site_name"])
            self.no_answer_message = _text_or_none(settings["no_answer_message"])
            if not 0 < self.unknown_idf < WEIGHT_LIMIT:
                raise ValueError(f"unknown_idf is {self.unknown_idf}")
            if not 0 < self.impact_fixed_point <= FIXED_POINT:
                raise ValueError(f"impact_fixed_point is {self.impact_fixed_point}")
        except (KeyError, TypeError, ValueError) as error:
            raise CorruptIndexError(
                f"{path}: the manifest's settings cannot be used ({type(error).__name__}: {error}); "
                "build the index again"
            ) from error

    def refusal_message(self, site_name: "str | None" = None) -> str:
        """What a person is told; `site_name` replaces the index's own."""
        if self.no_answer_message is not None:
            return self.no_answer_message
        return DEFAULT_NO_ANSWER.format(site=site_name or self.site_name or DEFAULT_SITE)


def _of_type(value: "Any", kind: "type[Any]") -> "Any":
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value


def _text_or_none(value: "Any") -> "str | None":
    return None if value is None else _of_type(value, str)


def _embedder_settings(value: "Any", has_vectors: bool) -> "dict[str, Any] | None":
    """What is kept of the embedder, there if and only if vectors are."""
    if (value is not None) != has_vectors:
        raise ValueError("there must be an embedder if and only if there are vectors")
    if value is None:
        return None
    _of_type(value, dict)
    _of_type(value["id"], str)
    dimensions = _of_type(value["dimensions"], int)
    for canary in _of_type(value["canaries"], list):
        if len(_of_type(canary, bytes)) != dimensions:
            raise ValueError("a test text's vector has another size than the index's")
    return value
