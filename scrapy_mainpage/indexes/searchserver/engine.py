"""The engine of search servers: OpenSearch and Elasticsearch, which speak alike."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from ..base import Index
from ..documents import storable_text
from ..errors import IndexFailure, IndexUnavailable
from .address import parse_address
from .answers import rejection
from .bulk import (
    delete_page,
    delete_passages,
    prepared,
)
from .client import QUICKLY, ServerCalls
from .query import read_hit, search_body, urls_body
from .schema import page_id

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from ..documents import Hit, IndexDocument
    from ..errors import Rejection
    from ..query import Query
    from .address import Address
    from .answers import Connection
    from .bulk import Action


class SearchServerIndex(Index):
    """Documents in an index of one search server, or of a cluster of them.

    What a call has put is on the servers' disks when it returns. It can be found
    within the index's refresh interval, which is a second if nobody changed it, and at
    once after :meth:`close`. With ``refresh=true`` in the URL it can be found when the
    call returns, which makes the servers slower.

    Of one search 10,000 hits are given at most.
    """

    #: Whether the URL may have an ``api_key``.
    API_KEYS: ClassVar[bool] = False

    def __init__(self, calls: ServerCalls, *, read_only: bool, refreshes: bool):
        self._calls = calls
        self._read_only = read_only
        self._refreshes = refreshes
        self._is_refreshed = True

    @staticmethod
    @abstractmethod
    def _connect(address: Address) -> Connection:
        """The client of the servers; :exc:`IndexFailure` if there can be none."""

    @classmethod
    async def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``ENGINE+http(s)://user:password@host:9200/index?option=value``."""
        address = parse_address(url, api_keys=cls.API_KEYS)
        try:
            calls = ServerCalls(cls._connect(address), address.index)
            try:
                await calls.prepare(read_only=read_only)
            except BaseException:
                await calls.close()
                raise
        except IndexFailure as exc:
            raise IndexUnavailable(url, str(exc)) from exc
        return cls(calls, read_only=read_only, refreshes=address.refresh)

    async def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        """Take out passages that are no more, then put pages, then their passages.

        A page says how many passages it has. In this order it never has more than it
        says, whatever fails, so none is left behind when it is put again.
        """
        self._check_writable()
        # Long texts take a while: not in the loop.
        ready, rejected = await asyncio.to_thread(prepared, documents)
        known = await self._known([item.page.url for item in ready])
        stale = (
            delete_passages(url, len(passages), known.get(url, 0))
            for (url, _), passages in ready
        )
        await self._write(chain.from_iterable(stale), rejected)
        pages = (item.page for item in ready if item.page.url not in rejected)
        await self._write(pages, rejected)
        passages = (item.passages for item in ready if item.page.url not in rejected)
        await self._write(chain.from_iterable(passages), rejected)
        await self._finish_write()
        return list(rejected.values())

    async def delete(self, urls: Iterable[str]) -> int:
        """Take out the documents and their passages; return how many there were."""
        self._check_writable()
        known = await self._known(list({storable_text(url): None for url in urls}))
        rejected: dict[str, Rejection] = {}
        passages = (delete_passages(url, 0, count) for url, count in known.items())
        await self._write(chain.from_iterable(passages), rejected)
        pages = (delete_page(url) for url in known if url not in rejected)
        await self._write(pages, rejected)
        await self._finish_write()
        for _, reason, message, retryable in rejected.values():
            raise IndexFailure(reason, message, retryable=retryable)
        return len(known)

    async def _search(self, query: Query) -> list[Hit]:
        hits = await self._calls.find(search_body(query))
        return [read_hit(hit, query.highlight) for hit in hits]

    async def urls(self) -> AsyncIterator[str]:
        """Yield the URLs, in the order of their hashes."""
        await self._refresh()
        after = None
        while hits := await self._calls.find(urls_body(after)):
            for hit in hits:
                yield hit["_source"]["url"]
            (after,) = hits[-1]["sort"]

    async def close(self) -> None:
        """Let what was written be found, and close the connections."""
        if not self._calls.is_open:
            return
        try:
            # The servers do it themselves a moment later; all is written.
            with suppress(IndexFailure):
                await self._refresh(timeout=QUICKLY)
        finally:
            await self._calls.close()

    def _check_writable(self) -> None:
        if self._read_only:
            raise IndexFailure("read_only", "the index was opened to be read only")

    async def _known(self, urls: Sequence[str]) -> dict[str, int]:
        """How many passages those of the pages have that are there."""
        counts = await self._calls.passage_counts([page_id(url) for url in urls])
        pairs = zip(urls, counts, strict=True)
        return {url: count for url, count in pairs if count is not None}

    async def _write(
        self, actions: Iterable[Action], rejected: dict[str, Rejection]
    ) -> None:
        """Do the actions; the first error of a URL goes to ``rejected``."""
        for action, item in await self._calls.bulk(actions):
            self._is_refreshed = False
            if "error" in item:
                rejected.setdefault(action.url, rejection(action.url, item))

    async def _finish_write(self) -> None:
        if self._refreshes:
            await self._refresh()

    async def _refresh(self, *, timeout: float | None = None) -> None:
        if not self._is_refreshed:
            await self._calls.refresh(timeout=timeout)
            self._is_refreshed = True
