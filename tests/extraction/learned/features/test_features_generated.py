"""On generated pages, features are finite and equal those of the reference."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrapy_mainpage.extraction.document.document import Document, read_tree
from scrapy_mainpage.extraction.learned.features import compute_features
from tests.extraction.document.test_document_generated import build, markup, steps, tags
from tests.extraction.helpers import document_of
from tests.extraction.learned.features.pages import heads, pages
from tests.extraction.learned.features.reference import reference_features
from tests.extraction.learned.test_markup import named_pages

NAMES = tuple(compute_features(document_of("<p>a")))

TEXTS = st.text(
    st.sampled_from(" .:!?…。：！？؟۔\"')]’”aZ09é你")
    | st.characters(exclude_categories=["Cs", "Cc"]),
    min_size=1,
    max_size=12,
)


def ld(json: str) -> str:
    return f"<script type=application/ld+json>{json}</script>"


def assert_sound(document: Document) -> None:
    columns = compute_features(document)
    assert tuple(columns) == NAMES
    for name, column in columns.items():
        assert column.dtype == np.float32, name
        assert column.shape == (document.n_blocks,), name
        assert np.isfinite(column).all(), name


def assert_reference(document: Document) -> None:
    found, expected = compute_features(document), reference_features(document)
    assert tuple(found) == tuple(expected)
    for name, column in expected.items():
        assert found[name].dtype == column.dtype == np.float32, name
        assert np.array_equal(found[name], column), name


@settings(max_examples=120, deadline=None)
@given(pages)
def test_pages_of_what_features_look_at(page: str) -> None:
    assert_reference(document_of(page))


@settings(max_examples=120, deadline=None)
@given(heads)
@example("<title></title><title>owl</title>")
@example("<meta property=og:type><meta property=og:type content=article>")
@example(ld('"@type"@type":"Article"'))
@example(ld('"@type":""@type":"Offer"'))
@example(ld('"@type":"Offer') + "<title>'\"'</title>")
@example(ld('"@type":"') + '<title>Offer"</title>')
@example(f"""<meta content='"@type":"{"x" * 41}"'>""")
@example(f"""<meta content='"@type":"Offer{"x" * 36}"'>""")
@example("<meta content=schema.org/><meta content=Offer>")
@example("<meta content=schema.org/Of><meta content=fer>")
@example(f"<meta content=schema.org/Offer{'x' * 36}>")
def test_declarations(head: str) -> None:
    assert_reference(document_of(f"{head}<p>owl glue<h2>12 owl"))


def many(count: int, part: Callable[[int], str]) -> str:
    """A page of *count* parts by their number, each on a line of its own."""
    return "\n".join(map(part, range(count)))


FAR = "<p>x" * 400 + f"<article>{'<p>' + 'word ' * 20}</article>" + "<p>y" * 400
LONG_PAGES = {
    "far": f"<title>Owls</title>{FAR}<h1>Owls</h1>{FAR}",
    "classes": many(900, lambda k: f"<p class='t{'abcdef'[k % 6] * (k % 50)}'>a {k}"),
    "texts": many(600, lambda k: f"<div class='{'xyz'[k % 3]}'><p>{k * 'a'}</div>"),
    "links": many(700, lambda k: f"<li><a href=x>{'ab'[k % 2] * (k % 40)} c</a>"),
    "rows": many(300, lambda k: f"<tr><td>{'w ' * (k % 30)}<td>{k}<td>."),
    "areas": many(60, lambda k: f"<p>{'w ' * 30}</p>" + "<a href=z></a>\n" * (k % 45)),
    "depth": "<div>a" * 120,
}


@pytest.mark.parametrize("name", LONG_PAGES)
def test_long_pages(name: str) -> None:
    assert_reference(document_of(LONG_PAGES[name]))


@settings(max_examples=100, deadline=None)
@given(tags, steps)
def test_built_trees(root_tag: str, actions: list[tuple]) -> None:
    document = read_tree(build(root_tag, actions))
    assert_sound(document)
    assert_reference(document)


@settings(max_examples=100, deadline=None)
@given(markup)
def test_parsed_markup(page: str) -> None:
    document = document_of(page)
    assert_sound(document)
    assert_reference(document)


@settings(max_examples=150, deadline=None)
@given(named_pages())
def test_pages_with_classes_and_ids(page: str) -> None:
    assert_reference(document_of(page))


@settings(max_examples=100, deadline=None)
@given(st.binary(min_size=1, max_size=200))
def test_parsed_bytes(page: bytes) -> None:
    text = page.decode("utf-8", "replace").replace("\x00", " ")
    document = document_of(f"<p class='{text}' id={text}>{text}<title>{text}")
    assert_sound(document)
    assert_reference(document)


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5), TEXTS)
def test_texts_of_any_characters(texts: list[str], title: str) -> None:
    body = "".join(f"<p>{escape(text)}" for text in texts)
    assert_reference(document_of(f"<title>{escape(title)}</title>{body}"))


@settings(max_examples=100, deadline=None)
@given(markup | pages, pages)
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
