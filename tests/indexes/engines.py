"""The engines that the shared tests of this folder run with.

Every ``test_*.py`` here that is not named after an engine takes the fixtures ``url``
and ``index`` of ``conftest.py`` and runs once with each engine of ``ENGINES``. Another
engine joins by

- a fixture that gives the URL of an empty index, new in each test (a server that it
  needs is a fixture of the session), imported in ``conftest.py``;
- a line in ``ENGINES``, and one in ``REJECTED``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scrapy_mainpage.indexes import IndexDocument

#: Engine -> the fixture that gives the URL of an empty index.
ENGINES = {
    "sqlite": "sqlite_url",
    "tantivy": "tantivy_url",
    "postgresql": "postgresql_url",
    "opensearch": "opensearch_url",
    "elasticsearch": "elasticsearch_url",
}


def with_author_of_wrong_type(url: str) -> IndexDocument:
    return IndexDocument(url, "words", author=object())  # type: ignore[arg-type]


#: Engine -> what gives a document with this URL that the engine rejects.
REJECTED: dict[str, Callable[[str], IndexDocument]] = {
    "sqlite": with_author_of_wrong_type,
    "tantivy": with_author_of_wrong_type,
    "postgresql": with_author_of_wrong_type,
    "opensearch": with_author_of_wrong_type,
    "elasticsearch": with_author_of_wrong_type,
}


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{(tmp_path / 'site.db').as_posix()}"


@pytest.fixture
def tantivy_url(tmp_path: Path) -> str:
    return f"tantivy:///{(tmp_path / 'site.index').as_posix()}"
