"""Let the writers of the tests use an index in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrapy_mainpage import indexes

from .memory import Place


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    place = Place(tmp_path)

    def connect(url: str, **options: Any) -> indexes.Index:
        return place.memory.connect()

    monkeypatch.setattr(indexes, "open_index", connect)
    return place
