"""Public extractors of main content, each called as its documentation recommends.

For speed, each is called with a page's bytes, so that finding the encoding, decoding
and parsing are part of its time. For quality, all get the same text, decoded as Scrapy
decodes it. Packages are imported where they are used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from scrapy_mainpage import extract

OURS = "learned"
RESILIPARSE = "resiliparse"
TRAFILATURA = "trafilatura"

#: jusText's stop lists by language code; it has none for Chinese, Japanese and Thai.
STOPLISTS = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian",
    "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian",
    "nb": "Norwegian_Bokmal", "nl": "Dutch", "no": "Norwegian_Bokmal", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish",
    "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
}  # fmt: skip


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


def extract_resiliparse(html: bytes | str, language: str = "") -> str:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    if isinstance(html, bytes):
        tree = HTMLTree.parse_from_bytes(html, detect_encoding(html))
        return extract_plain_text(tree, main_content=True)
    return extract_plain_text(html, main_content=True)


def extract_trafilatura(html: bytes | str, language: str = "") -> str:
    import trafilatura

    if isinstance(html, bytes):
        return trafilatura.extract(html) or ""
    return trafilatura.extract(html, include_comments=False) or ""


def extract_trafilatura_markdown(html: str, language: str = "") -> str:
    import trafilatura

    found = trafilatura.extract(html, include_comments=False, output_format="markdown")
    return found or ""


def extract_readability(html: bytes | str, language: str = "") -> str:
    """All text of the summary; block elements are lines of their own."""
    from lxml.html import fromstring
    from readability import Document

    from scrapy_mainpage.evaluation.specs import ALL_TEXT, Reference
    from scrapy_mainpage.extraction.extractor import Extractor

    summary = Document(html).summary()
    if isinstance(html, bytes):
        return fromstring(summary).text_content()
    return Extractor(Reference(ALL_TEXT)).extract(summary).text


def extract_justext(html: bytes | str, language: str = "en") -> str:
    """With the stop list of the page's language, or language-independent."""
    import justext

    if name := STOPLISTS.get(language):
        paragraphs = justext.justext(html, justext.get_stoplist(name))
    else:
        none: frozenset[str] = frozenset()
        paragraphs = justext.justext(html, none, stopwords_low=0, stopwords_high=0)
    return "\n".join(each.text for each in paragraphs if not each.is_boilerplate)


def extract_boilerpy3(html: bytes | str, language: str = "") -> str:
    from boilerpy3.extractors import ArticleExtractor

    text = html.decode("utf-8", "replace") if isinstance(html, bytes) else html
    return ArticleExtractor(raise_on_failure=False).get_content(text)


def own(name: str) -> PublicExtractor:
    """One of this package's algorithms with its defaults."""
    call = partial(extract_own, name)
    to_markdown = partial(extract_own_markdown, name)
    return _public(name, "scrapy-mainpage", "defaults", call, to_markdown=to_markdown)


def _public(
    label: str, package: str, settings: str, call: Callable[..., str], **more: Any
) -> PublicExtractor:
    return PublicExtractor(label, package, settings, call, call, **more)


PUBLIC = (
    _public(RESILIPARSE, "Resiliparse", "main_content=True", extract_resiliparse),
    _public(
        TRAFILATURA, "trafilatura", "include_comments=False", extract_trafilatura,
        to_markdown=extract_trafilatura_markdown,
    ),
    _public(
        "readability-lxml", "readability-lxml",
        "all text of Document(html).summary()", extract_readability, every=5,
    ),
    _public(
        "justext", "jusText",
        "stop list of the page's language; without one language-independent",
        extract_justext, every=5,
    ),
    _public(
        "boilerpy3", "boilerpy3", "ArticleExtractor, raise_on_failure=False",
        extract_boilerpy3, every=5,
    ),
)  # fmt: skip


def installed() -> list[PublicExtractor]:
    """This package's default, and every public extractor that is installed."""
    return [own(OURS), *(each for each in PUBLIC if each.version is not None)]
