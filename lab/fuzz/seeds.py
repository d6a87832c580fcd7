"""Seeds of fuzzing: generated pages, the parser's test cases, real pages."""

from __future__ import annotations

import gzip
import os
import random
import re
import subprocess
import sys
import tarfile
import tempfile
from functools import cache, lru_cache
from pathlib import Path

from lab import ROOT
from scrapy_mainpage.extraction.document.tags import ATTRIBUTES, TAGS

from . import grammar, mutations

REAL = ROOT.parent / "shared" / "data" / "wcxb-dev" / "html"
#: Its source distribution has the tree-construction tests that parsers share.
HTML5LIB = "html5lib==1.1"
GENERATED = 1500
#: Real pages with a part in the corpus; the target ``pages`` has all of them.
PARTS = 400
LONGEST = 16 * mutations.KILOBYTE


def make(folder: Path) -> str:
    """Fill *folder* with pages, a file each; returns a description."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {
        "generated": [grammar.page(seed) for seed in range(GENERATED)],
        "tree-construction": tree_construction(folder.parent),
        "real": real_parts(),
    }
    for kind, inputs in found.items():
        for number, data in enumerate(inputs):
            (folder / f"{kind}-{number}").write_bytes(data)
    return ", ".join(f"{len(inputs)} {kind}" for kind, inputs in found.items())


# --- The parser's tests


def tree_construction(folder: Path) -> list[bytes]:
    """The inputs of html5lib's tests; none where they cannot be fetched."""
    kept = folder / "tree-construction.tar.gz"
    if not kept.exists():
        _fetch(kept)
    if not kept.exists():
        print("fuzz: without the tree-construction tests: no download", flush=True)
        return []
    inputs: list[bytes] = []
    with tarfile.open(kept) as archive:
        for member in archive:
            if "tree-construction" in member.name and member.name.endswith(".dat"):
                file = archive.extractfile(member)
                inputs += cases(file.read()) if file else []
    return sorted(set(inputs))


def _fetch(kept: Path) -> None:
    """Download the source distribution; pip asks an older setuptools for its name."""
    with tempfile.TemporaryDirectory() as name:
        constraints = Path(name, "constraints.txt")
        constraints.write_text("setuptools<75\n", encoding="ascii")
        options = ["--no-deps", "--no-binary", ":all:", "--dest", name]
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", *options, HTML5LIB],
            env={**os.environ, "PIP_CONSTRAINT": str(constraints)},
            check=False,
            capture_output=True,
        )
        for file in Path(name).glob("*.tar.gz"):
            kept.write_bytes(file.read_bytes())


def cases(file: bytes) -> list[bytes]:
    """The inputs of a file of tests, as html5lib writes them."""
    return re.findall(rb"(?:^|\n)#data\n(.*?)\n#errors", file, re.DOTALL)


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
