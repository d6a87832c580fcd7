"""Both engines rank by one score: they find nearly the same first pages."""

from __future__ import annotations

import random
from itertools import product

from scrapy_mainpage.indexes import IndexDocument, Section, open_index

SYLLABLES = ["ba", "do", "fi", "gu", "le", "mo", "ni", "pra", "sto", "tru"]
WORDS = ["".join(parts) for parts in product(SYLLABLES, repeat=3)][::3]


def pages(count: int) -> list[IndexDocument]:
    """Pages of a manual: common and rare words, in titles, headings and texts."""
    choose = random.Random(5)
    frequent = [1 / (place + 1) for place in range(len(WORDS))]

    def words(size: int) -> str:
        return " ".join(choose.choices(WORDS, frequent, k=size))

    made = []
    for number in range(count):
        text, sections = words(choose.randint(20, 60)), []
        for place in range(choose.randint(1, 5)):
            heading = words(2)
            sections.append(Section(heading, 2, f"s{place}", len(text) + 2))
            text += f"\n\n{heading}\n\n{words(choose.randint(10, 80))}"
        url = f"https://example.com/{number}"
        made.append(IndexDocument(url, text, words(3), sections=tuple(sections)))
    return made


def test_the_first_hits_are_nearly_the_same(
    sqlite_url: str, postgresql_url: str
) -> None:
    documents = pages(120)
    choose = random.Random(6)
    queries = [" ".join(choose.sample(WORDS, k=1 + n % 4)) for n in range(40)]
    found = []
    for url in (sqlite_url, postgresql_url):
        with open_index(url) as index:
            index.put_many(documents)
            found.append([[hit.url for hit in index.search(q)] for q in queries])
    pairs = list(zip(*found, strict=True))
    assert sum(one[:1] == other[:1] for one, other in pairs) >= 0.9 * len(queries)
    shared = sum(len({*one} & {*other}) for one, other in pairs)
    assert shared >= 0.9 * sum(len(one) for one, _ in pairs)
