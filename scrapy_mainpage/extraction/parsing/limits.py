"""What a page may cost, and how one that costs more is read.

A page is surveyed before it is parsed, in a single pass over its bytes. What would take
a parser far more time than other pages of its size, or more than it bears, is trimmed:
the text stays, and the page says what it took.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import thread_time
from typing import Final, NamedTuple

from ._survey import survey
from ._trimming import trim

TOO_LARGE: Final = "too_large"
LARGE: Final = "large"
ELEMENTS: Final = "elements"
DEPTH: Final = "depth"
ATTRIBUTES: Final = "attributes"
TEXT_NODE: Final = "text_node"
TIME: Final = "time"

REASONS: Final = (TOO_LARGE, LARGE, ELEMENTS, DEPTH, ATTRIBUTES, TEXT_NODE, TIME)
"""The codes of what was over a limit, in a page's warnings."""

EMPTY: Final = "empty"
NO_TEXT: Final = "no_text"
NO_MAIN_CONTENT: Final = "no_main_content"

PARSER_DEPTH: Final = 2048
"""Where libxml2 stops to read, without a word: below so many open elements."""

SEARCHES: Final = 1_000_000
SEARCHES_PER_BYTE: Final = 40
"""Comparisons of names that are no matter to a parser: a thousandth of a second,
and as long again as the parse of the bytes takes."""

MANY: Final = 1_500
"""So many elements are no matter, whatever the size of a page."""

BLOCK_SIZE: Final = 16
"""Bytes of a page for each element beyond these, with its text: real pages have 34 and
more, and one with fewer takes as many times longer than others of its size. Trimming
tells blocks from what is in them, which takes less."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a page may cost.

    ``max_size`` are the bytes, in UTF-8, of the largest page that is read at all, and
    ``max_full_size`` of the largest from which nothing is left out. A page has at most
    ``max_elements``, one in another to ``max_depth`` below the body, with
    ``max_attributes`` each; a text without markup has ``max_text_node`` bytes.
    ``max_time`` are seconds of processor time for one page, looked at between steps.
    """

    max_size: int = 32 * 2**20
    max_full_size: int = 10 * 2**20
    max_elements: int = 100_000
    max_depth: int = 256
    max_attributes: int = 500
    max_text_node: int = 4 * 2**20
    max_time: float = 10.0

    @property
    def tree_depth(self) -> int:
        """How deep a tree may be, from its root on; there the parser's end is near."""
        return min(self.max_depth + 2, PARSER_DEPTH - 2)

    def suspects(self, page: bytes, size: int | None = None) -> bool:
        """Whether *page* may be over a limit that is to be kept before the parse.

        It came in *size* bytes, if that is another number than it has now.
        """
        if len(page) > self.max_full_size:
            return True
        opened, closed, longest_tag, longest_text = survey(page)
        return (
            opened > self.max_elements
            or opened > max(MANY, _least(page, size) // BLOCK_SIZE)
            or longest_text > self.max_text_node
            # An attribute takes two bytes: its name and what is between two of them.
            or longest_tag > 2 * max(self.max_attributes, 1000)
            or min(opened, PARSER_DEPTH) * closed
            > SEARCHES + SEARCHES_PER_BYTE * len(page)
        )

    def fitted(self, page: bytes, size: int | None = None) -> Fitted:
        """*page*, in UTF-8, as it may be parsed; it came in *size* bytes."""
        if len(page) > self.max_size:
            return Fitted(b"", (TOO_LARGE,))
        return self.trimmed(page, size) if self.suspects(page, size) else Fitted(page)

    def trimmed(self, page: bytes, size: int | None = None) -> Fitted:
        """*page* within limits; as it is, if it was there already."""
        fitted = self._rewritten(page, size)
        return fitted if fitted.reasons else Fitted(page)

    def flattened(self, page: bytes) -> Fitted:
        """*page*, of which the parser made too deep a tree, with the ends it lacks."""
        fitted = self._rewritten(page, None)
        # There are more ways to be deep than the trimming knows: then it stays so.
        return fitted if fitted.reasons else Fitted(fitted.page, (DEPTH,))

    def _rewritten(self, page: bytes, size: int | None) -> Fitted:
        large = len(page) > self.max_full_size
        result, reasons = trim(
            page,
            elements=self.max_elements,
            room=max(MANY * BLOCK_SIZE, _least(page, size)),
            depth=self.max_depth,
            attributes=self.max_attributes,
            text=self.max_text_node,
            scripts=not large,
        )
        return Fitted(result, (LARGE, *reasons) if large else reasons)


def _least(page: bytes, size: int | None) -> int:
    """The bytes of a page as it came or in UTF-8, if that is fewer."""
    return len(page) if size is None else min(size, len(page))


class Fitted(NamedTuple):
    """A page that can be parsed, and the codes of what that took."""

    page: bytes
    reasons: tuple[str, ...] = ()


class Clock:
    """The processor time since a page's extraction began."""

    __slots__ = ("_end",)

    def __init__(self, limits: Limits) -> None:
        self._end = thread_time() + limits.max_time

    @property
    def is_over(self) -> bool:
        """Whether the page has had its time."""
        return thread_time() > self._end


__all__ = ["REASONS", "Clock", "Fitted", "Limits"]
