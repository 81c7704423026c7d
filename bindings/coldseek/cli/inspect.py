"""`coldseek info` and `coldseek verify`."""

import argparse
import sys

from ..index import open as open_index
from .query import print_json
from .terminal import BOLD, paint, safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    info = commands.add_parser(
        "info",
        help="what an index holds and how it was built",
        description="What an index holds, how it was built, and what it takes on disk.",
    )
    info.add_argument("index", metavar="INDEX", help="folder of the index")
    info.add_argument("--json", action="store_true", help="print JSON")
    info.set_defaults(run=_info)

    verify = commands.add_parser(
        "verify",
        help="check every checksum, offset and id of an index",
        description="Check every checksum, offset and id of an index. The exit status is 1 if anything is wrong.",
    )
    verify.add_argument("index", metavar="INDEX", help="folder of the index")
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.set_defaults(run=_verify)


def _info(options: argparse.Namespace) -> int:
    with open_index(options.index) as index:
        information = index.info()
    if options.json:
        print_json(information)
        return 0
    counts, settings = information["counts"], information["settings"]
    embedder = settings["embedder"]
    rows: list[tuple[str, Any]] = [
        ("index", information["path"]),
        ("generation", information["generation"]),
        ("documents", f"{counts['documents']:,}"),
        ("chunks", f"{counts['chunks']:,}"),
        ("terms", f"{counts['terms']:,}"),
        ("postings", f"{counts['postings']:,}"),
        ("language", settings["analyser"]["language"]),
        ("embedder", f"{embedder['id']} ({embedder['dimensions']} dimensions)" if embedder else "none (keyword-only)"),
        *((name, value) for name, value in settings["retrieval"].items()),
        *((name, settings[name]) for name in ("framework", "base_url") if settings.get(name)),
        *((f"{name}.arrow", f"{size:,} bytes") for name, size in information["fileBytes"].items()),
        ("mapped", f"{information['mappedBytes']:,} bytes, {information['copiedBytes']:,} copied"),
    ]
    for name, value in rows:
        print(f"{paint(f'{name:<26}', BOLD)}{safe(str(value))}")
    return 0


def _verify(options: argparse.Namespace) -> int:
    from coldseek_core.columns.check import check_files

    faults = check_files(options.index)
    if options.json:
        print_json({"path": options.index, "whole": not faults, "faults": faults})
    elif not faults:
        print(f"{safe(options.index)} is whole")
    for fault in faults:
        print(f"coldseek: {safe(fault)}", file=sys.stderr)
    return 1 if faults else 0
