"""Helpers of the index tests."""

from __future__ import annotations

import subprocess
import sys

from scrapy_mainpage.indexes import Index, IndexDocument

#: Puts documents one by one and reports each when it is stored.
WRITER = """
import sys
from scrapy_mainpage.indexes import IndexDocument, open_index

url, name, count = sys.argv[1:]
with open_index(url) as index:
    for number in range(int(count)):
        page = f"https://example.com/{name}/{number}"
        index.put_many([IndexDocument(page, f"shared words by{name} page{number}")])
        print(page, flush=True)
"""


def rejected_document(url: str) -> IndexDocument:
    """A document that every engine rejects."""
    return IndexDocument(url, "words", author=object())  # type: ignore[arg-type]


def put(index: Index, *texts: str, title: str | None = None) -> None:
    """Index the texts as pages /0, /1, ..."""
    documents = [
        IndexDocument(f"https://example.com/{number}", text, title=title)
        for number, text in enumerate(texts)
    ]
    assert not index.put_many(documents)


def found(index: Index, query: str, **options: object) -> list[str]:
    """Return the last parts of the hits' URLs, in order of rank."""
    return [hit.url.rpartition("/")[2] for hit in index.search(query, **options)]


def writer(url: str, name: str, count: int) -> subprocess.Popen[str]:
    """Start another process that puts *count* documents."""
    command = [sys.executable, "-c", WRITER, url, name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
