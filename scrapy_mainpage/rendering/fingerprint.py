"""Tells a rendered request from the static one of the same URL."""

from __future__ import annotations

from hashlib import sha1
from typing import TYPE_CHECKING, Final, Protocol, cast

from scrapy.utils.misc import build_from_crawler, load_object

from .state import state_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    # typing.Self requires Python 3.11
    from typing_extensions import Self

WRAPPED_SETTING: Final = "_MAINPAGE_WRAPPED_FINGERPRINTER"
"""Where the add-on keeps the class that the project uses."""


class Fingerprinter(Protocol):
    """What Scrapy wants of a request fingerprinter."""

    def fingerprint(self, request: Request) -> bytes:
        """Return the request's fingerprint."""
        ...


class RenderFingerprinter:
    """The project's own request fingerprinter, and one more bit of each request.

    The cache, the duplicate filter and the queues on disk all ask it, so that none of
    them takes a page from a browser for the static one. Static requests keep the
    fingerprints that they have without the plugin.
    """

    def __init__(self, wrapped: Fingerprinter):
        self.wrapped = wrapped

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Wrap the fingerprinter that the project's settings name."""
        path = crawler.settings[WRAPPED_SETTING]
        built = build_from_crawler(load_object(path), crawler)
        return cls(cast("Fingerprinter", built))

    def fingerprint(self, request: Request) -> bytes:
        """Return the fingerprint: another one if a browser is to render the page."""
        plain = self.wrapped.fingerprint(request)
        state = state_of(request) or {}
        if state.get("record"):
            return _other(b"decision", plain)
        if not state.get("rendered"):
            return plain
        return _other(b"layout" if state.get("layout") else b"rendered", plain)


def _other(kind: bytes, plain: bytes) -> bytes:
    return sha1(b"mainpage %b\n" % kind + plain, usedforsecurity=False).digest()
