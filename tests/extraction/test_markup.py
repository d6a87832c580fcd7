"""What class and id tokens say: slots and sums against a slow twin."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from scrapy_mainpage.extraction.document.document import Document, read_tree
from scrapy_mainpage.extraction.document.tags import ATTRIBUTE_CODES, TAGS
from scrapy_mainpage.extraction.learned._markup import SLOTS
from scrapy_mainpage.extraction.learned.features._features import markup_sums
from scrapy_mainpage.extraction.learned.markup import (
    block_slots,
    page_slots,
    weight_table,
)
from tests.extraction.document.test_document_generated import build, markup, steps, tags
from tests.extraction.features.twin import FNV_OFFSET, MASK, ancestors, fnv, lower
from tests.extraction.helpers import document_of

ID_SALT = 0x9E3779B97F4A7C15
OWN, PARENT, TAG = 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F
# Whole numbers: their sums are the same in any order.
WEIGHTS = np.random.default_rng(1).integers(-99, 99, SLOTS).astype(np.float32)


def slot(value: int) -> int:
    value ^= value >> 32
    return (value * 0xD6E8FEB86659FD93 & MASK) >> 46


def salted(number: int, salt: int) -> int:
    return slot((number + 1) * salt & MASK)


def token_slots(token: bytes, is_id: bool) -> list[int]:
    """The whole token, its parts, and before each but the first the pair with it."""
    token, begin = token[:60], FNV_OFFSET ^ (ID_SALT if is_id else 0)
    found = [fnv(lower(re.sub(rb"[0-9]+", b"0", token)), begin)]
    parts = [lower(p) for p in re.findall(rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", token)]
    for k, part in enumerate(parts):
        if k:
            found.append(fnv(b"_" + part, fnv(parts[k - 1], begin)))
        found.append(fnv(part, begin))
    return [slot(value) for value in found]


def element_slots(document: Document) -> list[list[int]]:
    found: list[dict[int, None]] = [{} for _ in range(document.n_elements)]
    for attribute, element, start, end in zip(
        *(column.tolist() for column in document.tokens), strict=True
    ):
        is_id = attribute == ATTRIBUTE_CODES["id"]
        slots = token_slots(document.values[start:end], is_id)
        found[element] |= dict.fromkeys(slots)
    return [list(slots)[:64] for slots in found]


def tag_of(document: Document, element: int) -> int:
    return min(int(document.elements.tag[element]), len(TAGS))


def all_slots(document: Document, element: int, own: list[list[int]]) -> list[int]:
    """All that counts for a block of *element*, in no order."""
    parents = ancestors(document.elements.parent.tolist(), element)
    way: set[int] = set()
    for k in [element, *parents]:
        way |= {*own[k], salted(tag_of(document, k), TAG)}
    above = tag_of(document, parents[0]) if parents else -1
    pair = slot(((above + 2) * 1000 + tag_of(document, element)) * ID_SALT & MASK)
    standing = [salted(s, OWN) for s in own[element]]
    standing += [salted(s, PARENT) for p in parents[:1] for s in own[p]]
    return [*way, *standing, pair]


def assert_twins(document: Document) -> None:
    own = element_slots(document)
    assert page_slots(document).tolist() == [s for slots in own for s in slots]
    expected = [all_slots(document, e, own) for e in document.blocks.element.tolist()]
    slots, first = block_slots(document)
    found = [slots[a:b].tolist() for a, b in pairwise(first)]
    assert len(first) == document.n_blocks + 1
    assert [sorted(block) for block in found] == [sorted(block) for block in expected]
    sums = markup_sums(document, WEIGHTS)
    assert sums.dtype == np.float32
    assert sums.tolist() == [scaled_sum(block) for block in expected]
    # Nothing of a call is left for the next one.
    assert markup_sums(document, WEIGHTS).tobytes() == sums.tobytes()
    assert block_slots(document)[0].tobytes() == slots.tobytes()


def scaled_sum(slots: list[int]) -> float:
    total = sum(float(WEIGHTS[s]) for s in slots)
    return float(np.float32(total / math.sqrt(len(slots))))


NAMES = (
    "main side-bar postBody HTMLView post-12 post-7 A1b2 x x_x x-X 42 é naïveName "
    "__ - AB aB Ab"
).split()
TOKENS = st.sampled_from(NAMES) | st.text(
    st.characters(codec="utf-8", exclude_characters="\x00<>&'\" \t\r\n\f"), max_size=70
)


@st.composite
def named_pages(draw: st.DrawFn) -> str:
    """Nested elements with class and id tokens, and a text here and there."""
    html = []
    for _ in range(draw(st.integers(1, 14))):
        tag = draw(st.sampled_from(["div", "p", "span", "x-y", "li", "section"]))
        classes = " ".join(draw(st.lists(TOKENS, max_size=4)))
        html.append(f"<{tag} class='{classes}' id='{draw(TOKENS)}'>")
        html.append(draw(st.sampled_from(["", "a", "two words"])))
        if draw(st.booleans()):
            html.append(f"</{tag}>b")
    return "".join(html)


@settings(max_examples=250, deadline=None)
@given(named_pages())
def test_pages_with_classes_and_ids(page: str) -> None:
    assert_twins(document_of(page))


@settings(max_examples=150, deadline=None)
@given(tags, steps)
def test_built_trees(root_tag: str, actions: list[tuple]) -> None:
    assert_twins(read_tree(build(root_tag, actions)))


@settings(max_examples=150, deadline=None)
@given(markup, markup)
def test_nothing_is_left_from_the_page_before(first: str, second: str) -> None:
    document, other = document_of(first), document_of(second)
    alone = markup_sums(document, WEIGHTS)
    block_slots(other)
    markup_sums(other, WEIGHTS)
    assert markup_sums(document, WEIGHTS).tobytes() == alone.tobytes()


@pytest.mark.parametrize(
    "page",
    [
        "<html></html>",
        "<p>a",
        "<p class='' id=''>a",
        "<p class=' \t ' id=' '>a",
        f"<p class={'x' * 5_000}>a",
        f"<p class={'Xy' * 4_000}>a",
        f"<p class={'1' * 5_000}>a",
        f"<div id={'é' * 3_000}><p class={'你好-' * 900}>a",
        f"<p class='{' '.join(f't{k}x{k}' for k in range(1_000))}'>a<p>b",
        f"<p class='{' '.join(chr(97 + k % 26) * (k + 1) for k in range(100))}'>a",
        "<p class='a a a' id=a>a",
        "<div class=a>" * 300 + "b",
    ],
    ids=lambda page: page[:30],
)
def test_pages_that_no_one_needs(page: str) -> None:
    assert_twins(document_of(page))


def test_thousands_of_classes_on_the_way() -> None:
    names = [
        " ".join(f"{chr(97 + i)}{chr(97 + j)}" for j in range(26)) for i in range(26)
    ]
    page = "".join(f"<div class='{own}'>a" for own in names)
    document = document_of(page)
    assert len(set(page_slots(document).tolist())) > 600
    assert_twins(document)


def test_an_element_has_64_slots_at_most() -> None:
    words = " ".join(f"{a}{b}" for a in "abcdefghij" for b in "klmnopqrst")
    document = document_of(f"<p class='{words}'>a")
    # A name of letters alone is itself and its only part: one slot.
    assert len(page_slots(document)) == 64


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("class=post-12", "class=post-7", True),
        ("class=post-12", "class=POST-345", True),
        ("class=post-1", "class=post-a", False),
        ("class=post", "id=post", False),
        ("class=post", "role=post", True),
        ("class='a b'", "class='b a'", True),
        ("class=a-b", "class=b-a", False),
        ("class=sideBar", "class=sidebar", False),
    ],
)
def test_which_names_say_the_same(first: str, second: str, same: bool) -> None:
    document = document_of(f"<p {first}>a<p {second}>b")
    slots, start = block_slots(document)
    one, other = (set(slots[a:b].tolist()) for a, b in pairwise(start))
    assert (one == other) == same


def test_parts_of_names_are_shared() -> None:
    document = document_of("<p class=sideBar>a<p class=bar>b<p class=SIDE_top>c")
    own = [set(slots) for slots in element_slots(document)[-3:]]
    bar, side = (set(token_slots(part, is_id=False)) for part in (b"bar", b"side"))
    assert bar <= own[0]
    assert bar == own[1]
    assert not bar & own[2]
    assert side <= own[0] & own[2]
    found = set(page_slots(document).tolist())
    assert found == own[0] | own[1] | own[2]


def sum_of(page: str, weights: dict[int, float]) -> list[float]:
    slots = np.array(list(weights), np.int32)
    table = weight_table(slots, np.array(list(weights.values()), np.float32))
    found: npt.NDArray[np.float32] = markup_sums(document_of(page), table)
    return found.tolist()


def test_a_name_counts_for_all_blocks_below_and_once() -> None:
    (nav,) = token_slots(b"nav", is_id=False)[:1]
    page = "<body><p>a<div class=nav>b<div class=nav><p>c</div></div>"
    # Tags on the way (html, body, p; and so on) and the pair of tags, the name once,
    # and once for each that stands at the block or its parent.
    expected = [0, 1 / math.sqrt(6), 1 / math.sqrt(7)]
    # html body p + pair; html body div nav, own nav, pair; html body div p nav,
    # the parent's nav, pair.
    assert sum_of(page, {nav: 1.0}) == pytest.approx(expected)


def test_a_name_at_the_block_or_its_parent_has_weights_of_its_own() -> None:
    nav = token_slots(b"nav", is_id=False)[0]
    page = "<body><div class=nav>b<p>c<div><p>d</div></div>"
    own, parent = salted(nav, OWN), salted(nav, PARENT)
    assert [bool(x) for x in sum_of(page, {own: 1.0})] == [True, False, False]
    assert [bool(x) for x in sum_of(page, {parent: 1.0})] == [False, True, False]


def test_a_table_without_weights_says_nothing() -> None:
    table = weight_table(np.zeros(0, np.int32), np.zeros(0, np.float32))
    assert table.shape == (SLOTS,)
    assert markup_sums(document_of("<p class=a>b"), table).tolist() == [0]


def test_a_depth_of_10_000() -> None:
    node = root = etree.Element("div")
    for k in range(10_000):
        node.set("class", f"level{'abc'[k % 3]}")
        node = etree.SubElement(node, "div")
    node.text = "a"
    document = read_tree(root)
    assert_twins(document)
