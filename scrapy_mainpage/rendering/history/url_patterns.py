"""Keys of a site's history: host, URL pattern, and shortened names."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit

MIN_PATTERN_GAINS: Final = 5
"""Pages of a URL pattern that gained before the others are rendered upfront."""

MIN_TOP_LEVEL_GAINS: Final = 20
"""The same for the pattern of all pages right below the root of a site."""

_MAX_NAME_CHARS: Final = 80
_MAX_URL_CHARS: Final = 1000
_ID: Final = re.compile(r"\d+|[0-9a-f]{8,}|[0-9a-f]{4,}(-[0-9a-f]{4,})+", re.IGNORECASE)
_EXTENSION: Final = re.compile(r"\.[a-z][a-z0-9]{1,4}", re.IGNORECASE)


def shorten(text: str) -> str:
    """Return *text*, or its first half and a digest if it is over 80 characters."""
    if len(text) <= _MAX_NAME_CHARS:
        return text
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12)
    return f"{text[: _MAX_NAME_CHARS // 2]}~{digest.hexdigest()}"


def get_host(url: str) -> str:
    """Return host and port of a URL in lower case; empty if it has none."""
    try:
        return shorten(urlsplit(url).netloc.rpartition("@")[2].lower())
    except ValueError:
        return ""


def get_url_pattern(url: str) -> tuple[str, int]:
    """Return the pattern of a URL, and how many gains prove it for all its pages.

    A pattern is the path without numbers, identifiers and the last segment, and the
    names of the query parameters: ``/shop/item-0/*.html``, ``/view?id``.
    """
    try:
        _, _, path, query, _ = urlsplit(url)
    except ValueError:
        return "", MIN_TOP_LEVEL_GAINS
    *folders, last = path[:_MAX_URL_CHARS].strip("/").split("/")
    pairs = filter(None, query[:_MAX_URL_CHARS].split("&"))
    names = sorted({pair.partition("=")[0] for pair in pairs})
    end = _mask(last) if names else _mask_last(last)
    parts = [*map(_mask, folders), end]
    pattern = "/" + "/".join(parts) + ("?" + "&".join(names) if names else "")
    is_top_level = not folders and not names and end != "#"
    needed = MIN_TOP_LEVEL_GAINS if is_top_level else MIN_PATTERN_GAINS
    return shorten(pattern), needed


def _mask(segment: str) -> str:
    """Replace the part of a path segment that differs from page to page."""
    if _ID.fullmatch(segment):
        return "#"
    if len(segment) > 24 or segment.count("-") + segment.count("_") > 2:
        return "*"
    return re.sub(r"\d+", "0", segment.lower())


def _mask_last(segment: str) -> str:
    """Keep of the last segment whether it is a number or a name, and its extension."""
    stem, dot, extension = segment.rpartition(".")
    if not dot or not stem or not _EXTENSION.fullmatch(dot + extension):
        stem, extension = segment, ""
    mark = "#" if _ID.fullmatch(stem) else "*" if stem else ""
    return f"{mark}.{extension.lower()}" if extension else mark
