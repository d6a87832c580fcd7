"""Labelled pages as input of the training of the learned default.

Pages count alike: a block weighs as its share of the page's main words, up to a
quarter. Short blocks outnumber all others and weigh little; a sample of them, weighted
up, stands for all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from tqdm import tqdm

from lab.evaluation.gold import element_blocks, gold_mask, listed_blocks
from scrapy_mainpage.evaluation.datasets import DataSetError, read_document
from scrapy_mainpage.evaluation.scores import tokenize
from scrapy_mainpage.extraction.learned.features import block_slots, compute
from scrapy_mainpage.extraction.learned.learned import Learned

if TYPE_CHECKING:
    from scrapy_mainpage.evaluation.datasets import DataSet, LabelledPage
    from scrapy_mainpage.extraction.algorithms.algorithm import Selection
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.schema import (
        Doubles,
        Floats,
        Ints,
        Mask,
    )


MAX_BLOCK_SHARE: Final = 0.25
EMPTY_WEIGHT: Final = 0.2
"""Weight of a page without any main content, relative to one with some."""

SNIPPETS_WEIGHT: Final = 0.7
"""Weight of a page with snippets alone, relative to one with its whole text."""

EVEN_WEIGHT: Final = 2.0
MAX_EVEN_SHARE: Final = 0.1
"""Weight and largest share of a block with an exact label, beside that of its words."""

MIN_PART_CHARS: Final = 25
"""A longer block whose text is in a snippet is part of it."""

CERTAIN_QUANTILE: Final = 0.8
MIN_CHANCE: Final = 0.12
"""Blocks lighter than the quantile are sampled, at least with this probability."""


@dataclass(eq=False)
class TrainingPage:
    """A labelled page as the trees see it.

    ``known`` says which blocks have a label: all, unless only snippets are known; these
    weigh ``shares``; ``exact`` labels are listed, or those of the true element.
    ``slots`` are the hashed markup of the blocks. ``set_weight`` is a factor of all
    weights.
    """

    set_name: str
    type: str
    site: str
    rows: Floats
    main: Mask
    tokens: list[Counter[str]]
    gold: Counter[str]
    probability: Doubles
    document: Document
    exact: bool = False
    slots: tuple[Ints, Ints] | None = None
    known: Mask | None = None
    shares: Doubles | None = None
    snippets: tuple[tuple[bool, Ints], ...] = ()
    set_weight: float = 1.5

    @property
    def is_part(self) -> bool:
        """Whether some main blocks are known and no others: no data to calibrate by."""
        known, main = self.known, self.main
        return known is not None and bool(main.any() and not (known & ~main).any())

    @property
    def weight(self) -> Doubles:
        """How much each block counts in training."""
        if self.shares is not None:
            return self.shares * SNIPPETS_WEIGHT
        size = np.array([sum(count.values()) for count in self.tokens], np.float64)
        total, factor = float(size[self.main].sum()), 1.0
        if total < 1:
            total, factor = float(size.sum()) + 1, EMPTY_WEIGHT
        factor *= self.set_weight
        share = np.minimum(size / total, MAX_BLOCK_SHARE)
        if self.exact:
            # Short blocks are labelled as surely as long ones: cells, headings, code.
            even = min(1 / max(int(self.main.sum()), 1), MAX_EVEN_SHARE)
            share = (share + EVEN_WEIGHT * even) / 2
        return share * factor


def read_pages(sets: list[DataSet]) -> list[TrainingPage]:
    """The pages of all sets that have a label and a text block.

    Raises ``DataSetError`` if no block of any of them has a label.
    """
    labelled = [(group.name, page) for group in sets for page in group.pages]
    bar = tqdm(labelled, desc="reading", disable=None)
    pages = [page for page in (read_page(*item) for item in bar) if page is not None]
    if not any(page.known is None or page.known.any() for page in pages):
        raise DataSetError("no block of any page has a label")
    return pages


def read_page(set_name: str, page: LabelledPage) -> TrainingPage | None:
    """Features and labels of *page*; ``None`` for no label at all, or no block."""
    if page.text is None and not (page.required or page.forbidden):
        return None
    html = page.html()
    document = read_document(html)
    if not document.n_blocks:
        return None
    texts = [document.block_text(i) for i in range(document.n_blocks)]
    tokens = [tokenize(text) for text in texts]
    gold = tokenize(page.text or "")
    main = listed_blocks(page.labels, document.n_blocks)
    if main is None and page.content:
        main = element_blocks(html, page.content, page.drop)
    read = TrainingPage(
        set_name=set_name,
        type=page.type,
        site=page.site,
        rows=np.ascontiguousarray(compute(document).T),
        main=gold_mask(tokens, gold) if main is None else main,
        tokens=[Counter(words) for words in tokens],
        gold=Counter(gold),
        probability=np.zeros(document.n_blocks),
        document=document,
        exact=main is not None,
        slots=block_slots(document),
    )
    if page.text is None:
        _label_snippets(read, texts, page)
    return read


def _label_snippets(read: TrainingPage, texts: list[str], page: LabelledPage) -> None:
    """Give *read* the labels of the blocks that hold a snippet, and these alone."""
    texts = [" ".join(text.split()) for text in texts]
    label = np.full(len(texts), -1)
    shares = np.zeros(len(texts))
    snippets = [(True, " ".join(text.split())) for text in page.required]
    snippets += [(False, " ".join(text.split())) for text in page.forbidden]
    # An empty snippet is in every block.
    snippets = [(main, text) for main, text in snippets if text]
    found = []
    for main, text in snippets:
        at = np.array(_holding(texts, text), np.int32)
        found.append((main, at))
        free = at[label[at] != (not main)]
        label[free] = main
        share = min(1 / len(snippets) / max(len(at), 1), MAX_BLOCK_SHARE)
        shares[free] = np.maximum(shares[free], share)
    read.main, read.known, read.shares = label == 1, label >= 0, shares
    read.snippets = tuple(found)


def _holding(texts: list[str], snippet: str) -> list[int]:
    """The texts that hold the *snippet*; if none does, the texts it is made of."""
    inside = [i for i, text in enumerate(texts) if snippet in text]
    parts = [
        i
        for i, text in enumerate(texts)
        if len(text) > MIN_PART_CHARS and text in snippet
    ]
    return inside or parts


def sample(page: TrainingPage, draw: np.random.RandomState) -> tuple[Mask, Doubles]:
    """A mask of the blocks drawn for training, and the weights of all blocks then."""
    own = page.weight
    if page.known is not None:
        return page.known, own
    sure = max(float(np.quantile(own, CERTAIN_QUANTILE)), 1e-12)
    chance = np.clip(own / sure, MIN_CHANCE, 1)
    return draw.rand(len(own)) < chance, own / chance


def chosen_blocks(page: TrainingPage) -> Selection:
    """The best set of blocks by the page's ``probability``, and the F1 expected."""
    return Learned().judge_scores(page.document, page.probability.astype(np.float32))


def page_f1(page: TrainingPage) -> tuple[float, float]:
    """The word F1 of the page by its ``probability``, and the F1 expected."""
    chosen = chosen_blocks(page)
    found: Counter[str] = Counter()
    for i in np.flatnonzero(chosen.main):
        found.update(page.tokens[i])
    both = sum((found & page.gold).values())
    total = sum(found.values()) + sum(page.gold.values())
    return (2 * both / total if total else 1.0), chosen.confidence or 0.0
