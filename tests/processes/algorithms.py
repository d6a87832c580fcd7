"""An algorithm that kills or hangs its process where a page asks for it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, ClassVar

from scrapy_mainpage.extraction.learned.learned import Learned
from scrapy_mainpage.rendering import decider
from tests.processes.tasks import do

TROUBLED = "tests.processes.algorithms.Troubled"
UNWILLING = "tests.processes.algorithms.Unwilling"
UNJUDGED = "tests.processes.algorithms.Unjudged"


def troubling(trouble: str, paragraphs: int = 3) -> str:
    """A page that requests *trouble*, unless that is empty."""
    text = (
        f"<p>{trouble}</p>" + "<p>What stands here is worth reading.</p>" * paragraphs
    )
    return f"<title>A page</title><main>{text}</main>"


@dataclass(frozen=True)
class Troubled(Learned):
    """Obeys orders in the text; *folder* is shared with the test."""

    name: ClassVar[str] = "troubled"

    folder: str = ""

    def judge(self, document: Any, layout: Any = None) -> Any:
        for order in ("die", "stumble", "loop", "wait"):
            if f"please {order}".encode() in document.text:
                do((order, ""), self.folder)
        return super().judge(document, layout)


@dataclass(frozen=True)
class Unwilling(Learned):
    """An algorithm that works in a crawl only."""

    name: ClassVar[str] = "unwilling"

    def __post_init__(self) -> None:
        if "scrapy.crawler" not in sys.modules:
            raise ValueError("not here")


@dataclass(frozen=True)
class Unjudged(Learned):
    """Keeps its process from judging whether pages need a browser."""

    name: ClassVar[str] = "unjudged"

    def judge(self, document: Any, layout: Any = None) -> Any:
        decider.judge = None  # type: ignore[assignment]
        return super().judge(document, layout)
