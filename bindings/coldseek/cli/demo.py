"""`coldseek demo`: an index of coldseek's own documentation, three answers and a refusal."""

import argparse
import sys
import tempfile
from pathlib import Path

from coldseek_core.errors import UsageError

from ..index import open as open_index
from .answer import print_answer
from .terminal import BOLD, DIM, paint, safe

QUESTIONS = (
    "How do I build an index from a folder of Markdown?",
    "Why was my question refused, and how do I change the threshold?",
    "What happens to readers when the index is rebuilt?",
    "How long should I boil an egg?",
)
_EXCERPT_LINES = 3


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "demo",
        help="index coldseek's own documentation and ask it four questions",
        description="Build an index of coldseek's own documentation, answer three questions from it with numbered "
        "sources, and refuse one and say why. Needs no network and no key.",
    )
    parser.add_argument("-o", "--output", metavar="INDEX", help="keep the index in this folder")
    parser.set_defaults(run=_demo)


def documentation_folder() -> Path:
    """Where the documentation is: inside the installed package, or beside its source.

    Raises UsageError if it was left out of the installation.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "docs", package.parent.parent / "docs"):
        if (folder / "index.md").is_file():
            return folder
    raise UsageError("coldseek's documentation is not installed; reinstall the package")


def _demo(options: argparse.Namespace) -> int:
    from coldseek_core.ingest.build import build_index

    with tempfile.TemporaryDirectory(prefix="coldseek-demo-") as scratch:
        output = options.output or str(Path(scratch) / "docs.coldseek")
        documentation = documentation_folder()
        print(paint("Building an index of coldseek's documentation …", DIM), flush=True)
        report = build_index([documentation], output, framework="none", base_url="/docs", site_name="coldseek's docs")
        for problem in report.problems:
            print(f"coldseek: {safe(problem.path)}: {safe(problem.reason)}", file=sys.stderr)
        print(f"{report.documents} documents, {report.chunks} chunks, {report.terms:,} terms, {report.seconds:.1f} s")
        with open_index(output) as index:
            for question in QUESTIONS:
                result = index.retrieve(question, top_k=3)
                print(f"\n{paint(f'> {question}', BOLD)}  {paint(f'{result.latency_ms:.1f} ms', DIM)}")
                print_answer(result, _EXCERPT_LINES)
    if options.output:
        print(f"\nAsk it yourself: coldseek retrieve {options.output} 'your question'")
    else:
        print("\nBuild your own: coldseek build docs/ -o site.coldseek")
    return 1 if report.problems else 0
