"""On generated pages, features are finite and depend on nothing but the page."""

from __future__ import annotations

from html import escape

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.document.document import Document, read_tree
from tests.extraction.document.test_document_generated import build, markup, steps, tags
from tests.extraction.helpers import document_of
from tests.extraction.learned.features.helpers import compute_features
from tests.extraction.learned.features.pages import heads, pages
from tests.extraction.learned.test_markup import named_pages

NAMES = tuple(compute_features(document_of("<p>a")))

TEXTS = st.text(
    st.sampled_from(" .:!?…。：！？؟۔\"')]’”aZ09é你")
    | st.characters(exclude_categories=["Cs", "Cc"]),
    min_size=1,
    max_size=12,
)


def assert_sound(document: Document) -> None:
    columns = compute_features(document)
    assert tuple(columns) == NAMES
    for name, column in columns.items():
        assert column.dtype == np.float32, name
        assert column.shape == (document.n_blocks,), name
        assert np.isfinite(column).all(), name


def page_of_bytes(data: bytes) -> str:
    text = data.decode("utf-8", "replace").replace("\x00", " ")
    return f"<p class='{text}' id={text}>{text}<title>{text}"


def page_of_texts(texts: list[str]) -> str:
    body = "".join(f"<p>{escape(text)}" for text in texts)
    return f"<title>{escape(texts[0])}</title>{body}"


PAGES = st.one_of(
    markup,
    pages,
    named_pages(),
    heads.map("{}<p>owl glue<h2>12 owl".format),
    st.binary(min_size=1, max_size=200).map(page_of_bytes),
    st.lists(TEXTS, min_size=1, max_size=5).map(page_of_texts),
)


@given(PAGES)
def test_pages(page: str) -> None:
    assert_sound(document_of(page))


@given(tags, steps)
def test_built_trees(root_tag: str, actions: list[tuple]) -> None:
    assert_sound(read_tree(build(root_tag, actions)))


@given(PAGES, PAGES)
def test_nothing_is_left_from_the_pages_before(first: str, second: str) -> None:
    document, other = document_of(first), document_of(second)
    alone = compute_features(document)
    compute_features(other)
    for name, column in compute_features(document).items():
        assert column.tobytes() == alone[name].tobytes(), name


def test_the_document_is_only_read() -> None:
    document = document_of("<title>a</title><p class=nav>a<p>b<img>")
    tables = (document.elements, document.blocks, document.runs, document.tokens)
    before = [[column.copy() for column in table] for table in tables]
    for table in tables:
        for column in table:
            column.flags.writeable = False
    assert_sound(document)
    for table, columns in zip(tables, before, strict=True):
        assert all(map(np.array_equal, table, columns))


def test_names_are_unique() -> None:
    assert len(NAMES) == len(set(NAMES)) > 300
