"""Addresses of pages: which host they are of, and which part of it."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit

PAGES_FOR_ALL: Final = 5
"""So many pages of a part must have gained before the others are rendered at once."""

PAGES_FOR_TOP: Final = 20
"""The same where the part is all that lies at the top level of a site."""

_LONGEST: Final = 80
_LOOKED_AT: Final = 1000
_ID: Final = re.compile(r"\d+|[0-9a-f]{8,}|[0-9a-f]{4,}(-[0-9a-f]{4,})+", re.IGNORECASE)
_EXTENSION: Final = re.compile(r"\.[a-z][a-z0-9]{1,4}", re.IGNORECASE)


def short(text: str) -> str:
    """The text itself, or its beginning and a digest if it is long."""
    if len(text) <= _LONGEST:
        return text
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12)
    return f"{text[: _LONGEST // 2]}~{digest.hexdigest()}"


def host_of(url: str) -> str:
    """The host and port of an address in lower case; empty if it has none."""
    try:
        return short(urlsplit(url).netloc.rpartition("@")[2].lower())
    except ValueError:
        return ""


def part_of(url: str) -> tuple[str, int]:
    """The shape of an address, and how many pages prove something about all others.

    The path without numbers, identifiers and the last segment, and the names of the
    query's parameters: ``/shop/item-0/*.html``, ``/view?id``.
    """
    try:
        _, _, path, query, _ = urlsplit(url)
    except ValueError:
        return "", PAGES_FOR_TOP
    *folders, last = path[:_LOOKED_AT].strip("/").split("/")
    pairs = filter(None, query[:_LOOKED_AT].split("&"))
    names = sorted({pair.partition("=")[0] for pair in pairs})
    end = _masked(last) if names else _last(last)
    parts = [*map(_masked, folders), end]
    shape = "/" + "/".join(parts) + ("?" + "&".join(names) if names else "")
    top = not folders and not names and end != "#"
    return short(shape), PAGES_FOR_TOP if top else PAGES_FOR_ALL


def _masked(segment: str) -> str:
    """A segment without what differs from page to page."""
    if _ID.fullmatch(segment):
        return "#"
    if len(segment) > 24 or segment.count("-") + segment.count("_") > 2:
        return "*"
    return re.sub(r"\d+", "0", segment.lower())


def _last(segment: str) -> str:
    """The last segment: a number or a name, and the extension."""
    stem, dot, extension = segment.rpartition(".")
    if not dot or not stem or not _EXTENSION.fullmatch(dot + extension):
        stem, extension = segment, ""
    mark = "#" if _ID.fullmatch(stem) else "*" if stem else ""
    return f"{mark}.{extension.lower()}" if extension else mark
