"""Hits of a search, for people: heading path, scores, and an excerpt in which the words of the query stand out."""

from coldseek_core.search.explanation import Explanation, LegShare, Margin
from coldseek_core.search.results import ChunkView, Hit, SearchResult

from .excerpt import excerpt_lines
from .terminal import BOLD, CYAN, DIM, MATCH, one_line, paint, safe, width

_EXCERPT_LINES = 2
_LONGEST_WORD = 24


def print_hits(result: SearchResult) -> None:
    """All hits, best first, with what they tell of neighbours and of why they are there."""
    if not result.hits:
        print("Nothing found.")
    for order, hit in enumerate(result.hits):
        if order and (hit.explanation or hit.neighbors):
            print()
        _print_hit(hit)


def _print_hit(hit: Hit) -> None:
    path = " > ".join(part for part in (hit.chunk.title, *hit.chunk.heading_path) if part)
    print(f"{paint(str(hit.rank), BOLD)}. {paint(one_line(path, width() - 4), BOLD)}")
    print(f"   {paint(safe(hit.chunk.section_url), CYAN)}  {paint(_scores(hit), DIM)}")
    for chunk in hit.neighbors.before if hit.neighbors else ():
        _print_neighbor("before", chunk)
    for line in excerpt_lines(hit.chunk.text, hit.matches or [], width() - 4, _EXCERPT_LINES):
        print("   " + "".join(paint(text, MATCH) if is_match else text for text, is_match in line))
    for chunk in hit.neighbors.after if hit.neighbors else ():
        _print_neighbor("after", chunk)
    if hit.explanation is not None:
        _print_explanation(hit, hit.explanation)


def _scores(hit: Hit) -> str:
    parts = [f"keywords {hit.keyword_score:.2f}"]
    if hit.similarity is not None:
        parts.append(f"similarity {hit.similarity:.3f}")
    return ", ".join(parts)


def _print_neighbor(side: str, chunk: ChunkView) -> None:
    print("   " + paint(f"{side + ':':<8}{one_line(chunk.text, width() - 12)}", DIM))


def _print_explanation(hit: Hit, told: Explanation) -> None:
    """Two tables: what each retriever says, and what each word adds; and the gate's margins."""
    rows = [("", "score", "rank", "of all", "adds")]
    rows += [_leg_row(name, leg) for name, leg in (("keywords", told.keyword), ("vectors", told.vector))]
    if told.keyword is not None and told.vector is not None:
        rows.append(("fused", "", "", "", f"{hit.score:.5f}"))
    _print_table(rows)
    if told.words:
        words = [("word", "term", "in chunks", "adds")]
        for word in told.words:
            added = f"{word.score:.4f}" if word.impact else "-"
            words.append((one_line(word.word, _LONGEST_WORD), _term(word.term), str(word.df), added))
        words.append(("sum", "", "", f"{hit.keyword_score:.4f}"))
        _print_table(words, texts=2)
    print(f"   gate of retrieve: {'passes' if told.passes_gate else 'does not pass'}", end="")
    print(f"; coverage {_margin(told.keyword_coverage)}; similarity {_margin(told.similarity)}")


def _leg_row(name: str, leg: "LegShare | None") -> tuple[str, str, str, str, str]:
    if leg is None:
        return name, "not run", "", "", ""
    return (
        name,
        f"{leg.score:.4f}",
        "-" if leg.rank is None else str(leg.rank),
        "-" if leg.rank_of_all is None else str(leg.rank_of_all),
        "" if leg.share is None else f"{leg.share:.5f}" if leg.share else "-",
    )


def _term(term: "str | None") -> str:
    return "in no chunk" if term is None else one_line(term, _LONGEST_WORD)


def _margin(margin: Margin) -> str:
    if margin.value is None or margin.margin is None:
        return f"none, needs {margin.threshold:g}"
    return f"{margin.value:.3f}, needs {margin.threshold:g} ({margin.margin:+.3f})"


def _print_table(rows: "list[tuple[str, ...]]", texts: int = 1) -> None:
    """Columns below a dim heading: the first `texts` are flush left, the others flush right."""
    sizes = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for order, row in enumerate(rows):
        cells = [
            cell.ljust(size) if column < texts else cell.rjust(size)
            for column, (cell, size) in enumerate(zip(row, sizes, strict=True))
        ]
        line = "  ".join(cells).rstrip()
        print("   " + (paint(line, DIM) if order == 0 else line))
