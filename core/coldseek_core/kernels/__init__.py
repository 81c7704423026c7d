"""Compiled kernels: everything that runs once per posting, per vector or per byte."""

from .loader import Kernels, digest, load, recheck
from .signatures import BLOCK_ROWS

__all__ = ["BLOCK_ROWS", "Kernels", "digest", "load", "recheck"]
