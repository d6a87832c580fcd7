"""What the memory knows of a crawl: pages with their latest outcome, and runs."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from hashlib import blake2b
from operator import attrgetter
from struct import iter_unpack, pack
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

NEW: Final = "new"
CHANGED: Final = "changed"
UNCHANGED: Final = "unchanged"
DROPPED: Final = "dropped"
GONE: Final = "gone"
REDIRECTED: Final = "redirected"
FAILED: Final = "failed"

#: Redirects for good; with any other the page keeps its address.
PERMANENT: Final = (301, 308)

#: Outcomes of a page in a run: its content came as new, changed or unchanged; it came
#: and gave no document; it answered 404 or 410, or a redirect; it could not be judged.
OUTCOMES: Final = (NEW, CHANGED, UNCHANGED, DROPPED, GONE, REDIRECTED, FAILED)

#: The status of a page that was not sent again, with the same bytes, or not asked for.
NOT_MODIFIED: Final = 304

#: The content hash of a document that may be in an index, in any version.
UNKNOWN_CONTENT: Final = b""


@dataclass(eq=False)
class PageRow:
    """An address of a scope: its latest outcome, and its document in the index.

    ``request`` is how it was requested, as JSON, ``None`` for a plain GET request.
    ``requests`` are the numbers of the addresses that the page led to, ``None`` if they
    cannot be sent again. ``content_hash`` is that of its document, ``None`` without
    one; ``parent`` is the number of the page that the document came from, if another.
    ``body_hash`` is that of the page as it was sent, with its content type,
    ``config_hash`` that of the configuration and the request by which it came whole.
    ``canonical`` is the address that the page stepped back for, as a variant or a copy.
    ``verdict`` is the reason why its document should go.

    ``requested_run``, ``start_run``, ``last_seen_run`` and ``document_run`` are the
    latest runs in which it was requested, was a start page, had an outcome and gave its
    document. Times are in seconds since 1970, ``interval`` in seconds.
    """

    id: int
    scope: int
    url: str
    request: str | None = None
    outcome: str | None = None
    reason: str | None = None
    status: int | None = None
    etag: str | None = None
    last_modified: str | None = None
    body_hash: bytes | None = None
    lastmod: str | None = None
    content_hash: bytes | None = None
    config_hash: bytes | None = None
    canonical: str | None = None
    redirect_to: str | None = None
    requests: bytes | None = None
    parent: int | None = None
    requested_run: int | None = None
    start_run: int | None = None
    last_seen_run: int | None = None
    document_run: int | None = None
    last_ok: float | None = None
    failures: int = 0
    interval: float | None = None
    next_visit: float | None = None
    words: int | None = None
    is_sitemap: bool = False
    verdict: str | None = None

    def forget_document(self) -> None:
        """Note that no index has the document of this address any more."""
        self.content_hash = self.document_run = self.parent = self.verdict = None


COLUMNS: Final = tuple(item.name for item in fields(PageRow))
values_of = attrgetter(*COLUMNS)

#: The values of a page of which nothing is known.
DEFAULTS: Final[tuple[Any, ...]] = values_of(PageRow(0, 0, ""))


@dataclass
class Run:
    """A run of a scope: when, why it ended, and what it counted.

    ``ended`` and ``reason`` are ``None`` while it runs, and for one that was killed.
    ``complete`` says that every page of the scope was judged.
    """

    id: int
    scope: int
    started: float
    ended: float | None = None
    reason: str | None = None
    complete: bool = False
    counts: dict[str, Any] = field(default_factory=dict)


def page_number(scope: int, url: str) -> int:
    """Return the number of an address in its scope: a hash, the same everywhere."""
    text = f"{scope} {url}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") >> 1


def pack_numbers(numbers: Iterable[int]) -> bytes:
    """Return the numbers of pages as bytes, each once, in their order.

    >>> unpack_numbers(pack_numbers([2**62, 7, 8, 8]))
    [4611686018427387904, 7, 8]
    """
    found = list(dict.fromkeys(numbers))
    return pack(f"<{len(found)}Q", *found)


def unpack_numbers(packed: bytes) -> list[int]:
    """Return the numbers of :func:`pack_numbers`."""
    return [number for (number,) in iter_unpack("<Q", packed)]
