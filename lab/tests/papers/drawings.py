"""Shapes and texts of a drawing, read back from its SVG."""

from __future__ import annotations

from xml.etree import ElementTree

from lab.papers.figures.drawing import Figure
from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.document.layout import Layout
from tests.extraction.helpers import document_of
from tests.layouts import load

SVG = "{http://www.w3.org/2000/svg}"


def shapes(figure: Figure, tag: str) -> list[ElementTree.Element]:
    """The shapes with the *tag*; fails if the drawing is not well-formed XML."""
    return list(ElementTree.fromstring(str(figure.svg)).iter(SVG + tag))


def titles(figure: Figure) -> list[str]:
    """Tooltips that browsers show for the shapes."""
    return [title.text or "" for title in shapes(figure, "title")]


def texts(figure: Figure) -> list[str]:
    """The texts of the drawing."""
    return [text.text or "" for text in shapes(figure, "text")]


def rendered(theme: str = "furo") -> tuple[Document, Layout]:
    """A recorded page and its layout."""
    page = load(theme)[0]
    document = document_of(page.html)
    return document, Layout.from_json(page.layout_json, document)
