"""Text segments with their word and link densities (Kim et al. 2013, section 2.2).

A page is cut at every tag but ``a``, as in the paper, or into text blocks, as in
Boilerpipe (C. Kohlschütter, P. Fankhauser, W. Nejdl, "Boilerplate Detection using
Shallow Text Features", WSDM 2010), where inline tags do not cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...document.document import nonblank_texts
from ...document.schema import RunKind
from ...document.tags import CODES
from ._sentences import wrap_words

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...document.document import Document
    from ...document.schema import Doubles, Longs, Mask

    Ints = npt.NDArray[np.integer[Any]]

SEGMENTATIONS: Final = ("paper", "paper-sentences", "boilerpipe")
SENTENCE_WORDS: Final = 80
"""Words of a sentence in equation 1."""

LINE_WIDTH: Final = 80
"""Characters; text is wrapped at this width to count the words per line."""

PARENT_TAGS: Final = (
    "a b blockquote br dd dl dt font h1 h2 h3 h4 h5 h6 img li ol p pre q table ul"
).split()
"""The tags of the paper's Table 1; a parent tag's code is its index plus one."""

NO_TAG: Final = 0
OTHER_TAG: Final = len(PARENT_TAGS) + 1


@dataclass(frozen=True, eq=False)
class Segments:
    """One value per segment, in document order.

    ``place`` and ``end_place`` are the lines of its first and last text in a source
    with one tag or one text a line.
    """

    first_run: Ints
    block: Ints
    tag: Ints
    words: Ints
    word_density: Doubles
    link_density: Doubles
    place: Ints
    end_place: Ints

    def __len__(self) -> int:
        return len(self.block)


def cut(document: Document, segmentation: str) -> Segments:
    """Cut *document* into segments by one of the :data:`SEGMENTATIONS`.

    Their word density is that of complete lines, as in Boilerpipe, or with
    ``"paper-sentences"`` that of equation 1: words by sentences of 80 words.
    """
    runs = document.runs
    texts = np.flatnonzero(nonblank_texts(document))
    begins = _begins(document, texts, segmentation)
    first = np.flatnonzero(begins)
    last = np.concatenate((first[1:], [len(texts)]))[: len(first)] - 1
    group = np.cumsum(begins) - 1
    words, lines, last_words = wrap_words(
        document.text, runs.start[texts[first]], runs.end[texts[last]], LINE_WIDTH
    )
    if segmentation == "paper-sentences":
        density = words / np.maximum(np.ceil(words / SENTENCE_WORDS), 1)
    else:
        complete = np.where(lines > 1, words - last_words, words)
        density = complete / np.maximum(lines - 1, 1)
    linked = document.elements.link[runs.element[texts]] >= 0
    run_words = runs.words[texts]
    total = np.bincount(group, run_words, len(first))
    in_links = np.bincount(group, run_words * linked, len(first))
    return Segments(
        first_run=texts[first].astype(np.int32),
        block=runs.block[texts[first]],
        tag=_parent_tags(document, texts[first], texts[last]),
        words=words,
        word_density=density,
        link_density=in_links / np.maximum(total, 1),
        place=runs.place[texts[first]],
        end_place=runs.place[texts[last]],
    )


def _begins(document: Document, texts: Ints, segmentation: str) -> Mask:
    """The mask of the *texts* (runs) that begin a segment."""
    runs = document.runs
    begins = np.ones(len(texts), bool)
    block = runs.block[texts]
    same_block = block[1:] == block[:-1]
    if segmentation == "boilerpipe":
        begins[1:] = ~same_block
        return begins
    # Places count tags and texts, including the blank texts between two texts.
    blanks = np.cumsum(runs.kind == RunKind.TEXT)
    other_tags = runs.place.astype(np.int64) - blanks - _link_tags(document)[:-1]
    begins[1:] = ~(same_block & (np.diff(other_tags[texts]) == 0))
    return begins


def _link_tags(document: Document) -> Longs:
    """For each run the number of start and end tags of ``a`` before it."""
    elements, n = document.elements, len(document.runs.kind) + 1
    links = elements.tag == CODES["a"]
    starts = np.bincount(elements.first_run[links], minlength=n)
    ends = np.bincount(elements.end_run[links], minlength=n)
    return np.cumsum(starts + ends)


def _parent_tags(document: Document, first: Ints, last: Ints) -> Ints:
    """Each segment's parent tag: the nearest element around all of its runs."""
    elements = document.elements
    around = document.runs.element[first]
    # Linear: each element is left once, by the segment with its end tag.
    open_ = np.flatnonzero(elements.end_run[around] <= last)
    while len(open_):
        around[open_] = elements.parent[around[open_]]
        open_ = open_[elements.end_run[around[open_]] <= last[open_]]
    table = np.full(len(CODES) + len(document.extra_tags), OTHER_TAG, np.int32)
    table[[CODES[tag] for tag in PARENT_TAGS]] = np.arange(1, OTHER_TAG)
    tags: Ints = table[elements.tag[around]]
    return tags
