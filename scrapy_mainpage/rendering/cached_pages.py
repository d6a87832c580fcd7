"""Layouts of rendered pages inside of their bodies, for Scrapy's HTTP cache."""

from __future__ import annotations

import re
import zlib
from base64 import b64decode, b64encode
from typing import Final

from parsel import Selector

from ..extraction.document.document import read_tree
from ..extraction.document.layout import STAMP, Layout, LayoutError

_HEAD: Final = b"\n<!--mainpage-layout "
_TAIL: Final = b"-->"

#: A snapshot takes about twenty bytes per element.
_MAX_SNAPSHOT_BYTES: Final = 2**28

_STAMPS: Final = re.compile(rb' %s="\d+"' % STAMP.encode())


def pack(html: str, snapshot: str) -> bytes:
    """Return the page's source, with stamped elements, followed by its snapshot."""
    packed = b64encode(zlib.compress(snapshot.encode("utf-8", "replace"), 6))
    return html.encode("utf-8", "replace") + _HEAD + packed + _TAIL


def unpack(body: bytes) -> tuple[bytes, Layout | None]:
    """Return the original source and its layout; ``None`` for a body without one.

    The layout fits the tree that is parsed from the source. Raises
    :exc:`~scrapy_mainpage.extraction.document.layout.LayoutError` for a broken one.
    """
    stamped, head, packed = body.rpartition(_HEAD)
    if not head or not packed.endswith(_TAIL):
        return body, None
    layout = _read(stamped, packed.removesuffix(_TAIL))
    return _STAMPS.sub(b"", stamped), layout


def strip_layout(body: bytes) -> bytes:
    """Return the original source; a broken layout is ignored."""
    return _STAMPS.sub(b"", body.rpartition(_HEAD)[0] or body)


def _read(stamped: bytes, packed: bytes) -> Layout:
    try:
        decompress = zlib.decompressobj()
        snapshot = decompress.decompress(
            b64decode(packed, validate=True), _MAX_SNAPSHOT_BYTES
        )
    except (ValueError, zlib.error) as error:
        raise LayoutError(f"corrupt layout snapshot: {error}") from None
    if not decompress.eof:
        raise LayoutError("layout snapshot truncated, or too large")
    root = Selector(text=stamped.decode("utf-8", "replace")).root
    return Layout.from_json(snapshot, read_tree(root))
