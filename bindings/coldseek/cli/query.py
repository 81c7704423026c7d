"""`coldseek search` and `coldseek retrieve`."""

import argparse
import json
import sys

from coldseek_core.errors import UsageError
from coldseek_core.search.results import RetrieveResult, SearchResult
from coldseek_core.search.settings import MODES

from ..index import open as open_index
from ..json_form import filter_from_json, json_text
from .answer import print_answer
from .hits import print_hits
from .terminal import YELLOW, paint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    search = commands.add_parser(
        "search",
        help="look something up: the best chunks, no relevance gate",
        description="Look something up: the best chunks by keywords and, where the index has vectors, by meaning.",
        epilog="example: coldseek search site.coldseek ERR-7741X --mode lexical --top-k 3",
    )
    search.add_argument("index", metavar="INDEX", help="folder of the index")
    search.add_argument("query", metavar="QUERY", help="what to look for (never parsed as syntax)")
    search.add_argument("--top-k", type=int, default=5, metavar="N", help="hits to return, 1 to 50 (default 5)")
    _common(search)
    search.add_argument(
        "--no-hybrid", dest="hybrid", action="store_const", const=False, help="the same as --mode semantic"
    )
    search.add_argument(
        "--score-threshold",
        type=float,
        metavar="X",
        help="lowest similarity of what the vectors find, or in mode lexical the lowest keyword coverage",
    )
    search.add_argument("--explain", action="store_true", help="say of each hit why it is where it is")
    search.set_defaults(run=_search)

    retrieve = commands.add_parser(
        "retrieve",
        help="find numbered sources for a question, or say why there are none",
        description="Find numbered sources that a question can be answered from, or refuse and explain why. "
        "A refusal is an answer: the exit status is 0 either way. Options left out take the index's own settings.",
        epilog='example: coldseek retrieve site.coldseek "How do I deploy to GitHub Pages?" --json',
    )
    retrieve.add_argument("index", metavar="INDEX", help="folder of the index")
    retrieve.add_argument("question", metavar="QUESTION", help="the question (never parsed as syntax)")
    retrieve.add_argument("--top-k", type=int, metavar="N", help="hits to pack, 1 to 50 (6)")
    retrieve.add_argument("--candidates", type=int, metavar="N", help="rows that each leg ranks, 1 to 1000 (40)")
    retrieve.add_argument("--rrf-k", type=int, metavar="N", help="constant of reciprocal rank fusion (60)")
    retrieve.add_argument("--min-similarity", type=float, metavar="X", help="gate: lowest cosine, -1 to 1 (0.25)")
    retrieve.add_argument(
        "--min-keyword-coverage", type=float, metavar="X", help="gate: lowest keyword coverage, 0 to 1 (0.5)"
    )
    retrieve.add_argument("--max-context-chars", type=int, metavar="N", help="characters of source text to pack (8000)")
    _common(retrieve, " (with --json)")
    retrieve.set_defaults(run=_retrieve)


def _common(parser: argparse.ArgumentParser, expand_note: str = "") -> None:
    parser.add_argument("--max-per-document", type=int, metavar="N", help="hits of one document, 1 to 50 (any number)")
    expand = f"chunks to show before and after each hit, 0 to 2{expand_note} (0)"
    parser.add_argument("--expand", type=int, default=0, metavar="N", help=expand)
    parser.add_argument("--highlight", action="store_true", help="with --json: where the words are in each hit's text")
    parser.add_argument("--mode", choices=MODES, help="which retrievers run (default hybrid)")
    parser.add_argument(
        "--filter",
        type=_json_object,
        metavar="JSON",
        help="only chunks that meet all conditions: metadata, documentIds, filename, contains, phrase; such as "
        '\'{"metadata": {"version": {"gte": 2}}, "phrase": "build folder"}\'',
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _json_object(text: str) -> "dict[str, Any]":
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError('not a JSON object, such as {"metadata": {"locale": "en"}}')
    return filter_from_json(value)


def print_json(value: "dict[str, Any]") -> None:
    """JSON for programs."""
    print(json_text(value, indent=2))


def _search(options: argparse.Namespace) -> int:
    with open_index(options.index) as index:
        result = index.search(
            query_text(options.query),
            top_k=options.top_k,
            mode=options.mode,
            hybrid=options.hybrid,
            score_threshold=options.score_threshold,
            max_per_document=options.max_per_document,
            highlight=options.highlight or not options.json,
            explain=options.explain,
            expand=options.expand,
            filter=options.filter,
        )
    if options.json:
        print_json(result.to_dict())
    else:
        print_hits(result)
        _note_mode(result)
    return 0


def _retrieve(options: argparse.Namespace) -> int:
    with open_index(options.index) as index:
        result = index.retrieve(
            query_text(options.question),
            top_k=options.top_k,
            candidates=options.candidates,
            rrf_k=options.rrf_k,
            min_similarity=options.min_similarity,
            min_keyword_coverage=options.min_keyword_coverage,
            max_context_chars=options.max_context_chars,
            max_per_document=options.max_per_document,
            highlight=options.highlight,
            expand=options.expand,
            mode=options.mode,
            filter=options.filter,
        )
    if options.json:
        print_json(result.to_dict())
    else:
        print_answer(result)
        _note_mode(result)
    return 0


def query_text(argument: str) -> str:
    """The query as text. Raises UsageError if the shell passed bytes that are not UTF-8."""
    try:
        argument.encode()
    except UnicodeEncodeError as error:
        raise UsageError("the query is not valid UTF-8; check the terminal's encoding") from error
    return argument


def _note_mode(result: "SearchResult | RetrieveResult") -> None:
    """What a person should know about how the search ran; to standard error, so that output stays clean."""
    if result.mode.degraded:
        print(paint(f"searched by keywords only: {result.mode.degraded}", YELLOW), file=sys.stderr)
    if result.trimmed_terms:
        print(f"{result.trimmed_terms} words of the query were too many and left out", file=sys.stderr)
