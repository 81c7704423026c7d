"""Work that threads share comes in order, no further ahead than it should be, and fails where it failed."""

import threading
from collections.abc import Iterator

import pytest

from coldseek_core.ingest.in_order import in_order


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_come_in_order(workers: int) -> None:
    waiting = threading.Event()

    def work(item: int) -> int:
        if item == 0 and workers > 1:
            waiting.wait(5.0)  # the first one is the last to be done
        if item == 1:
            waiting.set()
        return item * item

    assert list(in_order(work, range(50), workers)) == [item * item for item in range(50)]
    assert list(in_order(work, [], workers)) == []


@pytest.mark.parametrize("workers", [1, 3])
def test_a_failure_comes_in_its_place(workers: int) -> None:
    def work(item: int) -> int:
        if item == 7:
            raise ValueError("seven")
        return item

    got: list[int] = []
    with pytest.raises(ValueError, match="seven"):
        got.extend(in_order(work, range(1000), workers))
    results = in_order(work, range(1000), workers)
    assert [next(results) for _ in range(7)] == list(range(7))


@pytest.mark.parametrize("workers", [1, 2])
def test_no_further_ahead_than_is_needed(workers: int) -> None:
    begun: list[int] = []

    def items() -> Iterator[int]:
        for item in range(1000):
            begun.append(item)
            yield item

    results = in_order(lambda item: item, items(), workers)
    assert next(results) == 0
    assert len(begun) <= 2 * workers + 1
    results.close()  # pyright: ignore[reportAttributeAccessIssue]
    assert len(begun) <= 2 * workers + 1
