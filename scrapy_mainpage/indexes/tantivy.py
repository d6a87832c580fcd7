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

from .base import Index
from .errors import IndexFailure, IndexUnavailable, Rejection
from .tantivydocuments import PAGE, key_of, tantivy_documents, url_of
from .tantivyfolder import META, UnusableFolderError, open_to_read, open_to_write
from .tantivyhits import hits_of
from .tantivyqueries import QueryBuilder

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence

    import tantivy

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from .documents import Hit, IndexDocument
    from .query import Query

Result = TypeVar("Result")

PREFIX: Final = "tantivy:///"

#: Bytes of words that are held before they are written, within one batch.
HEAP_SIZE: Final = 50_000_000

#: Seconds to wait for another writer before a write fails.
BUSY_TIMEOUT: Final = 30.0
_LONGEST_PAUSE: Final = 0.05

#: How many URLs are read at once.
_URLS_AT_ONCE: Final = 1_000

#: What tantivy says -> reason code.
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
#: Another writer ends, and space may come back.
_RETRYABLE: Final = {"locked", "disk_full", "disk_error"}


class TantivyIndex(Index):
    """Documents in a folder of tantivy; needs the extra ``[tantivy]`` and no server.

    Each :meth:`put_many` is one commit, which a killed process and a power cut leave
    whole. One writes at a time, others wait; searches wait for nobody and see what has
    been committed, by other processes, too.

    tantivy blocks, so one thread of the index's own writes and another one searches.
    """

    def __init__(self, path: Path, index: tantivy.Index, *, read_only: bool):
        self._path = path
        self._index = index
        self._read_only = read_only
        self._is_open = True
        self._state: tuple[int, ...] = ()
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="mainpage-tantivy")
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="mainpage-tantivy")

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
        return await self._write(self._put_now, documents)

    async def delete(self, urls: Iterable[str]) -> int:
        """Take out the documents in one commit; return how many there were."""
        return await self._write(self._delete_now, {key_of(url) for url in urls})

    async def _search(self, query: Query) -> list[Hit]:
        return await self._run(self._reading, self._search_now, query)

    async def urls(self) -> AsyncIterator[str]:
        """Yield the URLs that are there at the first."""
        searcher, addresses = await self._run(self._reading, self._pages_now)
        for start in range(0, len(addresses), _URLS_AT_ONCE):
            some = addresses[start : start + _URLS_AT_ONCE]
            for url in await self._run(self._reading, _urls_of, searcher, some):
                yield url

    async def close(self) -> None:
        """End the threads, after what they are doing."""
        if not self._is_open:
            return
        self._is_open = False
        for thread in (self._reading, self._writing):
            await asyncio.to_thread(thread.shutdown)

    async def _write(self, call: Callable[..., Result], /, *args: Any) -> Result:
        if self._read_only and self._is_open:
            raise IndexFailure("read_only", "the index was opened to be read only")
        return await self._run(self._writing, call, *args)

    async def _run(
        self, thread: ThreadPoolExecutor, call: Callable[..., Result], /, *args: Any
    ) -> Result:
        """Make the call in the thread; errors get a reason."""
        if not self._is_open:
            raise IndexFailure("closed", "the index is closed")
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(thread, call, *args)
        except (ValueError, OSError) as exc:  # what tantivy raises
            reason = _reason(exc)
            raise IndexFailure(
                reason, str(exc), retryable=reason in _RETRYABLE
            ) from exc

    def _put_now(self, documents: Sequence[IndexDocument]) -> list[Rejection]:
        rejections: list[Rejection] = []
        ready: list[tuple[str, list[tantivy.Document]]] = []
        for document in documents:
            made = _made(document)
            if isinstance(made, Rejection):
                rejections.append(made)
            else:
                ready.append((key_of(document.url), made))
        if ready:
            with self._committing() as writer:
                for key, parts in ready:
                    writer.delete_documents_by_term("key", key)
                    for part in parts:
                        writer.add_document(part)
        return rejections

    def _delete_now(self, keys: set[str]) -> int:
        if not keys:
            return 0
        with self._committing() as writer:
            searcher = self._searcher()  # nobody else writes until the commit
            pages = QueryBuilder(searcher, self._index.schema).pages(list(keys))
            count = len(searcher.search(pages, len(keys), count=False).hits)
            for key in keys:
                writer.delete_documents_by_term("key", key)
        return count

    @contextmanager
    def _committing(self) -> Iterator[tantivy.IndexWriter]:
        """Commit what the block did, or nothing of it; then let others write."""
        writer = self._writer()
        try:
            yield writer
            writer.commit()
        except BaseException:
            _release(writer)
            self._remove_what_was_not_committed()
            raise
        _release(writer)

    def _remove_what_was_not_committed(self) -> None:
        """It may be what fills the disk. If this fails, the next commit does it."""
        with suppress(ValueError):
            writer = self._index.writer(HEAP_SIZE, 1)
            with suppress(ValueError):
                writer.garbage_collect_files()
            _release(writer)

    def _writer(self) -> tantivy.IndexWriter:
        """The one writer that a folder has; waits while another process has it."""
        deadline = time.monotonic() + BUSY_TIMEOUT
        longest = 0.002
        while True:
            try:
                return self._index.writer(HEAP_SIZE, 1)
            except ValueError as exc:
                if _reason(exc) != "locked" or time.monotonic() > deadline:
                    raise
            time.sleep(random.uniform(0, longest))
            longest = min(2 * longest, _LONGEST_PAUSE)

    def _searcher(self) -> tantivy.Searcher:
        """What sees everything that has been committed."""
        found = os.stat(self._path / META)
        state = (found.st_ino, found.st_mtime_ns, found.st_size)
        if state != self._state:
            self._index.reload()
            self._state = state
        return self._index.searcher()

    def _search_now(self, query: Query) -> list[Hit]:
        return hits_of(self._searcher(), self._index.schema, query)

    def _pages_now(self) -> tuple[tantivy.Searcher, list[tantivy.DocAddress]]:
        searcher = self._searcher()
        pages = QueryBuilder(searcher, self._index.schema).term("kind", PAGE)
        limit = max(1, searcher.num_docs)
        found = searcher.search(pages, limit, count=False).hits
        return searcher, [address for _, address in found]


def _path(url: str) -> Path:
    """The folder that ``tantivy:///`` URLs name; a drive letter may begin its path."""
    name = url[len(PREFIX) :]
    if not url.startswith(PREFIX) or not name or "\0" in name:
        raise IndexUnavailable(url, "it names no folder")
    return Path(name)


def _made(document: IndexDocument) -> list[tantivy.Document] | Rejection:
    try:
        return tantivy_documents(document)
    except (TypeError, AttributeError) as exc:
        return Rejection(document.url, "unsupported", str(exc))


def _release(writer: tantivy.IndexWriter) -> None:
    """Merge what is due, and let others write. What failed to merge is due again."""
    with suppress(ValueError):
        writer.wait_merging_threads()


def _urls_of(
    searcher: tantivy.Searcher, addresses: Sequence[tantivy.DocAddress]
) -> list[str]:
    return [url_of(searcher.doc(address)) for address in addresses]


def _reason(exc: Exception) -> str:
    message = str(exc)
    found = (code for part, code in _REASONS.items() if part in message)
    return next(found, "tantivy_error")
