"""Rows of saved pages: an HTML file, or all of a folder and its folders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .locations import Location
from .schema import UNREADABLE, make_error


class HtmlFiles:
    """The files as one source; each is a row with its own ``file:`` URL.

    Of a file over *max_size* only so much is read that it is refused.
    """

    def __init__(self, files: list[Location], max_size: int):
        self._files, self._max_size = files, max_size
        self._read = 0

    def tell(self) -> int:
        """Bytes of the files that were read."""
        return self._read

    def close(self) -> None:
        """Files are open only while they are read."""

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows, by path; a file that cannot be read is an error."""
        for file in self._files:
            self._read += file.size
            try:
                with file.open() as stream:
                    yield {"url": file.url, "html": stream.read(self._max_size + 1)}
            except OSError as error:
                yield make_error(UNREADABLE, f"{file}: {str(error)[:300]}")
