"""Calls of kernels with all the memory that they read and write, to be made again by other code for the kernels."""

import ctypes
import sys
from collections.abc import Callable
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from coldseek_core.kernels import Kernels
from coldseek_core.kernels.known_answers import wrong_answers
from coldseek_core.kernels.signatures import SIGNATURES
from kernels import kernel_calls
from kernels.generated import Vectors, extreme_vectors, with_squares
from kernels.text_calls import call_text_kernels


class Call(NamedTuple):
    """One call: numbers as they are, memory as its bytes before the call; the result, and that memory after it."""

    name: str
    arguments: list[int | bytes]
    result: int
    after: list[bytes]


class Recorder:
    """Stands in for the kernels, and notes each call with the memory behind its pointers."""

    def __init__(self, kernels: Kernels) -> None:
        self.kernels = kernels
        self.calls: list[Call] = []

    def __getattr__(self, name: str) -> Callable[..., int]:
        def call(*arguments: Any) -> int:
            held = [memory(value) for value in sys._getframe(1).f_locals.values()]
            places = {address: size for address, size in held if size}
            is_pointer = [kind.endswith("*") for kind in SIGNATURES[name][1]]

            def contents() -> list[Any]:
                pairs = zip(is_pointer, arguments, strict=True)
                return [ctypes.string_at(v, places[v]) if pointer and v else v for pointer, v in pairs]

            before = contents()
            result = getattr(self.kernels, name)(*arguments)
            self.calls.append(Call(name, before, result, [held for held in contents() if isinstance(held, bytes)]))
            return result

        return call


def memory(value: Any) -> tuple[int, int]:
    """Address and size of what an array holds; no size for anything else."""
    if isinstance(value, np.ndarray):
        return value.ctypes.data, value.nbytes
    if isinstance(value, ctypes.Array):
        return ctypes.addressof(value), ctypes.sizeof(value)
    return 0, 0


def replay(kernels: Kernels, call: Call) -> tuple[int, list[bytes]]:
    """Make a call again; what it gives, and what it leaves in memory."""
    buffers = [ctypes.create_string_buffer(a, len(a)) if isinstance(a, bytes) else a for a in call.arguments]
    passed = [ctypes.addressof(b) if isinstance(b, ctypes.Array) else b for b in buffers]
    result = getattr(kernels, call.name)(*passed)
    return result, [buffer.raw for buffer in buffers if isinstance(buffer, ctypes.Array)]


def record_calls(kernels: Kernels) -> list[Call]:
    """Calls of every kernel on ordinary, extreme and hostile input."""
    recorder: Any = Recorder(kernels)
    with mock.patch.object(kernel_calls, "load", return_value=recorder):
        assert wrong_answers(recorder) == []
        _call_terms()
        _call_postings()
        _call_scan()
        _call_quantise()
    call_text_kernels(recorder)
    return recorder.calls


def _call_terms() -> None:
    random = np.random.default_rng(1)
    for length in (0, 1, 7, 64, 1000):
        kernel_calls.digest(random.bytes(length))
    terms = sorted({f"term{number}".encode() for number in random.integers(0, 5000, 900)} | {b"", b"\0", b"\xff" * 40})
    keys, blocks = kernel_calls.front_code(terms)
    kernel_calls.find_terms([*terms[::7], b"absent", b"term", b""], keys, blocks, len(terms))
    noise = [random.bytes(int(random.integers(0, 90))) for _ in blocks]
    kernel_calls.find_terms(terms[::19], keys, noise, len(terms))
    kernel_calls.front_code(terms, 512)  # more than there is room for
    kernel_calls.fill_slots(terms, 2048)
    kernel_calls.fill_slots(terms, 512)  # more terms than places


def _call_postings() -> None:
    random = np.random.default_rng(2)
    row_count = 3 * kernel_calls.BLOCK + 17
    dfs = [3000, 1, 20_000, 0, 700]
    rows = [np.sort(random.choice(row_count, df, replace=False)).tolist() for df in dfs]
    terms = [[(row, int(random.integers(1, 2**16))) for row in held] for held in rows]
    weights = random.integers(1, 2**22, len(dfs)).tolist()
    bitmap = random.bytes((row_count + 7) // 8)
    for kept in (None, bitmap):
        for given in (None, weights):
            for skipping in (True, False):
                kernel_calls.postings_top(terms, given, row_count, kept, 40, skipping)
    wanted = [*random.integers(0, row_count, 90).tolist(), -1, row_count, 2**40, terms[0][0][0]]
    kernel_calls.score_rows(terms, weights, [1, 0, 1, 1, 0], wanted)
    kernel_calls.mark_rows(terms, row_count)
    # What no index holds: rows in no order and groups that are cut off, places beyond the end.
    hostile = random.integers(0, 7, 500)
    places = [-5, 490, 2**62, 0, 100]
    counts = [10, 100, 2**62, -1, 50]
    kernel_calls.postings_top_of_words(hostile, places, counts, weights, 1000, None, 9)
    kernel_calls.score_rows_of_words(hostile, places, counts, weights, [1] * 5, [0, 1, 999])
    kernel_calls.mark_rows_of_words(hostile, places, counts, 1000)


def _call_scan() -> None:
    random = np.random.default_rng(3)
    for size in (*range(1, 67), 100, 128, 192, 383, 384, 512, 771, 1024, 1025, 4097):
        codes = random.integers(-128, 128, (9, size)).astype(np.int8)
        codes[4] = 0
        codes[7] = codes[2]
        query = random.integers(-16383, 16384, size).astype(np.int16)
        _scan(with_squares(codes, query, random.integers(-8, 8, codes.shape)))
    for size in (31, 2055, 9000):
        for pattern in ("equal", "alternating"):
            _scan(extreme_vectors(size, pattern, 5))


def _scan(vectors: Vectors) -> None:
    codes, remainders, squares, query, query_square = vectors
    rows = len(codes)
    for bitmap in (None, b"\xb5\xff"):
        kernel_calls.scan_top(codes, remainders, squares, range(rows), query, query_square, bitmap, 4)
        queries = np.stack([query, -query, query[::-1], query // 3, query, query // -2])[: 6 if rows == 9 else 5]
        asked = [int(np.square(one.astype(np.int64)).sum()) for one in queries]
        kernel_calls.scan_many_top(codes, remainders, squares, range(rows), queries, asked, bitmap, 4)
    wanted = [*range(rows), -1, rows, 2**40]
    kernel_calls.similarity_rows(codes, remainders, squares, query, query_square, wanted)


def _call_quantise() -> None:
    random = np.random.default_rng(4)
    kernel_calls.widen_floats(random.standard_normal(67).astype(np.float32).tobytes())
    kernel_calls.widen_floats(np.array([np.inf, -0.0, 1e-45, np.nan], np.float32).tobytes())
    for scale in (1.0, 1e-300, 5e-324, 1e300, 1.7e308, 3e-5):
        rows = (random.standard_normal((5, 67)).clip(-1, 1) * scale).tolist()
        kernel_calls.quantise_rows(rows, 67)
        kernel_calls.quantise_query(rows[0])
    ties = [(number + 0.5) / 127 for number in range(-127, 127)]
    kernel_calls.quantise_rows([ties, [0.0] * 254, [-0.0] * 254], 254)
    for odd in (float("nan"), float("inf"), float("-inf")):
        kernel_calls.quantise_rows([[1.0, 2.0], [odd, 1.0], [3.0, 4.0]], 2)
        kernel_calls.quantise_query([1.0, odd])
    kernel_calls.quantise_query([])
