"""How often the language of the main text is told, with the identifier and without."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from unittest.mock import patch

from scrapy_mainpage.evaluation.datasets import DataSet, LabelledPage
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.text.language import identify_language, includes, load_identifier

from .pages import sampled_sets
from .tables import Table

NEWS = {
    "Greek": "el",
    "Chinese": "zh",
    "Russian": "ru",
    "Polish": "pl",
    "English": "en",
}
#: The languages of countries' newspapers, where that is one.
COUNTRIES = {
    "at": "de", "au": "en", "cn": "zh", "cz": "cs", "de": "de", "dk": "da", "es": "es",
    "fr": "fr", "isl": "is", "it": "it", "jp": "ja", "kr": "ko", "no": "no", "pl": "pl",
    "se": "sv", "tr": "tr", "tw": "zh", "uk": "en", "us": "en", "vn": "vi",
}  # fmt: skip
#: Read one by one: pages in another language than their sets or countries have; ``""``
#: is in none (the data of a script).
READ = {
    "0608": "fr", "0609": "fr", "0644": "fr", "0645": "fr", "0655": "", "3017": "de",
    "es-MallorcaZeitung_2025_04_16": "de", "it-Tageszeitung_2025_04_16": "de",
    "jp-TheJapanNews_2024_10_13": "en", "tw-TaipeiTimes_2024_10_15": "en",
}  # fmt: skip
FEW = 20
OUTCOMES = ("right", "wrong", "unknown")
LENGTHS = (120, 60)


@dataclass(frozen=True)
class Known:
    """A text and its language; what its page declares."""

    language: str
    text: str
    declared: str | None


def run(options: argparse.Namespace) -> list[Table]:
    texts = list(known_texts(sampled_sets(options.data, options.pages)))
    ways = ["identifier", "without"]
    header = ["", "pages", *(f"{way}: {end}" for way in ways for end in OUTCOMES)]
    table = Table("languages told", header, name="languages")
    if load_identifier() is None:
        table.title += ": THE IDENTIFIER IS NOT INSTALLED"
    for name, group in groups(texts):
        told = outcomes(group)
        with patch("scrapy_mainpage.text.language.load_identifier", lambda: None):
            light = outcomes(group)
        counts = [count[end] for count in (told, light) for end in OUTCOMES]
        table.rows.append([name, len(group), *counts])
    return [table]


def language_of(data_set: str, page: LabelledPage) -> str:
    """The language that a page is in; empty where that is not known."""
    if page.id in READ:
        return READ[page.id]
    if data_set == "multilingual-news":
        return NEWS.get(page.type, "")
    if data_set == "world-news":
        return COUNTRIES.get(page.type, "")
    return "en" if data_set == "wcxb-dev" else ""


def known_texts(sets: Iterable[DataSet]) -> Iterator[Known]:
    extractor = Extractor()
    for data_set in sets:
        for labelled in data_set.pages:
            if language := language_of(data_set.name, labelled):
                page = extractor.extract(labelled.html(), url=labelled.url)
                if page.text:
                    yield Known(language, page.text, page.language)


def groups(texts: list[Known]) -> Iterator[tuple[str, list[Known]]]:
    """The texts by language, the rarer ones together, and all in several ways."""
    sizes = Counter(text.language for text in texts)
    common = [language for language, n in sizes.most_common() if n >= FEW]
    for language in common:
        yield language, [text for text in texts if text.language == language]
    rare = [text for text in texts if text.language not in common]
    yield f"{len(sizes) - len(common)} others", rare
    yield "all", texts
    for length in LENGTHS:
        short = [
            Known(text.language, text.text[:length], text.declared) for text in texts
        ]
        yield f"first {length} characters", short
    yield "nothing declared", [Known(t.language, t.text, None) for t in texts]
    wrong = [
        Known(t.language, t.text, "de" if t.language == "en" else "en") for t in texts
    ]
    yield "wrongly declared", wrong


def outcomes(texts: Iterable[Known]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for known in texts:
        found = identify_language(known.text, known.declared)
        counts[outcome(known.language, found)] += 1
    return counts


def outcome(language: str, found: str | None) -> str:
    if found is None:
        return "unknown"
    return "right" if includes(language, found) else "wrong"
