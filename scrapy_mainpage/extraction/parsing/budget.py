"""What a page may cost together with all that is inside of it.

A page holds more than its own markup: frames, states of scripts, JSON-LD, HTML in
strings, texts that are referred to many times. One budget is made where a page begins,
its document keeps it, and every loop over the page's data charges it. What is over is
left out, and the page has a warning.
"""

from __future__ import annotations

from functools import lru_cache
from time import thread_time
from typing import TYPE_CHECKING, Any, Final

from lxml import etree

from .tree import LARGE, TIME, Limits, parse_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

MIN_WORK: Final = 2_000_000
WORK_PER_BYTE: Final = 40
MAX_WORK: Final = 60_000_000
"""Work for a page of any size, for each of its bytes, and for the largest pages. A unit
is about 10 ns: a character of JSON. None of 700 labelled pages runs out of it."""

PARSE_WORK: Final = 4
"""Of a byte of HTML: its parse, its texts, and the comparison with the page's own."""

_STEP: Final = 500_000
"""Work between two looks at the clock."""

_COUNT: Final = etree.XPath("count(descendant-or-self::*)")


class Budget:
    """The work, the elements and the time that a page of *size* bytes has left.

    ``reasons`` are the codes of what ran out, or was over a limit of one piece. The
    time is processor time of the thread, from now on until :meth:`pause`; outputs that
    are made on demand share what is left of it then.
    """

    def __init__(self, limits: Limits | None = None, size: int = 0) -> None:
        self.limits, self.size = limits or Limits(), size
        self.elements = self.limits.most_elements(size)
        self._rest = self.limits.max_time
        self.begin()

    def begin(self) -> None:
        """Have all work again, and the time that is left, for an output on demand."""
        self.left = min(MIN_WORK + WORK_PER_BYTE * self.size, MAX_WORK)
        self.reasons: tuple[str, ...] = ()
        self._end = thread_time() + self._rest
        self._check_at = max(self.left - _STEP, 0)

    def pause(self) -> None:
        """Stop the clock."""
        self._rest = self._end - thread_time()

    def each(self, items: Iterable[Any]) -> Iterator[Any]:
        """The *items* as long as the page has time and work."""
        return (item for item in items if self.left >= 0 and not self.is_over)

    def __reduce__(self) -> tuple[Any, ...]:
        return Budget, (self.limits, self.size)

    @property
    def is_over(self) -> bool:
        """Whether the time of the page has run out."""
        if thread_time() <= self._end:
            return False
        self.note(TIME)
        self.left = -1
        return True

    def note(self, *reasons: str) -> None:
        """Remember the codes of what ran out, each once."""
        self.reasons = tuple(dict.fromkeys((*self.reasons, *reasons)))

    def spend(self, work: int) -> bool:
        """Charge *work*, and return whether all that was charged was there."""
        if self.left < 0:
            return False
        self.left -= work
        if self.left < self._check_at and not self.is_over:
            self._check_at = max(self.left - _STEP, 0)
            if self.left < 0:
                self.note(LARGE)
        return self.left >= 0

    def parse(self, html: str | bytes) -> _Element:
        """The root of *html* that a page holds, within what is left of its elements.

        It is surveyed like a page, and flat where it is over a limit.
        """
        if isinstance(html, str):
            # JSON can hold half of a surrogate pair, which no encoding can.
            html = html.strip().replace("\x00", "").encode("utf-8", "replace")
        if not self.spend(PARSE_WORK * len(html)):
            return parse_html(b"")
        html, reasons = self.limits.bound(html, self.elements)
        root = parse_html(html)
        if _deeper_than(self.limits.tree_depth)(root):
            html, reasons = self.limits.flatten(html, most=self.elements)
            root = parse_html(html)
        self.note(*reasons)
        self.elements -= int(_COUNT(root))  # type: ignore[arg-type]
        return root


@lru_cache(maxsize=8)
def _deeper_than(depth: int) -> etree.XPath:
    return etree.XPath(f"boolean(descendant::*[ancestor::*[{depth}]])")
