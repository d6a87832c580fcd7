"""What the judgement of a static page looks at, each part found when it is needed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.document.schema import Context
from ..extraction.document.tags import CODES
from .gaps import find_gaps, is_deferred, node_of
from .naming import Sort
from .outline import ASIDE, outline
from .scripts import read_scripts

if TYPE_CHECKING:
    import numpy.typing as npt
    from lxml.etree import _Element

    from ..extraction.document.document import Document
    from ..extraction.result import Extraction
    from ..page import Page
    from .gaps import Gap
    from .scripts import Scripts

    Mask = npt.NDArray[np.bool_]

LITTLE: Final = 100.0
"""Words of main content: with fewer a place that waits for content is to be filled."""

PLENTY: Final = 400.0
"""Words of main content: with more only plain signs count."""

MODEST: Final = 250.0
LATE_IN_FEW: Final = 0.5
LATE: Final = 0.15
"""The share of the main content that may follow a place which waits for more of it:
the first where there are fewer words than :data:`MODEST`."""

MOSTLY: Final = 1.5
"""What an element shows, as a multiple of the main content, that is little else."""

NEAR: Final = 12.0
"""Words of other text between main content and such a place."""

_MOST_NODES: Final = 8
TELLING: Final = (Sort.WAITING, Sort.CONTENT, Sort.ROOT)


class Sight:
    """What the rules look at, each part found when it is first needed."""

    def __init__(self, root: _Element, page: Page, content: Extraction) -> None:
        self.root, self.content = root, content
        self.document: Document = content.document
        self.outline = outline(self.document)
        blocks = self.document.blocks
        weight = blocks.words - blocks.cjk * 0.5
        self.main_words = np.where(content.main & ~self.outline.waiting, weight, 0.0)
        self.added = sum(item.words for item in content.supplements)
        self.main = float(self.main_words.sum()) + self.added
        words = self.outline.words
        self.shown = max(float(words.sum()), self.main)
        in_flow = (blocks.flags & (ASIDE & ~int(Context.FORM))) == 0
        self.flow = float(words[in_flow].sum())

    @cached_property
    def gaps(self) -> list[Gap]:
        """Places that may wait for main content.

        Where there is some, only those which little of it follows.
        """
        return find_gaps(self.document, self.outline, self._within())

    def _within(self) -> Mask:
        first = self.document.elements.first_block
        if self.main < LITTLE:
            return np.ones(len(first), bool)
        before = np.concatenate(([0.0], np.cumsum(self.main_words)))[first]
        others = np.where(self.content.main, 0.0, self.outline.words)
        passed = np.concatenate(([0.0], np.cumsum(others)))
        reset = np.maximum.accumulate(np.where(self.content.main, passed[1:], 0.0))
        since = passed[first] - np.concatenate(([0.0], reset))[first]
        total = float(self.main_words.sum())
        share = LATE if self.main >= MODEST else LATE_IN_FEW
        mask: Mask = (before > 0) & (total - before <= share * total) & (since <= NEAR)
        return mask

    @cached_property
    def scripts(self) -> Scripts:
        """The page's scripts; their code is read when it is asked for."""
        return read_scripts(self.root)

    @cached_property
    def deferred(self) -> list[Gap]:
        """The gaps that an attribute of their own says are filled later."""
        return [
            gap
            for gap in self.gaps[:_MOST_NODES]
            if (node := node_of(self.root, self.document, gap.element)) is not None
            and is_deferred(node, bound=self.main < LITTLE)
        ]

    @cached_property
    def scripted(self) -> list[Gap]:
        """The gaps that a script of the page names where it fills something."""
        loaded = self.main >= LITTLE
        gaps = [g for g in self.gaps if not loaded or (g.id and not g.is_minor)]
        if not gaps and (not loaded or self.main >= PLENTY):
            return []
        if not (self.scripts.loading if loaded else self.scripts.filling):
            return []
        if loaded:
            gaps += self._elsewhere()
        return [gap for gap in gaps if self.scripts.fill(gap.names, loaded=loaded)]

    def _elsewhere(self) -> list[Gap]:
        """Gaps that are not behind the main content, if that may be something else."""
        if self.main >= PLENTY:
            return []
        everywhere = np.ones(self.document.n_elements, bool)
        return of_sort(find_gaps(self.document, self.outline, everywhere), *TELLING)

    @cached_property
    def around(self) -> tuple[str, ...]:
        """The ids of what is around the beginning of the main content, and ``main``.

        Empty where no script loads something and puts it into one of them.
        """
        main = np.flatnonzero(self.content.main)
        if not len(main) or not self.scripts.loading:
            return ()
        elements = self.document.elements
        total = np.concatenate(([0.0], np.cumsum(self.outline.words)))
        element = int(self.document.blocks.element[main[0]])
        names: list[str] = []
        while element > 0:
            held = total[elements.end_block[element]]
            if held - total[elements.first_block[element]] > MOSTLY * self.main:
                break
            tag = self.document.tag_name(element)
            if tag in ("main", "article"):
                names.append(tag)
            if own := self.document.attribute(element, "id"):
                names.append(own)
            element = int(self.document.elements.parent[element])
        return tuple(name for name in names if self.scripts.fill((name,), loaded=True))

    @cached_property
    def named(self) -> list[Gap]:
        """The gaps that have a name of their own and may hold much."""
        return [
            gap
            for gap in self.gaps
            if not gap.is_minor and (gap.id or gap.sort is Sort.MAIN)
        ]

    def has_tag(self, name: str) -> bool:
        """Whether an element has the tag *name*."""
        return bool((self.document.elements.tag == CODES[name]).any())

    def noscript_text(self) -> str:
        """What a reader without scripts is told."""
        mask = (self.document.blocks.flags & int(Context.NOSCRIPT)) != 0
        blocks = np.flatnonzero(mask)[:_MOST_NODES].tolist()
        return " ".join(map(self.document.block_text, blocks))

    def text(self) -> str:
        """The seen text, of a page that has little."""
        blocks = np.flatnonzero(self.outline.words > 0)[:30].tolist()
        return " ".join(map(self.document.block_text, blocks))


def of_sort(gaps: list[Gap], *sorts: Sort) -> list[Gap]:
    """Those of the *gaps* that are of one of the *sorts*."""
    return [gap for gap in gaps if gap.sort in sorts]
