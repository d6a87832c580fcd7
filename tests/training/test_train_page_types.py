"""Training of page types, and its cross-validation with sets left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from scrapy_mainpage.extraction.learned.features import feature_names
from scrapy_mainpage.extraction.learned.forest import Forest
from scrapy_mainpage.extraction.learned.page_types import PAGE_TYPES
from scrapy_mainpage.training import train_learned, train_page_types
from scrapy_mainpage.training.train_forest import cross_validate
from scrapy_mainpage.training.train_learned import groups_to_leave_out, leave_out
from scrapy_mainpage.training.train_page_types import (
    cross_validate_types,
    fit_types,
    predict_type,
    type_f1s,
)
from scrapy_mainpage.training.training_pages import TrainingPage
from tests.training.kinds import page_of

NAMES = ("words", "page_words")
PAGES_A_TYPE = 18


def typed_pages() -> list[TrainingPage]:
    """Pages of each type: a slot of the type, one of all, and words by the type."""
    found = []
    for kind, name in enumerate(PAGE_TYPES):
        for k in range(PAGES_A_TYPE):
            words = 10.0 * (kind + 1) + k % 3
            page = page_of(
                np.array([[words, 2 * words]] * 2, np.float32),
                np.array([True, False]),
                site=f"{k}.example",
                type=name,
                slots=(np.zeros(0, np.int32), np.zeros(3, np.int32)),
                page_slots=np.array([3, 100 + kind], np.int32),
            )
            found.append(page)
    return found


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(train_page_types.PARAMETERS, "num_threads", 1)
    monkeypatch.setitem(train_page_types.PARAMETERS, "min_data_in_leaf", 5)


def test_types_that_differ_are_told_on_sites_never_seen() -> None:
    found = cross_validate_types(typed_pages(), NAMES, 3)
    assert found is not None
    assert sum(found.values()) == PAGES_A_TYPE * len(PAGE_TYPES)
    assert sum(found[kind, kind] for kind in PAGE_TYPES) >= 0.95 * sum(found.values())


def test_f1_of_each_type_that_occurs() -> None:
    pairs = {("article", "article"): 3, ("article", "forum"): 1, ("forum", "forum"): 1}
    f1s = type_f1s(Counter(pairs))
    assert f1s == {"article": 6 / 7, "forum": 2 / 3}


def test_the_model_is_sound_and_tells_what_it_learned() -> None:
    pages = typed_pages()
    model = fit_types(pages, NAMES)
    assert model is not None
    assert model.is_sound(NAMES)
    # Every site has the slot, so it is known; only the markup separates the types.
    assert set(model.slots.tolist()) == {3, *range(100, 100 + len(PAGE_TYPES))}
    for kind, page in enumerate(pages[::PAGES_A_TYPE]):
        assert page.page_slots is not None
        assert int(model.markup(page.page_slots).argmax()) == kind
        assert predict_type(model, NAMES, page) == page.type


def test_without_enough_pages_of_a_type_there_is_no_model() -> None:
    pages = [page for page in typed_pages() if page.type != "forum"]
    assert fit_types(pages, NAMES) is None
    assert cross_validate_types(pages, NAMES, 3) is None
    assert cross_validate_types([], NAMES, 3) is None


def test_sets_and_languages_are_left_out_in_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(train_learned, "MIN_LANGUAGE_PAGES", 2)
    one = typed_pages()[0]
    named = [("a", "article"), ("a", "forum"), ("b", "Polish"), ("b", "Polish")]
    pages = [replace(one, set_name=name, type=kind) for name, kind in named]
    pages += [replace(one, set_name="b", type="Greek")]
    snippets = replace(one, set_name="c", known=np.array([True, False]))
    groups = groups_to_leave_out([*pages, snippets])
    assert {key: len(own) for key, own in groups.items()} == {
        ("a", "all"): 2,
        ("b", "all"): 3,
        ("b", "Polish"): 2,
    }


@pytest.mark.usefixtures("quick")
def test_a_set_is_measured_by_trees_that_saw_none_of_it(
    pages: list[TrainingPage], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[set[str]] = []
    fit, fit_surroundings = train_learned.fit_forest, train_learned.fit_context

    def watched(train: list[TrainingPage], *more: object) -> Forest:
        seen.append({page.site for page in train})
        return fit(train, *more)

    def watched_too(train: list[TrainingPage]) -> Forest:
        assert {page.site for page in train} == seen[-1]
        return fit_surroundings(train)

    monkeypatch.setattr(train_learned, "fit_forest", watched)
    monkeypatch.setattr(train_learned, "fit_context", watched_too)
    sums = cross_validate(pages, feature_names(), 4)
    halves = [
        replace(page, set_name="ab"[page.site < "site4.example"]) for page in pages
    ]
    rows = leave_out(halves, feature_names(), *sums)
    assert [(group, n) for group, n, _ in rows] == [
        (("b", "all"), 20),
        (("b", "article"), 10),
        (("a", "all"), 20),
        (("a", "article"), 10),
    ]
    assert seen[0] & seen[1] == set()
    assert all(0.6 <= f1 <= 1 for _, _, f1 in rows)
