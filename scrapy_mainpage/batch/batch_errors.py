"""Errors of a whole input or of the run; anything less is a row with an error."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

PACKAGES: Final = {
    "batch": ("pyarrow", "fastwarc"),
    "spark": ("pyarrow", "fastwarc", "pyspark", "pandas"),
    "ray": ("pyarrow", "fastwarc", "ray", "pandas"),
}
"""Packages that each extra installs."""


class BatchError(Exception):
    """A file that cannot be read at all, or a run that cannot begin."""


class MissingExtraError(BatchError, ImportError):
    """A package that is not installed; the message names the extra to install."""


def require(extra: str) -> None:
    """Raise :exc:`.MissingExtraError` unless the packages of *extra* are installed."""
    missing = [name for name in PACKAGES[extra] if find_spec(name) is None]
    if missing:
        problem = f"{' and '.join(missing)} not installed"
        raise MissingExtraError(f"{problem}: pip install 'scrapy-mainpage[{extra}]'")
