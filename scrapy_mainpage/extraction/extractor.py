"""From a tree, bytes or text to a :class:`~scrapy_mainpage.page.Page`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from w3lib.encoding import html_to_unicode

from ..page import Page
from .algorithms import DEFAULT_ALGORITHM, Algorithm, get_algorithm
from .content import Content
from .document import Document, read_tree
from .parsing import parse_html
from .structured import complete
from .writers.text import write_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

    from .layout import Layout


class Extractor:
    """Extracts pages with one algorithm; it keeps no state between pages.

    *algorithm* is a name (see
    :func:`~scrapy_mainpage.extraction.algorithms.available`), the import path of an
    ``Algorithm`` subclass, or an instance; *options* are the algorithm's own. Raises
    :exc:`~scrapy_mainpage.extraction.algorithms.AlgorithmError` for what is not known.
    With *structured_data* a page whose text falls short gets the content that it holds
    elsewhere (see :mod:`.structured`).
    """

    def __init__(
        self,
        algorithm: str | Algorithm = DEFAULT_ALGORITHM,
        options: Mapping[str, Any] | None = None,
        *,
        structured_data: bool = True,
    ) -> None:
        if not isinstance(algorithm, Algorithm):
            algorithm = get_algorithm(algorithm, options)
        self.algorithm = algorithm
        self.structured_data = structured_data

    def extract(
        self, html: bytes | str, *, url: str | None = None, encoding: str | None = None
    ) -> Page:
        """Extract a page from *html*.

        Bytes are decoded by their byte order mark, *encoding* (as a server's header
        gives it), the page's own declaration, or UTF-8, in this order. Nothing to
        parse gives an empty page with a warning.
        """
        text = html if isinstance(html, str) else _decode(html, encoding)
        if not text.strip("\x00 \t\r\n\f"):
            return Page.empty(url, "empty")
        # A lone surrogate is valid in a str but in no encoding.
        text = text.encode("utf-8", "replace").decode("utf-8")
        return self.extract_tree(parse_html(text), url=url)

    def extract_tree(
        self,
        root: _Element,
        *,
        url: str | None = None,
        layout: Layout | None = None,
    ) -> Page:
        """Extract a page from the root of its tree, which is only read.

        *layout* is that of this tree, element by element; one that is not, as the tree
        was changed since, counts as none.
        """
        document = read_tree(root)
        if layout is not None and layout.n_elements != document.n_elements:
            layout = None
        page = self.extract_document(document, url=url, layout=layout)
        return complete(page, root, self.algorithm) if self.structured_data else page

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
        words = document.blocks.words
        warnings = verdict.warnings if document.n_blocks else ("no_text",)
        return Page(
            url=url,
            text=write_text(document, main),
            algorithm=self.algorithm.name,
            words=int(words[main].sum()),
            words_total=int(words.sum()),
            confidence=verdict.confidence,
            warnings=warnings,
            _content=Content(
                document,
                url,
                scores,
                main,
                self.algorithm,
                boxes=None if layout is None else layout.boxes(document),
            ),
        )


def _decode(html: bytes, encoding: str | None) -> str:
    content_type = f"text/html; charset={encoding}" if encoding else None
    return html_to_unicode(content_type, html, default_encoding="utf-8")[1]


__all__ = ["Extractor"]
