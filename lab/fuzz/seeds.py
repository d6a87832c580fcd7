"""Seeds of fuzzing: generated pages and parts of real ones."""

from __future__ import annotations

import gzip
import random
from functools import cache, lru_cache
from pathlib import Path

from lab import ROOT
from scrapy_mainpage.extraction.document.tags import ATTRIBUTES, TAGS

from . import grammar, mutations

REAL = ROOT.parent / "shared" / "data" / "wcxb-dev" / "html"
GENERATED = 1500
#: Real pages with a part in the corpus; the target ``pages`` has all of them.
PARTS = 400
LONGEST = 16 * mutations.KILOBYTE


def make(folder: Path) -> str:
    """Fill *folder* with pages, a file each; returns a description."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {
        "generated": [grammar.page(seed) for seed in range(GENERATED)],
        "real": real_parts(),
    }
    for kind, inputs in found.items():
        for number, data in enumerate(inputs):
            (folder / f"{kind}-{number}").write_bytes(data)
    return ", ".join(f"{len(inputs)} {kind}" for kind, inputs in found.items())


# --- Real pages


@cache
def real_pages() -> tuple[Path, ...]:
    """The files of the real pages, or none."""
    return tuple(sorted(REAL.glob("*.html.gz")))


@lru_cache(64)
def _unpacked(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes())


def real_parts() -> list[bytes]:
    """Parts of some real pages, if the pages are installed."""
    choose = random.Random(1)
    paths = real_pages()
    parts = []
    for path in choose.sample(paths, min(PARTS, len(paths))):
        page = gzip.decompress(path.read_bytes())
        start = choose.randrange(max(1, len(page) - LONGEST))
        parts.append(page[start : start + choose.randrange(200, LONGEST)])
    return parts


def real_page(data: bytes) -> bytes:
    """A page chosen by the input, cut at a kilobyte and mutated."""
    choose = random.Random(data)
    paths = real_pages()
    if not paths:
        return mutations.mutate(grammar.page(choose.randrange(1 << 30), 400), choose)
    page = mutations.cut(_unpacked(choose.choice(paths)), choose)
    for change in (mutations.flip, mutations.shuffle):
        if choose.random() < 0.4:
            page = change(page, choose)
    return page


def write_dictionary(path: Path) -> None:
    """Write the fuzzer's dictionary."""
    words = [f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]
    words += [f" {name}=" for name in ATTRIBUTES] + list(grammar.ODD)
    kept = sorted({word for word in words if word.isascii() and word.isprintable()})
    quoted = (word.replace("\\", "\\\\").replace('"', '\\"') for word in kept)
    path.write_text("".join(f'"{word}"\n' for word in quoted), encoding="ascii")
