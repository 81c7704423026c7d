"""Postings whose rows are bytes are verified, too: each fault is named with its place."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from coldseek_core.columns.posting_faults import posting_faults
from kernels.naive import posting_words

COUNT = 1301
CHUNKS = 32 * COUNT


def index_of(words: list[int], chunks: int = CHUNKS) -> Any:
    """What the verification reads of an index of one term in COUNT chunks."""
    columns: dict[str, Any] = {
        "word": np.array(words, np.uint16),
        "df": np.array([COUNT], np.uint32),
        "start": np.zeros(1, np.int64),
    }
    return SimpleNamespace(
        manifest={"counts": {"chunks": chunks, "postings": COUNT}},
        numbers=lambda _, column: SimpleNamespace(view=memoryview(columns[column])),
    )


def sound_words() -> list[int]:
    """Every 32nd row: a header, at 3 the directory, 8 rows in each stretch up to the last, at 259 the low bytes 0, 32
    and so on to 224, behind the last one a zero, and at 910 the impacts."""
    return posting_words([[(32 * order, order % 7 + 1) for order in range(COUNT)]])[0]


def test_sound_postings_have_no_faults() -> None:
    assert list(posting_faults(index_of(sound_words()))) == []


@pytest.mark.parametrize(
    ("place", "value", "fault"),
    [
        (2, 9, "row 2 is the largest impact 9, the group's is 7"),
        (3, 1, "row 3 is 1, expected 0 at the beginning of a directory"),
        (4, 20, "row 5 is 16, after 20 in the same directory"),
        (258, 1302, "row 258 is 1302, the group has 1301 rows"),
        (259, 0, "row 259 holds the row 0, after 0 in the same group"),
        (263, 0, "row 263 holds the row 256, after 256 in the same group"),
        (909, 0x1280, "row 909 has 18 behind the last row of its group, expected 0"),
        (910, 0, "row 910 is the impact 0, expected 1 or more"),
    ],
)
def test_what_is_wrong_is_named(place: int, value: int, fault: str) -> None:
    words = sound_words()
    words[place] = value
    assert list(posting_faults(index_of(words))) == [f"postings.word at {fault}"]


def test_a_row_beyond_the_last_chunk_is_found() -> None:
    found = list(posting_faults(index_of(sound_words(), 41_600)))
    assert found == ["postings.word at row 0 begins a group with the row 41600, there are 41600 chunks"]


def test_a_group_that_is_cut_off_is_found() -> None:
    found = list(posting_faults(index_of(sound_words()[:-1])))
    assert found == ["postings.word at row 0 begins no group: term 0 has 1301 postings more"]
