"""Parts of a page are chosen as one: the records of a listing with all own lines."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms.danag import Danag
from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.records.choice import PageKind, Parts
from scrapy_mainpage.extraction.records.parts import complete_parts

from .test_entries import GOODS, SITE, grid, page_of

LISTING = {"collection": 0.9, "article": 0.1}
TEXTS = {text for _, _, text in GOODS}


def parts_of(document: Document, types: dict[str, float]) -> tuple[list[str], Parts]:
    """The chosen texts where at first those are that the goods' cards say."""
    texts = [document.block_text(block) for block in range(document.n_blocks)]
    main = np.array([text in TEXTS for text in texts])
    page = PageKind(Danag(), document, lambda: types)
    parts = complete_parts(document, f"{SITE}/category/kettles/", main, page)
    return [text for text, own in zip(texts, parts.main, strict=True) if own], parts


def shop() -> Document:
    document: Document = page_of(grid())._extraction.document
    return document


def test_records_of_a_listing_are_whole() -> None:
    chosen, _ = parts_of(shop(), LISTING)
    said = "\n".join(chosen)
    assert [name for name, _, _ in GOODS if name not in chosen] == []
    assert [price for _, price, _ in GOODS if price not in said] == []


def test_labels_of_all_records_are_not() -> None:
    chosen, _ = parts_of(shop(), LISTING)
    assert not any(text == "Add to cart" for text in chosen)
    assert "Terms and conditions of sale" not in chosen


@pytest.mark.parametrize(
    "types", [{}, {"article": 0.9}, {"listing": 0.5, "product": 0.4}]
)
def test_records_of_other_pages_stay_as_they_are(types: dict[str, float]) -> None:
    assert {*parts_of(shop(), types)[0]} == TEXTS


def test_what_a_record_has_said_is_not_said_again() -> None:
    name = GOODS[0][0]
    page = page_of(grid().replace(GOODS[0][2], f"{name}: {GOODS[0][2]}"))
    document = page._extraction.document
    texts = [document.block_text(block) for block in range(document.n_blocks)]
    main = np.array([text.endswith(tuple(TEXTS)) for text in texts])
    kind = PageKind(Danag(), document, lambda: LISTING)
    chosen = complete_parts(document, SITE, main, kind).main
    assert [
        text for text, own in zip(texts, chosen, strict=True) if own and text == name
    ] == []


def test_lists_are_found_once_and_not_kept_in_pickles() -> None:
    parts = parts_of(shop(), LISTING)[1]
    assert parts.lists is not None
    page = page_of(grid())
    entries = page.entries
    state = pickle.loads(pickle.dumps(page))
    assert state._extraction.parts.lists is None
    assert state.entries == entries


def test_buttons_side_by_side_are_no_content() -> None:
    text, bar = "Boil the water slowly. " * 9, "<button>1x</button><button>2x</button>"
    page = page_of(f"{bar}<p>{text}</p><h2><button>Tea</button></h2>")
    document = page._extraction.document
    everything = np.ones(document.n_blocks, bool)
    page_kind = PageKind(Danag(), document, dict)
    main = complete_parts(document, SITE, everything, page_kind).main
    left_out = [document.block_text(k) for k in np.flatnonzero(~main).tolist()]
    assert left_out == ["1x", "2x"]
