"""Public extractors of main content, each called as its documentation recommends.

For speed, each is called with a page's bytes, so that finding the encoding, decoding
and parsing are part of its time. For quality, ``lab.evaluation.systems``
calls them with the same text, decoded as Scrapy decodes it. Packages are imported where
they are used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from lab.evaluation.systems import EXTRACTORS, STOPLISTS
from scrapy_mainpage import extract

OURS = "learned"
RESILIPARSE = "resiliparse"
TRAFILATURA = "trafilatura"


@dataclass(frozen=True)
class PublicExtractor:
    """An extractor: main text of a page's bytes, and of its decoded text and language.

    *package* is its name as a distribution; *settings* describes the call for quality.
    *to_markdown* is that call with Markdown as its result, if there is one. *every*: so
    slow that speed measures only each so-manieth page.
    """

    label: str
    package: str
    settings: str
    from_bytes: Callable[[bytes], str]
    from_text: Callable[[str, str], str]
    every: int = 1
    to_markdown: Callable[[str, str], str] | None = None

    @cached_property
    def version(self) -> str | None:
        """The installed version; ``None`` where it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


def extract_own(name: str, html: bytes | str, language: str = "") -> str:
    return extract(html, algorithm=name).text


def extract_own_markdown(name: str, html: str, language: str = "") -> str:
    return extract(html, algorithm=name).markdown


def read_resiliparse(html: bytes) -> str:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse_from_bytes(html, detect_encoding(html))
    return extract_plain_text(tree, main_content=True)


def read_trafilatura(html: bytes) -> str:
    import trafilatura

    return trafilatura.extract(html) or ""


def extract_trafilatura_markdown(html: str, language: str = "") -> str:
    import trafilatura

    found = trafilatura.extract(html, include_comments=False, output_format="markdown")
    return found or ""


def read_readability(html: bytes) -> str:
    from lxml.html import fromstring
    from readability import Document

    return fromstring(Document(html).summary()).text_content()


def read_justext(html: bytes) -> str:
    import justext

    paragraphs = justext.justext(html, justext.get_stoplist(STOPLISTS["en"]))
    return "\n".join(each.text for each in paragraphs if not each.is_boilerplate)


def read_boilerpy3(html: bytes) -> str:
    return EXTRACTORS["boilerpy3"].extract(html.decode("utf-8", "replace"), "")


def own(name: str) -> PublicExtractor:
    """One of this package's algorithms with its defaults."""
    call = partial(extract_own, name)
    to_markdown = partial(extract_own_markdown, name)
    return PublicExtractor(
        name, "scrapy-mainpage", "defaults", call, call, to_markdown=to_markdown
    )


def _public(
    label: str, settings: str, from_bytes: Callable[[bytes], str], **more: Any
) -> PublicExtractor:
    kept = EXTRACTORS[label]
    return PublicExtractor(
        label, kept.package, settings, from_bytes, kept.extract, **more
    )


PUBLIC = (
    _public(RESILIPARSE, "main_content=True", read_resiliparse),
    _public(
        TRAFILATURA, "include_comments=False", read_trafilatura,
        to_markdown=extract_trafilatura_markdown,
    ),
    _public(
        "readability-lxml", "all text of Document(html).summary()", read_readability,
        every=5,
    ),
    _public(
        "justext", "stop list of the page's language; without one language-independent",
        read_justext, every=5,
    ),
    _public(
        "boilerpy3", "ArticleExtractor, raise_on_failure=False", read_boilerpy3,
        every=5,
    ),
)  # fmt: skip


def installed() -> list[PublicExtractor]:
    """This package's default, and every public extractor that is installed."""
    return [own(OURS), *(each for each in PUBLIC if each.version is not None)]
