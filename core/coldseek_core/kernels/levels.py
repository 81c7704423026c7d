"""CPU levels that kernels are sealed for, and which of them a CPU and its operating system offer.

A CPU is asked for its features, never for its model's name. On x86-64 that is CPUID, and XGETBV for the registers that
the operating system keeps (Intel's Software Developer's Manual, volume 2A, CPUID; the levels are those of the x86-64
psABI). On Arm it is the auxiliary vector's hardware bits, which Linux sets (Linux, `asm/hwcap.h` of arm64).
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    # (leaf, subleaf, register 0 to 3 for EAX to EDX) to the register's value
    Cpuid = Callable[[int, int, int], int]
    # register number to its value; only asked if CPUID says that the operating system uses it
    Xgetbv = Callable[[int], int]

# level: (machine as `uname` says it, LLVM's CPU, its features that kernels' source may ask for). Best first.
LEVELS: "dict[str, tuple[str, str, str]]" = {
    "x86-64-v4-vnni": ("x86_64", "x86-64-v4", "+avx512bw,+avx512vnni"),
    "x86-64-v3": ("x86_64", "x86-64-v3", "+avx2"),
    "x86-64-v2": ("x86_64", "x86-64-v2", "+sse2"),
    "aarch64-dotprod": ("aarch64", "generic", "+neon,+dotprod"),
    "aarch64": ("aarch64", "generic", "+neon"),
}

JIT = "jit"

# What a sealed library of a machine answers about the CPU: symbol, result, arguments. On x86-64 it has helpers of its
# own, which run on every x86-64, whatever the library's level.
CPU_QUESTIONS: "dict[str, dict[str, tuple[str, str, tuple[str, ...]]]]" = {
    "x86_64": {
        "cpuid": ("coldseek_cpuid", "u32", ("u32", "u32", "u32")),  # leaf, subleaf, register
        "xgetbv": ("coldseek_xgetbv", "u64", ("u32",)),  # register number
    },
    "aarch64": {"getauxval": ("getauxval", "u64", ("u64",))},  # kind of entry
}

EAX, EBX, ECX, EDX = range(4)

# What each level adds: (leaf, subleaf, register, bits), and the bits of XCR0 that the operating system must have set.
_X86_64_V2 = (
    # SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF and SAHF
    (1, 0, ECX, 1 << 0 | 1 << 9 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 23),
    (0x80000001, 0, ECX, 1 << 0),
)
_OSXSAVE = (1, 0, ECX, 1 << 27)
_X86_64_V3 = (
    # FMA, MOVBE, AVX, F16C; BMI1, AVX2, BMI2; LZCNT
    (1, 0, ECX, 1 << 12 | 1 << 22 | 1 << 28 | 1 << 29),
    (7, 0, EBX, 1 << 3 | 1 << 5 | 1 << 8),
    (0x80000001, 0, ECX, 1 << 5),
)
_X86_64_V4_VNNI = (
    # AVX512F, DQ, CD, BW, VL; VNNI
    (7, 0, EBX, 1 << 16 | 1 << 17 | 1 << 28 | 1 << 30 | 1 << 31),
    (7, 0, ECX, 1 << 11),
)
_SSE_AND_AVX_STATE = 0b110  # XMM and the upper halves of YMM
_AVX512_STATE = 0b1110_0110  # those, mask registers, and both parts of ZMM

_AT_HWCAP = 16
_ASIMD, _ASIMDDP = 1 << 1, 1 << 20


def machine() -> str:
    """The architecture of this process as levels name it; empty where there are no levels: not Linux, or 32 bits."""
    if sys.platform != "linux" or sys.maxsize < 1 << 32:
        return ""
    return os.uname().machine


def levels_of(machine_name: str) -> list[str]:
    """All levels of an architecture, best first."""
    return [level for level, (owner, _, _) in LEVELS.items() if owner == machine_name]


def x86_64_levels(cpuid: "Cpuid", xgetbv: "Xgetbv") -> list[str]:
    """The levels that this CPU and its operating system offer, best first."""

    answers: dict[tuple[int, int, int], int] = {}

    def ask(leaf: int, subleaf: int, register: int) -> int:
        """Each question once: under a hypervisor an answer takes microseconds."""
        question = (leaf, subleaf, register)
        if question not in answers:
            answers[question] = cpuid(*question)
        return answers[question]

    def has(features: "tuple[tuple[int, int, int, int], ...]") -> bool:
        for leaf, subleaf, register, bits in features:
            # A leaf beyond the last is answered with that of another.
            if leaf > ask(leaf & 0x80000000, 0, EAX) or ask(leaf, subleaf, register) & bits != bits:
                return False
        return True

    if not has(_X86_64_V2):
        return []
    levels = ["x86-64-v2"]
    state = xgetbv(0) if has((_OSXSAVE,)) else 0
    if state & _SSE_AND_AVX_STATE == _SSE_AND_AVX_STATE and has(_X86_64_V3):
        levels.insert(0, "x86-64-v3")
        if state & _AVX512_STATE == _AVX512_STATE and has(_X86_64_V4_VNNI):
            levels.insert(0, "x86-64-v4-vnni")
    return levels


def aarch64_levels(hardware_bits: int) -> list[str]:
    """The levels that the auxiliary vector's AT_HWCAP offers, best first."""
    if not hardware_bits & _ASIMD:
        return []
    return ["aarch64-dotprod", "aarch64"] if hardware_bits & _ASIMDDP else ["aarch64"]


def offered_levels(library: "Any") -> list[str]:
    """The levels that this machine offers, best first. `library`: any sealed library of this architecture, loaded."""
    if machine() == "aarch64":
        return aarch64_levels(library.getauxval(_AT_HWCAP))
    return x86_64_levels(library.cpuid, library.xgetbv)
