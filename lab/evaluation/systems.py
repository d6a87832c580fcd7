"""What is evaluated: algorithms, extractors of other packages, two references.

Other extractors are called as their documentation recommends: for speed with a page's
bytes, so that finding the encoding, decoding and parsing are part of their time; for
quality with the text as Scrapy decodes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from scrapy_mainpage import extract
from scrapy_mainpage.evaluation.scores import parse_label
from scrapy_mainpage.extraction.algorithms import (
    Algorithm,
    AlgorithmError,
    get_algorithm,
)
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.parsing.tree import parse_html

from . import npm

if TYPE_CHECKING:
    from typing_extensions import Self

    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout
    from scrapy_mainpage.extraction.document.schema import Floats, Mask


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


def extract_resiliparse(html: str | bytes, language: str = "") -> str:
    """The text of ``extract_plain_text`` with ``main_content=True``."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    page: Any = html
    if isinstance(html, bytes):
        page = HTMLTree.parse_from_bytes(html, detect_encoding(html) or "utf-8")
    return str(extract_plain_text(page, main_content=True))


def extract_trafilatura(html: str | bytes, language: str = "") -> str:
    """The text without comments."""
    import trafilatura

    return trafilatura.extract(html, include_comments=False) or ""


def extract_readability(html: str | bytes, language: str = "") -> str:
    """The text of the summary, a line per text block."""
    from readability import Document

    return lines_of(Document(html).summary())


def extract_readability_js(html: str | bytes, language: str = "") -> str:
    """The text of the article's content, a line per text block."""
    return lines_of(npm.run_extractor("readability-js", as_text(html)))


def extract_unfluff(html: str | bytes, language: str = "") -> str:
    """The property ``text``."""
    return npm.run_extractor("unfluff", as_text(html))


def lines_of(html: str) -> str:
    """The text of some HTML, a line per text block."""
    document = read_tree(parse_html(html or "<p>"))
    return "\n".join(map(document.block_text, range(document.n_blocks)))


def extract_justext(html: str | bytes, language: str = "en") -> str:
    """With the stop list of the page's language, or language-independent."""
    import justext

    if name := STOPLISTS.get(language):
        paragraphs = justext.justext(html, justext.get_stoplist(name))
    else:
        none: frozenset[str] = frozenset()
        paragraphs = justext.justext(html, none, stopwords_low=0, stopwords_high=0)
    return "\n".join(each.text for each in paragraphs if not each.is_boilerplate)


def extract_boilerpy3(extractor: str, html: str | bytes, language: str = "") -> str:
    """The text of one of Boilerpipe's extractors."""
    from boilerpy3 import extractors

    build = getattr(extractors, extractor)
    return str(build(raise_on_failure=False).get_content(as_text(html)))


def as_text(html: str | bytes) -> str:
    """A page for extractors that take no bytes."""
    return html.decode("utf-8", "replace") if isinstance(html, bytes) else html


def extract_own(name: str, html: bytes | str, language: str = "") -> str:
    return extract(html, algorithm=name).text


@dataclass(frozen=True)
class PublicExtractor:
    """An extractor: main text of a page's decoded text and its language.

    *package* is its name as a distribution; *settings* describes the call. *every*: so
    slow that speed measures only each so-manieth page.
    """

    label: str
    package: str
    settings: str
    extract: Callable[[str | bytes, str], str]
    every: int = 1

    @cached_property
    def version(self) -> str | None:
        """The installed version; ``None`` where it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


class NpmExtractor(PublicExtractor):
    """An extractor whose *package* is one of npm."""

    @property
    def version(self) -> str | None:
        """The installed version; ``None`` where it or Node is not installed."""
        return npm.installed_version(self.package)


def own(name: str) -> PublicExtractor:
    """One of this package's algorithms with its defaults."""
    call = partial(extract_own, name)
    return PublicExtractor(name, "scrapy-mainpage", "defaults", call)


def _boilerpipe(label: str, extractor: str) -> PublicExtractor:
    call = partial(extract_boilerpy3, extractor)
    return PublicExtractor(label, "boilerpy3", extractor, call)


