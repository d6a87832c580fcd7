"""Feeds that have every item as soon as it is exported, also when they are killed."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

from scrapy.extensions.feedexport import FileFeedStorage

if TYPE_CHECKING:
    from scrapy import Spider


class UnbufferedFile(FileFeedStorage):
    """A file without a buffer: what a killed process has exported is in it.

    Else the last items would be lost whose requests were done with. It goes for
    ``jsonlines``; other formats have an end that a killed process does not write.
    """

    def open(self, spider: Spider) -> IO[bytes]:
        """Open the file, and make its folder if need be."""
        path = Path(self.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open(self.write_mode, buffering=0)
