"""Check the scan kernels as a CPU with fewer instructions would compile them.

Usage: other_instruction.py FEATURE (or "none"): the one CPU feature that the kernels' source is told of. Compares with
the naive twins, small and large sizes, at the accumulators' bounds too; ends with status 0 if all are equal.
"""

import sys
from pathlib import Path
from unittest import mock

import llvmlite.binding as llvm
import numpy as np
from numba.core.registry import cpu_target

for _folder in ("core", "tests"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / _folder))

from coldseek_core.kernels.signatures import SIGNATURES  # noqa: E402
from kernels import kernel_calls, naive  # noqa: E402
from kernels.generated import Vectors, extreme_vectors, with_squares  # noqa: E402

SIZES = [*range(1, 71), 100, 128, 129, 192, 320, 512, 771, 1024, 1025, 1536, 4095, 4096, 4097, 4112, 20_000]


def restrict(feature: str) -> str:
    """Load the kernels' source as if the CPU had this feature alone; only the scan will be compiled.
    Returns the feature that the scan's instruction needs.
    """
    _ = cpu_target.target_context  # Numba itself must know the CPU as it is: it asks once
    with mock.patch.object(llvm, "get_host_cpu_features", return_value={feature: True}):
        from coldseek_core.kernels.multiply_add import INSTRUCTION
    for name in set(SIGNATURES) - {"scan_top", "scan_many_top", "similarity_rows"}:
        del SIGNATURES[name]
    return INSTRUCTION.feature


def check(vectors: Vectors) -> None:
    codes, remainders, squares, query, query_square = vectors
    plain = vectors.fine, squares
    size = codes.shape[1]
    wanted = list(range(len(codes)))
    expected = naive.similarity_rows(*plain, query.tolist(), query_square, wanted)
    got = kernel_calls.similarity_rows(codes, remainders, squares, query, query_square, wanted)
    assert got == expected, f"{size} dimensions: {got} instead of {expected}"
    top = kernel_calls.scan_top(codes, remainders, squares, range(len(codes)), query, query_square, None, 3)
    assert top == naive.scan_top(*plain, range(len(codes)), query.tolist(), query_square, None, 3), size
    queries = np.stack([query, -query, query[::-1], query, query // -2])
    asked = [int(np.square(one.astype(np.int64)).sum()) for one in queries]
    for one, many in zip(
        *(queries, kernel_calls.scan_many_top(codes, remainders, squares, range(len(codes)), queries, asked, None, 3)),
        strict=True,
    ):
        square = int(np.square(one.astype(np.int64)).sum())
        assert many == naive.scan_top(*plain, range(len(codes)), one.tolist(), square, None, 3), size


def main(feature: str) -> None:
    taken = restrict(feature)
    assert taken == ("" if feature == "none" else feature), taken
    for size in SIZES:
        random = np.random.default_rng(size)
        codes = random.integers(-128, 128, (4 if size > 5000 else 15, size)).astype(np.int8)
        query = random.integers(-16383, 16384, size).astype(np.int16)
        check(with_squares(codes, query, random.integers(-8, 8, codes.shape)))
        for pattern in ("equal", "alternating"):
            check(extreme_vectors(size, pattern, 4))
    print("equal")


if __name__ == "__main__":
    main(sys.argv[1])
