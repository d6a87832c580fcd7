"""Corrected pages as a set of labelled pages, which evaluation and training read."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..evaluation.datasets import PAGES, site_of
from ..evaluation.gold import element_blocks
from ..extraction.document.document import RunKind

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..extraction.document.document import Document

    Mask = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float64]
    from pathlib import Path

    from .correction import Correction, PageToCorrect

MAX_ELEMENTS: Final = 1000
"""More paths would be a label that nobody reads, and slow to evaluate."""


def cover_blocks(document: Document, main: Mask) -> tuple[str, str] | None:
    """The XPaths of the elements that hold the *main* blocks, and of parts to drop.

    Of all pairs one with the fewest elements; of equal ones the inner elements to hold,
    and the outer ones to drop. ``None`` where elements cannot tell: an element has main
    and other text of its own, there is no main content, or too many elements are
    needed.
    """
    cover = _Cover(document, main)
    if not main.any() or not cover.is_possible:
        return None
    content, drop = cover.choose()
    if len(content) + len(drop) > MAX_ELEMENTS:
        return None
    paths = (" | ".join(map(document.xpath, found)) for found in (content, drop))
    return next(paths), next(paths)


class _Cover:
    """The least number of elements to name below each element, from the leaves up.

    Text is outside of the content, inside of it, or dropped from it for good.
    """

    def __init__(self, document: Document, main: Mask) -> None:
        self.parent = document.elements.parent.tolist()
        own_main, own_other = (_count_runs(document, mask) for mask in (main, ~main))
        has_main = own_main > 0
        self.outside: list[float] = np.where(has_main, math.inf, 0.0).tolist()
        self.inside: list[float] = np.where(own_other > 0, math.inf, 0.0).tolist()
        self.has_main: list[bool] = has_main.tolist()
        for element in range(document.n_elements - 1, 0, -1):
            above = self.parent[element]
            self.outside[above] += self._outside(element)
            self.inside[above] += self._inside(element)
            self.has_main[above] |= self.has_main[element]

    def _outside(self, element: int) -> float:
        """The cost of an element whose parent is outside of the content."""
        return min(self.outside[element], 1 + self.inside[element])

    def _inside(self, element: int) -> float:
        """The cost of an element whose parent is inside of the content."""
        return 1.0 if self._is_droppable(element) else self.inside[element]

    def _is_droppable(self, element: int) -> bool:
        """Whether the element has nothing but other text."""
        return self.inside[element] > 0 and not self.has_main[element]

    @property
    def is_possible(self) -> bool:
        return self._outside(0) < math.inf

    def choose(self) -> tuple[list[int], list[int]]:
        """The elements of the content, and those to drop, in document order."""
        content: list[int] = []
        drop: list[int] = []
        states: list[str] = []
        for element, above in enumerate(self.parent):
            state = states[above] if above >= 0 else "outside"
            if state == "outside" and 1 + self.inside[element] < self.outside[element]:
                content.append(element)
                state = "inside"
            elif state == "inside" and self._is_droppable(element):
                drop.append(element)
                state = "dropped"
            states.append(state)
        return content, drop


def _count_runs(document: Document, mask: Mask) -> npt.NDArray[np.intp]:
    """Per element the runs of its own text that lie in blocks of the *mask*."""
    runs = document.runs
    counted = (runs.kind == RunKind.TEXT) & (runs.block >= 0) & (runs.end > runs.start)
    counted[counted] = mask[runs.block[counted]]
    return np.bincount(runs.element[counted], minlength=document.n_elements)


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
