"""From the tokens of a query to the terms that are scored and the weights that coverage is measured by."""

from typing import NamedTuple

from baseline.inverted import InvertedIndex
from baseline.settings import MOST_QUERY_TERMS
from baseline.tokens import NAME_KINDS, Token


class ResolvedQuery(NamedTuple):
    """`scored`: known terms that a score sums. `weights`: term -> weight of coverage, unknown terms too.

    `unknown_words`: the distinct (start, end) in the query of what is weighed and no chunk contains, in order
    of first appearance; the parts of an identifier that is listed itself are left out. `cut_terms`: how
    many distinct terms were left out because there were too many.
    """

    scored: list[str]
    weights: dict[str, int]
    unknown_words: list[tuple[int, int]]
    cut_terms: int

    @property
    def total(self) -> int:
        return sum(self.weights.values())


def resolve(tokens: list[Token], index: InvertedIndex) -> ResolvedQuery:
    return _Resolver(tokens, index).resolve()


class _Resolver:
    def __init__(self, tokens: list[Token], index: InvertedIndex) -> None:
        self.tokens = tokens
        self.index = index
        keep_stops = all(token.stop for token in tokens)
        self.kept = [keep_stops or not token.stop for token in tokens]
        self.cut_terms = self._cut()
        self.weights: dict[str, int] = {}

    def _cut(self) -> int:
        distinct = {token.term for token, kept in zip(self.tokens, self.kept, strict=True) if kept}
        if len(distinct) <= MOST_QUERY_TERMS:
            return 0
        order = sorted(distinct, key=lambda term: (self._known(term), -self._idf(term), term.encode()))
        allowed = set(order[:MOST_QUERY_TERMS])
        self.kept = [kept and token.term in allowed for token, kept in zip(self.tokens, self.kept, strict=True)]
        return len(distinct) - len(allowed)

    def resolve(self) -> ResolvedQuery:
        # A dict keeps the first order in which terms were seen.
        scored = {
            token.term: None
            for position, token in enumerate(self.tokens)
            if self.kept[position] and self._known(token.term) and not self._is_covered_gram(position)
        }
        words: dict[int, list[int]] = {}
        for position, token in enumerate(self.tokens):
            words.setdefault(token.word, []).append(position)
        unknown_spans: dict[tuple[int, int], None] = {}
        for positions in words.values():
            kept = [position for position in positions if self.kept[position]]
            weighed = [self.tokens[position] for position in self._weighed(positions, kept)]
            unknown = [token for token in weighed if not self._known(token.term)]
            name_is_listed = any(token.kind in NAME_KINDS for token in unknown)
            for token in unknown:
                is_first = token.term not in self.weights
                if is_first and not (token.kind == "PART" and name_is_listed):
                    unknown_spans[token.start, token.end] = None
                self.weights[token.term] = self.index.unknown_idf
            self.weights.update((token.term, self._idf(token.term)) for token in weighed)
        return ResolvedQuery(list(scored), self.weights, list(unknown_spans), self.cut_terms)

    def _known(self, term: str) -> bool:
        return term in self.index.postings

    def _idf(self, term: str) -> int:
        return self.index.postings[term].idf if self._known(term) else self.index.unknown_idf

    def _kept_neighbour(self, position: int, kind: str, word: int) -> bool:
        if not 0 <= position < len(self.tokens) or not self.kept[position]:
            return False
        return self.tokens[position].kind == kind and self.tokens[position].word == word

    def _is_covered_gram(self, position: int) -> bool:
        token = self.tokens[position]
        if token.kind != "GRAM":
            return False
        pairs = [
            self.tokens[near].term
            for near in (position - 1, position + 1)
            if self._kept_neighbour(near, "BIGRAM", token.word)
        ]
        return bool(pairs) and all(map(self._known, pairs))

    def _weighed(self, positions: list[int], kept: list[int]) -> list[int]:
        """Which tokens of one word coverage counts. `positions`: all its tokens; `kept`: those kept."""
        if self.tokens[positions[0]].kind in ("GRAM", "BIGRAM"):
            return self._weighed_grams(positions, kept)
        return self._weighed_word(kept)

    def _weighed_grams(self, positions: list[int], kept: list[int]) -> list[int]:
        if len(positions) == 1:
            return kept
        weighed: list[int] = []
        for position in kept:
            token = self.tokens[position]
            if token.kind != "BIGRAM":
                continue
            if self._known(token.term):
                weighed.append(position)
            else:
                weighed += [
                    near for near in (position - 1, position + 1) if self._kept_neighbour(near, "GRAM", token.word)
                ]
        return weighed

    def _weighed_word(self, kept: list[int]) -> list[int]:
        """A known name counts alone; an unknown loose one is its parts, any other counts beside them."""
        name = next((position for position in kept if self.tokens[position].kind in NAME_KINDS), None)
        if name is None:
            return kept
        has_alias = self._kept_neighbour(name + 1, "ALIAS", self.tokens[name].word)
        general = name + 1 if has_alias else name
        if self._known(self.tokens[general].term):
            return [general]
        parts = [position for position in kept if self.tokens[position].kind == "PART"]
        return parts if self.tokens[name].kind == "LOOSE_NAME" else [name, *parts]
