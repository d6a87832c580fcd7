"""Slots of class and id tokens, and sums of their weights, against a plain version."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_mainpage.extraction.document.document import Document, read_tree
from scrapy_mainpage.extraction.document.tags import ATTRIBUTE_CODES, TAGS
from scrapy_mainpage.extraction.learned.features import (
    SLOTS,
    block_slots,
    compute,
    page_slots,
    weight_table,
)
from tests.extraction.document.test_document_generated import build, steps, tags
from tests.extraction.helpers import document_of

FNV_OFFSET, FNV_PRIME = 14695981039346656037, 1099511628211
MASK = (1 << 64) - 1
ID_SALT = 0x9E3779B97F4A7C15
OWN, PARENT, TAG = 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F
# Whole numbers: their sums are the same in any order.
WEIGHTS = np.random.default_rng(1).integers(-99, 99, SLOTS).astype(np.float32)


def lower(data: bytes) -> bytes:
    return bytes(c | 0x20 if 65 <= c <= 90 else c for c in data)


def ancestors(parent: list[int], element: int) -> list[int]:
    """From the element's parent up to the root."""
    found = []
    while (element := parent[element]) >= 0:
        found.append(element)
    return found


def fnv(data: bytes, value: int) -> int:
    for byte in data:
        value = (value ^ byte) * FNV_PRIME & MASK
    return value


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
    """All slots that count for a block of *element*, unordered."""
    parents = ancestors(document.elements.parent.tolist(), element)
    way: set[int] = set()
    for k in [element, *parents]:
        way |= {*own[k], salted(tag_of(document, k), TAG)}
    above = tag_of(document, parents[0]) if parents else -1
    pair = slot(((above + 2) * 1000 + tag_of(document, element)) * ID_SALT & MASK)
    standing = [salted(s, OWN) for s in own[element]]
    standing += [salted(s, PARENT) for p in parents[:1] for s in own[p]]
    return [*way, *standing, pair]


def markup_sums(document: Document, table: np.ndarray = WEIGHTS) -> list[float]:
    return compute(document, table)[-1].tolist()


def assert_reference(document: Document) -> None:
    own = element_slots(document)
    found = page_slots(document).tolist()
    assert sorted(found) == sorted({s for slots in own for s in slots})
    expected = [all_slots(document, e, own) for e in document.blocks.element.tolist()]
    slots, first = block_slots(document)
    found = [slots[a:b].tolist() for a, b in pairwise(first)]
    assert len(first) == document.n_blocks + 1
    assert [sorted(block) for block in found] == [sorted(block) for block in expected]
    sums = markup_sums(document)
    assert sums == [scaled_sum(block) for block in expected]
    # Calls leave nothing behind.
    assert markup_sums(document) == sums
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


@given(named_pages())
def test_pages_with_classes_and_ids(page: str) -> None:
    assert_reference(document_of(page))


@given(tags, steps)
def test_built_trees(root_tag: str, actions: list[tuple]) -> None:
    assert_reference(read_tree(build(root_tag, actions)))


@pytest.mark.parametrize(
    "page",
    [
        "<html></html>",
        "<p>a",
        "<p class='' id=' '>a",
        f"<p class={'Xy' * 4_000}>a",
        f"<p class={'1' * 5_000}>a",
        f"<div id={'é' * 3_000}><p class={'你好-' * 900}>a",
        f"<p class='{' '.join(f't{k}x{k}' for k in range(1_000))}'>a<p>b",
        f"<p class='{' '.join(chr(97 + k % 26) * (k + 1) for k in range(100))}'>a",
        "<p class='a a a' id=a>a",
        "<div class=a>" * 300 + "b",
        "".join(
            f"<div class='{' '.join(f'{a}{b}' for b in 'abcdefg')}'>a" for a in "klmn"
        ),
    ],
    ids=lambda page: page[:30],
)
def test_odd_pages(page: str) -> None:
    assert_reference(document_of(page))


def test_an_element_has_at_most_64_slots() -> None:
    words = " ".join(f"{a}{b}" for a in "abcdefghij" for b in "klmnopqrst")
    # A name of letters alone is itself and its only part: one slot.
    assert len(page_slots(document_of(f"<p class='{words}'>a"))) == 64


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("class=post-12", "class=POST-345", True),
        ("class=post-1", "class=post-a", False),
        ("class=post", "id=post", False),
        ("class=post", "role=post", True),
        ("class='a b'", "class='b a'", True),
        ("class=a-b", "class=b-a", False),
        ("class=sideBar", "class=sidebar", False),
    ],
)
def test_which_names_have_the_same_slots(first: str, second: str, same: bool) -> None:
    document = document_of(f"<p {first}>a<p {second}>b")
    slots, start = block_slots(document)
    one, other = (set(slots[a:b].tolist()) for a, b in pairwise(start))
    assert (one == other) == same


def sum_of(page: str, weights: dict[int, float]) -> list[float]:
    slots = np.array(list(weights), np.int32)
    table = weight_table(slots, np.array(list(weights.values()), np.float32))
    return markup_sums(document_of(page), table)


def test_a_name_counts_for_all_blocks_below_and_once() -> None:
    (nav,) = token_slots(b"nav", is_id=False)[:1]
    page = "<body><p>a<div class=nav>b<div class=nav><p>c</div></div>"
    # html body p + pair; html body div nav, own nav, pair; html body div p nav,
    # the parent's nav, pair.
    assert sum_of(page, {nav: 1.0}) == pytest.approx(
        [0, 1 / math.sqrt(6), 1 / math.sqrt(7)]
    )
    own, parent = salted(nav, OWN), salted(nav, PARENT)
    assert [bool(x) for x in sum_of(page, {own: 1.0})] == [False, True, False]
    assert [bool(x) for x in sum_of(page, {parent: 1.0})] == [False, False, True]
    assert sum_of(page, {}) == [0, 0, 0]


def test_a_depth_of_10_000() -> None:
    node = root = etree.Element("div")
    for k in range(10_000):
        node.set("class", f"level{'abc'[k % 3]}")
        node = etree.SubElement(node, "div")
    node.text = "a"
    assert_reference(read_tree(root))
