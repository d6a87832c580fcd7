"""Boilerpipe's two rule sets, the baseline that text block context is held against.

C. Kohlschütter, P. Fankhauser, W. Nejdl: "Boilerplate Detection using Shallow Text
Features", WSDM 2010, Algorithms 1 (densitometric) and 2 (number of words).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..extraction.algorithms.segmentation.text_segments import Segments

    Mask = npt.NDArray[np.bool_]
    Values = npt.NDArray[np.float64]


def _beside(values: Values) -> tuple[Values, Values]:
    """The values of the segments before and after; 0 outside of the page."""
    padded = np.concatenate(([0.0], values, [0.0]))
    return padded[:-2], padded[2:]


def num_words_rules(segments: Segments) -> Mask:
    """Algorithm 2: which segments are main content by link density and word counts."""
    words = segments.words.astype(np.float64)
    words_before, words_after = _beside(words)
    links_before, _ = _beside(segments.link_density)
    after_text = (words > 16) | (words_after > 15) | (words_before > 4)
    after_links = (words > 40) | (words_after > 17)
    main: Mask = np.where(links_before <= 0.555556, after_text, after_links)
    return main & (segments.link_density <= 0.333333)


def density_rules(segments: Segments) -> Mask:
    """Algorithm 1: which segments are main content by link density and text density."""
    density = segments.word_density
    before, after = _beside(density)
    links_before, _ = _beside(segments.link_density)
    sparse = (after > 10) | (before > 4)
    after_text = np.where(density <= 9, sparse, after > 0)
    main: Mask = np.where(links_before <= 0.555556, after_text, after > 11)
    return main & (segments.link_density <= 0.333333)
