"""What is evaluated: algorithms, kept extractors of others, two references."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import numpy as np

from .. import extraction
from ..extraction.algorithms import Algorithm, AlgorithmError, available, get_algorithm
from ..extraction.document.document import read_tree
from ..extraction.extractor import Extractor
from ..extraction.parsing.tree import parse_html
from ..rules import RuleBook
from ..rules.site_rules import FTR, TOML

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..extraction.document.document import Document
    from ..extraction.document.layout import Layout
    from ..extraction.document.schema import Floats, Mask


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
"""Extractors by their names for ``mainpage-evaluate``."""


ALL_TEXT: Final = "all-text"
PERFECT_BLOCKS: Final = "perfect-blocks"
REFERENCES: Final = (ALL_TEXT, PERFECT_BLOCKS)

_CODE: Final = {".py", ".so", ".pyd", ".json", ".gz", ".npz", ".txt"}


@dataclass(frozen=True)
class AlgorithmSpec:
    """An algorithm by name, with its options as JSON; ``label`` is as it was given.

    ``rules`` is the folder of the rules of sites that decide before it, if any.
    """

    label: str
    name: str
    options: str = "{}"
    rules: str = ""

    @classmethod
    def parse(cls, label: str) -> AlgorithmSpec:
        """Read ``NAME`` or ``NAME:OPTION=VALUE:OPTION=VALUE``.

        A value is JSON, or else a text. Raises
        :exc:`~scrapy_mainpage.extraction.algorithms.AlgorithmError` for a name or an
        option that is not known.
        """
        name, *pairs = label.strip().split(":")
        options: dict[str, Any] = {}
        for pair in pairs:
            option, equals, value = pair.partition("=")
            if not option or not equals:
                raise AlgorithmError(f"{label!r}: {pair!r} is not OPTION=VALUE")
            options[option] = _value(value)
        spec = cls(label.strip(), name, json.dumps(options, sort_keys=True))
        spec.build()
        return spec

    def build(self) -> Algorithm:
        """The algorithm, set up.

        For ``perfect-blocks`` and other extractors one that takes nothing yet.
        """
        if not (self.is_reference or self.is_extractor):
            return get_algorithm(self.name, json.loads(self.options))
        if self.options != "{}":
            raise AlgorithmError(f"{self.name!r} has no options: {self.label!r}")
        if self.is_extractor and EXTRACTORS[self.name].version is None:
            hint = "pip install 'scrapy-mainpage[extractors]'"
            raise AlgorithmError(f"{self.name!r} is not installed: {hint}")
        return Reference(self.name)

    def with_rules(self, folder: str) -> AlgorithmSpec:
        """The same with the rules of sites in *folder*."""
        return replace(self, label=f"{self.label} with rules", rules=folder)

    def extractor(self) -> Extractor:
        """An extractor of the algorithm; raises ``OSError`` without the rules."""
        rules = RuleBook(self.rules) if self.rules else None
        return Extractor(self.build(), rules=rules)

    @property
    def is_reference(self) -> bool:
        """Whether it is a reference that algorithms are compared with."""
        return self.name in REFERENCES

    @property
    def is_extractor(self) -> bool:
        """Whether it is an extractor of another package."""
        return self.name in EXTRACTORS

    @property
    def needs_layout(self) -> bool:
        """Whether the algorithm works on rendered pages only."""
        return self.build().needs_layout

    @property
    def fingerprint(self) -> str:
        """A hash of the algorithm, its options, and the version and code it runs as."""
        parts = [self.name, self.options, code_digest()]
        if self.is_extractor:
            parts.append(EXTRACTORS[self.name].version or "")
        if self.rules:
            files = sorted(Path(self.rules).iterdir())
            parts += [
                f"{file.name}\n{file.read_bytes()!r}"
                for file in files
                if file.suffix in (TOML, FTR)
            ]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


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


@cache
def code_digest() -> str:
    """A hash of the version and of the files that extract and measure."""
    digest = hashlib.sha256(version("scrapy-mainpage").encode())
    for folder in (Path(next(iter(extraction.__path__))), Path(__file__).parent):
        for file in sorted(folder.rglob("*")):
            if file.suffix in _CODE:
                digest.update(f"{file.relative_to(folder)}\n".encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
