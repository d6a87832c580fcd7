"""Signals of the published systems, as features for the learned default."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scrapy_mainpage.extraction.algorithms.danag import line_lengths, main_lines, smooth
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import cut

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document

    Columns = dict[str, npt.NDArray[np.float32]]


def system_features(document: Document) -> Columns:
    """DANAg's smoothed density and choice; Kim's word density around the block."""
    line = document.blocks.line
    t1, t2 = line_lengths(document)
    content, code = smooth(t1), smooth(t2)
    share = content / np.maximum(content + code, 1)
    wide = smooth(content) / np.maximum(smooth(content) + smooth(code), 1)
    chosen = main_lines(t1, content - code, 20)
    density = cut(document, "boilerpipe").word_density
    columns = {
        "danag_share": share[line],
        "danag_wide_share": wide[line],
        "danag_chosen": chosen[line],
        "word_density": density,
        "word_density_before": np.concatenate(([0.0], density))[:-1],
        "word_density_after": np.concatenate((density, [0.0]))[1:],
    }
    return {name: np.asarray(c, np.float32) for name, c in columns.items()}
