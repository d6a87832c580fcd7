"""A block's own text, its place in the page, and the page as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scrapy_mainpage.extraction.document.document import HEADING_SHIFT, Context, RunKind
from scrapy_mainpage.extraction.document.tags import CODES
from tests.extraction.learned.features.reference.basics import last_character

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document

    Columns = dict[str, npt.NDArray[np.float32]]
    Values = npt.NDArray[np.float64]

LONG_BLOCK = 15
"""Words; a block with more is likely a sentence."""

_TAGS = (
    "p li td div span a h1 h2 h3 h4 dd dt pre button blockquote figcaption th section"
).split()
_CONTEXTS = (
    Context.HIDDEN,
    Context.PRE,
    Context.QUOTE,
    Context.CAPTION,
    Context.CODE,
    Context.LIST,
    Context.TABLE,
    Context.NAVIGATION,
    Context.HEADER,
    Context.FOOTER,
    Context.ASIDE,
    Context.MAIN,
    Context.ARTICLE,
    Context.FORM,
    Context.DIALOG,
    Context.NOSCRIPT,
)


def weights(document: Document) -> Values:
    """Words per block; a Chinese, Japanese or Korean character is half a word."""
    blocks = document.blocks
    return np.asarray(blocks.words - blocks.cjk * 0.5)


def block_features(document: Document) -> Columns:
    """Features of the block's own characters, links and tags."""
    blocks = document.blocks
    words = weights(document)
    some = np.maximum(words, 1)
    chars = np.maximum(blocks.chars, 1)
    counted = np.maximum(blocks.words, 1)
    texts = map(document.block_text, range(document.n_blocks))
    end = np.array([last_character(text) for text in texts], np.int32)
    columns = {
        "words": words,
        "chars": blocks.chars,
        "word_length": blocks.chars / some,
        "link_density": blocks.linked_words / counted,
        "strong_density": blocks.strong_words / counted,
        "cjk_share": blocks.cjk / counted,
        "sentences": blocks.sentences,
        "words_per_sentence": words / np.maximum(blocks.sentences, 1),
        "commas_per_word": blocks.commas / some,
        "digit_share": blocks.digits / chars,
        "capital_share": blocks.capitals / chars,
        "ends_sentence": end == 1,
        "ends_colon": end == 2,
        "ends_ellipsis": end == 3,
        "runs": blocks.end_run - blocks.first_run,
        "images": _per_block(document, RunKind.IMAGE),
        "breaks": _per_block(document, RunKind.BREAK),
        "heading": blocks.flags >> HEADING_SHIFT,
    }
    tag = document.elements.tag[blocks.element]
    for name in _TAGS:
        columns[f"tag_{name}"] = tag == CODES[name]
    for bit in _CONTEXTS:
        columns[f"in_{bit.name}".lower()] = (blocks.flags & int(bit)) != 0
    return {name: np.asarray(c, np.float32) for name, c in columns.items()}


def _per_block(document: Document, kind: RunKind) -> npt.NDArray[np.int64]:
    block = document.runs.block[document.runs.kind == kind]
    return np.bincount(block[block >= 0], minlength=document.n_blocks)


def position_features(document: Document) -> Columns:
    """The block's position: in the order of blocks and words, and under a heading."""
    blocks, n = document.blocks, document.n_blocks
    words = weights(document)
    unlinked = words * (1 - blocks.linked_words / np.maximum(blocks.words, 1))
    index = np.arange(n)
    before = np.concatenate(([0.0], np.cumsum(words)))
    plain = np.concatenate(([0.0], np.cumsum(unlinked)))
    level = blocks.flags >> HEADING_SHIFT
    heading = np.flatnonzero(level > 0)
    previous = last_marked(heading, n)
    following = n - 1 - last_marked(n - 1 - heading[::-1], n)[::-1]
    following = np.where(following >= n, n, following)
    first_h1 = int(np.argmax(level == 1)) if (level == 1).any() else -1
    section_start = np.maximum(previous, 0)
    section_end = np.minimum(np.where(following <= index, index + 1, following), n)
    columns = {
        "depth": document.elements.depth[blocks.element],
        "rank": index,
        "rank_share": index / max(n, 1),
        "rank_from_end": n - index,
        "words_before_share": before[:-1] / max(before[-1], 1),
        "plain_before_share": plain[:-1] / max(plain[-1], 1),
        "since_heading": np.where(previous >= 0, index - previous, 99),
        "until_heading": np.minimum(following - index, 99),
        "heading_level_above": np.where(previous >= 0, level[section_start], 7),
        "section_words": before[section_end] - before[section_start],
        "section_plain": plain[section_end] - plain[section_start],
        "from_h1": index - first_h1 if first_h1 >= 0 else np.full(n, -999),
        "gap_before": _gap(document, before=True),
        "gap_after": _gap(document, before=False),
    }
    return {name: np.asarray(c, np.float32) for name, c in columns.items()}


def last_marked(marks: npt.NDArray[np.int64], n: int) -> npt.NDArray[np.int64]:
    """For each index below *n* the last of the *marks* up to it, -1 for none."""
    last = np.full(n, -1)
    last[marks] = marks
    return np.maximum.accumulate(last)


def _gap(document: Document, *, before: bool) -> Values:
    """Tags and texts between a block and its neighbour."""
    place, end = document.blocks.place, document.blocks.end_place
    gap = np.zeros(document.n_blocks)
    between = place[1:] - end[:-1]
    gap[slice(1, None) if before else slice(None, -1)] = between
    return gap


def page_features(document: Document) -> Columns:
    """The page as a whole, the same for each of its blocks."""
    blocks, n = document.blocks, document.n_blocks
    words = weights(document)
    total = max(float(words.sum()), 1.0)
    long = words > LONG_BLOCK
    tags = document.elements.tag
    values = {
        "page_words": total,
        "page_blocks": n,
        "page_link_density": float(blocks.linked_words.sum())
        / max(blocks.words.sum(), 1),
        "page_long_share": float(words[long].sum()) / total,
        "page_sentences_per_block": float(blocks.sentences.sum()) / max(n, 1),
        "page_cjk_share": float(blocks.cjk.sum()) / max(blocks.words.sum(), 1),
        "page_elements_per_word": document.n_elements / total,
        "page_articles": float((tags == CODES["article"]).sum()),
        "page_mains": float((tags == CODES["main"]).sum()),
        "page_paragraphs": float((tags == CODES["p"]).sum()),
        "page_items": float((tags == CODES["li"]).sum()),
        "page_images": float((tags == CODES["img"]).sum()),
        "page_tables": float((tags == CODES["table"]).sum()),
        "page_headings": float((blocks.flags >> HEADING_SHIFT > 0).sum()),
        "page_times": float((tags == CODES["time"]).sum()),
    }
    return {name: np.full(n, value, np.float32) for name, value in values.items()}
