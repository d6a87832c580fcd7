"""What is evaluated: algorithms, extractors of other packages, two references."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import numpy as np

from scrapy_mainpage.evaluation.scores import parse_label
from scrapy_mainpage.extraction.algorithms import (
    Algorithm,
    AlgorithmError,
    available,
    get_algorithm,
)
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.parsing.tree import parse_html

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout
    from scrapy_mainpage.extraction.document.schema import Floats, Mask


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


class PublicExtractor(NamedTuple):
    """An extractor: the name of its distribution, and the text of a page."""

    package: str
    extract: Callable[[str, str], str]

    @property
    def version(self) -> str | None:
        """The installed version; ``None`` where it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


def _boilerpipe(extractor: str) -> PublicExtractor:
    return PublicExtractor("boilerpy3", partial(extract_boilerpy3, extractor))


EXTRACTORS: Final = {
    "boilerpy3": _boilerpipe("ArticleExtractor"),
    "boilerpy3-default": _boilerpipe("DefaultExtractor"),
    "boilerpy3-largest": _boilerpipe("LargestContentExtractor"),
    "justext": PublicExtractor("jusText", extract_justext),
    "readability-lxml": PublicExtractor("readability-lxml", extract_readability),
    "resiliparse": PublicExtractor("Resiliparse", extract_resiliparse),
    "trafilatura": PublicExtractor("trafilatura", extract_trafilatura),
}
"""Extractors of other packages by their names."""


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


def default_specs() -> list[AlgorithmSpec]:
    """All algorithms of the package, and the references."""
    return [AlgorithmSpec.parse(name) for name in (*available(), *REFERENCES)]
