"""Shortcuts from HTML to features."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from scrapy_mainpage.extraction.learned.features import FEATURE_NAMES, compute
from scrapy_mainpage.extraction.learned.learned import MARKUP
from tests.extraction.helpers import document_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.learned.learned import Forest

    Columns = dict[str, npt.NDArray[np.float32]]


def compute_features(document: Document) -> Columns:
    """A column of one value per text block for each feature, by its name."""
    return dict(zip(FEATURE_NAMES, compute(document), strict=True))


def rows_of(forest: Forest, document: Document) -> npt.NDArray[np.float32]:
    """The input of the trees: a row of features per block of *document*."""
    matrix, known = compute(document, forest.table), (*FEATURE_NAMES, MARKUP)
    return np.ascontiguousarray(matrix[[known.index(n) for n in forest.names]].T)


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
