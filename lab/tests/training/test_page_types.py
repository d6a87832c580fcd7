"""Training of page types."""

from __future__ import annotations

import numpy as np
import pytest

from lab.tests.training.kinds import page_of
from lab.training import page_types
from lab.training.page_types import (
    cross_validate_types,
    fit_types,
    predict_type,
)
from lab.training.training_pages import TrainingPage
from scrapy_mainpage.extraction.learned.features import page_slots
from scrapy_mainpage.extraction.learned.page_types import PAGE_TYPES
from tests.extraction.helpers import document_of

NAMES = ("words", "page_words")
PAGES_A_TYPE = 18


def typed_pages() -> list[TrainingPage]:
    """Pages of each type: a name of the type, one of all, and words by the type."""
    found = []
    for kind, name in enumerate(PAGE_TYPES):
        document = document_of(f"<div class='page {name}kind'><p>a<p>b</div>")
        for k in range(PAGES_A_TYPE):
            words = 10.0 * (kind + 1) + k % 3
            page = page_of(
                np.array([[words, 2 * words]] * 2, np.float32),
                np.array([True, False]),
                site=f"{k}.example",
                type=name,
                document=document,
            )
            found.append(page)
    return found


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(page_types.PARAMETERS, "num_threads", 1)
    monkeypatch.setitem(page_types.PARAMETERS, "min_data_in_leaf", 5)


def test_types_that_differ_are_told_on_sites_never_seen() -> None:
    found = cross_validate_types(typed_pages(), NAMES, 3)
    assert found is not None
    assert sum(found.values()) == PAGES_A_TYPE * len(PAGE_TYPES)
    assert sum(found[kind, kind] for kind in PAGE_TYPES) >= 0.95 * sum(found.values())


def test_the_model_is_sound_and_tells_what_it_learned() -> None:
    pages = typed_pages()
    model = fit_types(pages, NAMES)
    assert model is not None
    assert model.is_sound(NAMES)
    # Every site has each slot, so it is known; only the markup separates the types.
    slots = [set(page_slots(page.document).tolist()) for page in pages]
    assert set(model.slots.tolist()) == set().union(*slots)
    for kind, page in enumerate(pages[::PAGES_A_TYPE]):
        assert int(model.markup(np.sort(page_slots(page.document))).argmax()) == kind
        assert predict_type(model, NAMES, page) == page.type
