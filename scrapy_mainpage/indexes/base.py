"""The one interface behind which every search engine stands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from .documents import host_name, language_tag
from .query import Query, parse_query

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence
    from types import TracebackType

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from .documents import Hit, IndexDocument
    from .errors import Rejection


class Index(ABC):
    """A full-text index of documents, one per URL.

    All calls belong to one event loop, the one that :meth:`open` was called in, and
    several may be under way at once. None of them blocks the loop. An index is an
    asynchronous context manager that closes itself.
    """

    @classmethod
    @abstractmethod
    async def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open the index that ``url`` names; make it first where it does not exist.

        A ``read_only`` index must exist and can be searched only. Raises
        :exc:`IndexUnavailable` at once if the index cannot be used that way.
        """

    async def put_many(self, documents: Iterable[IndexDocument]) -> Sequence[Rejection]:
        """Add the documents, each in place of all that was there under its URL.

        Of several with one URL the last counts. When it returns, all can be found and
        stay so if this process is killed, except for those it returns as rejected.
        Raises :exc:`IndexFailure` if it is not known that any of them is in; then the
        same call may be made again.
        """
        storable = (document.storable() for document in documents)
        last = {document.url: document for document in storable}
        return await self._put(list(last.values()))

    @abstractmethod
    async def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        """As :meth:`put_many`; no URL comes twice, every text can be stored."""

    @abstractmethod
    async def delete(self, urls: Iterable[str]) -> int:
        """Take out the documents with these URLs; return how many there were."""

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        highlight: tuple[str, str] = ("**", "**"),
        site: str | None = None,
        page_type: str | None = None,
        language: str | None = None,
        passages: bool = False,
    ) -> list[Hit]:
        """Return up to ``limit`` documents that hold every term, the best first.

        ``query`` is what a user typed: words, ``"a phrase"``, ``prefix*`` and
        ``-excluded``; anything else in it is read as words. ``highlight`` is put
        before and after each match in the snippet. ``site`` is a host, and takes in
        the hosts below it; ``language`` is a tag, and takes in the longer ones
        (``"en"``: ``"en-gb"``, too). With ``passages`` each hit is a passage, which
        only documents with passages have.
        """
        wanted = Query(
            terms=tuple(parse_query(query)),
            limit=limit,
            highlight=highlight,
            site=host_name(site or "") or None,
            page_type=page_type or None,
            language=language_tag(language or "") or None,
            passages=passages,
        )
        return await self._search(wanted) if wanted.can_match else []

    @abstractmethod
    async def _search(self, query: Query) -> list[Hit]:
        """As :meth:`search`; at least one term is wanted, the limit is 1 or more."""

    @abstractmethod
    def urls(self) -> AsyncIterator[str]:
        """Yield the URL of every document, in no particular order."""

    @abstractmethod
    async def close(self) -> None:
        """Release files and connections; a second call does nothing."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
