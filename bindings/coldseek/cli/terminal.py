"""Plain output for people: colour where there is a terminal, and text that cannot command it."""

import io
import os
import shutil
import sys

BOLD, DIM, GREEN, YELLOW, CYAN, MATCH = "1", "2", "32", "33", "36", "1;33"


def prepare_output() -> None:
    """Make printing never fail for a character that the terminal's encoding lacks, nor for a stream that is closed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - lives as long as the process
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def uses_colour() -> bool:
    """Whether standard output is a terminal that wants colour (NO_COLOR is honoured)."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if uses_colour() else text


def safe(text: str) -> str:
    """`text` without control characters: a document must not command the reader's terminal."""
    return "".join(
        char if char in "\n\t" or (char.isprintable() or char == " ") else "\ufffd" for char in text
    ).expandtabs(4)


def one_line(text: str, width: int) -> str:
    """`text` on one line of at most `width` characters."""
    line = " ".join(safe(text).split())
    return line if len(line) <= width else line[: max(1, width - 1)].rstrip() + "…"


def width() -> int:
    return min(max(40, shutil.get_terminal_size((100, 24)).columns), 120)
