"""What the learned default sees of a text block: all features of all blocks at once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from ..document import read_tree
from .blocks import block_features, page_features, position_features
from .body import body_features
from .containers import block_ancestors, container_features
from .declared import declared_features
from .groups import group_features, read_keys
from .neighbours import neighbour_features
from .records import record_features
from .repetition import number_texts, repetition_features
from .sections import section_features
from .systems import system_features

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from ..document import Document

    Columns = dict[str, npt.NDArray[np.float32]]


def compute_features(document: Document) -> Columns:
    """A column of one value per text block for each feature, by its name."""
    keys, texts = read_keys(document), number_texts(document)
    ancestors = block_ancestors(document)
    columns: Columns = {}
    columns.update(block_features(document))
    columns.update(neighbour_features(columns))
    columns.update(position_features(document))
    columns.update(container_features(document, ancestors))
    columns.update(repetition_features(document, keys, texts))
    columns.update(system_features(document))
    columns.update(declared_features(document))
    columns.update(section_features(document))
    columns.update(group_features(document, keys))
    columns.update(body_features(document, keys, ancestors))
    columns.update(record_features(document, keys, texts[0]))
    columns.update(page_features(document))
    return columns


@cache
def feature_names() -> tuple[str, ...]:
    """The names of all features: the same, in the same order, for every page."""
    return tuple(compute_features(read_tree(etree.Element("html"))))


def feature_matrix(document: Document, names: Sequence[str]) -> npt.NDArray[np.float32]:
    """The features called *names* as a matrix with a row per text block."""
    columns = compute_features(document)
    matrix = np.empty((document.n_blocks, len(names)), np.float32)
    for k, name in enumerate(names):
        matrix[:, k] = columns[name]
    return matrix
