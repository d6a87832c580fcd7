"""The engines that the shared tests of this folder run with.

OpenSearch and Elasticsearch take part where the environment variables
``OPENSEARCH_URL`` and ``ELASTICSEARCH_URL`` name a real server.

Every ``test_*.py`` here that is not named after an engine takes the fixtures ``url``
and ``index`` of ``conftest.py`` and runs once with each engine of ``ENGINES``. Another
engine joins by

- a fixture that gives the URL of an empty index, new in each test (a server that it
  needs is a fixture of the session), imported in ``conftest.py``;
- a line in ``ENGINES``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ..servers.searchserverfixtures import VARIABLES

#: Engine -> the fixture of the URL of an empty index.
ENGINES = {
    "sqlite": "sqlite_url",
    "postgresql": "postgresql_url",
    **{
        product: f"{product}_url"
        for product, variable in VARIABLES.items()
        if os.environ.get(variable)
    },
}


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{(tmp_path / 'site.db').as_posix()}"
