"""Public extractors of main content, each with what its documentation recommends.

Each takes a page as text, decoded as Scrapy decodes it: what is compared is which text
is taken, not how bytes are read. Their packages are imported where they are used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import PackageNotFoundError, version

from scrapy_mainpage.evaluation.specs import ALL_TEXT, Reference, code_digest
from scrapy_mainpage.extraction.extractor import Extractor

Extract = Callable[[str, str], str]

#: The stop lists of jusText by the codes of languages; it has none for Chinese,
#: Japanese and Thai.
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
class Peer:
    """An extractor: *extract* makes its main text of a page's HTML and language.

    *package* is its name as a distribution, "" for what is measured without one;
    *settings* says how it is called.
    """

    label: str
    package: str
    settings: str
    extract: Extract

    @cached_property
    def version(self) -> str | None:
        """The installed version; ``None`` where it is not installed."""
        try:
            return version(self.package) if self.package else ""
        except PackageNotFoundError:
            return None

    @property
    def fingerprint(self) -> str:
        """A hash of all that its texts depend on."""
        parts = (self.label, self.package, self.version or "", self.settings)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


class OwnAlgorithm(Peer):
    """An algorithm of this package: its code counts, not its version."""

    @property
    def fingerprint(self) -> str:
        return f"{super().fingerprint} {code_digest()}"


def trafilatura(html: str, language: str) -> str:
    import trafilatura

    return trafilatura.extract(html, include_comments=False) or ""


def readability(html: str, language: str) -> str:
    """All text of the summary; block elements are lines of their own."""
    from readability import Document

    summary = Document(html).summary()
    return Extractor(Reference(ALL_TEXT)).extract(summary).text


def resiliparse(html: str, language: str) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return extract_plain_text(html, main_content=True)


def justext(html: str, language: str) -> str:
    """The stop list of the page's language, or the mode for pages without one."""
    import justext

    if name := STOPLISTS.get(language):
        paragraphs = justext.justext(html, justext.get_stoplist(name))
    else:
        paragraphs = justext.justext(
            html, frozenset(), stopwords_low=0, stopwords_high=0
        )
    return "\n".join(each.text for each in paragraphs if not each.is_boilerplate)


def boilerpy3(html: str, language: str) -> str:
    from boilerpy3.extractors import ArticleExtractor

    return ArticleExtractor(raise_on_failure=False).get_content(html)


def own_text(name: str, html: str, language: str) -> str:
    return Extractor(name).extract(html).text


def own(name: str) -> Peer:
    return OwnAlgorithm(name, "scrapy-mainpage", "defaults", partial(own_text, name))


PEERS = (
    Peer("trafilatura", "trafilatura", "include_comments=False", trafilatura),
    Peer("resiliparse", "Resiliparse", "main_content=True", resiliparse),
    Peer(
        "readability-lxml",
        "readability-lxml",
        "all text of Document(html).summary()",
        readability,
    ),
    Peer(
        "justext",
        "jusText",
        "stop list of the page's language; without one language-independent",
        justext,
    ),
    Peer(
        "boilerpy3",
        "boilerpy3",
        "ArticleExtractor, raise_on_failure=False",
        boilerpy3,
    ),
)
LEARNED = own("learned")
# The trees of text-block-context have seen the pages, too, and its cards tell of
# segments, not of words: there is nothing honest to show of it.
OWN = tuple(own(name) for name in ("centroid", "danag", "semantic-markup"))
