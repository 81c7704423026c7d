"""The term hash table: `fill_slots` builds it, `find_term` probes it, here as `weigh_terms` calls it."""

from hypothesis import given
from hypothesis import strategies as st

from kernels import kernel_calls, naive

# Few bytes, so that prefixes, empty terms and equal hashes of a small table are frequent.
TERMS = (
    st.binary(max_size=5) | st.sampled_from([b"", b"\0", b"\0\0", b"a", b"ab"]) | st.text(max_size=8).map(str.encode)
)
DICTIONARIES = st.sets(TERMS, max_size=40).map(sorted)


def table_size(terms: int) -> int:
    size = 8
    while size < 2 * terms:
        size *= 2
    return size


@given(DICTIONARIES)
def test_fill_slots_equals_twin(terms: list[bytes]) -> None:
    size = table_size(len(terms))
    assert kernel_calls.fill_slots(terms, size) == naive.fill_slots(terms, size)


@given(st.lists(TERMS, max_size=12), st.sampled_from([1, 2, 4, 8]))
def test_fill_slots_of_a_table_too_small(terms: list[bytes], size: int) -> None:
    assert kernel_calls.fill_slots(terms, size) == naive.fill_slots(terms, size)


@given(DICTIONARIES, st.lists(TERMS, max_size=10), st.data())
def test_find_terms_equals_twin(terms: list[bytes], unknown: list[bytes], data: st.DataObject) -> None:
    known = data.draw(st.lists(st.sampled_from(terms), max_size=10)) if terms else []
    query = data.draw(st.permutations(unknown + known))
    slots = naive.fill_slots(terms, table_size(len(terms)))
    assert kernel_calls.find_terms(query, slots, terms) == naive.find_terms(query, terms)


@given(DICTIONARIES.filter(bool), st.lists(TERMS, max_size=10))
def test_every_term_of_a_full_table_is_found_and_a_probe_ends(terms: list[bytes], unknown: list[bytes]) -> None:
    size = 1
    while 2 * size <= len(terms):
        size *= 2
    held = terms[:size]
    slots = naive.fill_slots(held, size)
    assert 0 not in slots
    query = held + unknown
    assert kernel_calls.find_terms(query, slots, held) == naive.find_terms(query, held)


def test_no_table_at_all() -> None:
    assert kernel_calls.find_terms([b"a", b""], [], [b"a"]) == [-1, -1]


def test_slot_beyond_the_terms_matches_nothing_and_the_probe_goes_on() -> None:
    slots = naive.fill_slots([b"a"], 8)
    home = slots.index(1)
    slots[home], slots[(home + 1) % 8] = 2**32 - 1, 1
    assert kernel_calls.find_terms([b"a"], slots, [b"a"]) == [0]
