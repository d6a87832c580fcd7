"""The search for content outside of a page's text, from source to source."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.document import RunKind, read_tree
from ..document.tags import CODES
from ..metadata.declarations import Declarations, read_declarations
from ..metadata.jsonld import JsonLd, parse_scripts, place_of, read_values
from .completion import THIN
from .linkeddata import describe
from .markup import plain_text
from .microdata import describe_item, has_microdata
from .shown import Shown
from .sources import read_hydration, shadow_trees, xpath
from .supplement import SHOWN, Supplement, from_document, from_html

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from ...page import Page
    from ..algorithms import Algorithm
    from ..document.document import Document
    from ..result import Extraction

LEAST_WORDS: Final = 10
"""Fewer words are no content."""

GAIN: Final = 1.0
"""What less sure sources must add, as a multiple of the main content without it."""


class Search:
    """Goes from the surest source to the least sure one, until the page has enough."""

    def __init__(
        self, page: Page, content: Extraction, root: _Element, algorithm: Algorithm
    ) -> None:
        self.page, self.root, self.algorithm = page, root, algorithm
        self.document = content.document
        self.words = page.words
        self.found: list[Supplement] = []
        self._jsonld: JsonLd | None = None
        self._linked_data()
        for search in (self._microdata, self._hydration, self._templates):
            if self.words < THIN:
                search()

    @cached_property
    def declared(self) -> Declarations:
        """What the page declares."""
        return read_declarations(self.document, self.page.url)

    @cached_property
    def url(self) -> str | None:
        """What addresses on the page are relative to."""
        return self.declared.base or self.page.url

    @cached_property
    def shown(self) -> Shown:
        """What the page shows, and what was added to it."""
        text, blocks = self.document.text, self.document.blocks
        places = zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
        return Shown(
            text[start:end].decode("utf-8", "replace") for start, end in places
        )

    def _take(self, supplements: list[Supplement], *, sure: bool = False) -> None:
        """Take what one source adds, if it is worth it.

        A *sure* source says what the page is about: on a thin page any bit counts.
        """
        added = [item for item in supplements if item.content.main.any()]
        words = sum(item.words for item in added)
        gain = 0 if sure and self.words < THIN else GAIN
        if words >= max(LEAST_WORDS, gain * self.words):
            self.found += added
            self.words += words

    def _linked_data(self) -> None:
        scripts = [*_linked_scripts(self.document)]
        if not scripts:
            return
        parsed = parse_scripts(text for _, text in scripts)
        urls = (self.page.url, self.declared.canonical_url)
        self._jsonld = read_values(parsed, urls)
        data = describe(self._jsonld)
        if self._is_new([data.html]) and (data.is_body or self.words < THIN):
            element, _ = scripts[place_of(data.node, parsed)]
            path = self.document.xpath(element)
            self._take([self._from_html("json-ld", path, [data.html])], sure=True)

    def _microdata(self) -> None:
        if has_microdata(self.document):
            self._take(
                [
                    self._from_html("microdata", self.document.xpath(element), [html])
                    for element, html in describe_item(self.document)
                    if self._is_new([html])
                ],
                sure=True,
            )

    def _hydration(self) -> None:
        texts = read_hydration(self.root, self._title).chosen()
        parts: dict[_Element, list[str]] = {}
        for text in texts:
            parts.setdefault(text.origin, []).append(text.html)
        self._take(
            [
                self._from_html("hydration", xpath(element, self.root), htmls)
                for element, htmls in parts.items()
                if self._is_new(htmls)
            ]
        )

    def _title(self) -> str | None:
        from ..metadata.reader import read_title

        return read_title(self.document, self.page.url, self.declared, self._jsonld)

    def _templates(self) -> None:
        self._take(
            [
                self._judged(path, read_tree(tree))
                for path, tree in shadow_trees(self.root)
            ]
        )

    def _judged(self, path: str, document: Document) -> Supplement:
        main = self.algorithm.judge(document).main
        return from_document("template", path, document, main, self.shown, self.url)

    def _is_new(self, parts: list[str]) -> bool:
        """Whether the page does not show most of it.

        Where it does, its text is enough: it is not the page's fault if the algorithm
        did not take it, and what is left over are scraps.
        """
        text = plain_text(" ".join(parts))
        return bool(text) and self.shown.share(text) < SHOWN

    def _from_html(self, source: str, path: str, parts: list[str]) -> Supplement:
        return from_html(source, path, parts, self.shown, self.url)


def _linked_scripts(document: Document) -> Iterator[tuple[int, str]]:
    """Element and text of each JSON-LD script."""
    runs = document.runs
    tags = document.elements.tag[runs.element]
    chosen = (runs.kind == RunKind.HEAD) & (tags == CODES["script"])
    texts = document.head_texts("script")
    return zip(runs.element[np.flatnonzero(chosen)].tolist(), texts, strict=True)


__all__ = ["Search"]
