"""Request fingerprints that tell a rendered request from the static one of its URL."""

from __future__ import annotations

from hashlib import sha1
from typing import TYPE_CHECKING, Final, Protocol, cast

from scrapy.utils.misc import build_from_crawler, load_object

from .state import get_state

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    # typing.Self requires Python 3.11
    from typing_extensions import Self

WRAPPED_SETTING: Final = "_MAINPAGE_WRAPPED_FINGERPRINTER"
"""Setting in which the add-on keeps the project's own class."""


class Fingerprinter(Protocol):
    """Scrapy's interface of request fingerprinters."""

    def fingerprint(self, request: Request) -> bytes:
        """Return the request's fingerprint."""
        ...


class RenderFingerprinter:
    """The project's request fingerprinter, with other fingerprints if rendered.

    The cache, the duplicate filter and the disk queues ask it, so that none of them
    takes a rendered page for the static one. Static requests keep the fingerprints
    that they have without the plugin.
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
        """Return the fingerprint."""
        plain = self.wrapped.fingerprint(request)
        state = get_state(request) or {}
        if state.get("record"):
            return _derive(b"decision", plain)
        if not state.get("rendered"):
            return plain
        return _derive(b"layout" if state.get("layout") else b"rendered", plain)


def _derive(kind: bytes, plain: bytes) -> bytes:
    return sha1(b"mainpage %b\n" % kind + plain, usedforsecurity=False).digest()
