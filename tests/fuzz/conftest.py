"""The sealed kernels that are fuzzed."""

from kernels.conftest import sealed_libraries as sealed_libraries
