"""Pages of a set, packed into WARC files for the benchmarks of batches."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

from tests.batch.archives import http, record

from .pages import TIMED_SET, generated, sampled_sets


@dataclass(frozen=True)
class Packed:
    """Pages in a WARC file, and several times over in another.

    ``html`` has the bytes of each by its address; ``size`` are all of them, ``packed``
    those of the file.
    """

    what: str
    file: Path
    repeated: Path
    html: dict[str, bytes]

    @property
    def count(self) -> int:
        return len(self.html)

    @property
    def size(self) -> int:
        return sum(map(len, self.html.values()))

    @property
    def packed(self) -> int:
        return self.file.stat().st_size


def packed(folder: Path, data: Path, most: int, copies: int) -> Packed:
    """Pack so many pages; what they are is said."""
    what, pages = _pages(data, most)
    members = [
        # The servers' headers are not known; nothing is said of the encoding.
        gzip.compress(record(http(html, content_type="text/html"), url), 6)
        for url, html in pages.items()
    ]
    file, repeated = folder / "pages.warc.gz", folder / "repeated.warc.gz"
    file.write_bytes(b"".join(members))
    repeated.write_bytes(b"".join(members) * copies)
    return Packed(what, file, repeated, pages)


def _pages(data: Path, most: int) -> tuple[str, dict[str, bytes]]:
    folder = data / TIMED_SET
    if not (folder / "pages.jsonl").exists():
        made = (generated(50 + 7 * (k % 100), seed=k).encode() for k in range(most))
        pages = {f"https://example.com/{k}": html for k, html in enumerate(made)}
        return f"{most:,} GENERATED pages: {folder} is not there", pages
    (data_set,) = sampled_sets(folder, most)
    # A few addresses come twice.
    pages = {f"{page.url}#{page.id}": page.html() for page in data_set.pages}
    return f"{len(pages):,} pages of {TIMED_SET}", pages
