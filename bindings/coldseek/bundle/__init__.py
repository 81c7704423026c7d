"""Bundles: a folder or zip with an index and what answers from it, for an AWS Lambda function or any Python."""

from .write import HANDLER, BundleReport, write_bundle

__all__ = ["HANDLER", "BundleReport", "write_bundle"]
