"""What is wrong with a whole input, or with the run: anything less is a row."""

from __future__ import annotations


class BatchError(Exception):
    """A file that cannot be read at all, or work that cannot begin; it says why."""


class MissingExtraError(BatchError, ImportError):
    """A package that is not installed; the message names the extra that has it."""
