"""Algorithms that only tests use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from scrapy_mainpage.extraction.algorithms import Algorithm


@dataclass(frozen=True)
class Failing(Algorithm):
    """Raises an error for every document."""

    name: ClassVar[str] = "failing"

    def score(self, *arguments: Any) -> Any:
        raise RuntimeError("no idea")
