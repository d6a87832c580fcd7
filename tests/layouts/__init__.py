"""Pages as a browser rendered them, with their boxes and their texts.

``make layouts`` records them (see :mod:`.record`); here they are read.
"""

from __future__ import annotations

import json
import tarfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).parent / "recorded"
SUFFIX = ".tar.xz"
WIDE, DESKTOP = (1920, 1080), (1280, 900)
WINDOWS = (DESKTOP, WIDE)
"""The windows that all pages are recorded in, width and height in CSS pixels."""


@dataclass(frozen=True)
class RecordedPage:
    """A page, its source with stamps, its layout snapshot and its true text.

    ``truth`` has a line for each block of text.
    """

    name: str
    html: str
    layout_json: str
    truth: str


@cache
def manifest() -> dict[str, Any]:
    """Sites, dates and tools of the recordings: see the README beside it."""
    loaded: dict[str, Any] = json.loads((RECORDED / "manifest.json").read_text("utf-8"))
    return loaded


def themes(kind: str = "") -> list[str]:
    """The recorded sites; *kind* is ``markdown`` or ``debian``, or empty for both."""
    sites = manifest()["sites"].items()
    return [name for name, site in sites if kind in ("", site["kind"])]


def archive_of(theme: str, window: tuple[int, int]) -> Path:
    width, height = window
    return RECORDED / f"{theme}-{width}x{height}{SUFFIX}"


@cache
def load(theme: str, window: tuple[int, int] = DESKTOP) -> list[RecordedPage]:
    """The pages of a site as they are in a window, in the order of the manifest."""
    pages = manifest()["sites"][theme]["pages"]
    with tarfile.open(archive_of(theme, window)) as archive:
        files = {
            member.name: content.read().decode("utf-8")
            for member in archive
            if (content := archive.extractfile(member)) is not None
        }
    return [
        RecordedPage(
            name, *(files[f"{name}.{kind}"] for kind in ("html", "json", "txt"))
        )
        for name in pages
    ]


def page_of(theme: str, name: str, window: tuple[int, int] = DESKTOP) -> RecordedPage:
    """One page by its name."""
    return next(page for page in load(theme, window) if page.name == name)
