"""Synchronous indexes for commands, scripts and notebooks."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from .base import connect_index
from .failures import IndexFailure

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Coroutine,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from concurrent.futures import Future

    from typing_extensions import Self

    from .base import Hits
    from .documents import IndexDocument
    from .embedders import Embedder
    from .failures import Rejection

Result = TypeVar("Result")


class LoopThread:
    """An event loop in a thread of its own.

    It never blocks the crawl's loop, which may be of any kind or no asyncio loop.
    """

    def __init__(self, name: str, loop: asyncio.AbstractEventLoop | None = None):
        # psycopg cannot use the default loop of Windows.
        self._loop = loop or (
            asyncio.SelectorEventLoop()
            if sys.platform == "win32"
            else asyncio.new_event_loop()
        )
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.run_until_complete(self._cancel_rest())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    async def _cancel_rest(self) -> None:
        """Cancel the tasks still running; wait a second for them."""
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        if rest:
            await asyncio.wait(rest, timeout=1)

    @property
    def is_running(self) -> bool:
        """Whether the thread was not stopped."""
        return self._thread.is_alive()

    def call(self, function: Callable[[], None]) -> None:
        """Schedule the function in the thread; do nothing if the thread has ended."""
        try:
            self._loop.call_soon_threadsafe(function)
        except RuntimeError:
            if self.is_running:
                raise

    def submit(self, coroutine: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Run the coroutine in the thread; return the future of its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def stop(self) -> None:
        """End the thread; a second call does nothing."""
        if self.is_running:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()


class BlockingIndex:
    """A synchronous :class:`~.base.Index`.

    Several threads may use it. It is a context manager that closes itself.
    """

    def __init__(
        self, url: str, *, read_only: bool = False, embedder: Embedder | None = None
    ):
        self._loop = LoopThread("mainpage-index")
        try:
            self._index = self._wait(
                connect_index(url, read_only=read_only, embedder=embedder)
            )
        except BaseException:
            self._loop.stop()
            raise

    def put_many(self, documents: Iterable[IndexDocument]) -> Sequence[Rejection]:
        """See :meth:`.Index.put_many`."""
        return self._wait(self._index.put_many(documents))

    def delete(self, urls: Iterable[str]) -> int:
        """See :meth:`.Index.delete`."""
        return self._wait(self._index.delete(urls))

    def search(self, query: str, **options: Any) -> Hits:
        """See :meth:`.Index.search`, which has the same options."""
        return self._wait(self._index.search(query, **options))

    def embed(self, urls: Sequence[str] | None = None) -> int:
        """See :meth:`.Index.embed`."""
        return self._wait(self._index.embed(urls))

    def field_types(self) -> Mapping[str, str]:
        """See :meth:`.Index.field_types`."""
        return self._wait(self._index.field_types())

    def urls(self) -> Iterator[str]:
        """See :meth:`.Index.urls`."""
        return iter(self._wait(self._all_urls()))

    def documents(self) -> Sequence[IndexDocument]:
        """See :meth:`.Index.documents`."""
        return self._wait(self._index.documents())

    def mark(self, name: str) -> str | None:
        """See :meth:`.Index.mark`."""
        return self._wait(self._index.mark(name))

    def put_mark(self, name: str, value: str) -> bool:
        """See :meth:`.Index.put_mark`."""
        return self._wait(self._index.put_mark(name, value))

    def close(self) -> None:
        """Release files and connections; a second call does nothing."""
        if self._loop.is_running:
            self._wait(self._index.close())
            self._loop.stop()

    async def _all_urls(self) -> list[str]:
        return [url async for url in self._index.urls()]

    def _wait(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        if not self._loop.is_running:
            coroutine.close()
            raise IndexFailure("closed", "the index is closed")
        return self._loop.submit(coroutine).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def open_index(
    url: str, *, read_only: bool = False, embedder: Embedder | None = None
) -> BlockingIndex:
    """Open the index of that URL for synchronous code.

    See :func:`connect_index`.
    """
    return BlockingIndex(url, read_only=read_only, embedder=embedder)
