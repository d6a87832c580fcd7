"""The features as they were first written: with NumPy, and plain loops beside it.

The compiled features are measured by it, bit for bit. Nothing in it is compiled but the
document, the lines of DANAg and the segments, which have tests of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.extraction.learned.features.reference.blocks import (
    block_features,
    page_features,
    position_features,
)
from tests.extraction.learned.features.reference.body import body_features
from tests.extraction.learned.features.reference.containers import (
    block_ancestors,
    container_features,
)
from tests.extraction.learned.features.reference.declared import declared_features
from tests.extraction.learned.features.reference.groups import group_features, read_keys
from tests.extraction.learned.features.reference.neighbours import neighbour_features
from tests.extraction.learned.features.reference.records import record_features
from tests.extraction.learned.features.reference.repetition import (
    number_texts,
    repetition_features,
)
from tests.extraction.learned.features.reference.sections import section_features
from tests.extraction.learned.features.reference.systems import system_features

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document

    Columns = dict[str, npt.NDArray[np.float32]]


def reference_features(document: Document) -> Columns:
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
