"""Shortcuts from HTML to features."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scrapy_mainpage.extraction.learned.features import compute_features
from tests.extraction.helpers import document_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Columns = dict[str, npt.NDArray[np.float32]]


def features_of(html: str) -> Columns:
    """All features of all blocks of *html*."""
    return compute_features(document_of(html))


def values(columns: Columns, name: str) -> list[float]:
    """A feature's values, rounded to single precision."""
    return [round(value, 5) for value in columns[name].tolist()]


def value(html: str, name: str) -> float:
    """A feature of the only block of *html*."""
    (only,) = values(features_of(html), name)
    return only


def told(columns: Columns, prefix: str) -> list[list[str]]:
    """Per block the names, without *prefix*, of its own features that are not 0."""
    own = [name for name in columns if not re.search(r"_[-+]\d|_mean\d", name)]
    names = [name for name in own if name.startswith(prefix)]
    size = len(columns[names[0]])
    return [
        [name.removeprefix(prefix) for name in names if columns[name][i]]
        for i in range(size)
    ]
