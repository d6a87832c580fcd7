"""The search for content outside of a page's text, from source to source."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.document import number_elements, read_tree
from ..document.schema import Context
from ..parsing.tree import parse_html
from ..result import MAX_THIN_WORDS, Extraction, Supplement
from ..title_rule import TitleFinder
from .hydration import read_hydration
from .linked_data import describe
from .prose import TEXT_WORK, SeenText, plain_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

    from ..document.document import Document
    from ..result import Draft

MIN_WORDS: Final = 10
"""Fewer words are not content."""

MAX_SHELL_WORDS: Final = 1_000
"""Words of a page; one that shows more is not a shell for a script to fill."""

MAX_SEEN_SHARE: Final = 0.5
"""A text block is on the page already if this share of its sequences of words is."""

BLOCK_WORK: Final = 500
"""Of a block, beside its bytes: its text is made, and compared with the page's."""

_ASIDE: Final = int(Context.HIDDEN | Context.NAVIGATION | Context.FORM | Context.DIALOG)


class EmbeddedFinder:
    """Tries one source after the other until the page has enough words."""

    def __init__(self, draft: Draft, root: _Element) -> None:
        self.found: list[Supplement] = []
        self._draft, self._root = draft, root
        self._document, self._url = draft.content.document, draft.content.url
        self._words, self._budget = draft.words, self._document.budget
        self._declared = draft.content.declared
        self._search_linked_data()
        if self._words < MAX_THIN_WORDS and self._budget.spend(0):
            self._search_hydration()

    @cached_property
    def _seen(self) -> SeenText:
        """The page's own text, and the texts that were added."""
        return SeenText(map(self._document.block_text, range(self._document.n_blocks)))

    def _take(self, supplements: list[Supplement], *, sure: bool = False) -> None:
        """Take the supplements of one source, if they are worth it.

        A *sure* source is about the page: on a thin page any bit counts. Others must
        add as many words as the page has without them.
        """
        added = [item for item in supplements if item.content.main.any()]
        words = sum(item.content.words for item in added)
        least = 0 if sure and self._words < MAX_THIN_WORDS else self._words
        if words >= max(MIN_WORDS, least):
            self.found += added
            self._words += words

    def _search_linked_data(self) -> None:
        node, html, is_body = describe(self._declared)
        is_thin = self._words < MAX_THIN_WORDS
        is_longer = is_body and len(html) > len(self._draft.text)
        if (is_thin or is_longer) and self._is_new([html]):
            path = self._document.xpath(node.element)
            self._take([self._from_html("json-ld", path, [html])], sure=True)

    def _search_hydration(self) -> None:
        if self._draft.words_total >= MAX_SHELL_WORDS:
            return
        parts: dict[_Element, list[str]] = {}
        for candidate in read_hydration(self._root, self._get_title, self._budget):
            parts.setdefault(candidate.origin, []).append(candidate.html)
        numbers = number_elements(self._root, self._document, parts)
        self._take(
            [
                self._from_html("hydration", self._document.xpath(number), htmls)
                for element, number in numbers.items()
                if self._is_new(htmls := parts[element])
            ]
        )

    def _get_title(self) -> str | None:
        from ..metadata.reader import MetadataReader

        return MetadataReader(self._declared, self._draft.content.block_text).title

    def _is_new(self, parts: list[str]) -> bool:
        """Whether the page does not show most of it.

        Where it does, the algorithm has seen the text and not taken it, and the rest
        is scraps.
        """
        text = plain_text(" ".join(parts))
        if not self._budget.spend(TEXT_WORK * len(text)):
            return False
        return bool(text) and self._seen.share(text) < MAX_SEEN_SHARE

    def _from_html(self, source: str, path: str, parts: Iterable[str]) -> Supplement:
        """The new blocks of *parts*, each HTML of its own."""
        root = parse_html("<main></main>")
        body = root.find("body")
        assert body is not None
        for part in parts:
            # Parsed apart: an open tag or comment does not reach the next part.
            inner = self._budget.parse(part)
            for section in inner.findall("body"):
                section.tag = "section"
                body.append(section)
        return self._from_document(source, path, read_tree(root, self._budget))

    def _from_document(self, source: str, path: str, document: Document) -> Supplement:
        """The new blocks of *document*; they count as seen then.

        They are not compared with each other: entries of a list may differ in a number.
        """
        main = (document.blocks.flags & _ASIDE) == 0
        chosen = np.flatnonzero(main)
        most = max(self._budget.left, 0) // BLOCK_WORK
        self._budget.spend(BLOCK_WORK * len(chosen))
        main[chosen[most:]] = False
        texts = {k: document.block_text(k) for k in chosen[:most].tolist()}
        for block, text in texts.items():
            main[block] = self._seen.share(text) < MAX_SEEN_SHARE
        for text in texts.values():
            self._seen.add(text)
        url = self._declared.meta.base or self._url
        title = TitleFinder(document).find_block(main)
        content = Extraction(document, url, main.astype(np.float32), main, title)
        return Supplement(source, path, content)
