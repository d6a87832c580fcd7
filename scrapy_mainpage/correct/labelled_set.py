"""Corrected pages as a set of labelled pages, which evaluation and training read."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, Final

from ..evaluation.datasets import PAGES, site_of
from ..evaluation.gold import element_blocks
from .element_cover import cover_blocks

if TYPE_CHECKING:
    from pathlib import Path

    from .correction import Correction, PageToCorrect

_NOT_IN_NAMES: Final = re.compile(r"[^\w.-]+")


def page_id(url: str) -> str:
    """A name for the file of a page: its site, and a hash of its URL.

    >>> page_id("https://www.example.com/owls")
    'example.com-c627078395'
    """
    site = _NOT_IN_NAMES.sub("-", site_of(url)) or "file"
    digest = hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()
    return f"{site}-{digest[:10]}"


def save_page(folder: Path, page: PageToCorrect, correction: Correction) -> None:
    """Add the page to the set in *folder*, or replace the label that it has there.

    Raises ``OSError`` if the folder cannot be written.
    """
    entry = describe(page, correction)
    pages = folder / "html"
    pages.mkdir(parents=True, exist_ok=True)
    packed = gzip.compress(page.html, mtime=0)
    (pages / f"{entry['id']}.html.gz").write_bytes(packed)
    file, fresh = folder / PAGES, folder / f"{PAGES}.new"
    lines = file.read_bytes().split(b"\n") if file.exists() else []
    kept = [line for line in lines if line.strip() and _id(line) != entry["id"]]
    kept.append(json.dumps(entry, ensure_ascii=False).encode("utf-8", "replace"))
    fresh.write_bytes(b"\n".join(kept) + b"\n")
    fresh.replace(file)


def describe(page: PageToCorrect, correction: Correction) -> dict[str, Any]:
    """The page's line in the set: main text, elements where they can tell, labels."""
    labels = page.corrected_labels(correction)
    entry: dict[str, Any] = {
        "id": page_id(page.url),
        "url": page.url,
        "text": page.corrected_text(correction),
    }
    cover = cover_blocks(page.content.document, correction.main)
    if cover and (element_blocks(page.html, *cover) == correction.main).all():
        entry["content"], entry["drop"] = cover
    entry["labels"] = [label.value for label in labels]
    if correction.fields:
        entry["fields"] = correction.fields
    return entry


def _id(line: bytes) -> object:
    """The id of a line; ``None`` for one that is not in the format, which is kept."""
    try:
        return json.loads(line)["id"]
    except (KeyError, TypeError, ValueError):
        return None
