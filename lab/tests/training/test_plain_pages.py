"""Small made-up pages as training data."""

from __future__ import annotations

import numpy as np

from lab.training.plain_pages import PARTS, make_plain_page
from scrapy_mainpage.label import Label


def test_each_block_has_the_label_of_the_part_around_it() -> None:
    draw = np.random.RandomState(1)
    seen: set[Label] = set()
    for _ in range(60):
        document, labels = make_plain_page(draw)
        assert len(labels) == document.n_blocks
        for block, label in enumerate(labels):
            element = int(document.blocks.element[block])
            tags = set()
            while element >= 0:
                tags.add(document.tag_name(element))
                element = int(document.elements.parent[element])
            assert ("article" in tags) == label.is_main
            assert label is Label.FORM or "form" not in tags
        seen.update(labels)
    assert seen == {*PARTS, Label.PARAGRAPH}
