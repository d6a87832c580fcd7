"""Which text blocks are main content, by their labels, its true element or its text.

Where only the text is known, the words of the page and the words of the gold text are
aligned by their longest common subsequence. A block is main content if most of its
words are matched, in runs of words that the gold text holds too. The alignment takes a
bit per pair of words: 256 MB for 45,000 words of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree
from rapidfuzz.distance import LCSseq

from scrapy_mainpage.evaluation.datasets import parse_page
from scrapy_mainpage.evaluation.scores import tokenize
from scrapy_mainpage.extraction.document.document import number_elements, read_tree
from scrapy_mainpage.label import MAIN_LABELS
from scrapy_mainpage.rules.rule_book import cover_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from lxml.etree import _Element

    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.schema import Doubles, Longs, Mask


MIN_MATCHED: Final = 0.5
"""The least share of a block's words that the alignment matches."""

MIN_COVERED: Final = 0.5
"""The least share of a block's words that stand in n-grams of the gold text."""

NGRAM: Final = 4
SHORT_NGRAM: Final = 2
MIN_LONG_WORDS: Final = 8
"""Blocks of fewer words are held against bigrams, longer ones against 4-grams."""

MIN_MOVED_WORDS: Final = 5
MIN_MOVED_SHARE: Final = 0.8
"""A block that the gold text holds elsewhere: its least words, and share covered."""

N_NEIGHBOURS: Final = 10
MIN_TWIN_MARGIN_WORDS: Final = 5
"""Blocks to each side that tell which of two alike is meant, and by how many words."""

_MAX_NEIGHBOUR_WORDS: Final = 20


def gold_blocks(document: Document, text: str, least: float = MIN_MATCHED) -> Mask:
    """Which text blocks of *document* hold the gold *text*, the true main content.

    Blocks without words, and every block if the text has no words, are not main
    content. Blocks which the text holds in another order than the page are found if
    they have at least :data:`MIN_MOVED_WORDS` words. *least* is the share of a block's
    words that the text must have.
    """
    gold_tokens = tokenize(text)
    tokens = [tokenize(document.block_text(i)) for i in range(document.n_blocks)]
    return gold_mask(tokens, gold_tokens, least)


def listed_blocks(labels: Sequence[str], n_blocks: int) -> Mask | None:
    """Which text blocks have a label of main content; ``None`` unless each has a label.

    >>> listed_blocks(["title", "paragraph", "share"], 3).tolist()
    [True, True, False]
    """
    if len(labels) != n_blocks:
        return None
    return np.array([label in MAIN_LABELS for label in labels], bool)


def element_blocks(html: bytes, content: str, drop: str = "") -> Mask:
    """Which text blocks of a page lie in the elements that the XPath *content* finds.

    Text in elements that *drop* finds is left out: a block is main content if most of
    its characters are. Raises ``ValueError`` if *content* finds no element.
    """
    root = parse_page(html)
    found, dropped = find_elements(root, content, drop)
    document = read_tree(root)
    numbers = number_elements(root, document, (*found, *dropped))
    inside, outside = (
        [numbers[node] for node in nodes if node in numbers]
        for nodes in (found, dropped)
    )
    return cover_blocks(document, inside, outside)


def find_elements(
    root: _Element, content: str, drop: str
) -> tuple[list[_Element], list[_Element]]:
    """The elements of the XPath *content*, none in another, and those of *drop*.

    Raises ``ValueError`` if *content* finds no element of the page.
    """
    found = _select(root, content)
    if not found:
        raise ValueError(f"no element of the page is {content}")
    inside = set(found)
    outer = [node for node in found if inside.isdisjoint(node.iterancestors())]
    return outer, _select(root, drop) if drop else []


def _select(root: _Element, path: str) -> list[_Element]:
    found = root.xpath(path)
    nodes = found if isinstance(found, list) else []
    elements = [node for node in nodes if isinstance(node, etree._Element)]
    # Comments have no name.
    return [node for node in elements if isinstance(node.tag, str)]


def gold_mask(
    blocks: list[list[str]], gold: list[str], least: float = MIN_MATCHED
) -> Mask:
    """The same from words: those of each block, and those of the gold text."""
    lengths = np.array([len(block) for block in blocks], np.int64)
    if not gold or not lengths.sum():
        return np.zeros(len(blocks), bool)
    vocabulary = {word: i for i, word in enumerate(dict.fromkeys(gold))}
    words = np.array([vocabulary.get(w, -1) for block in blocks for w in block])
    target = np.array([vocabulary[word] for word in gold])
    block = np.repeat(np.arange(len(blocks)), lengths)
    matched = _share(block, lengths, align(words, target))
    covered = _share(block, lengths, _covered(words, block, target, lengths))
    main: Mask = (matched >= least) & (covered >= MIN_COVERED)
    _add_moved(main, words, lengths, target, covered)
    _swap_twins(main, blocks, lengths)
    return main


def _share(block: Longs, lengths: Longs, marked: Mask) -> Doubles:
    """Per block the share of its words that are marked; 0 if it has none."""
    counts = np.bincount(block[marked], minlength=len(lengths))
    return counts / np.maximum(lengths, 1)