PUBLIC: Final = (
    PublicExtractor(
        RESILIPARSE, "Resiliparse", "main_content=True", extract_resiliparse
    ),
    PublicExtractor(
        TRAFILATURA, TRAFILATURA, "include_comments=False", extract_trafilatura
    ),
    PublicExtractor(
        "readability-lxml", "readability-lxml", "all text of Document(html).summary()",
        extract_readability, every=5,
    ),
    PublicExtractor(
        "justext", "jusText",
        "stop list of the page's language; without one language-independent",
        extract_justext, every=5,
    ),
    PublicExtractor(
        "boilerpy3", "boilerpy3", "ArticleExtractor, raise_on_failure=False",
        partial(extract_boilerpy3, "ArticleExtractor"), every=5,
    ),
)  # fmt: skip
"""Those that the benchmarks compare with this package."""

EXTRACTORS: Final = {
    **{each.label: each for each in PUBLIC},
    "boilerpy3-default": _boilerpipe("boilerpy3-default", "DefaultExtractor"),
    "boilerpy3-largest": _boilerpipe("boilerpy3-largest", "LargestContentExtractor"),
    "readability-js": NpmExtractor(
        "readability-js", "@mozilla/readability", "defaults", extract_readability_js
    ),
    "unfluff": NpmExtractor("unfluff", "unfluff", "defaults", extract_unfluff),
}
"""Extractors of other packages by their names."""


def installed() -> list[PublicExtractor]:
    """This package's default, and every public extractor that is installed."""
    return [own(OURS), *(each for each in PUBLIC if each.version is not None)]


ALL_TEXT: Final = "all-text"
PERFECT_BLOCKS: Final = "perfect-blocks"
REFERENCES: Final = (ALL_TEXT, PERFECT_BLOCKS)


@dataclass(frozen=True)
class AlgorithmSpec:
    """An algorithm by name, with its options; ``label`` is as it was given."""

    label: str

    @classmethod
    def parse(cls, label: str) -> Self:
        """Read ``NAME`` or ``NAME:OPTION=VALUE:OPTION=VALUE``.

        Raises :exc:`~scrapy_mainpage.extraction.algorithms.AlgorithmError` for a name
        or an option that is not known.
        """
        spec = cls(label.strip())
        spec.build()
        return spec

    @property
    def name(self) -> str:
        """The name of the algorithm, the extractor or the reference."""
        return parse_label(self.label)[0]

    @property
    def options(self) -> dict[str, Any]:
        """The options of the algorithm."""
        return parse_label(self.label)[1]

    def build(self) -> Algorithm:
        """The algorithm, set up.

        For ``perfect-blocks`` and other extractors one that takes nothing yet.
        """
        if not (self.is_reference or self.is_extractor):
            return get_algorithm(self.name, self.options)
        if self.options:
            raise AlgorithmError(f"{self.name!r} has no options: {self.label!r}")
        if self.is_extractor and EXTRACTORS[self.name].version is None:
            raise AlgorithmError(f"{self.name!r} is not installed")
        return Reference(self.name)

    @property
    def is_reference(self) -> bool:
        """Whether it is a reference that algorithms are compared with."""
        return self.name in REFERENCES

    @property
    def is_extractor(self) -> bool:
        """Whether it is an extractor of another package."""
        return self.name in EXTRACTORS


@dataclass(frozen=True)
class FailedSpec(AlgorithmSpec):
    """One whose process has died of a page, or was too slow: the *reason*."""

    reason: str

    @property
    def is_extractor(self) -> bool:
        """Nothing is called again."""
        return False

    def build(self) -> Algorithm:
        """Raise the reason."""
        raise RuntimeError(self.reason)


@dataclass(frozen=True, eq=False)
class Reference(Algorithm):
    """An algorithm that takes the given blocks, or all: an upper and a lower bound."""

    label: str
    mask: Mask | None = None
    name: ClassVar[str] = "reference"

    def score(self, document: Document, layout: Layout | None = None) -> Floats:
        """1 for each block that is taken, 0 for the others."""
        if self.mask is not None:
            return self.mask.astype(np.float32)
        return np.full(document.n_blocks, self.label == ALL_TEXT, np.float32)
