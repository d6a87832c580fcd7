"""The fast embedded engine: a folder of tantivy, ranked by BM25."""

from __future__ import annotations

import asyncio
import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ..base import Index, IndexFailure, IndexUnavailable, Rejection, reason_in
from .query import QueryBuilder, find
from .rows import hit_values, key_of, tantivy_documents
from .schema import META, PAGE, UnusableFolderError, open_to_read, open_to_write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence

    import tantivy

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from ..documents import Hit, IndexDocument
    from ..query import Query

Result = TypeVar("Result")

PREFIX: Final = "tantivy:///"

#: Bytes of words held in memory within one batch.
HEAP_BYTES: Final = 50_000_000

#: Seconds to wait for another writer before a write fails, and between attempts.
BUSY_TIMEOUT: Final = 30.0
MAX_BUSY_PAUSE: Final = 0.05

#: URLs read at once.
URL_BATCH: Final = 1_000

#: Part of tantivy's message -> reason code.
_REASONS: Final = {
    "LockBusy": "locked",
    "No space left": "disk_full",
    "StorageFull": "disk_full",
    "quota exceeded": "disk_full",
    "Read-only file system": "read_only",
    "ermission denied": "read_only",
    "IoError": "disk_error",
    "IO error": "disk_error",
    "os error": "disk_error",
    "writer was killed": "disk_error",
    "orrupt": "corrupt",
}
#: Another writer ends, and space may be freed.
_RETRYABLE: Final = {"locked", "disk_full", "disk_error"}


