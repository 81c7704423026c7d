"""The hash table of stop words: `fill_slots` writes it, and `tokenise` looks each new text up in it."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core.kernels import load
from coldseek_core.kernels.token_layout import STOP_TOKEN
from kernels import kernel_calls, naive
from kernels.text_calls import tokenise

WORD = st.text("abc", min_size=1, max_size=4).map(str.encode)
# Few bytes, so that prefixes, empty words and equal hashes of a small table are frequent.
ANY = st.binary(max_size=5) | st.sampled_from([b"", b"\0", b"\0\0", b"a", b"ab"]) | WORD


def table_size(words: int) -> int:
    size = 8
    while size < 2 * words:
        size *= 2
    return size


def are_stop_words(text: Sequence[bytes], words: Sequence[bytes], slots: Sequence[int]) -> list[bool]:
    """Of each word of a text whether it is one of the stop words."""
    tables = np.zeros(0, np.uint32)
    found, (_, _, _, kinds, _), _ = tokenise(load(), b" ".join(text), tables, 0, 400, words, slots)
    assert found == len(text)
    return [kind >= STOP_TOKEN for kind in kinds[:found].tolist()]


@given(st.sets(ANY, max_size=40).map(sorted))
def test_fill_slots_equals_twin(words: list[bytes]) -> None:
    size = table_size(len(words))
    assert kernel_calls.fill_slots(words, size) == naive.fill_slots(words, size)


@given(st.lists(ANY, max_size=12), st.sampled_from([1, 2, 4, 8]))
def test_fill_slots_of_a_table_too_small(words: list[bytes], size: int) -> None:
    assert kernel_calls.fill_slots(words, size) == naive.fill_slots(words, size)


@given(st.sets(WORD, max_size=40).map(sorted), st.lists(WORD, min_size=1, max_size=10))
def test_stop_words_are_found_and_others_are_not(words: list[bytes], text: list[bytes]) -> None:
    text += words[::2]
    slots = naive.fill_slots(words, table_size(len(words)))
    assert are_stop_words(text, words, slots) == [word in words for word in text]


@given(st.sets(WORD, min_size=1, max_size=40).map(sorted), st.lists(WORD, max_size=10))
def test_every_word_of_a_full_table_is_found_and_a_probe_ends(words: list[bytes], text: list[bytes]) -> None:
    size = 1
    while 2 * size <= len(words):
        size *= 2
    held = words[:size]
    slots = naive.fill_slots(held, size)
    assert 0 not in slots
    assert are_stop_words(held + text, held, slots) == [word in held for word in held + text]


def test_no_table_at_all() -> None:
    assert are_stop_words([b"a", b"b"], [b"a"], []) == [False, False]


def test_a_slot_beyond_the_words_matches_nothing_and_the_probe_goes_on() -> None:
    slots = naive.fill_slots([b"a"], 8)
    home = slots.index(1)
    slots[home], slots[(home + 1) % 8] = 2**32 - 1, 1
    assert are_stop_words([b"a"], [b"a"], slots) == [True]
