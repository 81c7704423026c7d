"""`coldseek build`."""

import argparse
import os
import sys

from .terminal import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coldseek_core.ingest.build import BuildReport
    from coldseek_core.ingest.documents import Problem

_MANY_PROBLEMS = 20
FRAMEWORKS = ("docusaurus", "mkdocs", "vitepress", "none")


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "build",
        help="build an index from Markdown, MDX, HTML, reStructuredText, text and JSONL",
        description="Build an index from files and folders of Markdown, MDX, HTML (a built site), reStructuredText, "
        "text, and JSONL of ready chunks. "
        "An index that is there is replaced in one step; who reads it keeps the old one. A file that cannot be read "
        "is reported and left out, the rest is built, and the exit status is 1.",
        epilog="example: coldseek build docs/ -o site.coldseek --base-url /docs --embedder mock",
    )
    parser.add_argument("sources", nargs="+", metavar="SRC", help="files and folders to read")
    parser.add_argument(
        "-o", "--output", required=True, metavar="INDEX", help="folder of the index, such as site.coldseek"
    )
    parser.add_argument("--base-url", default="", metavar="URL", help="put in front of page URLs, such as /docs")
    parser.add_argument(
        "--framework", choices=FRAMEWORKS, help="whose rules make page URLs (guessed from the folder if not given)"
    )
    parser.add_argument(
        "-e",
        "--embedder",
        choices=("none", "mock", "openai", "workers-ai"),
        help="none: keywords only (the default, unless JSONL chunks bring vectors); mock: hashed words, for tests; "
        "openai: any server with OpenAI's /embeddings; workers-ai: Cloudflare; keys come from the environment",
    )
    parser.add_argument("--model", metavar="M", help="embedding model of openai or workers-ai")
    parser.add_argument("--embed-base-url", metavar="URL", help="where their server is, such as https://host/v1")
    parser.add_argument("--language", default="en", metavar="TAG", help="of the texts, such as en, de or zh-TW (en)")
    parser.add_argument(
        "--chunk-size", type=int, metavar="N", help="most characters or tokens of a chunk (1200 or 450)"
    )
    parser.add_argument(
        "--chunk-overlap", type=int, metavar="N", help="how much of the one before a chunk repeats (150 or 67)"
    )
    parser.add_argument(
        "--chunk-unit", choices=("characters", "tokens"), help="what size and overlap count (characters)"
    )
    parser.add_argument("--site-name", metavar="NAME", help="named in refusals, in place of 'this site'")
    parser.add_argument("--workers", type=int, metavar="N", help="how many read and count side by side (1)", default=1)
    parser.add_argument("--quiet", action="store_true", help="print problems only")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_build)


def _build(options: argparse.Namespace) -> int:
    from coldseek_core.ingest.build import build_index

    from .progress_bar import progress_bar

    quiet = options.quiet or options.json
    with progress_bar(enabled=not quiet and sys.stderr.isatty()) as on_progress:
        report = build_index(
            options.sources,
            options.output,
            base_url=options.base_url,
            framework=options.framework,
            language=options.language,
            embedder=options.embedder,
            embed_model=options.model,
            embed_base_url=options.embed_base_url,
            chunk_size=options.chunk_size,
            chunk_overlap=options.chunk_overlap,
            chunk_unit=options.chunk_unit,
            site_name=options.site_name,
            workers=options.workers,
            on_progress=on_progress,
        )
    if options.json:
        from .query import print_json

        print_json(report.to_dict())
    else:
        print_problems(report.problems)
        for warning in report.warnings:
            print(f"coldseek: {safe(warning)}", file=sys.stderr)
        if not options.quiet:
            _print_report(report, options.output)
    return 1 if report.problems else 0


def print_problems(problems: "tuple[Problem, ...]") -> None:
    for problem in problems[:_MANY_PROBLEMS]:
        print(f"coldseek: {safe(_shown(problem.path))}: {safe(problem.reason)}", file=sys.stderr)
    if len(problems) > _MANY_PROBLEMS:
        print(f"coldseek: and {len(problems) - _MANY_PROBLEMS} problems more (--json lists all)", file=sys.stderr)


def _shown(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "replace")


def _print_report(report: "BuildReport", output: str) -> None:
    embedder = report.embedder or "no embedder (keyword search only)"
    shown = safe(_shown(output))
    print(
        f"{shown}: {report.documents:,} documents, {report.chunks:,} chunks, {report.terms:,} terms, {embedder}, "
        f"{report.framework} URLs, {report.seconds:.1f} s"
    )
    print(f"next: coldseek retrieve {shown} 'your question'")
