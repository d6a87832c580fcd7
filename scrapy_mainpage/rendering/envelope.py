"""How a layout travels inside the body of the rendered response.

A cache keeps nothing of a response but its headers and its body. So the snapshot goes
behind the end of the page, compressed, in a comment; and it comes off again before
anybody reads the page, together with the stamps that it needs.
"""

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

#: A snapshot says some twenty bytes of each element.
_MAX_SNAPSHOT: Final = 2**28

_STAMPS: Final = re.compile(rb' %s="\d+"' % STAMP.encode())


def pack(html: str, snapshot: str) -> bytes:
    """Return the page's source, with stamped elements, and its snapshot behind it."""
    packed = b64encode(zlib.compress(snapshot.encode("utf-8", "replace"), 6))
    return html.encode("utf-8", "replace") + _HEAD + packed + _TAIL


def unpack(body: bytes) -> tuple[bytes, Layout | None]:
    """Return the page's source as it was, and its layout; ``None`` if there is none.

    The layout is that of the tree which is parsed from the source. Raises
    :exc:`~scrapy_mainpage.extraction.document.layout.LayoutError` for a broken one.
    """
    stamped, head, packed = body.rpartition(_HEAD)
    if not head or not packed.endswith(_TAIL):
        return body, None
    layout = _read(stamped, packed.removesuffix(_TAIL))
    return _STAMPS.sub(b"", stamped), layout


def without_layout(body: bytes) -> bytes:
    """Return the page's source as it was, whatever its layout is worth."""
    return _STAMPS.sub(b"", body.rpartition(_HEAD)[0] or body)


def _read(stamped: bytes, packed: bytes) -> Layout:
    try:
        decompress = zlib.decompressobj()
        snapshot = decompress.decompress(
            b64decode(packed, validate=True), _MAX_SNAPSHOT
        )
    except (ValueError, zlib.error) as error:
        raise LayoutError(
            f"a layout snapshot that cannot be unpacked: {error}"
        ) from None
    if not decompress.eof:
        raise LayoutError("a layout snapshot that is cut off, or too large")
    root = Selector(text=stamped.decode("utf-8", "replace")).root
    return Layout.from_json(snapshot, read_tree(root))
