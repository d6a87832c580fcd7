"""Pages of a size that is asked for: generated, or a real page's body repeated."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from .pages import generated
from .speedpages import each_page

#: Generated markup is ASCII: a byte each.
_SAMPLE = 1_000
SMALLEST = 100_000
NEAREST = 10
BODY = re.compile(rb"(?is)(<body\b[^>]*>)(.*)(</body>)")


def generated_page(size: int) -> bytes:
    """About so many bytes of paragraphs, lists and headings."""
    frame = len(generated(0))
    paragraph = (len(generated(_SAMPLE)) - frame) / _SAMPLE
    return generated(round((size - frame) / paragraph)).encode()


def repeated_page(data: Path) -> Callable[[int], bytes]:
    """What makes pages of a size of the body of one real page, as often as it takes.

    Of the pages whose bodies are nearest to the smallest size that is measured, it is
    the one with the most paragraphs; without any pages it is a generated one.
    """
    pages = [page.body for page in each_page(data, 200)] or [generated_page(SMALLEST)]
    pages.sort(key=lambda each: abs(len(body_of(each)[1]) - SMALLEST))
    page = max(pages[:NEAREST], key=lambda each: each.count(b"<p"))
    before, body, after = body_of(page)

    def repeated(size: int) -> bytes:
        return before + body * max(1, round(size / max(1, len(body)))) + after

    return repeated


def body_of(page: bytes) -> tuple[bytes, bytes, bytes]:
    """What stands before the content of the body, the content, and what follows."""
    match = BODY.search(page)
    if match is None:
        return b"", page, b""
    return page[: match.start(2)], match[2], page[match.end(2) :]
