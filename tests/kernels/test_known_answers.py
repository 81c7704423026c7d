"""The known answers are of every kernel, are right here, and notice each number that a kernel gets wrong."""

import ctypes
import sys
from collections.abc import Callable
from typing import Any

import pytest

from coldseek_core.kernels import load
from coldseek_core.kernels.known_answers import wrong_answers
from coldseek_core.kernels.signatures import SIGNATURES
from kernels.recording import memory

RESULT = -1  # where an argument's place stands for what a kernel returns
# Working memory, which holds nothing afterwards that anyone reads: places of arguments.
WORKING = {
    "postings_top": {12, 13, 14, 15, 16},
    "mark_rows": {5},
    "tokenise": {12, 18, 19, 21, 22, 24},
    "enter_terms": {9},
    "enter_texts": {5},
    "weigh_terms": {24},
}
# What the kernel gives beside its result: places of arguments.
OUTPUTS = {
    "digest": set[int](),
    "fill_slots": {3},
    "front_code": {4, 6, 7},
    "postings_top": {17, 18},
    "score_rows": {9, 10, 11},
    "mark_rows": {6},
    "scan_top": {10, 11},
    "scan_many_top": {11, 12, 14},
    "similarity_rows": {9},
    "widen_floats": {2},
    "quantise_query": {2, 3},
    "quantise_rows": {3, 4, 5, 6},
    "tokenise": {14, 16, 26, 27, 28, 29, 30, 32},
    "enter_terms": {11, 13, 15, 16},
    "weigh_terms": {25, 26, 27, 29},
    "count_terms": {10, 11, 12, 13},
    "join_fields": {10, 11, 13},
    "place_postings": {13, 14},
    "pack_postings": {5, 7},
    "enter_texts": {7, 9, 11, 12},
    "separate_texts": {4, 6, 7},
}


class Spoiled:
    """Stands in for the kernels, and gets one number of one of them wrong."""

    def __init__(self, name: str, place: int) -> None:
        self.name = name
        self.place = place
        self.changed: set[int] = set()

    def __getattr__(self, name: str) -> Callable[..., int]:
        def call(*arguments: Any) -> int:
            if name != self.name:
                return getattr(load(), name)(*arguments)
            places = dict(memory(value) for value in sys._getframe(1).f_locals.values())
            before = {order: _held(places, value) for order, value in enumerate(arguments)}
            result = getattr(load(), name)(*arguments)
            for order, held in before.items():
                after = _held(places, arguments[order])
                if after != held:
                    self.changed.add(order)
                if order == self.place:
                    last = max(byte for byte in range(len(after)) if after[byte] != held[byte])
                    ctypes.c_uint8.from_address(arguments[order] + last).value ^= 0x40
            return result + 1 if self.place == RESULT else result

        return call


def _held(places: dict[int, int], value: int | None) -> bytes:
    return ctypes.string_at(value, places[value]) if value in places and value else b""


def test_all_are_right_here() -> None:
    assert wrong_answers(load()) == []


def test_kernels_that_do_nothing_are_wrong_one_and_all() -> None:
    class Idle:
        def __getattr__(self, name: str) -> Callable[..., int]:
            return lambda *_: -9

    idle: Any = Idle()
    assert sorted(wrong_answers(idle)) == sorted(SIGNATURES)


@pytest.mark.parametrize("name", SIGNATURES)
def test_outputs_are_all_named(name: str) -> None:
    spoiled: Any = Spoiled(name, len(SIGNATURES[name][1]))
    assert wrong_answers(spoiled) == []
    assert spoiled.changed == OUTPUTS[name] | WORKING.get(name, set())


@pytest.mark.parametrize(
    ("name", "place"), [(name, place) for name in SIGNATURES for place in sorted({RESULT, *OUTPUTS[name]})]
)
def test_one_wrong_number_is_noticed(name: str, place: int) -> None:
    spoiled: Any = Spoiled(name, place)
    assert wrong_answers(spoiled) == [name]
