"""Files of an earlier version become current ones."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from scrapy_mainpage.indexes import IndexDocument, IndexUnavailable, open_index
from scrapy_mainpage.indexes.sqlite.schema import APPLICATION_ID

STORED = (
    "url", "title", "site", "language", "page_type", "author", "date_published",
    "crawled_at", "date_modified", "site_name",
)  # fmt: skip
VERSION_2 = (
    "CREATE TABLE documents (id INTEGER PRIMARY KEY, "
    f"{' TEXT, '.join(STORED)} TEXT, sections TEXT)",
    "CREATE TABLE passages (row INTEGER PRIMARY KEY, document INTEGER, id TEXT, "
    "position INTEGER, heading TEXT, anchor TEXT, text TEXT)",
    "CREATE INDEX passages_of_documents ON passages (document)",
    "CREATE VIRTUAL TABLE search USING "
    "fts5(title, headings, description, text, comments)",
    "CREATE VIRTUAL TABLE passage_search USING fts5(heading, text)",
    "INSERT INTO documents (id, url, title, sections) "
    "VALUES (7, 'https://e/owls', 'Birds', '[[\"3.1 Owls\", 2, \"owls\"]]')",
    "INSERT INTO search (rowid, title, headings, text) "
    "VALUES (7, 'Birds', '3.1 Owls', 'The owls hunt.')",
    "INSERT INTO passages VALUES (3, 7, 'p', 0, 'Owls', 'owls', 'The owls hunt.')",
    "INSERT INTO passage_search (rowid, heading, text) VALUES (3, 'Owls', 'x')",
    f"PRAGMA application_id = {APPLICATION_ID}",
    "PRAGMA user_version = 2",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An index of version 2 with one page and passage."""
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path)
    for statement in VERSION_2:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def test_writer_changes_the_file_and_keeps_all_of_it(file: Path) -> None:
    url = f"sqlite:///{file.as_posix()}"
    with open_index(url) as index:
        (hit,) = index.search("owls")
        assert (hit.url, hit.title, hit.anchor) == ("https://e/owls", "Birds", "owls")
        assert hit.snippet == "The **owls** hunt."
        (hit,) = index.search("hunt", passages=True)
        assert hit.passage is not None
        assert (hit.passage.id, hit.passage.text) == ("p", "The owls hunt.")
        index.put_many([IndexDocument("https://e/owls", "Kites glide.")])
        assert index.search("owls") == index.search("hunt", passages=True) == []
    with open_index(url, read_only=True) as index:
        assert len(index.search("kites")) == 1


def test_reader_says_that_a_writer_changes_it(file: Path) -> None:
    with pytest.raises(IndexUnavailable, match=r"version 2.*opened to be written"):
        open_index(f"sqlite:///{file.as_posix()}", read_only=True)
