"""Page types: the features of a page as a row, and the model that reads it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.learned.features import (
    compute,
    mean_features,
)
from scrapy_mainpage.extraction.learned.page_types import (
    MIN_TYPE_PROBABILITY,
    PAGE_TYPES,
    TYPES,
    PageTypeModel,
    pack,
    page_row,
    softmax,
)
from tests.extraction.helpers import document_of

NAMES = ("words", "link_density", "page_words")
KINDS = len(PAGE_TYPES)
# A page with more than 5.5 words on average is a forum, else a product.
FORUM, PRODUCT = PAGE_TYPES.index("forum"), PAGE_TYPES.index("product")


def model() -> PageTypeModel:
    """A tree of one split for forums, one for products, and leaves for the rest."""
    leaves = np.zeros(KINDS, np.int32)
    nodes = {"feature": [], "threshold": [], "left": [], "value": []}
    for kind in range(KINDS):
        leaves[kind] = len(nodes["left"])
        if kind in (FORUM, PRODUCT):
            low, high = (-2, 3) if kind == FORUM else (3, -2)
            rows = [(1, 5.5, leaves[kind] + 1, 0), (0, 0, -1, low), (0, 0, -1, high)]
        else:
            rows = [(0, 0, -1, 0)]
        for row in rows:
            for name, value in zip(nodes, row, strict=True):
                nodes[name].append(value)
    weights = np.zeros((2, KINDS), np.float32)
    weights[0, FORUM] = 2
    weights[1, PRODUCT] = 2
    return PageTypeModel(
        feature=np.array(nodes["feature"], np.int16),
        threshold=np.array(nodes["threshold"], np.float32),
        left=np.array(nodes["left"], np.int32),
        value=np.array(nodes["value"], np.float32),
        roots=leaves[:, None],
        slots=np.array([7, 90], np.int32),
        slot_weights=weights,
        offsets=np.zeros(KINDS, np.float32),
    )


def row_of(words: list[float]) -> np.ndarray:
    rows = np.array([[w, 0.5, sum(words)] for w in words], np.float32)
    return page_row(NAMES, rows, np.ones(len(words)), np.zeros(KINDS, np.float32))


def test_a_row_has_the_pages_own_features_and_three_means_of_its_blocks() -> None:
    rows = np.array([[10, 0.2, 40], [30, 0.6, 40]], np.float32)
    said = np.arange(KINDS, dtype=np.float32)
    row = page_row(NAMES, rows, np.array([1.0, 0.5]), said)
    by_words = [(100 + 900) / 40, (2 + 18) / 40]
    by_main = [(100 + 450) / 25, (2 + 9) / 25]
    expected = [40, 20, 0.4, *by_words, *by_main, 25, 25 / 40, 7.5 / 25, 1, 1, *said]
    assert row.tolist() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("blocks", [1, 7, 40])
def test_the_means_of_features_need_no_matrix_of_them(blocks: int) -> None:
    page = "<h2 class=a-b>Mill</h2><p>The <a href=/>old</a> river." * blocks
    document = document_of(page)
    weights = np.random.default_rng(7).random((document.n_blocks, 3))
    found = mean_features(document, weights)
    assert found == pytest.approx(compute(document) @ weights, rel=1e-6)
    with pytest.raises(ValueError, match="three weights"):
        mean_features(document, weights[:, :2].copy())


def test_the_trees_tell_the_type() -> None:
    types = model()
    assert types.is_sound(NAMES)
    assert PAGE_TYPES[int(types.predict(row_of([9, 9])).argmax())] == "forum"
    assert PAGE_TYPES[int(types.predict(row_of([2, 3])).argmax())] == "product"
    assert types.predict(row_of([2])).sum() == pytest.approx(1)


def test_the_markup_says_what_its_slots_weigh() -> None:
    types = model()
    said = types.markup(np.array([7, 5], np.int32))
    totals = np.zeros(KINDS)
    totals[FORUM] = 2
    assert said == pytest.approx(softmax(totals))
    both = types.markup(np.array([90, 7], np.int32))
    assert both[FORUM] == both[PRODUCT] == pytest.approx(both.max())
    assert types.markup(np.zeros(0, np.int32)) == pytest.approx(1 / KINDS)


def test_it_is_read_as_it_was_written() -> None:
    types = model()
    found = PageTypeModel.read(pack(vars(types), TYPES))
    assert found is not None
    for name in PageTypeModel.__dataclass_fields__:
        assert np.array_equal(getattr(found, name), getattr(types, name))
    assert PageTypeModel.read({}) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("feature", np.full(11, 99, np.int16)),
        ("feature", np.full(11, -1, np.int16)),
        ("value", np.full(11, np.nan, np.float32)),
        ("left", np.full(11, 0, np.int32)),
        ("roots", np.zeros((2, 1), np.int32)),
        ("roots", np.full((KINDS, 1), 99, np.int32)),
        ("slots", np.array([7], np.int32)),
        ("slots", np.array([7, 1 << 18], np.int32)),
        ("offsets", np.full(KINDS, np.inf, np.float32)),
    ],
)
def test_what_leads_nowhere_is_not_sound(field: str, value: np.ndarray) -> None:
    assert not replace(model(), **{field: value}).is_sound(NAMES)


def test_the_types_are_sorted_by_probability_and_the_likeliest_counts() -> None:
    page = extract("<title>A</title><h1>A</h1>" + "<p>Some words go here." * 30)
    types = page.page_types
    assert set(types) == set(PAGE_TYPES)
    assert list(types.values()) == sorted(types.values(), reverse=True)
    assert sum(types.values()) == pytest.approx(1)
    likeliest, probability = next(iter(types.items()))
    expected = likeliest if probability >= MIN_TYPE_PROBABILITY else None
    assert page.page_type == expected


@pytest.mark.parametrize(
    ("probability", "expected"), [(0.6, "forum"), (0.59, None), (1.0, "forum")]
)
def test_an_unlikely_type_is_none(probability: float, expected: str | None) -> None:
    page = extract("<p>Some words.", algorithm="danag")
    vars(page._content)["page_types"] = {"forum": probability, "product": 0.1}
    assert page.page_type == expected


def test_a_page_without_much_text_has_no_type() -> None:
    for html in ("<p></p>", "<p>hello world</p>", "<h1>404</h1><p>Not here."):
        page = extract(html)
        assert (page.page_type, page.page_types) == (None, {})
    assert extract("<p>Some words.", algorithm="danag").page_types == {}
