"""What a caller may choose for one search: checked, with a default for each."""

from ..errors import UsageError
from .settings import TOP_K_LIMIT, checked_mode, checked_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEFAULT_TOP_K = 5
EXPAND_LIMIT = 2


class Limits:
    """What keeps a row out of a leg's list. `min_similarity` (of the vectors' leg), `min_coverage` (of the keywords')
    and `max_per_document`; None for no limit.
    """

    __slots__ = ("max_per_document", "min_coverage", "min_similarity")

    def __init__(
        self,
        max_per_document: "int | None" = None,
        min_similarity: "float | None" = None,
        min_coverage: "float | None" = None,
    ) -> None:
        self.max_per_document = max_per_document
        self.min_similarity = min_similarity
        self.min_coverage = min_coverage


class HitOptions:
    """What `search` and `retrieve` share: `max_per_document` (1 to 50, None for any number), and what is told of each
    hit: `highlight`, `expand` (0 to 2 neighbours on each side), and, for `search` alone, `explain`.
    """

    __slots__ = ("expand", "explain", "highlight", "max_per_document")

    def __init__(self, options: "dict[str, Any]") -> None:
        """Takes the options that it knows out of `options`. Raises UsageError for a bad value."""
        most = options.pop("max_per_document", None)
        if most is not None:
            most = int(checked_number("max_per_document", most, 1, TOP_K_LIMIT, whole=True))
        self.max_per_document: int | None = most
        self.highlight = _flag("highlight", options.pop("highlight", False))
        self.explain = False
        self.expand = int(checked_number("expand", options.pop("expand", 0), 0, EXPAND_LIMIT, whole=True))

    @property
    def tells_more(self) -> bool:
        """Whether hits hold more than they do by default."""
        return self.highlight or self.explain or self.expand > 0

    @property
    def limits(self) -> "Limits | None":
        """None for none."""
        return None if self.max_per_document is None else Limits(self.max_per_document)


class SearchOptions(HitOptions):
    """How `search` looks something up. Beside those of HitOptions: `top_k` hits (1 to 50); `mode`, None for "hybrid";
    `score_threshold` (-1 to 1, None for none).
    """

    __slots__ = ("mode", "score_threshold", "top_k")

    def __init__(self, options: "dict[str, Any]") -> None:
        """`options` by name, of which `hybrid` is another way to say the mode: True "hybrid", False "semantic". Raises
        UsageError for a bad name or value.
        """
        left = dict(options)
        self.top_k = int(checked_number("top_k", left.pop("top_k", DEFAULT_TOP_K), 1, TOP_K_LIMIT, whole=True))
        self.mode = _mode(left.pop("mode", None), left.pop("hybrid", None))
        floor = left.pop("score_threshold", None)
        if floor is not None:
            floor = float(checked_number("score_threshold", floor, -1, 1, whole=False))
        self.score_threshold: float | None = floor
        explain = _flag("explain", left.pop("explain", False))
        super().__init__(left)
        self.explain = explain
        if left:
            known = ", ".join(sorted((*HitOptions.__slots__, *self.__slots__, "hybrid")))
            raise UsageError(f"unknown search option {next(iter(left))!r}; there are: {known}")

    @property
    def limits(self) -> "Limits | None":
        """None for none. A floor is of the signal that the mode asked for ranks by: keyword coverage in "lexical", else
        similarity, also where a failing embedder left nothing but keywords, whose hits then stay.
        """
        floor = self.score_threshold
        if floor is None:
            return super().limits
        if self.mode == "lexical":
            return Limits(self.max_per_document, min_coverage=floor)
        return Limits(self.max_per_document, min_similarity=floor)


def _flag(name: str, value: "Any") -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"{name} must be True or False, not {value!r}")
    return value


def _mode(mode: "Any", hybrid: "Any") -> "str | None":
    if hybrid is None:
        return checked_mode(mode)
    if not isinstance(hybrid, bool):
        raise UsageError(f"hybrid must be True, False or None, not {hybrid!r}")
    if mode is not None:
        raise UsageError(f"mode must be left out where hybrid is given, not {mode!r}; hybrid=False is mode 'semantic'")
    return "hybrid" if hybrid else "semantic"
