"""The group of blocks with the most prose, and its distance from each block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tests.extraction.learned.features.reference.blocks import last_marked, weights
from tests.extraction.learned.features.reference.numbering import of_blocks

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document
    from tests.extraction.learned.features.reference.groups import PlaceKeys

    Columns = dict[str, npt.NDArray[np.float32]]
    Ints = npt.NDArray[np.int32]
    Mask = npt.NDArray[np.bool_]

PROSE: Final = 8
"""Words; blocks with more count for the choice of the group."""

SHORT: Final = 3
"""Words; blocks of the group with no more do not mark where it lies."""

FAR: Final = 300
LEVELS: Final = (1, 2, 3, 4)


def body_features(document: Document, keys: PlaceKeys, ancestors: Ints) -> Columns:
    """How far it is to the group, how much of it came before, which container holds it.

    *ancestors* has a row per level (see :mod:`.containers`).
    """
    body, share = _body(document, keys)
    n, index = document.n_blocks, np.arange(document.n_blocks)
    at = np.flatnonzero(body)
    words = np.concatenate(([0.0], np.cumsum(body * weights(document))))
    count = np.concatenate(([0], np.cumsum(body)))
    total = max(float(words[-1]), 1.0)
    first = document.elements.first_block[ancestors]
    end = document.elements.end_block[ancestors]
    held = (count[end] - count[first] > 0) & bool(len(at))
    inside = (words[end] - words[first]) / total
    previous = last_marked(at, n)
    following = n - 1 - last_marked(n - 1 - at[::-1], n)[::-1]
    beyond = np.zeros(n)
    if len(at):
        beyond = np.maximum(index - at[-1], 0) + np.minimum(index - at[0], 0)
    columns = {
        "body_is": body,
        "body_since": np.where(previous >= 0, np.minimum(index - previous, FAR), FAR),
        "body_until": np.where(following < n, np.minimum(following - index, FAR), FAR),
        "body_beyond": beyond,
        "body_share": np.full(n, share),
        "body_count": np.full(n, len(at)),
        "body_before": words[:-1] / total,
        "body_up": np.where(held.any(axis=0), held.argmax(axis=0), len(held)),
    }
    columns |= {f"body_in{level}": inside[level] for level in LEVELS}
    return {name: np.asarray(c, np.float32) for name, c in columns.items()}


def _body(document: Document, keys: PlaceKeys) -> tuple[Mask, float]:
    """The blocks of the group, and the share of the page's words that is its prose."""
    blocks, words = document.blocks, weights(document)
    none = np.zeros(len(words), bool)
    if not len(words):
        return none, 0.0
    group, _, size = of_blocks(keys.three, blocks.element)
    unlinked = 1 - blocks.linked_words / np.maximum(blocks.words, 1)
    prose = np.bincount(group, words * unlinked * (words > PROSE), len(size))
    best = int(prose.argmax())
    if prose[best] <= 0:
        return none, 0.0
    share = float(prose[best]) / max(float(words.sum()), 1.0)
    return (group == best) & (words > SHORT), share
