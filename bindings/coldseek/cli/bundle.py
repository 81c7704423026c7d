"""`coldseek bundle`."""

import argparse
import sys

from .query import print_json
from .terminal import BOLD, paint, safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..bundle import BundleReport


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "bundle",
        help="write a folder or zip that answers from an index, such as an AWS Lambda function",
        description="Write a folder, or a zip, that answers from an index where it is unpacked: coldseek's runtime, "
        "sealed kernels, the packages they need for the target, and the index, which is verified first. An AWS Lambda "
        "function of it has the handler coldseek.aws_lambda.handler. Needs pip.",
        epilog="example: coldseek bundle site.coldseek -o function.zip --python 3.13 --platform arm64",
    )
    parser.add_argument("index", metavar="INDEX", help="folder of the index")
    parser.add_argument(
        "-o", "--output", required=True, metavar="DIR", help="a new folder, or a new file that ends with .zip"
    )
    parser.add_argument("--python", metavar="X.Y", help="Python version of the target (the one that runs this)")
    parser.add_argument("--platform", metavar="P", help="of the target: x86_64, aarch64 or arm64 (this machine's)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_bundle)


def _bundle(options: argparse.Namespace) -> int:
    from ..bundle import write_bundle

    report = write_bundle(options.index, options.output, python=options.python, platform=options.platform)
    if options.json:
        print_json(report.to_dict())
        return 0
    for warning in report.warnings:
        print(f"coldseek: {safe(warning)}", file=sys.stderr)
    _print_report(report)
    return 0


def _print_report(report: "BundleReport") -> None:
    from ..bundle import HANDLER

    print(f"{paint(safe(report.path), BOLD)}: for Python {report.python} on {report.platform}")
    for name, size in report.parts:
        print(f"{size:>14,} bytes  {safe(name)}")
    zipped = f"; zipped {report.zip_bytes:,} bytes" if report.zip_bytes is not None else ""
    print(f"{report.folder_bytes:>14,} bytes  altogether{zipped}")
    print(f"handler for AWS Lambda: {HANDLER}")
