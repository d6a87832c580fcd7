"""Shortcuts from HTML to the objects that the extraction tests check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_mainpage.extraction.declared import Declared
from scrapy_mainpage.extraction.document.document import Document, read_tree
from scrapy_mainpage.extraction.labels.labelling import LabelEvidence
from scrapy_mainpage.extraction.metadata.reader import MetadataReader
from scrapy_mainpage.extraction.output.text import make_writer
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.extraction.title_rule import TitleFinder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from scrapy_mainpage.page import Metadata


def document_of(html: str, *, all_attributes: bool = False) -> Document:
    """The document of *html*, as the crawl's own parser reads it."""
    return read_tree(parse_html(html), all_attributes=all_attributes)


def texts_of(document: Document, mask: npt.NDArray[np.bool_]) -> list[str]:
    """The texts of the blocks that *mask* chooses."""
    return [document.block_text(i) for i in range(document.n_blocks) if mask[i]]


def block_texts(document: Document) -> list[str]:
    """The texts of all blocks."""
    return [document.block_text(i) for i in range(document.n_blocks)]


def evidence_of(document: Document, main: npt.NDArray[np.bool_]) -> LabelEvidence:
    """The evidence for the labels of *document*, given its main content."""
    return LabelEvidence(document, main, TitleFinder(document).find_block(main))


def metadata_of(html: str, url: str | None = None) -> Metadata:
    """The metadata of *html*, as a page has it."""
    document = document_of(html)
    return MetadataReader(
        Declared(document, url), make_writer(document).block_text
    ).metadata()
