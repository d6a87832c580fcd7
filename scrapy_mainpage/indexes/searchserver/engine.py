"""The common engine of OpenSearch and Elasticsearch, whose protocols agree."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from ..base import Index, IndexUnavailable
from ..documents import storable_text, types_of
from ..failures import IndexFailure, Rejection, reading
from ..fields import type_clash
from .address import parse_address
from .bulk import delete_page, delete_passages, page_id, prepare
from .client import QUICK_TIMEOUT, ServerCalls, rejection
from .query import (
    counts_of,
    facets_body,
    read_hit,
    search_body,
    urls_body,
    words_body,
)
from .schema import field_mapping

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Iterable,
        Mapping,
        Sequence,
        Set,
    )

    from typing_extensions import Self

    from ..documents import IndexDocument
    from ..fields import Facets
    from ..query import Query
    from ..ranking import Found
    from .address import Address
    from .bulk import Action
    from .client import Connection


class SearchServerIndex(Index):
    """Documents in an index of a search server or cluster.

    Documents are on the servers' disks when a call returns. They can be found after
    the index's refresh interval, a second by default, and after :meth:`close`. With
    ``refresh=true`` in the URL they can be found when the call returns, which makes
    the servers slower. A search returns 10,000 hits at most.
    """

    #: Whether the engine has API keys.
    API_KEYS: ClassVar[bool] = False

    def __init__(self, calls: ServerCalls, *, read_only: bool, refreshes: bool):
        self._calls = calls
        self._read_only = read_only
        self._refreshes = refreshes
        self._is_refreshed = True

    @staticmethod
    @abstractmethod
    def _connect(address: Address) -> Connection:
        """Return the client of the servers; raises :exc:`IndexFailure`."""

    @classmethod
    async def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``ENGINE+http(s)://user:password@host:9200/index?option=value``."""
        address = parse_address(url, api_keys=cls.API_KEYS)
        try:
            calls = ServerCalls(cls._connect(address), address.index)
            try:
                async with reading():
                    await calls.prepare(read_only=read_only)
            except BaseException:
                await calls.close()
                raise
        except IndexFailure as exc:
            raise IndexUnavailable(url, str(exc)) from None
        return cls(calls, read_only=read_only, refreshes=address.refresh)

    @reading()
    async def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        """Delete old passages, then put pages, then their passages.

        A page stores the number of its passages. In this order it never has more than
        that, whatever fails, so none is left behind when the page is put again.
        """
        self._check_writable()
        # Not in the loop: long texts take a while.
        ready, rejected = await asyncio.to_thread(prepare, documents)
        clashes = await self._add_types(documents)
        ready = [item for item in ready if item.page.url not in clashes]
        rejected |= clashes
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

    @reading()
    async def delete(self, urls: Iterable[str]) -> int:
        """Remove the documents and their passages; return how many existed."""
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

    async def _candidates(self, query: Query) -> list[Found]:
        hits = await self._calls.find(search_body(query))
        return [read_hit(hit, query.highlight) for hit in hits]

    async def _facets(self, query: Query, names: Sequence[str]) -> Facets:
        found = await self._calls.buckets(
            facets_body(query, await self.field_types(), names)
        )
        return {name: counts_of(buckets) for name, buckets in found.items()}

    @reading()
    async def field_types(self) -> Mapping[str, str]:
        """Return the names and types of the documents' own fields."""
        types: dict[str, str] = (await self._calls.meta()).get("fields", {})
        return types

    async def _add_types(
        self, documents: Sequence[IndexDocument]
    ) -> dict[str, Rejection]:
        """Add new fields to the mapping; return the documents with other types."""
        if not any(document.fields for document in documents):
            return {}
        meta = await self._calls.meta()
        known = meta.setdefault("fields", {})
        clashes = {}
        new: dict[str, str] = {}
        for document in documents:
            types = types_of([document])
            if problem := type_clash(types, known | new):
                clashes[document.url] = Rejection(document.url, "field_type", problem)
            else:
                new |= {name: kind for name, kind in types.items() if name not in known}
        if new:
            known |= new
            await self._calls.put_meta(meta, field_mapping(new))
        return clashes

    @reading()
    async def known_words(
        self, words: Set[str], *, as_written: bool = False
    ) -> Set[str]:
        """Return those of the words that pages have."""
        if not words:
            return set()
        counts = await self._calls.count(words_body(sorted(words)))
        return {word for word, count in counts.items() if count}

    async def urls(self) -> AsyncIterator[str]:
        """Yield the URLs, in the order of their hashes."""
        await self._refresh()
        found, after = await self._urls_behind(None)
        while found:
            for url in found:
                yield url
            found, after = await self._urls_behind(after)

    @reading()
    async def _urls_behind(self, after: str | None) -> tuple[list[str], str | None]:
        """URLs whose hashes come after that one, and the last of these hashes."""
        hits = await self._calls.find(urls_body(after))
        last = hits[-1]["sort"][0] if hits else None
        return [hit["_source"]["url"] for hit in hits], last

    @reading()
    async def mark(self, name: str) -> str | None:
        """Return the mark of that name; ``None`` without one."""
        marks: dict[str, str] = (await self._calls.meta()).get("marks", {})
        return marks.get(name)

    @reading()
    async def put_mark(self, name: str, value: str) -> bool:
        """Leave a mark in the index's own metadata."""
        self._check_writable()
        meta = await self._calls.meta()
        meta["marks"] = {**meta.get("marks", {}), name: value}
        await self._calls.put_meta(meta)
        return True

    async def close(self) -> None:
        """Make the writes visible to searches, and close the connections."""
        if not self._calls.is_open:
            return
        try:
            # Everything is written; the servers refresh a moment later anyway.
            with suppress(IndexFailure):
                await self._refresh(timeout=QUICK_TIMEOUT)
        finally:
            await self._calls.close()

    def _check_writable(self) -> None:
        if self._read_only:
            raise IndexFailure("read_only", "the index was opened to be read only")

    async def _known(self, urls: Sequence[str]) -> dict[str, int]:
        """Return the number of passages of the existing pages."""
        counts = await self._calls.passage_counts([page_id(url) for url in urls])
        pairs = zip(urls, counts, strict=True)
        return {url: count for url, count in pairs if count is not None}

    async def _write(
        self, actions: Iterable[Action], rejected: dict[str, Rejection]
    ) -> None:
        """Execute the actions; the first error of a URL goes to ``rejected``."""
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
