"""Pages as a crawl gets them: bytes, with the type and the size that they are of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .pages import TIMED_SET, generated, sampled_sets

#: The largest size in kB of each class of pages.
SIZES = (50, 100, 200, 500, 1000)
LEAST = 5
"""Pages that a type or a size must have for a line of its own."""


@dataclass(frozen=True)
class SpeedPage:
    """A page as it was served."""

    url: str
    type: str
    body: bytes

    @property
    def size(self) -> str:
        """Its class by size, as it is shown."""
        return size_class(len(self.body))


def size_class(size: int) -> str:
    """The class of so many bytes."""
    kilobytes = size / 1000
    for k, most in enumerate(SIZES):
        if kilobytes < most:
            return f"{SIZES[k - 1]} to {most} kB" if k else f"below {most} kB"
    return f"from {SIZES[-1]} kB"


def size_classes() -> list[str]:
    """All classes, smallest first."""
    return [size_class(1000 * most - 1) for most in (*SIZES, SIZES[-1] + 1)]


def speed_pages(data: Path, most: int) -> tuple[str, list[SpeedPage]]:
    """What the pages are, and the pages themselves, all in memory."""
    pages = list(each_page(data, most))
    return what_pages(data, len(pages)), pages


def what_pages(data: Path, count: int) -> str:
    folder = data / TIMED_SET
    if _is_there(folder):
        return f"{count} pages of {TIMED_SET}"
    return f"{count} GENERATED pages: {folder} is not there"


def each_page(data: Path, most: int) -> Iterator[SpeedPage]:
    """The same pages one after the other, none kept."""
    folder = data / TIMED_SET
    if not _is_there(folder):
        for k in range(most):
            body = generated(50 + 7 * k, seed=k).encode()
            yield SpeedPage(f"http://example.com/{k}", "generated", body)
        return
    (data_set,) = sampled_sets(folder, most)
    for page in data_set.pages:
        yield SpeedPage(page.url, page.type, page.html())


def _is_there(folder: Path) -> bool:
    return (folder / "pages.jsonl").exists()
