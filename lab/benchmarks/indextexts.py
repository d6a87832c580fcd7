"""Documents of real text to index, and queries that find some of them."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scrapy_mainpage.evaluation.datasets import DataSetError, LabelledPage, load_sets
from scrapy_mainpage.indexes import IndexDocument

from .pages import WORDS

LANGUAGES = {
    "English": "en", "Chinese": "zh", "Russian": "ru", "Polish": "pl", "Greek": "el",
}  # fmt: skip
ENGLISH_SET = "wcxb-dev"
WORD = re.compile(r"\b\w{4,12}\b")


def labelled_pages(data: Path) -> list[tuple[LabelledPage, str | None]]:
    """The pages that have a text, no text twice, with their languages if known."""
    try:
        sets = load_sets(data)
    except DataSetError:
        return []
    pages = {
        page.text: (
            page,
            "en" if found.name == ENGLISH_SET else LANGUAGES.get(page.type),
        )
        for found in sets
        for page in found.pages
        if page.text
    }
    return list(pages.values())


def documents_of(data: Path, count: int) -> list[IndexDocument]:
    """*count* different pieces of main texts, of whole lines; empty without pages."""
    pages = labelled_pages(data)
    size = sum(len(page.text or "") for page, _ in pages) // count + 1
    found: dict[str, IndexDocument] = {}
    for page, language in pages:
        for number, text in enumerate(cut(page.text or "", size)):
            url = f"{page.url.partition('#')[0]}#{page.id}-{number}"
            found.setdefault(text, document(page, language, text, url))
    documents = list(found.values())
    random.Random(5).shuffle(documents)
    return documents[:count]


def cut(text: str, size: int) -> list[str]:
    """Cut between lines into parts of about *size* characters."""
    parts, part = [], ""
    for line in text.split("\n"):
        if part and len(part) + len(line) > size:
            parts.append(part)
            part = ""
        part = f"{part}\n{line}" if part else line
    return [part.strip() for part in [*parts, part] if part.strip()]


def document(
    page: LabelledPage, language: str | None, text: str, url: str
) -> IndexDocument:
    """A document of *text*; the page's first line is the title."""
    title = (page.text or "").strip().partition("\n")[0][:100]
    page_type = page.type if language == "en" and page.type.islower() else None
    return IndexDocument(url, text, title, language=language, page_type=page_type)


def generated_documents(count: int) -> list[IndexDocument]:
    """Documents of generated text."""
    choose = random.Random(6)
    return [
        IndexDocument(
            f"https://example.com/{number}",
            f"{number} {' '.join(choose.choices(WORDS, k=130))}",
            " ".join(choose.choices(WORDS, k=5)),
            language="en",
            page_type="article",
        )
        for number in range(count)
    ]


@dataclass
class Question:
    """A query and its filters."""

    kind: str
    query: str
    filters: dict[str, Any] = field(default_factory=dict)


def questions(documents: list[IndexDocument], count: int) -> list[Question]:
    """*count* questions, of each kind as many, each with at least one answer."""
    choose = random.Random(7)
    found: list[Question] = []
    while len(found) < count:
        kind = KINDS[len(found) % len(KINDS)]
        asked = choose.choice(documents)
        asked = replace(asked, text=asked.text.replace("\xad", ""))  # soft hyphen
        words = [match[0] for match in WORD.finditer(asked.text)]
        if len(words) > 5 and (question := ask(kind, asked, words, choose)):
            found.append(question)
    return found


KINDS = ("word", "two words", "phrase", "prefix", "site", "language", "type")


def ask(
    kind: str, asked: IndexDocument, words: list[str], choose: random.Random
) -> Question | None:
    """A question of that kind with this document among the answers, if possible."""
    word = choose.choice(words)
    if kind == "two words":
        return Question(kind, f"{word} {choose.choice(words)}")
    if kind == "phrase":
        run = choose.choice(re.findall(r"\w+ \w+ \w+", asked.text) or [""])
        return Question(kind, f'"{run}"') if run else None
    if kind == "prefix":
        return Question(kind, f"{word[:4]}*")
    filters = {
        "site": ("site", asked.site),
        "language": ("language", asked.language),
        "type": ("page_type", asked.page_type),
    }
    if kind not in filters:
        return Question(kind, word)
    name, value = filters[kind]
    return Question(kind, word, {name: value}) if value else None
