"""Marks of runs: in ``JOBDIR``, which one goes on; in indexes, which was the last."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import uuid4

from ..indexes import IndexFailure, IndexUnavailable, open_index
from ..redaction import redacted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..memory import Memory

logger = logging.getLogger(__name__)

FILE: Final = Path("mainpage", "run.json")


class RunFile:
    """The run that a ``JOBDIR`` belongs to; without a folder there is none."""

    def __init__(self, folder: str | None):
        self._path = Path(folder, FILE) if folder else None

    def read(self) -> tuple[int | None, bool]:
        """Return the run that was not finished, and whether its process was killed."""
        try:
            data = json.loads(self._path.read_text("utf-8")) if self._path else {}
            return data.get("run"), bool(data.get("open"))
        except (OSError, ValueError, AttributeError):
            return None, False

    def write(self, run: int, *, is_open: bool) -> None:
        """Note the run, and whether it is going on."""
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps({"run": run, "open": is_open}), "utf-8")

    def remove(self) -> None:
        """Forget the run: it is finished."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def remove_queue(self) -> None:
        """Remove the queue of a killed process before the scheduler opens it.

        Its files were not closed: the first request put into one of them would fail,
        and end the crawl.
        """
        if self._path is not None:
            rmtree(self._path.parents[1] / "requests.queue", ignore_errors=True)


class Agreement(NamedTuple):
    """Indexes with the mark that the memory has of them, and those without.

    ``filled`` are those without that have documents.
    """

    agreeing: list[str]
    foreign: list[str]
    filled: list[str]


def compare_marks(memory: Memory, scope: int, urls: Iterable[str]) -> Agreement:
    """Compare the marks of a scope.

    An index that was made anew, or is an older copy, has another one. With a memory
    without documents every index agrees.
    """
    result = Agreement([], [], [])
    for url in urls:
        known = memory.fact(_name(url, scope))
        found, is_filled = _look_at(memory, scope, url, known)
        if known is not None and known != found:
            line = "%s is not as the last crawl left it: all pages are written again"
            logger.warning(line, redacted(url))
        is_foreign = known != found and (
            known is not None or memory.count("1", "content_hash IS NOT NULL LIMIT 1")
        )
        (result.foreign if is_foreign else result.agreeing).append(url)
        if is_filled:
            result.filled.append(url)
    return result


def _look_at(
    memory: Memory, scope: int, url: str, known: str | None
) -> tuple[str, bool]:
    """Return the mark of an index, and whether one with another mark is filled."""
    try:
        with open_index(url) as index:
            found = index.mark(_mark(memory, scope)) or ""
            is_filled = known != found and next(iter(index.urls()), None) is not None
            return found, is_filled
    except (IndexUnavailable, IndexFailure) as error:
        logger.warning("The mark of the index cannot be read: %s", error)
        return "", False


def put_marks(memory: Memory, scope: int, urls: Iterable[str]) -> None:
    """Give the indexes and the memory a new mark of a scope."""
    for url in urls:
        mark = uuid4().hex
        try:
            with open_index(url) as index:
                is_kept = index.put_mark(_mark(memory, scope), mark)
        except (IndexUnavailable, IndexFailure) as error:
            logger.warning("The index cannot be marked: %s", error)
            continue
        memory.put_fact(_name(url, scope), mark if is_kept else "")


def spoil_marks(memory: Memory, scope: int, urls: Iterable[str]) -> None:
    """Give the indexes a mark that the memory, which has failed, does not know."""
    for url in urls:
        with suppress(IndexUnavailable, IndexFailure), open_index(url) as index:
            index.put_mark(_mark(memory, scope), uuid4().hex)


def urls_of(url: str) -> Iterator[str]:
    """Yield the URLs of the documents of an index."""
    with open_index(url, read_only=True) as index:
        yield from index.urls()


def _name(url: str, scope: int) -> str:
    return f"index {scope} {redacted(url)}"


def _mark(memory: Memory, scope: int) -> str:
    return f"{memory.id} {scope}"
