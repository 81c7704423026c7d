"""How far a build is."""

from typing import Protocol


class Progress(Protocol):
    """Called as work is done: `done` of `total` files of the stage "read", or chunks of "count", "embed" and "write".

    Stages may overlap, and then calls come from several threads, but one at a time.
    """

    def __call__(self, stage: str, done: int, total: int) -> None: ...


def no_progress(stage: str, done: int, total: int) -> None:
    """For whoever does not want to know."""
    del stage, done, total
