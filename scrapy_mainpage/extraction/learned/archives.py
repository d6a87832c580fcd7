"""What the files of models have in common."""

from __future__ import annotations

import zlib
from typing import Final
from zipfile import BadZipFile

UNREADABLE: Final = (
    AttributeError,
    BadZipFile,
    EOFError,
    KeyError,
    TypeError,
    ValueError,
    zlib.error,
)
"""What NumPy raises for a file that is no archive of arrays, or lacks some of them."""
