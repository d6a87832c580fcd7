"""Which packages the parts of a batch need, and the extra that installs them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from .errors import MissingExtraError

PACKAGES: Final = {
    "batch": ("pyarrow", "fastwarc"),
    "spark": ("pyarrow", "fastwarc", "pyspark", "pandas"),
    "ray": ("pyarrow", "fastwarc", "ray", "pandas"),
}


def need(extra: str) -> None:
    """Raise :exc:`.MissingExtraError` unless the packages of *extra* are installed."""
    missing = [name for name in PACKAGES[extra] if find_spec(name) is None]
    if missing:
        what = f"{' and '.join(missing)} not installed"
        raise MissingExtraError(f"{what}: pip install 'scrapy-mainpage[{extra}]'")
