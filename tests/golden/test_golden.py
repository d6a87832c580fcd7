"""The extraction gives for every page of the golden corpus what it gave before."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.indexes.passages import PassageSplitter

from .corpus import FOLDER, golden_pages, outputs

PAGES = golden_pages()


@pytest.mark.parametrize("name", PAGES)
def test_outputs_are_those_on_record(name: str) -> None:
    recorded = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    assert outputs(name, PAGES[name]) == recorded


@pytest.mark.parametrize("name", PAGES)
def test_all_words_are_in_sections_and_in_passages(name: str) -> None:
    page = extract(PAGES[name], url=f"https://example.com/{name}")
    sections = [f"{part.heading}\n{part.text}" for part in page.sections]
    passages = PassageSplitter(60).split("u", page.sections)
    texts = ["\n".join((*part.path, part.text)) for part in passages]
    for found in (sections, texts):
        words = Counter(re.findall(r"\w[a-z]*", "\n".join(found)))
        assert not Counter(re.findall(r"\w[a-z]*", page.text)) - words


def test_the_corpus_has_a_record_for_each_page_and_no_other() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(PAGES)
    assert len(PAGES) >= 60
