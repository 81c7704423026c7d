"""Which CPU levels are taken for granted: only what the CPU has and the operating system keeps."""

import pytest

from coldseek_core.kernels.levels import LEVELS, aarch64_levels, levels_of, x86_64_levels

# What a server CPU with AVX-512 VNNI answers: (leaf, subleaf) to EAX, EBX, ECX, EDX. A leaf's other bits are zero.
FULL = {
    (0, 0): [7, 0, 0, 0],
    (1, 0): [0, 0, sum(1 << bit for bit in (0, 9, 12, 13, 19, 20, 22, 23, 27, 28, 29)), 0],
    (7, 0): [0, sum(1 << bit for bit in (3, 5, 8, 16, 17, 28, 30, 31)), 1 << 11, 0],
    (0x80000000, 0): [0x80000001, 0, 0, 0],
    (0x80000001, 0): [0, 0, 1 << 0 | 1 << 5, 0],
}
ALL_STATE = 0b1110_0111

V2, V3, V4 = "x86-64-v2", "x86-64-v3", "x86-64-v4-vnni"

# (leaf, register, bit, levels that are left without it)
BITS = [
    *((1, 2, bit, []) for bit in (0, 9, 13, 19, 20, 23)),
    (0x80000001, 2, 0, []),
    *((1, 2, bit, [V2]) for bit in (12, 22, 27, 28, 29)),
    *((7, 1, bit, [V2]) for bit in (3, 5, 8)),
    (0x80000001, 2, 5, [V2]),
    *((7, 1, bit, [V3, V2]) for bit in (16, 17, 28, 30, 31)),
    (7, 2, 11, [V3, V2]),
]


def levels(registers: dict[tuple[int, int], list[int]], state: int = ALL_STATE) -> list[str]:
    uses_state = bool(registers[1, 0][2] >> 27 & 1)

    def xgetbv(number: int) -> int:
        assert number == 0
        assert uses_state, "XGETBV is an illegal instruction there"
        return state

    return x86_64_levels(lambda leaf, subleaf, register: registers[leaf, subleaf][register], xgetbv)


def changed(leaf: int, register: int, value: int) -> dict[tuple[int, int], list[int]]:
    registers = {question: list(answer) for question, answer in FULL.items()}
    registers[leaf, 0][register] = value
    return registers


def test_everything_offers_every_level() -> None:
    assert levels(FULL) == [V4, V3, V2] == levels_of("x86_64")


@pytest.mark.parametrize(("leaf", "register", "bit", "left"), BITS)
def test_each_missing_feature_takes_its_level_and_those_above(
    leaf: int, register: int, bit: int, left: list[str]
) -> None:
    assert levels(changed(leaf, register, FULL[leaf, 0][register] & ~(1 << bit))) == left


@pytest.mark.parametrize(
    ("state", "left"),
    [
        (0, [V2]),
        (0b001, [V2]),
        (0b011, [V2]),  # without the upper halves of YMM
        (0b101, [V2]),
        (0b111, [V3, V2]),
        (0b1110_0001, [V2]),
        (0b0110_0111, [V3, V2]),  # each part of the AVX-512 state alone is missing
        (0b1010_0111, [V3, V2]),
        (0b1100_0111, [V3, V2]),
        (0b1110_0110, [V4, V3, V2]),
    ],
)
def test_what_the_operating_system_does_not_keep_is_not_used(state: int, left: list[str]) -> None:
    assert levels(FULL, state) == left


def test_leaf_beyond_the_last_is_not_believed() -> None:
    """Such a leaf is answered with the last one's bits, whatever they mean."""
    assert levels(changed(0, 0, 6)) == [V2]
    assert levels(changed(0x80000000, 0, 0x80000000)) == []
    assert levels(changed(0x80000000, 0, 0)) == []


@pytest.mark.parametrize(
    ("bits", "left"),
    [
        (0, []),
        (1 << 1, ["aarch64"]),
        (1 << 20, []),
        (1 << 1 | 1 << 20, ["aarch64-dotprod", "aarch64"]),
        (~0 & ~(1 << 20), ["aarch64"]),
    ],
)
def test_arm_levels_follow_the_hardware_bits(bits: int, left: list[str]) -> None:
    assert aarch64_levels(bits) == left


def test_levels_belong_to_one_machine_each() -> None:
    machines = {owner for owner, _, _ in LEVELS.values()}
    assert sorted(level for owner in machines for level in levels_of(owner)) == sorted(LEVELS)
    assert levels_of("riscv64") == levels_of("") == []
