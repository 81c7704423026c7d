"""A progress bar on a terminal, with a rate and the time that is left, for builds long enough to need one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from coldseek_core.ingest.progress import Progress, no_progress

_AFTER_SECONDS = 1.0  # a build that is over sooner shows none


@contextmanager
def progress_bar(enabled: bool) -> "Iterator[Progress]":
    """A `Progress` that draws to standard error, or one that does nothing."""
    if not enabled:
        yield no_progress
        return
    from tqdm import tqdm

    bar: tqdm[Any] = tqdm(total=0, delay=_AFTER_SECONDS, leave=False, dynamic_ncols=True)

    def show(stage: str, done: int, total: int) -> None:
        if bar.desc != f"{stage}: ":
            bar.unit = " files" if stage == "read" else " chunks"
            bar.set_description(stage, refresh=False)
            bar.reset(total=total)
        bar.update(done - bar.n)

    try:
        yield show
    finally:
        bar.close()