class TantivyIndex(Index):
    """Documents in a folder of tantivy; needs the extra ``[tantivy]`` and no server.

    Each :meth:`put_many` is one commit, which a killed process and a power failure
    leave whole. One process writes at a time, others wait; searches never wait and see
    all commits, also those of other processes.

    tantivy blocks, so threads of the index write, search, and prepare documents for
    the next commit during the merges after the last one.
    """

    def __init__(self, path: Path, index: tantivy.Index, *, read_only: bool):
        self._path = path
        self._index = index
        self._read_only = read_only
        self._is_open = True
        self._state: tuple[int, ...] = ()
        self._merging: tantivy.IndexWriter | None = None
        self._threads = [
            ThreadPoolExecutor(1, thread_name_prefix="mainpage-tantivy")
            for _ in range(3)
        ]
        self._preparing, self._reading, self._writing = self._threads

    @classmethod
    async def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``tantivy:///FOLDER``, relative to the working directory or absolute."""
        path = _path(url)
        open_folder = open_to_read if read_only else open_to_write
        try:
            index = await asyncio.to_thread(open_folder, path)
        except (OSError, ValueError, UnusableFolderError) as exc:
            raise IndexUnavailable(url, str(exc)) from exc
        return cls(path, index, read_only=read_only)

    async def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        self._check_writable()
        ready, rejections = await self._run(self._preparing, _prepare, documents)
        if ready:
            await self._run(self._writing, self._put_now, ready)
        return rejections

    async def delete(self, urls: Iterable[str]) -> int:
        """Remove the documents in one commit; return how many existed."""
        self._check_writable()
        keys = {key_of(url) for url in urls}
        return await self._run(self._writing, self._delete_now, keys) if keys else 0

    async def _search(self, query: Query) -> list[Hit]:
        return await self._run(self._reading, self._search_now, query)

    async def urls(self) -> AsyncIterator[str]:
        """Yield the URLs that exist at the first step."""
        searcher, addresses = await self._run(self._reading, self._pages_now)
        for start in range(0, len(addresses), URL_BATCH):
            some = addresses[start : start + URL_BATCH]
            for url in await self._run(self._reading, _urls_of, searcher, some):
                yield url

    async def close(self) -> None:
        """End the threads after their current work."""
        if not self._is_open:
            return
        self._is_open = False
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._writing, self._end_merging)
        for thread in self._threads:
            await asyncio.to_thread(thread.shutdown)

    def _check_writable(self) -> None:
        if self._read_only and self._is_open:
            raise IndexFailure("read_only", "the index was opened to be read only")

    async def _run(
        self, thread: ThreadPoolExecutor, call: Callable[..., Result], /, *args: Any
    ) -> Result:
        """Call in the thread; errors become failures."""
        if not self._is_open:
            raise IndexFailure("closed", "the index is closed")
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(thread, call, *args)
        except (ValueError, OSError) as exc:  # tantivy's errors
            reason = reason_in(str(exc), _REASONS, "tantivy_error")
            retryable = reason in _RETRYABLE
            raise IndexFailure(reason, str(exc), retryable=retryable) from exc

    def _put_now(self, ready: dict[str, list[tantivy.Document]]) -> None:
        with self._committing() as writer:
            for key, parts in ready.items():
                writer.delete_documents_by_term("key", key)
                for part in parts:
                    writer.add_document(part)

    def _delete_now(self, keys: set[str]) -> int:
        with self._committing() as writer:
            searcher = self._searcher()  # no other writer until the commit
            pages = QueryBuilder(searcher, self._index.schema).pages(list(keys))
            count = len(searcher.search(pages, len(keys), count=False).hits)
            for key in keys:
                writer.delete_documents_by_term("key", key)
        return count

    @contextmanager
    def _committing(self) -> Iterator[tantivy.IndexWriter]:
        """Commit the changes of the block, or drop them; then release the lock."""
        writer = self._writer()
        try:
            yield writer
            writer.commit()
        except BaseException:
            _release(writer)
            self._remove_uncommitted()
            raise
        self._merging = writer
        self._writing.submit(self._end_merging)  # in the background

    def _end_merging(self) -> None:
        """Finish the merges after a commit, and release the lock."""
        if self._merging is not None:
            _release(self._merging)
            self._merging = None

    def _remove_uncommitted(self) -> None:
        """Remove files that may fill the disk. If it fails, the next commit does it."""
        with suppress(ValueError):
            writer = self._index.writer(HEAP_BYTES, 1)
            with suppress(ValueError):
                writer.garbage_collect_files()
            _release(writer)

    def _writer(self) -> tantivy.IndexWriter:
        """Return the one writer of the folder; wait while another process has it."""
        self._end_merging()
        deadline = time.monotonic() + BUSY_TIMEOUT
        pause = 0.002
        while True:
            try:
                return self._index.writer(HEAP_BYTES, 1)
            except ValueError as exc:
                is_locked = reason_in(str(exc), _REASONS, "") == "locked"
                if not is_locked or time.monotonic() > deadline:
                    raise
            time.sleep(random.uniform(0, pause))
            pause = min(2 * pause, MAX_BUSY_PAUSE)

    def _searcher(self) -> tantivy.Searcher:
        """Return a searcher of the last commit."""
        found = os.stat(self._path / META)
        state = (found.st_ino, found.st_mtime_ns, found.st_size)
        if state != self._state:
            self._index.reload()
            self._state = state
        return self._index.searcher()

    def _search_now(self, query: Query) -> list[Hit]:
        return find(self._searcher(), self._index.schema, query)

    def _pages_now(self) -> tuple[tantivy.Searcher, list[tantivy.DocAddress]]:
        searcher = self._searcher()
        pages = QueryBuilder(searcher, self._index.schema).term("kind", PAGE)
        limit = max(1, searcher.num_docs)
        found = searcher.search(pages, limit, count=False).hits
        return searcher, [address for _, address in found]


def _path(url: str) -> Path:
    """Return the folder of a ``tantivy:///`` URL; it may begin with a drive letter."""
    name = url[len(PREFIX) :]
    if not url.startswith(PREFIX) or not name or "\0" in name:
        raise IndexUnavailable(url, "it names no folder")
    return Path(name)


def _prepare(
    documents: Sequence[IndexDocument],
) -> tuple[dict[str, list[tantivy.Document]], list[Rejection]]:
    """Return tantivy's documents by key, and the documents of wrong types."""
    ready, rejections = {}, []
    for document in documents:
        try:
            ready[key_of(document.url)] = tantivy_documents(document)
        except (TypeError, AttributeError) as exc:  # noqa: PERF203 it rejects one
            rejections.append(Rejection(document.url, "unsupported", str(exc)))
    return ready, rejections


def _release(writer: tantivy.IndexWriter) -> None:
    """Wait for merges, and release the lock. Failed merges are due again later."""
    with suppress(ValueError):
        writer.wait_merging_threads()


def _urls_of(
    searcher: tantivy.Searcher, addresses: Sequence[tantivy.DocAddress]
) -> list[str]:
    return [hit_values(searcher.doc(address))["url"] for address in addresses]
