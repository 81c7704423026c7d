"""The dictionary: `front_code` makes blocks of terms, `find_term` looks in them, here as `weigh_terms` calls it."""

from hypothesis import example, given
from hypothesis import strategies as st

from kernels import kernel_calls, naive

# Few bytes, so that prefixes, empty terms and equal keys are frequent, and lengths near those that go on behind a tag.
LENGTHS = st.sampled_from([*range(6), 7, 8, 9, 14, 15, 16, 30, 269, 270, 271, 525, 600])
LONG = st.builds(
    lambda start, length, end: start + b"x" * length + end, st.binary(max_size=2), LENGTHS, st.binary(max_size=1)
)
TERMS = (
    st.binary(max_size=5)
    | st.sampled_from([b"", b"\0", b"\0\0", b"a", b"ab", b"\xff" * 8, b"\xff" * 9])
    | st.text(max_size=8).map(str.encode)
    | LONG
)
SHORT = st.text("ab\0", max_size=6).map(str.encode)
DICTIONARIES = st.sets(TERMS, max_size=40).map(sorted) | st.sets(SHORT, max_size=150).map(sorted)


@given(DICTIONARIES)
@example([])
@example([b"a" * size for size in range(97)])
def test_front_code_equals_twin(terms: list[bytes]) -> None:
    made = kernel_calls.front_code(terms)
    assert made == naive.front_code(terms)
    assert naive.decode_terms(made[1]) == terms


@given(DICTIONARIES, st.integers(0, 60))
def test_what_has_no_room_is_not_written(terms: list[bytes], capacity: int) -> None:
    """And how much all would take is told."""
    keys, blocks = naive.front_code(terms)
    made = kernel_calls.front_code(terms, capacity)
    assert made[0] == keys
    assert b"".join(made[1]) == b"".join(blocks)[:capacity]


@given(DICTIONARIES, st.lists(TERMS | SHORT, max_size=10), st.data())
def test_find_term_equals_twin(terms: list[bytes], unknown: list[bytes], data: st.DataObject) -> None:
    known = data.draw(st.lists(st.sampled_from(terms), max_size=10)) if terms else []
    near = [term[:-1] for term in known] + [term + b"\0" for term in known]
    query = unknown + known + near
    assert kernel_calls.find_terms(query, *naive.front_code(terms), len(terms)) == naive.find_terms(query, terms)


@given(st.sampled_from([b"", b"prefix-of-every-term-", b"\xff" * 12]), st.integers(1, 1000))
def test_every_term_of_many_blocks_is_found(prefix: bytes, count: int) -> None:
    """Whether their keys differ or are all the same; and nothing between them."""
    terms = [prefix + f"{number:05}".encode() for number in range(0, 2 * count, 2)]
    query = terms[::3] + [prefix + f"{number:05}".encode() for number in range(1, 2 * count, 7 if count > 7 else 2)]
    assert kernel_calls.find_terms(query, *naive.front_code(terms), count) == naive.find_terms(query, terms)


def test_terms_that_each_begin_with_the_one_before() -> None:
    """Where a block's first term ends, a query that goes on with any byte is behind it."""
    terms = [b"a" * size + end for size in range(1, 120) for end in (b"", b"\0")]
    query = [*terms, *(term + end for term in terms for end in (b"\0", b"\x11", b"b", b"a\0"))]
    assert kernel_calls.find_terms(query, *naive.front_code(terms), len(terms)) == naive.find_terms(query, terms)


def test_no_blocks_at_all() -> None:
    assert kernel_calls.find_terms([b"a", b""], [], [], 0) == [-1, -1]


def test_terms_beyond_those_that_there_are_are_not_found() -> None:
    terms = [bytes([letter]) for letter in range(97, 107)]
    assert kernel_calls.find_terms([b"c", b"d", b"j"], *naive.front_code(terms), 3) == [2, -1, -1]


def test_spoilt_blocks_hide_terms_and_nothing_more() -> None:
    """Offsets out of order and a tag that goes on beyond the end."""
    keys, (block,) = naive.front_code([b"a", b"ab", b"b"])
    assert kernel_calls.find_terms([b"a", b"ab", b"b"], keys, [block[:-1]], 3) == [0, 1, -1]
    assert kernel_calls.find_terms([b"a", b"b"], keys, [b"\x01a\xff\xff\xff\xff"], 3) == [0, -1]
    assert kernel_calls.find_terms([b"a"], keys, [b""], 3) == [-1]
