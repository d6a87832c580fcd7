"""The engines that the shared tests of this folder run with.

Every ``test_*.py`` here that is not named after an engine takes the fixtures ``url``
and ``index`` of ``conftest.py`` and runs once with each engine of ``ENGINES``. Another
engine joins by

- a fixture that gives the URL of an empty index, new in each test (a server that it
  needs is a fixture of the session), imported in ``conftest.py``;
- a line in ``ENGINES``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

#: Engine -> the fixture of the URL of an empty index.
ENGINES = {
    "sqlite": "sqlite_url",
    "postgresql": "postgresql_url",
}


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{(tmp_path / 'site.db').as_posix()}"
