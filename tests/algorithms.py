"""Algorithms that only tests use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from scrapy_mainpage.extraction.algorithms import Algorithm
from scrapy_mainpage.extraction.learned.learned import Learned


@dataclass(frozen=True)
class Failing(Algorithm):
    """Raises an error for every document."""

    name: ClassVar[str] = "failing"

    def score(self, *arguments: Any) -> Any:
        raise RuntimeError("no idea")


class Stumbling(Learned):
    """The default algorithm, which fails for pages that say so."""

    def judge(self, document: Any, layout: Any = None) -> Any:
        if b"stumbles" in document.text:
            raise RuntimeError("over \n this")
        return super().judge(document, layout)


@dataclass(frozen=True)
class Asked(Algorithm):
    """Selects all blocks; *tell* returns the type of the page, which is certain."""

    name: ClassVar[str] = "asked"

    tell: Callable[[], str | None]

    def score(self, document: Any, layout: Any = None) -> Any:
        return np.ones(document.n_blocks, np.float32)

    def page_types(self, *arguments: Any) -> dict[str, float]:
        told = self.tell()
        return {told: 1.0} if told else {}
