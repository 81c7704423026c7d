"""The core of coldseek: text analysis, columns, kernels, search, ingestion and evaluation. Public API: `coldseek`."""

__version__ = "0.1.0"
