"""Signals of a static page, each computed when a rule first needs it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ...extraction.document.schema import Context
from ...extraction.document.tags import CODES
from .javascript import read_scripts
from .outline import ASIDE, make_outline
from .placeholder_names import PlaceholderKind
from .placeholders import find_bound, find_node, find_placeholders, is_deferred

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ...extraction.document.document import Document
    from ...extraction.document.schema import Mask
    from ...extraction.result import Extraction
    from .javascript import Scripts
    from .placeholders import Placeholder


MAX_LITTLE_WORDS: Final = 100.0
"""Main content: with fewer words every placeholder waits for content."""

MAX_MODEST_WORDS: Final = 250.0
MIN_PLENTY_WORDS: Final = 400.0
"""Main content: with more words only plain signs count."""

MAX_SHARE_AFTER: Final = 0.15
MAX_SHARE_AFTER_MODEST: Final = 0.5
"""Share of the main content that may follow a placeholder for more of it: the second
where there are fewer than :data:`MAX_MODEST_WORDS` words."""

MAX_WORDS_BETWEEN: Final = 12.0
"""Words of other text between main content and such a placeholder."""

MAX_CONTAINER_RATIO: Final = 1.5
"""Words in a container of the main content, as a multiple of the main content."""

_MAX_NODES: Final = 8
_MAX_TEXT_BLOCKS: Final = 30

SPECIFIC_KINDS: Final = (
    PlaceholderKind.WAITING,
    PlaceholderKind.CONTENT,
    PlaceholderKind.ROOT,
)


class PageSignals:
    """Signals of a page. Word counts take two CJK characters for a word.

    ``main`` is the main content, ``added`` its part from embedded data, ``shown`` all
    visible text, ``flow`` the text outside header, menus and footer.
    """

    def __init__(self, root: _Element, content: Extraction) -> None:
        self.root, self.content = root, content
        self.document: Document = content.document
        self.outline = make_outline(self.document)
        blocks = self.document.blocks
        weight = blocks.words - blocks.cjk * 0.5
        self.main_words = np.where(content.main & ~self.outline.waiting, weight, 0.0)
        self.added = sum(item.content.words for item in content.supplements)
        self.main = float(self.main_words.sum()) + self.added
        words = self.outline.words
        self.shown = max(float(words.sum()), self.main)
        in_flow = (blocks.flags & (ASIDE & ~int(Context.FORM))) == 0
        self.flow = float(words[in_flow].sum())

    @cached_property
    def placeholders(self) -> list[Placeholder]:
        """Empty containers that may wait for main content.

        On a page with main content only those followed by little of it.
        """
        outline = self.outline
        return find_placeholders(
            self.document, outline, self._select_elements() & outline.empty
        )

    def _select_elements(self) -> Mask:
        first = self.document.elements.first_block
        if self.main < MAX_LITTLE_WORDS:
            return np.ones(len(first), bool)
        before = np.concatenate(([0.0], np.cumsum(self.main_words)))[first]
        others = np.where(self.content.main, 0.0, self.outline.words)
        passed = np.concatenate(([0.0], np.cumsum(others)))
        reset = np.maximum.accumulate(np.where(self.content.main, passed[1:], 0.0))
        since = passed[first] - np.concatenate(([0.0], reset))[first]
        total = float(self.main_words.sum())
        is_modest = self.main < MAX_MODEST_WORDS
        share = MAX_SHARE_AFTER_MODEST if is_modest else MAX_SHARE_AFTER
        mask: Mask = (before > 0) & (total - before <= share * total)
        return mask & (since <= MAX_WORDS_BETWEEN)

    @cached_property
    def scripts(self) -> Scripts:
        """The page's scripts."""
        return read_scripts(self.root)

    @cached_property
    def deferred(self) -> list[Placeholder]:
        """Placeholders with an attribute for deferred loading."""
        bound = self.main < MAX_LITTLE_WORDS
        return [
            it
            for it in self.placeholders[:_MAX_NODES]
            if (node := find_node(self.root, self.document, it.element)) is not None
            and is_deferred(node, bound=bound)
        ]

    @cached_property
    def bound(self) -> tuple[str, ...]:
        """Places of empty elements that a framework fills."""
        is_little = self.main < MAX_LITTLE_WORDS
        return find_bound(self.document, self.outline, is_little=is_little)

    @cached_property
    def scripted(self) -> list[Placeholder]:
        """Placeholders that an inline script names where it fills elements."""
        has_text = self.main >= MAX_LITTLE_WORDS
        found = [
            it
            for it in self.placeholders
            if not has_text or (it.id and not it.is_minor)
        ]
        if not found and (not has_text or self.main >= MIN_PLENTY_WORDS):
            return []
        if not (self.scripts.loading if has_text else self.scripts.filling):
            return []
        if has_text:
            found += self._find_elsewhere()
        return [it for it in found if self.scripts.fill(it.names, loaded=has_text)]

    def _find_elsewhere(self) -> list[Placeholder]:
        """Placeholders anywhere, as the little main content may be something else."""
        if self.main >= MIN_PLENTY_WORDS:
            return []
        found = find_placeholders(self.document, self.outline, self.outline.empty)
        return filter_kinds(found, *SPECIFIC_KINDS)

    @cached_property
    def around(self) -> tuple[str, ...]:
        """Names of the main content's containers that a script loads something into.

        The ids, and the tags ``main`` and ``article``.
        """
        main = np.flatnonzero(self.content.main)
        if not len(main) or not self.scripts.loading:
            return ()
        elements = self.document.elements
        total = np.concatenate(([0.0], np.cumsum(self.outline.words)))
        element = int(self.document.blocks.element[main[0]])
        names: list[str] = []
        while element > 0:
            end, first = elements.end_block[element], elements.first_block[element]
            if total[end] - total[first] > MAX_CONTAINER_RATIO * self.main:
                break
            tag = self.document.tag_name(element)
            if tag in ("main", "article"):
                names.append(tag)
            if own := self.document.attribute(element, "id"):
                names.append(own)
            element = int(self.document.elements.parent[element])
        return tuple(name for name in names if self.scripts.fill((name,), loaded=True))

    @cached_property
    def named(self) -> list[Placeholder]:
        """Placeholders for sections that have an id, or are ``main``."""
        return [
            it
            for it in self.placeholders
            if not it.is_minor and (it.id or it.kind is PlaceholderKind.MAIN)
        ]

    def has_tag(self, name: str) -> bool:
        """Whether the page has an element *name*."""
        return bool((self.document.elements.tag == CODES[name]).any())

    def read_noscript(self) -> str:
        """Return the first texts inside ``noscript``."""
        mask = (self.document.blocks.flags & int(Context.NOSCRIPT)) != 0
        blocks = np.flatnonzero(mask)[:_MAX_NODES].tolist()
        return " ".join(map(self.document.block_text, blocks))

    def read_text(self) -> str:
        """Return the first visible texts."""
        blocks = np.flatnonzero(self.outline.words > 0)[:_MAX_TEXT_BLOCKS].tolist()
        return " ".join(map(self.document.block_text, blocks))


def filter_kinds(
    placeholders: list[Placeholder], *kinds: PlaceholderKind
) -> list[Placeholder]:
    """Return the *placeholders* of one of the *kinds*."""
    return [it for it in placeholders if it.kind in kinds]
