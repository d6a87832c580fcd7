"""What the learned default sees of a text block: all features of all blocks at once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from ..document import read_tree
from .blocks import block_features, page_features, position_features
from .concepts import concept_features, read_tokens
from .containers import container_features
from .declared import declared_features
from .neighbours import neighbour_features
from .repetition import repetition_features
from .systems import system_features

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document

    Columns = dict[str, npt.NDArray[np.float32]]


def compute_features(document: Document) -> Columns:
    """A column of one value per text block for each feature, by its name."""
    tokens = read_tokens(document)
    columns: Columns = {}
    columns.update(block_features(document))
    columns.update(neighbour_features(columns))
    columns.update(position_features(document))
    columns.update(container_features(document))
    columns.update(concept_features(document, tokens))
    columns.update(repetition_features(document, tokens))
    columns.update(system_features(document))
    columns.update(declared_features(document))
    columns.update(page_features(document))
    return columns


@cache
def feature_names() -> tuple[str, ...]:
    """The names of all features: the same, in the same order, for every page."""
    return tuple(compute_features(read_tree(etree.Element("html"))))


def feature_matrix(
    document: Document, names: tuple[str, ...]
) -> npt.NDArray[np.float32]:
    """The features called *names* as a matrix with a row per text block."""
    columns = compute_features(document)
    matrix = np.empty((document.n_blocks, len(names)), np.float32)
    for k, name in enumerate(names):
        matrix[:, k] = columns[name]
    return matrix
