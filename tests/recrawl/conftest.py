from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mockserver import served
from tests.servers.postgresfixtures import (
    postgres_server,
    postgresql_url,
    running_postgres,
)

from .site import Crawls, make_site

__all__ = ["postgres_server", "postgresql_url", "running_postgres"]


@pytest.fixture
def crawls(tmp_path: Path) -> Iterator[Crawls]:
    """Crawls of a site with an index page and twelve articles."""
    with served(make_site()) as site:
        yield Crawls(site, tmp_path)
