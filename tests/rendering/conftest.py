"""Time for the tests in this folder: some ask a browser about many pages at once."""

from __future__ import annotations

from pathlib import Path

import pytest

SECONDS = 300


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    folder = Path(__file__).parent
    for item in items:
        if folder in item.path.parents:
            item.add_marker(pytest.mark.timeout(SECONDS))
