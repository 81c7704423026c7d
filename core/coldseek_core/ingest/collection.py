"""When Python looks for cycles of objects that nothing else refers to."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Generator[None]:
    """Not now: where millions of objects are made and kept, and none in cycles, it would go through all of them again
    and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
