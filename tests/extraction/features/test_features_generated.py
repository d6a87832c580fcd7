"""On pages that no one would write features are numbers, and equal a slow twin's."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_mainpage.extraction import _grouping, _structure
from scrapy_mainpage.extraction.document import Document, read_tree
from scrapy_mainpage.extraction.features import compute_features, feature_matrix
from scrapy_mainpage.extraction.features.groups import USUAL_CLASS, read_keys
from scrapy_mainpage.extraction.tags import ATTRIBUTE_CODES
from tests.extraction.features import twin
from tests.extraction.helpers import document_of
from tests.extraction.test_document_generated import build, markup, steps, tags

NAMES = tuple(compute_features(document_of("<p>a")))

TEXTS = st.text(
    st.sampled_from(" .:!?…。：！？؟۔\"')]’”aZ09é你")
    | st.characters(exclude_categories=["Cs"]),
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


def assert_twins(document: Document) -> None:
    elements, blocks = document.elements, document.blocks
    parent, tag = elements.parent.tolist(), elements.tag.tolist()
    first, end = elements.first_block, elements.end_block
    assert _structure.next_larger(
        elements.parent, first, end
    ).tolist() == twin.next_larger(parent, first.tolist(), end.tolist())
    keys = read_keys(document)
    hashes = _structure.path_hashes(elements.parent, elements.tag, keys.every)
    paths = twin.path_hashes(parent, tag, keys.every.tolist())
    assert tuple(column.tolist() for column in hashes) == paths
    assert_places(document)
    texts = [document.block_text(i).encode() for i in range(document.n_blocks)]
    title = next(document.head_texts("title"), "").encode()
    args = (document.text, blocks.start, blocks.end)
    assert _structure.text_hashes(*args).tolist() == list(map(twin.text_hash, texts))
    ends = [twin.last_character(text.decode()) for text in texts]
    assert _structure.last_characters(*args).tolist() == ends
    words, shared, n_title = _structure.shared_words(*args, title)
    assert [
        (a, b, n_title) for a, b in zip(words.tolist(), shared.tolist(), strict=True)
    ] == [twin.shared_words(text, title) for text in texts]


def assert_places(document: Document) -> None:
    """Keys are equal where tags and classes are; the classes' hashes are the twin's."""
    elements, tokens, keys = document.elements, document.tokens, read_keys(document)
    parent, tag = elements.parent.tolist(), elements.tag.tolist()
    told = [
        (attribute == ATTRIBUTE_CODES["class"], element, document.values[a:b])
        for attribute, element, a, b in zip(
            *(column.tolist() for column in tokens), strict=True
        )
    ]
    hashes = _grouping.class_hashes(
        document.values,
        tokens.attribute,
        tokens.start,
        tokens.end,
        ATTRIBUTE_CODES["class"],
    )
    assert hashes.tolist() == [twin.class_hash(mine, token) for mine, _, token in told]
    every, usual = (twin.places(tag, told, least) for least in (1, USUAL_CLASS))
    for found, expected in (
        (keys.every, every),
        (keys.own, usual),
        (keys.two, twin.paths(parent, usual, 2)),
        (keys.three, twin.paths(parent, usual, 3)),
        (keys.four, twin.paths(parent, usual, 4)),
    ):
        groups = [column.tolist() for column in _grouping.number_groups(found)]
        assert groups == list(map(list, twin.number_groups(expected)))


@settings(max_examples=250, deadline=None)
@given(tags, steps)
def test_built_trees(root_tag: str, actions: list[tuple]) -> None:
    document = read_tree(build(root_tag, actions))
    assert_sound(document)
    assert_twins(document)


@settings(max_examples=250, deadline=None)
@given(markup)
def test_parsed_markup(page: str) -> None:
    document = document_of(page)
    assert_sound(document)
    assert_twins(document)


@settings(max_examples=200, deadline=None)
@given(st.binary(min_size=1, max_size=200))
def test_parsed_bytes(page: bytes) -> None:
    text = page.decode("utf-8", "replace").replace("\x00", " ")
    assert_sound(document_of(f"<p class='{text}' id={text}>{text}<title>{text}"))


@settings(max_examples=400, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5), TEXTS)
def test_texts_of_any_characters(texts: list[str], title: str) -> None:
    data = [text.encode() for text in texts]
    ends = np.cumsum([len(text) for text in data]).astype(np.int32)
    starts = np.concatenate(([0], ends[:-1])).astype(np.int32)
    args = (b"".join(data), starts, ends)
    expected = [twin.last_character(text) for text in texts]
    assert _structure.last_characters(*args).tolist() == expected
    assert _structure.text_hashes(*args).tolist() == [*map(twin.text_hash, data)]
    words, shared, n_title = _structure.shared_words(*args, title.encode())
    found = zip(words.tolist(), shared.tolist(), [n_title] * len(data), strict=True)
    assert [*found] == [twin.shared_words(text, title.encode()) for text in data]


@settings(max_examples=300, deadline=None)
@given(st.data(), st.sampled_from([0.0, 0.5, 0.6, 1.0]))
def test_the_heaviest_path(data: st.DataObject, share: float) -> None:
    size = data.draw(st.integers(1, 30))
    parent = [-1] + [data.draw(st.integers(0, i - 1)) for i in range(1, size)]
    weight = data.draw(
        st.lists(st.integers(0, 6).map(float), min_size=size, max_size=size)
    )
    found = _structure.heaviest_path(
        np.array(parent, np.int32), np.array(weight), share
    )
    assert found == twin.heaviest_path(parent, weight, share)


@settings(max_examples=100, deadline=None)
@given(markup, markup)
def test_nothing_is_left_from_the_pages_before(first: str, second: str) -> None:
    document, other = document_of(first), document_of(second)
    alone = feature_matrix(document, NAMES)
    feature_matrix(other, NAMES)
    assert feature_matrix(document, NAMES).tobytes() == alone.tobytes()


@settings(max_examples=50, deadline=None)
@given(markup, st.lists(st.sampled_from(NAMES), min_size=1, max_size=9, unique=True))
def test_the_matrix_has_the_named_columns(page: str, names: list[str]) -> None:
    document = document_of(page)
    columns = compute_features(document)
    matrix = feature_matrix(document, tuple(names))
    assert matrix.dtype == np.float32
    assert matrix.shape == (document.n_blocks, len(names))
    assert matrix.flags.c_contiguous
    for k, name in enumerate(names):
        assert np.array_equal(matrix[:, k], columns[name])


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
