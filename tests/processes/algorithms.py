"""An algorithm that kills or hangs its process where a page asks for it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from scrapy_mainpage.extraction.learned.learned import Learned
from scrapy_mainpage.rendering import decider

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
        for order in self._orders():
            if f"please {order.__name__}".encode() in document.text:
                order()
        return super().judge(document, layout)

    def _orders(self) -> tuple[Callable[[], None], ...]:
        return self.die, self.stumble, self.loop, self.wait

    def die(self) -> None:
        os._exit(3)

    def stumble(self) -> None:
        """Die, but only the first time."""
        if not self._is_again("died"):
            os._exit(3)

    def loop(self) -> None:
        while True:
            time.sleep(1)

    def wait(self) -> None:
        """Announce this process and wait for a file ``go``."""
        Path(self.folder, f"{os.getpid()}.pid").touch()
        while not Path(self.folder, "go").exists():
            time.sleep(0.01)

    def _is_again(self, name: str) -> bool:
        path = Path(self.folder, name)
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            return True
        return False


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