def _covered(words: Longs, block: Longs, target: Longs, lengths: Longs) -> Mask:
    """Which words stand in an n-gram of their block that the gold text holds too."""
    short = lengths[block] < MIN_LONG_WORDS
    by_length = {n: _in_ngrams(words, block, target, n) for n in (1, 2, NGRAM)}
    covered = np.where(short, by_length[SHORT_NGRAM], by_length[NGRAM])
    return np.where(lengths[block] == 1, by_length[1], covered)


def _in_ngrams(words: Longs, block: Longs, target: Longs, n: int) -> Mask:
    known = np.isin(ngrams(words, n), ngrams(target, n))
    known &= block[: len(known)] == block[n - 1 :]
    inside = np.zeros(len(words), bool)
    for k in range(n):
        inside[k : k + len(known)] |= known
    return inside


def _add_moved(
    main: Mask, words: Longs, lengths: Longs, target: Longs, covered: Doubles
) -> None:
    """Add blocks that the gold text holds in another order, while its words last."""
    candidates = ~main & (lengths >= MIN_MOVED_WORDS) & (covered >= MIN_MOVED_SHARE)
    if not candidates.any():
        return
    size = int(target.max()) + 1
    ends = np.cumsum(lengths)
    left = np.bincount(target, minlength=size)
    used = words[np.repeat(main, lengths)]
    left -= np.bincount(used[used >= 0], minlength=size)
    for i in np.flatnonzero(candidates):
        needed = words[ends[i] - lengths[i] : ends[i]]
        count = np.bincount(needed[needed >= 0], minlength=size)
        if np.minimum(count, np.maximum(left, 0)).sum() >= MIN_MOVED_SHARE * lengths[i]:
            main[i] = True
            left -= count


def _swap_twins(main: Mask, blocks: list[list[str]], lengths: Longs) -> None:
    """Take, among blocks with the same words, the one in the main content.

    The alignment does not care whether it takes a title from a menu or from above the
    article: any order-preserving choice is as long as another.
    """
    twins: dict[tuple[str, ...], list[int]] = {}
    for i, words in enumerate(blocks):
        if words:
            twins.setdefault(tuple(words), []).append(i)
    around = _words_around(main, lengths)
    for group in twins.values():
        chosen = [i for i in group if main[i]]
        others = [i for i in group if not main[i]]
        for old in chosen:
            new = max(others, key=around.__getitem__, default=old)
            if around[new] > 2 * around[old] + MIN_TWIN_MARGIN_WORDS:
                main[old], main[new] = False, True
                others.remove(new)


def _words_around(main: Mask, lengths: Longs) -> Longs:
    """Per block the words of the main blocks near it, none counting for too many."""
    weights = np.where(main, np.minimum(lengths, _MAX_NEIGHBOUR_WORDS), 0)
    total = np.concatenate([[0], np.cumsum(weights)])
    place = np.arange(len(main))
    first = np.maximum(place - N_NEIGHBOURS, 0)
    last = np.minimum(place + N_NEIGHBOURS + 1, len(main))
    around: Longs = total[last] - total[first] - weights
    return around


def align(a: Longs, b: Longs) -> Mask:
    """Which of the words *a* stand in the longest common subsequence with *b*.

    Words are numbers from 0; a negative one in *a* is a word that *b* does not have.

    >>> align(np.array([7, 1, -1, 2, 3]), np.array([1, 2, 9, 3])).tolist()
    [False, True, False, True, True]
    """
    matched = np.zeros(len(a), bool)
    matched[_common(a, b)[0]] = True
    return matched


def pair(a: Sequence[str], b: Sequence[str]) -> tuple[list[int], list[int]]:
    """The places in *a* and in *b* of a longest common subsequence, in order."""
    number = {word: i for i, word in enumerate(dict.fromkeys(b))}
    words = np.array([number.get(word, -1) for word in a], np.int64)
    others = np.array([number[word] for word in b], np.int64)
    i, j = _common(words, others)
    return i.tolist(), j.tolist()


def _common(a: Longs, b: Longs) -> tuple[Longs, Longs]:
    known, wanted = np.flatnonzero(np.isin(a, b)), np.flatnonzero(np.isin(b, a))
    i, j = [known[:0]], [wanted[:0]]
    for tag, start, end, begin, stop in LCSseq.opcodes(
        a[known].tolist(), b[wanted].tolist()
    ):
        if tag == "equal":
            i.append(known[start:end])
            j.append(wanted[begin:stop])
    return np.concatenate(i), np.concatenate(j)


def ngrams(words: Longs, n: int) -> npt.NDArray[np.uint64]:
    """A hash of the *n* words from each place on where there are that many."""
    size = max(len(words) - n + 1, 0)
    grams = np.zeros(size, np.uint64)
    for k in range(n):
        grams *= np.uint64(0x9E3779B97F4A7C15)
        grams ^= grams >> np.uint64(29)
        grams += words[k : k + size].astype(np.uint64) + np.uint64(1)
    return grams
