"""Other kept extractors of main content, called as their documentation recommends.

They give a text and no labels of blocks: those are found by aligning the page with the
text, as for the gold text. Packages are imported on first use.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final, NamedTuple

from ..extraction.document.document import read_tree
from ..extraction.parsing.tree import parse_html

if TYPE_CHECKING:
    from collections.abc import Callable

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


def extract_boilerpy3(html: str, language: str = "") -> str:
    """Boilerpipe's extractor for articles."""
    return _boilerpipe("ArticleExtractor", html)


def extract_boilerpy3_default(html: str, language: str = "") -> str:
    """Boilerpipe's extractor for any page."""
    return _boilerpipe("DefaultExtractor", html)


def extract_boilerpy3_largest(html: str, language: str = "") -> str:
    """Boilerpipe's extractor of the largest block."""
    return _boilerpipe("LargestContentExtractor", html)


def _boilerpipe(name: str, html: str) -> str:
    from boilerpy3 import extractors

    extractor = getattr(extractors, name)(raise_on_failure=False)
    return str(extractor.get_content(html))


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


EXTRACTORS: Final = {
    "boilerpy3": PublicExtractor("boilerpy3", extract_boilerpy3),
    "boilerpy3-default": PublicExtractor("boilerpy3", extract_boilerpy3_default),
    "boilerpy3-largest": PublicExtractor("boilerpy3", extract_boilerpy3_largest),
    "justext": PublicExtractor("jusText", extract_justext),
    "readability-lxml": PublicExtractor("readability-lxml", extract_readability),
    "resiliparse": PublicExtractor("Resiliparse", extract_resiliparse),
    "trafilatura": PublicExtractor("trafilatura", extract_trafilatura),
}
"""By the name that ``mainpage-evaluate`` takes."""
