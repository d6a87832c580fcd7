"""What links to the home of the site call it: its name, in text or as a picture."""

from __future__ import annotations

from posixpath import dirname
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from ..document.tags import ATTRIBUTE_CODES, CODES
from .plaintext import clean, element_text, letters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document

_INDEXES = ("", "index.php", "index.html", "index.htm")
_SESSIONS = (b"sid=", b"PHPSESSID=", b"s=")
_LONGEST_HREF = 200
_LONGEST_NAME = 60
_MOST_LINKS = 20


def home_link_names(document: Document, url: str | None) -> Iterator[str]:
    """The texts, and the alternative texts of pictures, of links to the site's home.

    Home is the root of the host, and the folder of the page, where a forum has its
    index. Nothing of a page that is a home itself: what it is called is its title. Nor
    of a single short word, which may be any ("Home").
    """
    homes = _homes(url)
    for link in _links(document, homes)[:_MOST_LINKS]:
        for text in (element_text(document, link), *_pictures(document, link)):
            if len(text) <= _LONGEST_NAME and _is_telling(text):
                yield text


def _is_telling(text: str) -> bool:
    return len(text.split()) > 1 or (not text.isascii() and len(letters(text)) > 3)


def _homes(url: str | None) -> frozenset[bytes]:
    """How a page at *url* may write the URL of its home."""
    try:
        parts = urlsplit(url or "")
        origin = f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        return frozenset()
    folder = dirname(parts.path.rstrip("/")).rstrip("/") + "/"
    paths = {start + name for start in ("/", folder) for name in _INDEXES}
    if not parts.netloc or (not parts.query and parts.path in {"", *paths}):
        return frozenset()
    homes = {*paths, origin, *(origin + path for path in paths)}
    if not parts.path.endswith("/"):
        homes |= {start + name for start in ("", "./") for name in _INDEXES} - {""}
    return frozenset(home.encode("utf-8", "replace") for home in homes)


def _links(document: Document, homes: frozenset[bytes]) -> list[int]:
    """The elements that link to one of *homes*."""
    if not homes:
        return []
    attributes, values = document.attributes, document.values
    length = attributes.end - attributes.start
    rows = np.flatnonzero(
        (attributes.name == ATTRIBUTE_CODES["href"])
        & (length <= _LONGEST_HREF)
        & (document.elements.tag[attributes.element] == CODES["a"])
    )
    columns = (attributes.element, attributes.start, attributes.end)
    cells = zip(*(column[rows].tolist() for column in columns), strict=True)
    return [
        element for element, start, end in cells if _plain(values[start:end]) in homes
    ]


def _plain(href: bytes) -> bytes:
    """The URL without its fragment, and without a session's number."""
    link = href.strip().partition(b"#")[0]
    path, _, query = link.partition(b"?")
    return path if query.startswith(_SESSIONS) else link


def _pictures(document: Document, link: int) -> Iterator[str]:
    attributes = document.attributes
    first, end = np.searchsorted(
        attributes.element, [link, document.elements.end[link]]
    ).tolist()
    for row in range(first, end):
        if attributes.name[row] == ATTRIBUTE_CODES["alt"]:
            value = document.values[attributes.start[row] : attributes.end[row]]
            yield clean(value.decode("utf-8", "replace")) or ""


__all__ = ["home_link_names"]
