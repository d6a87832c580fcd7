"""Extractors by the time of the whole call: from a page's bytes to its main text.

Each is called as its documentation has it for bytes, so that how it finds the encoding,
decodes and parses is part of its time. What is called differs from the comparison of
quality (``peerlist``), where all get the same text. Packages are imported where they
are used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from scrapy_mainpage import extract

OURS = "learned"
RESILIPARSE = "resiliparse"
TRAFILATURA = "trafilatura"


@dataclass(frozen=True)
class Contender:
    """An extractor: *call* makes the main text of a page's bytes.

    *every*: so slow that only each so-manieth page is read. *how* is shown beside its
    figures.
    """

    label: str
    package: str
    how: str
    call: Callable[[bytes], str]
    every: int = 1

    @property
    def version(self) -> str | None:
        """The installed version; ``None`` where it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


def ours(page: bytes) -> str:
    return extract(page).text


def resiliparse(page: bytes) -> str:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse_from_bytes(page, detect_encoding(page))
    return extract_plain_text(tree, main_content=True)


def trafilatura(page: bytes) -> str:
    import trafilatura

    return trafilatura.extract(page) or ""


def readability(page: bytes) -> str:
    from lxml.html import fromstring
    from readability import Document

    return fromstring(Document(page).summary()).text_content()


def justext(page: bytes) -> str:
    import justext

    paragraphs = justext.justext(page, justext.get_stoplist("English"))
    return "\n".join(each.text for each in paragraphs if not each.is_boilerplate)


def boilerpy3(page: bytes) -> str:
    """It takes text alone."""
    from boilerpy3.extractors import ArticleExtractor

    text = page.decode("utf-8", "replace")
    return ArticleExtractor(raise_on_failure=False).get_content(text)


CONTENDERS = (
    Contender(OURS, "scrapy-mainpage", "extract(page).text", ours),
    Contender(
        RESILIPARSE,
        "Resiliparse",
        "detect_encoding, parse_from_bytes, extract_plain_text(main_content=True)",
        resiliparse,
    ),
    Contender(TRAFILATURA, "trafilatura", "extract(page)", trafilatura),
    Contender(
        "readability-lxml", "readability-lxml", "Document(page).summary()",
        readability, every=5,
    ),
    Contender(
        "justext", "jusText", "justext(page, stop list of English)", justext, every=5
    ),
    Contender(
        "boilerpy3", "boilerpy3", "ArticleExtractor, of UTF-8", boilerpy3, every=5
    ),
)  # fmt: skip


def installed() -> list[Contender]:
    return [each for each in CONTENDERS if each.version is not None]


def contender(label: str) -> Contender:
    (found,) = (each for each in CONTENDERS if each.label == label)
    return found
