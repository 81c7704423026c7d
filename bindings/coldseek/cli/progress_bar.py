"""Progress bars on a terminal, one a stage, with a rate and the time that is left, for builds that need one."""

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

    bars: dict[str, tqdm[Any]] = {}

    def show(stage: str, done: int, total: int) -> None:
        if stage not in bars:
            unit = " files" if stage == "read" else " chunks"
            bars[stage] = tqdm(
                desc=stage, unit=unit, total=total, delay=_AFTER_SECONDS, leave=False, dynamic_ncols=True
            )
        bar = bars[stage]
        bar.update(done - bar.n)
        if done == total:
            bar.close()  # stages overlap: another one may be shown on the next line

    try:
        yield show
    finally:
        for bar in bars.values():
            bar.close()
