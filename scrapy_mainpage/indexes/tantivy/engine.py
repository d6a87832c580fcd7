"""The fast embedded engine: a folder of tantivy, ranked by BM25."""

from __future__ import annotations

import asyncio
import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from ..base import Index
from ..errors import IndexFailure, IndexUnavailable, Rejection
from .rows import PAGE, key_of, tantivy_documents, url_of
from .schema import META, UnusableFolderError, open_to_read, open_to_write
from .hits import hits_of
from .query import QueryBuilder

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Callable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    import tantivy

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from ..documents import Hit, IndexDocument
    from ..query import Query

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

    tantivy blocks, so threads of the index's own write, search, and make documents
    ready for the next commit while what the last one left to merge is merged.
    """

    def __init__(self, path: Path, index: tantivy.Index, *, read_only: bool):
        self._path = path
        self._index = index
        self._read_only = read_only
        self._is_open = True
        self._state: tuple[int, ...] = ()
        self._merging: tantivy.IndexWriter | None = None
        self._preparing = ThreadPoolExecutor(1, thread_name_prefix="mainpage-tantivy")
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
        self._check_writable()
        made = await self._run(self._preparing, _made, documents)
        if made.ready:
            await self._run(self._writing, self._put_now, made.ready)
        return made.rejections

    async def delete(self, urls: Iterable[str]) -> int:
        """Take out the documents in one commit; return how many there were."""
        self._check_writable()
        keys = {key_of(url) for url in urls}
        return await self._run(self._writing, self._delete_now, keys) if keys else 0

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
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._writing, self._end_merging)
        for thread in (self._preparing, self._reading, self._writing):
            await asyncio.to_thread(thread.shutdown)

    def _check_writable(self) -> None:
        if self._read_only and self._is_open:
            raise IndexFailure("read_only", "the index was opened to be read only")

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

    def _put_now(self, ready: Mapping[str, Sequence[tantivy.Document]]) -> None:
        with self._committing() as writer:
            for key, parts in ready.items():
                writer.delete_documents_by_term("key", key)
                for part in parts:
                    writer.add_document(part)

    def _delete_now(self, keys: set[str]) -> int:
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
        self._merging = writer
        self._writing.submit(self._end_merging)  # nobody waits for that

    def _end_merging(self) -> None:
        """Merge what is due after a commit, and let others write."""
        if self._merging is not None:
            _release(self._merging)
            self._merging = None

    def _remove_what_was_not_committed(self) -> None:
        """It may be what fills the disk. If this fails, the next commit does it."""
        with suppress(ValueError):
            writer = self._index.writer(HEAP_SIZE, 1)
            with suppress(ValueError):
                writer.garbage_collect_files()
            _release(writer)

    def _writer(self) -> tantivy.IndexWriter:
        """The one writer that a folder has; waits while another process has it."""
        self._end_merging()
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


class _Made(NamedTuple):
    """Documents of tantivy by their keys, and what could not be made into one."""

    ready: dict[str, list[tantivy.Document]]
    rejections: list[Rejection]


def _made(documents: Sequence[IndexDocument]) -> _Made:
    made = _Made({}, [])
    for document in documents:
        try:
            made.ready[key_of(document.url)] = tantivy_documents(document)
        except (TypeError, AttributeError) as exc:  # noqa: PERF203 one need not be all
            made.rejections.append(Rejection(document.url, "unsupported", str(exc)))
    return made


def _release(writer: tantivy.IndexWriter) -> None:
    """Wait for merges, and give the lock back. What failed to merge is due again."""
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
