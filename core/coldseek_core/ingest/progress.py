"""How far a build is."""

from typing import Protocol


class Progress(Protocol):
    """Called as work is done: `stage` is "read", "count", "embed" or "write", `total` 0 where it is not known."""

    def __call__(self, stage: str, done: int, total: int) -> None: ...


def no_progress(stage: str, done: int, total: int) -> None:
    """For whoever does not want to know."""
    del stage, done, total
