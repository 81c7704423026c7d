"""Plain twin of what makes a question's terms and weights, token by token."""

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.search.settings import QUERY_TERM_LIMIT
from coldseek_core.text import ALIAS, BIGRAM, GRAM, LOOSE_NAME, NAME, PART, WORD, Analyser, Token
from columns.small_index import terms_of


class TermEntry:
    """A term that the index knows: its postings are `start` to `start + df`."""

    def __init__(self, start: int, df: int, idf: int) -> None:
        self.start = start
        self.df = df
        self.idf = idf


def entries_of(files: IndexFiles) -> dict[str, TermEntry]:
    """All terms of an index."""
    terms = terms_of(files)
    starts, dfs, idfs = (files.numbers("terms", name).view.tolist() for name in ("start", "df", "idf"))
    return {terms[row]: TermEntry(starts[row], dfs[row], idfs[row]) for row in range(len(terms))}


class NaiveQuery:
    """An analysed question: `terms` are (start, df, coverage weight, whether it scores), of known terms."""

    def __init__(
        self,
        scored: dict[str, TermEntry],
        weights: dict[str, int],
        known: dict[str, TermEntry],
        unknown_words: list[str],
        trimmed: int,
        has_words: bool,
    ) -> None:
        names = list(scored) + [term for term in weights if term in known and term not in scored]
        entries = [(known[term], weights.get(term, 0), term in scored) for term in names]
        self.terms = [(entry.start, entry.df, weight, scores) for entry, weight, scores in entries]
        self.total_weight = sum(weights.values())
        self.unknown_words = unknown_words
        self.trimmed = trimmed
        self.has_words = has_words


def resolve_query(text: str, analyser: Analyser, entries: dict[str, TermEntry], unknown_idf: int) -> NaiveQuery:
    """Analyse `text` and look its terms up. Stop words are dropped unless there is nothing else."""
    tokens = analyser.analyse(text)
    kept = [token for token in tokens if not token.stop] or tokens
    distinct = list(dict.fromkeys(token.term for token in kept))
    known = {term: entries[term] for term in distinct if term in entries}
    trimmed = max(0, len(distinct) - QUERY_TERM_LIMIT)
    if trimmed:
        # The rarest terms say most; unknown ones are the rarest.
        distinct.sort(
            key=lambda term: (
                (-known[term].idf, 1, term.encode("utf-8", "surrogatepass"))
                if term in known
                else (-unknown_idf, 0, term.encode("utf-8", "surrogatepass"))
            )
        )
        kept_terms = set(distinct[:QUERY_TERM_LIMIT])
        kept = [token for token in kept if token.term in kept_terms]
        known = {term: entry for term, entry in known.items() if term in kept_terms}
    pairs = _pairs_of_characters(tokens, kept)
    scored = {
        token.term: known[token.term] for token in kept if token.term in known and not _is_covered(token, pairs, known)
    }
    weighed: dict[str, Token] = {}
    for token in _weighed(kept, pairs, known):
        weighed.setdefault(token.term, token)
    weights = {term: known[term].idf if term in known else unknown_idf for term in weighed}
    unknown = [token for term, token in weighed.items() if term not in known]
    named = {token.word for token in unknown if token.kind in (NAME, LOOSE_NAME)}
    spans = [token for token in unknown if not (token.kind == PART and token.word in named)]
    unknown_words = list(dict.fromkeys(text[token.start : token.end] for token in spans))
    return NaiveQuery(scored, weights, known, unknown_words, trimmed, bool(tokens))


def _pairs_of_characters(tokens: list[Token], kept: list[Token]) -> dict[int, list[Token]]:
    """For each GRAM (by identity): the kept BIGRAMs that it is in. The analyser puts a pair between its characters."""
    kept_ids = {id(token) for token in kept}
    result: dict[int, list[Token]] = {}
    for place, token in enumerate(tokens):
        if token.kind == GRAM:
            near = tokens[max(0, place - 1) : place] + tokens[place + 1 : place + 2]
            result[id(token)] = [
                pair for pair in near if pair.kind == BIGRAM and pair.word == token.word and id(pair) in kept_ids
            ]
    return result


def _is_covered(token: Token, pairs: dict[int, list[Token]], known: dict[str, TermEntry]) -> bool:
    """Whether a character stands in known pairs only: they say it better."""
    mine = pairs.get(id(token))
    return bool(mine) and all(pair.term in known for pair in mine)


def _weighed(kept: list[Token], pairs: dict[int, list[Token]], known: dict[str, TermEntry]) -> list[Token]:
    """The tokens that stand for the question when coverage is measured; each counts by its IDF.

    Of a run of characters: each known pair, and the characters of unknown pairs or of none.
    """
    words: dict[int, list[Token]] = {}
    for token in kept:
        words.setdefault(token.word, []).append(token)
    result: list[Token] = []
    for group in words.values():
        if group[0].kind in (GRAM, BIGRAM):
            result.extend(
                token
                for token in group
                if (token.term in known if token.kind == BIGRAM else not _is_covered(token, pairs, known))
            )
        else:
            result.extend(_weighed_words(group, known))
    return result


def _weighed_words(group: list[Token], known: dict[str, TermEntry]) -> list[Token]:
    """A plain word counts as it is. A compound counts once, by its most general name, if a chunk has that; else by
    its parts, and, unless it is mere punctuation of plain words, by its name as well: a word that no chunk contains.
    """
    name = next((token for token in group if token.kind in (NAME, LOOSE_NAME)), None)
    if name is None:
        return [token for token in group if token.kind in (WORD, PART)]
    alias = next((token for token in group if token.kind == ALIAS and _same_span(token, name)), name)
    if alias.term in known:
        return [alias]
    parts = [token for token in group if token.kind == PART]
    return parts if name.kind == LOOSE_NAME and parts else [name, *parts]


def _same_span(token: Token, other: Token) -> bool:
    return token.start == other.start and token.end == other.end
