"""Public extractors of main content, each called as its documentation recommends.

For speed, each is called with a page's bytes, so that finding the encoding, decoding
and parsing are part of its time; for quality, with the text as Scrapy decodes it.
Packages are imported where they are used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.parsing.tree import parse_html

OURS = "learned"
RESILIPARSE = "resiliparse"
TRAFILATURA = "trafilatura"

STOPLISTS: Final = {
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
"""jusText's stop lists by language; it has none for Chinese, Japanese and Thai."""


def extract_resiliparse(html: str, language: str = "") -> str:
    """The text of ``extract_plain_text`` with ``main_content=True``."""
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(html, main_content=True))


def extract_trafilatura(html: str, language: str = "") -> str:
    """The text without comments."""
    import trafilatura

    return trafilatura.extract(html, include_comments=False) or ""


def extract_readability(html: str, language: str = "") -> str:
    """The text of the summary, a line per text block."""
    from readability import Document

    summary = read_tree(parse_html(Document(html).summary()))
    return "\n".join(map(summary.block_text, range(summary.n_blocks)))


def extract_justext(html: str, language: str = "en") -> str:
    """With the stop list of the page's language, or language-independent."""
    import justext

    if name := STOPLISTS.get(language):
        paragraphs = justext.justext(html, justext.get_stoplist(name))
    else:
        none: frozenset[str] = frozenset()
        paragraphs = justext.justext(html, none, stopwords_low=0, stopwords_high=0)
    return "\n".join(each.text for each in paragraphs if not each.is_boilerplate)


def extract_boilerpy3(extractor: str, html: str, language: str = "") -> str:
    """The text of one of Boilerpipe's extractors."""
    from boilerpy3 import extractors

    build = getattr(extractors, extractor)
    return str(build(raise_on_failure=False).get_content(html))


def extract_own(name: str, html: bytes | str, language: str = "") -> str:
    return extract(html, algorithm=name).text


def extract_own_markdown(name: str, html: str, language: str = "") -> str:
    return extract(html, algorithm=name).markdown


def read_resiliparse(html: bytes) -> str:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse_from_bytes(html, detect_encoding(html) or "utf-8")
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

    return str(fromstring(Document(html).summary()).xpath("string()"))


def read_justext(html: bytes) -> str:
    import justext

    paragraphs = justext.justext(html, justext.get_stoplist(STOPLISTS["en"]))
    return "\n".join(each.text for each in paragraphs if not each.is_boilerplate)


def read_boilerpy3(html: bytes) -> str:
    return extract_boilerpy3("ArticleExtractor", html.decode("utf-8", "replace"))


@dataclass(frozen=True)
class PublicExtractor:
    """An extractor: main text of a page's decoded text and its language.

    *package* is its name as a distribution; *settings* describes the call. *from_bytes*
    is the call for speed, *to_markdown* that with Markdown as its result, if there is
    one. *every*: so slow that speed measures only each so-manieth page.
    """

    label: str
    package: str
    settings: str
    extract: Callable[[str, str], str]
    from_bytes: Callable[[bytes], str] | None = None
    every: int = 1
    to_markdown: Callable[[str, str], str] | None = None

    @cached_property
    def version(self) -> str | None:
        """The installed version; ``None`` where it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


def own(name: str) -> PublicExtractor:
    """One of this package's algorithms with its defaults."""
    call = partial(extract_own, name)
    to_markdown = partial(extract_own_markdown, name)
    return PublicExtractor(
        name, "scrapy-mainpage", "defaults", call, call, to_markdown=to_markdown
    )


def _boilerpipe(label: str, extractor: str) -> PublicExtractor:
    call = partial(extract_boilerpy3, extractor)
    return PublicExtractor(label, "boilerpy3", extractor, call)


PUBLIC: Final = (
    PublicExtractor(
        RESILIPARSE, "Resiliparse", "main_content=True", extract_resiliparse,
        read_resiliparse,
    ),
    PublicExtractor(
        TRAFILATURA, TRAFILATURA, "include_comments=False", extract_trafilatura,
        read_trafilatura, to_markdown=extract_trafilatura_markdown,
    ),
    PublicExtractor(
        "readability-lxml", "readability-lxml", "all text of Document(html).summary()",
        extract_readability, read_readability, every=5,
    ),
    PublicExtractor(
        "justext", "jusText",
        "stop list of the page's language; without one language-independent",
        extract_justext, read_justext, every=5,
    ),
    PublicExtractor(
        "boilerpy3", "boilerpy3", "ArticleExtractor, raise_on_failure=False",
        partial(extract_boilerpy3, "ArticleExtractor"), read_boilerpy3, every=5,
    ),
)  # fmt: skip
"""Those that the benchmarks compare with this package."""

EXTRACTORS: Final = {
    **{each.label: each for each in PUBLIC},
    "boilerpy3-default": _boilerpipe("boilerpy3-default", "DefaultExtractor"),
    "boilerpy3-largest": _boilerpipe("boilerpy3-largest", "LargestContentExtractor"),
}
"""Extractors of other packages by their names."""


def installed() -> list[PublicExtractor]:
    """This package's default, and every public extractor that is installed."""
    return [own(OURS), *(each for each in PUBLIC if each.version is not None)]
