"""Compiled kernels: everything that runs once per posting, per vector or per byte."""

from .loader import Kernels, digest, load, recheck

__all__ = ["Kernels", "digest", "load", "recheck"]
