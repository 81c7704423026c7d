"""`coldseek`: parses the command line and turns what goes wrong into one line with the way to mend it."""

import argparse
import os
import sys
import warnings

from coldseek_core import __version__
from coldseek_core.errors import ColdseekError

from ..lazy import missing_extra
from . import build, bundle, demo, evaluate, inspect, kernels, query
from .terminal import prepare_output, safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Exit statuses.
OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130

_EPILOG = """\
examples:
  coldseek demo                                   build an index of coldseek's own documentation and ask it
  coldseek build docs/ -o site.coldseek --base-url /docs
  coldseek retrieve site.coldseek "How do I deploy to GitHub Pages?"
  coldseek search site.coldseek ERR-7741X --mode lexical --top-k 3
  coldseek eval site.coldseek questions.yaml --min-hit-at-3 0.8

exit status: 0 done (a refusal is an answer), 1 failed or below a threshold, 2 wrong usage
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="coldseek",
        description='Exact hybrid search that answers from a cold process, and knows when to say "I don\'t know".',
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"coldseek {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (build, query, evaluate, inspect, bundle, kernels, demo):
        module.add_commands(commands)
    return parser


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run one command; returns the exit status."""
    warnings.simplefilter("ignore", DeprecationWarning)
    prepare_output()
    try:
        options = _parsed(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except ColdseekError as error:
        return _fail(str(error))
    except ImportError as error:
        mended = missing_extra(error, "this command")
        if mended is error:
            raise
        return _fail(str(mended))
    except BrokenPipeError:
        _abandon_output()  # whoever read our output has gone; that is no failure of ours
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    except RecursionError:
        return _fail("the input is nested too deeply to be read")
    except MemoryError:
        return _fail("there is not enough memory")
    except OSError as error:
        if error.filename is None:
            _abandon_output()  # writing what we print is the one thing here that fails without a file's name
        place = f"{error.filename}: " if error.filename else ""
        return _fail(f"{place}{error.strerror or error}")


def _parsed(arguments: "Sequence[str] | None") -> argparse.Namespace:
    try:
        return _parser().parse_args(arguments)
    except SystemExit:
        sys.stdout.flush()  # the help may be longer than its reader cares to read
        raise


def _abandon_output() -> None:
    """Send what is still unwritten nowhere: Python would try again at exit, and complain."""
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
    except (OSError, ValueError):
        return  # standard output is no file of the operating system


def _fail(message: str) -> int:
    """One line on standard error, in which nothing that came from outside commands the terminal."""
    print(f"coldseek: {' '.join(safe(message).split())}", file=sys.stderr)
    return FAILED
