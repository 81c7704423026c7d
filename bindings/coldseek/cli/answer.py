"""Numbered sources or an explained refusal, for people."""

import math

from coldseek_core.search.refusal import Nearest, Refusal
from coldseek_core.search.results import RetrieveResult

from .terminal import BOLD, CYAN, DIM, YELLOW, one_line, paint, safe, width

_EXCERPT_LINES = 6


def print_answer(result: RetrieveResult, excerpt_lines: int = _EXCERPT_LINES) -> None:
    """The sources with the beginning of their texts, or the refusal and its reasons."""
    if result.refusal is not None:
        _print_refusal(result.refusal)
        return
    for source in result.sources:
        path = " > ".join(part for part in (source.title, *source.heading_path) if part)
        print(f"{paint(f'[{source.number}]', BOLD)} {paint(one_line(path, width() - 6), BOLD)}")
        print(f"    {paint(safe(source.url), CYAN)}")
        lines = [line for line in safe(source.text).splitlines() if line.strip()]
        for line in lines[:excerpt_lines]:
            print(f"    {one_line(line, width() - 4)}")
        if len(lines) > excerpt_lines:
            print(f"    {paint(f'… {len(lines) - excerpt_lines} more lines', DIM)}")


def _print_refusal(refusal: Refusal) -> None:
    print(paint(refusal.message, YELLOW))
    if refusal.reason == "no_searchable_words":
        print("  why: the question holds no word that can be searched")
        return
    if refusal.reason == "empty_index":
        print("  why: the index holds no chunks")
        return
    if refusal.unknown_words:
        words = ", ".join(one_line(word, 40) for word in refusal.unknown_words[:8])
        print(f"  in no chunk: {words}")
    _print_nearest("by keywords", "coverage", refusal.keyword_coverage)
    if refusal.similarity is not None:
        _print_nearest("by meaning", "similarity", refusal.similarity)
    change = refusal.smallest_change()
    if change is not None:
        # Rounded down: a threshold a hair above the chunk's value would refuse it again.
        enough = math.floor(change["to"] * 1000.0) / 1000.0
        print(f"  would pass with {change['setting']} {enough:.3f} (it is {change['from']:g})")


def _print_nearest(leg: str, signal: str, nearest: "Nearest | None") -> None:
    if nearest is None:
        print(f"  nearest {leg}: nothing")
        return
    chunk = nearest.chunk
    path = " > ".join(part for part in (chunk.title, *chunk.heading_path) if part) or chunk.section_url
    print(
        f"  nearest {leg}: {one_line(path, max(20, width() - 60))} "
        f"({signal} {nearest.value:.3f}, needs {nearest.threshold:g})"
    )
