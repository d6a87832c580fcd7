"""From a tree, bytes or text to a :class:`~scrapy_mainpage.page.Page`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..page import Page
from .algorithms import DEFAULT_ALGORITHM, Algorithm, get_algorithm
from .document._structure import count_words, largest
from .document.document import Document, read_tree
from .embedded import supplement
from .output.text import write_text
from .parsing.encoding import to_utf8
from .parsing.limits import (
    DEPTH,
    EMPTY,
    LARGE,
    NO_MAIN_CONTENT,
    NO_TEXT,
    TIME,
    TOO_LARGE,
    Clock,
    Fitted,
    Limits,
)
from .parsing.memory import LARGE_TREE, joined_frees
from .parsing.tree import parse_html
from .result import Extraction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lxml.etree import _Element

    from .document.layout import Layout


class Extractor:
    """Extracts pages with one algorithm; it keeps no state between pages.

    *algorithm* is a name (see
    :func:`~scrapy_mainpage.extraction.algorithms.available`), the import path of an
    ``Algorithm`` subclass, or an instance; *options* are the algorithm's own. Raises
    :exc:`~scrapy_mainpage.extraction.algorithms.AlgorithmError` for what is not known.
    With *structured_data* a page whose text falls short gets the content that it holds
    elsewhere (see :mod:`.structured`). *limits* are what a page may cost.
    """

    def __init__(
        self,
        algorithm: str | Algorithm = DEFAULT_ALGORITHM,
        options: Mapping[str, Any] | None = None,
        *,
        structured_data: bool = True,
        limits: Limits | None = None,
    ) -> None:
        if not isinstance(algorithm, Algorithm):
            algorithm = get_algorithm(algorithm, options)
        self.algorithm = algorithm
        self.structured_data = structured_data
        self.limits = limits or Limits()

    def extract(
        self, html: bytes | str, *, url: str | None = None, encoding: str | None = None
    ) -> Page:
        """Extract a page from *html*.

        Bytes are decoded by their byte order mark, *encoding* (as a server's header
        gives it), the page's own declaration, or what they look like, in this order.
        Nothing to parse gives an empty page with a warning.
        """
        return self.extract_fitted(self.fitted(html, encoding), url=url)

    def fitted(self, html: bytes | str, encoding: str | None = None) -> Fitted:
        """Return *html* as it may be parsed, and the codes of what was over a limit."""
        if len(html) > self.limits.max_size:
            return Fitted(b"", (TOO_LARGE,))
        size = len(html) if isinstance(html, bytes) else None
        return self.limits.fitted(to_utf8(html, encoding), size)

    def extract_fitted(self, fitted: Fitted, *, url: str | None = None) -> Page:
        """Extract the page that :meth:`fitted` returned."""
        if TOO_LARGE in fitted.reasons:
            return Page.empty(url, TOO_LARGE)
        if not fitted.page:
            return _explained(Page.empty(url, EMPTY), fitted.reasons)
        clock = Clock(self.limits)
        root = parse_html(fitted.page)
        document = read_tree(root)
        if not fitted.reasons and self._is_too_deep(document):
            fitted = self.limits.flattened(fitted.page)
            root = parse_html(fitted.page)
            document = read_tree(root)
        page = self._extracted(document, root, url, None, clock, fitted.reasons)
        if len(fitted.page) >= LARGE_TREE:
            with joined_frees():
                del root
        return _explained(page, fitted.reasons)

    def extract_tree(
        self,
        root: _Element,
        *,
        url: str | None = None,
        layout: Layout | None = None,
        source: Callable[[], bytes | str] | None = None,
    ) -> Page:
        """Extract a page from the root of its tree, which is only read.

        *layout* is that of this tree, element by element; one that is not, as the tree
        was changed since, counts as none. *source* gives what the tree was parsed from:
        a page of which the tree does not hold all, or is too deep, is read from there.
        """
        clock = Clock(self.limits)
        document = read_tree(root)
        reasons: tuple[str, ...] = ()
        if source is not None and (fitted := self._over_limits(document, source)):
            return self.extract_fitted(fitted, url=url)
        if self._is_too_deep(document):
            reasons = (DEPTH,)
        if layout is not None and layout.n_elements != document.n_elements:
            layout = None
        page = self._extracted(document, root, url, layout, clock, reasons)
        return _explained(page, reasons)

    def _over_limits(
        self, document: Document, source: Callable[[], bytes | str]
    ) -> Fitted | None:
        """The page as it is to be read instead, if its tree is over a limit."""
        if self._is_too_deep(document):
            return self.limits.flattened(to_utf8(source()))
        if document.n_elements > self.limits.max_elements:
            # A parser adds some elements of its own: these are none too many.
            fitted = self.limits.fitted(to_utf8(source()))
            return fitted if fitted.reasons else None
        return None

    def _is_too_deep(self, document: Document) -> bool:
        return largest(document.elements.depth) > self.limits.tree_depth

    def _extracted(
        self,
        document: Document,
        root: _Element,
        url: str | None,
        layout: Layout | None,
        clock: Clock,
        reasons: tuple[str, ...],
    ) -> Page:
        if clock.is_over:
            return Page.empty(url, TIME, self.algorithm.name)
        page = self.extract_document(document, url=url, layout=layout)
        if not self.structured_data or LARGE in reasons:
            return page
        if clock.is_over:
            return replace(page, warnings=(*page.warnings, TIME))
        return supplement(page, root, self.algorithm)

    def extract_document(
        self,
        document: Document,
        *,
        url: str | None = None,
        layout: Layout | None = None,
    ) -> Page:
        """Extract a page from a document that was read before.

        Raises :exc:`~scrapy_mainpage.extraction.algorithms.LayoutRequired` if the
        algorithm reads a rendered page's *layout* and there is none.
        """
        verdict = self.algorithm.judge(document, layout)
        scores, main = verdict.scores, verdict.main
        total, taken = count_words(document.blocks.words, main.view(np.uint8))
        warnings = verdict.warnings if document.n_blocks else ("no_text",)
        return Page(
            url=url,
            text=write_text(document, main),
            algorithm=self.algorithm.name,
            words=taken,
            words_total=total,
            confidence=verdict.confidence,
            warnings=warnings,
            _content=Extraction(
                document,
                url,
                scores,
                main,
                self.algorithm,
                boxes=None if layout is None else layout.boxes(document),
            ),
        )


def _explained(page: Page, reasons: tuple[str, ...]) -> Page:
    """*page* with the codes of what was over a limit, and of why there is no text."""
    if not page.text and not _WHY_EMPTY.intersection(page.warnings):
        reasons = (*reasons, NO_MAIN_CONTENT)
    return replace(page, warnings=(*page.warnings, *reasons)) if reasons else page


_WHY_EMPTY = frozenset({EMPTY, NO_TEXT, TOO_LARGE, TIME})

__all__ = ["Extractor"]
