"""Pages with less to go by, as the model of roles is trained on."""

from __future__ import annotations

import numpy as np

from lab.training.partial_pages import keep_parts, remove_names
from scrapy_mainpage.label import Label
from tests.extraction.helpers import block_texts

MENU = "<ul class=menu><li>Home</li><li>Away</li></ul>"
PAGE = (
    f"<nav id=top>{MENU}</nav><div><p>The miller.</p><p>The mill.</p></div>"
    "<footer><p>Imprint</p><div><p>Tarn</p> 2024</div></footer>"
).encode()
MAIN = np.array([False, False, True, True, False, False, False])
LABELS = {0: Label.NAVIGATION, 1: Label.NAVIGATION, 2: Label.PARAGRAPH, 4: Label.LEGAL}


def test_a_page_without_names_has_the_same_blocks() -> None:
    document = remove_names(PAGE)
    assert block_texts(document)[:3] == ["Home", "Away", "The miller."]
    values = [document.attributes_of(k) for k in range(document.n_elements)]
    assert not any(values)


def test_a_part_of_a_page_is_of_blocks_that_stay_as_they_are() -> None:
    texts = block_texts(remove_names(PAGE))
    kept_roles = set()
    for seed in range(20):
        part = keep_parts(PAGE, MAIN, LABELS, np.random.RandomState(seed))
        assert part
        document, kept = part
        assert block_texts(document) == [texts[k] for k in kept]
        assert 2 in kept
        kept_roles |= {LABELS.get(int(k)) for k in kept}
    assert {Label.NAVIGATION, Label.LEGAL} <= kept_roles


def test_a_page_without_a_role_has_no_parts() -> None:
    draw = np.random.RandomState(1)
    assert keep_parts(PAGE, MAIN, {2: Label.PARAGRAPH}, draw) is None
