"""Columns of texts are lists of texts, laid out in another way."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core.columns.texts import TextLists, Texts, sort_order
from coldseek_core.errors import UsageError

TEXT = st.text(alphabet="ab\0é試\U0001f9ca", max_size=4)
TEXTS = st.lists(TEXT, max_size=8)
LISTS = st.lists(TEXTS, max_size=6)


def order_for(data: st.DataObject, length: int, lowest: int = 0) -> list[int]:
    if length == 0:
        return []
    return data.draw(st.lists(st.integers(lowest, length - 1), max_size=9))


@given(TEXTS, TEXTS, st.data())
def test_texts(first: list[str], second: list[str], data: st.DataObject) -> None:
    joined = Texts.joined([Texts.of(first), Texts.of([]), Texts.of(second)])
    texts = [*first, *second]
    assert list(joined) == texts
    assert [joined[order] for order in range(len(joined))] == texts
    assert joined.sizes.tolist() == [len(text.encode()) for text in texts]
    assert joined.to_arrow().to_pylist() == texts
    start = data.draw(st.integers(0, len(texts)))
    stop = data.draw(st.integers(start, len(texts)))
    assert list(joined.cut(start, stop)) == texts[start:stop]
    order = order_for(data, len(texts), -1)
    assert list(joined.take(np.array(order, np.int64))) == ["" if place < 0 else texts[place] for place in order]
    numbers, count = joined.numbered()
    distinct = list(dict.fromkeys(texts))
    assert (numbers.tolist(), count) == ([distinct.index(text) for text in texts], len(distinct))


@given(st.lists(st.lists(TEXT, max_size=9), max_size=4), st.lists(st.integers(0, 40), max_size=4), st.data())
def test_gathered_from_parts(parts: list[list[str]], cuts: list[int], data: st.DataObject) -> None:
    """Stretches of them in another order, or every one anywhere."""
    texts = [text for part in parts for text in part]
    bounds = sorted({0, len(texts), *(min(cut, len(texts)) for cut in cuts)})
    stretches = [range(start, stop) for start, stop in pairwise(bounds)]
    order = [place for stretch in data.draw(st.permutations(stretches)) for place in stretch]
    for chosen in (order, order_for(data, len(texts))):
        gathered = Texts.gathered([Texts.of(part) for part in parts], np.array(chosen, np.int64))
        assert list(gathered) == [texts[place] for place in chosen]


@given(LISTS, LISTS, st.data())
def test_lists_of_texts(first: list[list[str]], second: list[list[str]], data: st.DataObject) -> None:
    joined = TextLists.joined([TextLists.of(first), TextLists.of(second)])
    lists = [*first, *second]
    assert list(joined) == lists
    assert joined.to_arrow().to_pylist() == lists
    start = data.draw(st.integers(0, len(lists)))
    stop = data.draw(st.integers(start, len(lists)))
    assert list(joined.cut(start, stop)) == lists[start:stop]
    order = order_for(data, len(lists))
    assert list(joined.take(np.array(order, np.int64))) == [lists[place] for place in order]
    numbers, count = joined.numbered()
    assert count == len(set(map(tuple, lists)))
    for one, left in zip(numbers.tolist(), lists, strict=True):
        assert [one == other for other in numbers.tolist()] == [left == right for right in lists]


@given(st.lists(st.tuples(TEXT, TEXT), max_size=9))
def test_order_by_bytes(pairs: list[tuple[str, str]]) -> None:
    order = sort_order(Texts.of([left for left, _ in pairs]), Texts.of([right for _, right in pairs]))
    expected = sorted(range(len(pairs)), key=lambda place: (pairs[place][0].encode(), pairs[place][1].encode()))
    assert order.tolist() == expected


@given(TEXT, st.integers(0, 5))
def test_one_text_repeated(text: str, count: int) -> None:
    assert list(Texts.repeated(text, count)) == [text] * count


def test_half_of_a_surrogate_pair() -> None:
    with pytest.raises(UsageError, match=r"'\\ud800', half of a surrogate pair"):
        Texts.of(["fine", "\ud800"])


def test_more_texts_than_are_encoded_at_a_time() -> None:
    texts = [f"é{number}" if number % 5000 == 1 else str(number) for number in range(20_000)]
    assert list(Texts.of(texts)) == texts
