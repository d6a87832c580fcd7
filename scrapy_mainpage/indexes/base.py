"""The interface of every search engine, and their names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from ..redaction import UNREADABLE, hide_secrets, is_readable, redacted
from . import ranking
from .documents import host_name, language_tag, port_of, split_site
from .failures import IndexFailure, Rejection, reading
from .fields import DATE, NUMBER, TEXT, TYPES, Facets, check_name, conditions_of, joined
from .query import Query, parse_query, split_query

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping, Sequence, Set

    from typing_extensions import Self

    from .documents import Hit, IndexDocument
    from .embedders import Embedder
    from .ranking import Found
    from .vectors import Vectors


#: Why an engine finds nothing.
NOT_SEARCHED: Final = (
    "OpenSearch and Elasticsearch are searched by their own API: see "
    "docs/usage/search.rst"
)

#: Documents that are read at once.
MAX_DOCUMENTS: Final = 1_000_000


class Hits(list["Hit"]):
    """The hits of a search, and the counts of its facets by field and value."""

    def __init__(self, hits: Iterable[Hit] = (), facets: Facets | None = None):
        super().__init__(hits)
        self.facets: Facets = facets or {}


class Index(ABC):
    """A full-text index of documents, one per URL.

    All calls belong to the event loop that :meth:`open` was called in; several may run
    at once, and none blocks the loop. An index is an asynchronous context manager that
    closes itself.
    """

    #: The model of the vectors; see :func:`connect_index`.
    embedder: Embedder | None = None
    #: Where an engine keeps vectors, if it does.
    vectors: Vectors | None = None

    @classmethod
    @abstractmethod
    async def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open the index of that URL; create it if it does not exist.

        A ``read_only`` index must exist and can be searched only. Raises
        :exc:`IndexUnavailable` at once if the index cannot be used that way.
        """

    async def put_many(self, documents: Iterable[IndexDocument]) -> Sequence[Rejection]:
        """Add the documents, each in place of everything under its URL.

        Of several with one URL the last counts. When it returns, all can be found and
        survive a kill of this process, except for those it returns as rejected. Raises
        :exc:`IndexFailure` if it is unknown whether any is in the index; then the same
        call may be repeated.
        """
        storable = (document.storable() for document in documents)
        last = {document.url: document for document in storable}
        return await self._put(list(last.values()))

    @abstractmethod
    async def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        """See :meth:`put_many`; URLs are distinct and every text can be stored."""

    @abstractmethod
    async def delete(self, urls: Iterable[str]) -> int:
        """Remove the documents with these URLs; return how many existed."""

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
        typing: bool = False,
        synonyms: Mapping[str, Sequence[str]] | None = None,
        filters: Mapping[str, Any] | None = None,
        facets: Sequence[str] = (),
        sort: str = "",
        mode: str = "lexical",
    ) -> Hits:
        """Return up to ``limit`` documents, the best first.

        What is named as the query comes first, then what has its words in titles,
        headings and texts; documents with most of the words fill up the list.

        ``query`` is as a user typed it: words, ``"a phrase"``, ``prefix*``,
        ``-excluded`` and conditions on fields of the index, such as ``version:15`` and
        ``price<100``; anything else in it is read as words. ``highlight`` is put
        before and after each match in the snippet. ``site`` is a host and includes its
        subdomains; with a port, only pages of that port. ``language`` is a tag and
        includes longer ones (``"en"``: ``"en-gb"``, too). With ``passages`` each hit is
        a passage, which only documents with passages have. While the user is ``typing``
        the last word may be the beginning of one. ``synonyms`` are from
        :func:`~scrapy_mainpage.indexes.word_forms.read_synonyms`.

        ``filters`` are conditions by field: a value, such as ``"15"``, one with a sign
        (``"<100"``, ``">=2025-01"``), or a list: of equal values one is enough.
        ``facets`` are fields whose values are counted over all pages that match, in
        ``hits.facets``. ``sort`` is a field of numbers or dates, by which the pages
        with every word are ordered, with ``-`` from the highest down.

        The ``mode`` ``"vector"`` finds passages by meaning, ``"hybrid"`` fuses both
        kinds of search, and orders by no field. They need an embedder, else raise
        :exc:`IndexFailure`. Facets are counted over the pages that match by words.

        Raises :exc:`~scrapy_mainpage.indexes.fields.UnknownFieldError` for a field that
        the index does not have, and a value that is not of its type.
        """
        has_sign = any(sign in query for sign in ":=<>")
        wants_fields = has_sign or filters or facets or sort
        types = await self.field_types() if wants_fields else {}
        words, conditions = split_query(query, types)
        conditions += conditions_of(filters or {}, types)
        if sort:
            check_name(sort.lstrip("-"), types, NUMBER, DATE)
        for name in facets:
            check_name(name, types, *(kind for kind in TYPES if kind != TEXT))
        host, port = split_site(site or "")
        parsed = Query(
            terms=tuple(parse_query(words, typing=typing)),
            limit=min(limit, MAX_DOCUMENTS),
            highlight=highlight,
            site=host_name(host) or None,
            page_type=page_type or None,
            language=language_tag(language or "") or None,
            passages=passages,
            port=port,
            conditions=joined(conditions),
            sort=sort,
        )
        if not parsed.can_match:
            return Hits()
        async with reading():
            if mode == "lexical" or sort or not parsed.wanted:
                hits, asked = await ranking.search(self, parsed, synonyms)
            else:
                from . import vectors

                hits, asked = await vectors.search(self, parsed, synonyms, mode)
            return Hits(hits, await self._facets(asked, facets) if facets else {})

    async def candidates(self, query: Query) -> list[Found]:
        """Return the candidates, of pages of the query's port if it has one.

        Pages of any port are searched, more and more, for those of the port.
        """
        port, limit = query.port, query.limit
        if port is None:
            return await self._candidates(query)
        while True:
            found = await self._candidates(replace(query, limit=limit))
            ours = [each for each in found if port_of(each.hit.url) == port]
            if len(ours) >= query.limit or len(found) < limit:
                return ours[: query.limit]
            limit *= 4

    async def _candidates(self, query: Query) -> list[Found]:
        """Return the candidates, the best by the engine's own score first.

        The limit is 1 or more. If ``minimum`` terms are enough, documents with fewer
        may be among them. An engine that is only written to keeps this one.
        """
        raise IndexFailure("not_searched", NOT_SEARCHED)

    async def _facets(self, query: Query, names: Sequence[str]) -> Facets:
        """Count the values of these fields in the documents that match."""
        return {}

    async def field_types(self) -> Mapping[str, str]:
        """Return the names and types of the documents' own fields."""
        return {}

    async def languages(self) -> Sequence[str]:
        """Return the language tags of the documents, as far as the engine knows."""
        return ()

    async def known_words(self, words: Set[str]) -> Set[str]:
        """Return those of the folded words that the index has.

        By default all are known: nothing is corrected.
        """
        return words

    async def words_from(self, beginning: str) -> Sequence[str]:
        """Return words of the index that begin so."""
        return ()

    @reading()
    async def embed(self, urls: Sequence[str] | None = None) -> int:
        """Embed the passages without a vector, of these pages or all; return how many.

        Those that have not changed since are not embedded again. Raises
        :exc:`IndexFailure`, also if the model fails; what is embedded stays.
        """
        from . import vectors

        return await vectors.embed(self, urls)

    @abstractmethod
    def urls(self) -> AsyncIterator[str]:
        """Yield the URL of every document, in no particular order."""

    @reading()
    async def documents(self) -> Sequence[IndexDocument]:
        """Return the documents without comments and passages."""
        found = await self._candidates(Query((), limit=MAX_DOCUMENTS))
        return [each.document() for each in found]

    async def mark(self, name: str) -> str | None:
        """Return the mark of that name; ``None`` without one.

        A program that writes leaves a mark to know the index again: an index made anew,
        or an older copy, has another one.
        """
        return None

    async def put_mark(self, name: str, value: str) -> bool:
        """Leave a mark; return whether the engine keeps marks."""
        return False

    @abstractmethod
    async def close(self) -> None:
        """Release files and connections; a second call does nothing."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


class Engine(NamedTuple):
    """The module and class of an engine, and the form of its URLs.

    The module is imported on first use: only users of an engine need its libraries.
    """

    module: str
    name: str
    url: str

    def load(self) -> type[Index]:
        """Import the class."""
        module = import_module(f"{__package__}.{self.module}")
        return cast("type[Index]", getattr(module, self.name))


#: Engines by the scheme of their URLs, which is the name of their extra as well.
ENGINES: Final = {
    "sqlite": Engine(
        "sqlite.engine",
        "SqliteIndex",
        "sqlite:///relative/path.db or sqlite:////absolute/path.db",
    ),
    "postgresql": Engine(
        "postgresql.engine",
        "PostgresqlIndex",
        "postgresql://user:password@host:5432/database",
    ),
    "opensearch": Engine(
        "searchserver",
        "SearchServerIndex",
        "opensearch+http(s)://user:password@host:9200/index",
    ),
    "elasticsearch": Engine(
        "searchserver",
        "SearchServerIndex",
        "elasticsearch+http(s)://user:password@host:9200/index",
    ),
}


def engine_of(url: str) -> type[Index]:
    """Return the engine class for the scheme of ``url``.

    Raises :exc:`IndexUnavailable` for an unknown scheme, a client not installed, or
    credentials that cannot be told from the rest of the URL.
    """
    if not is_readable(url):
        raise IndexUnavailable(url, UNREADABLE)
    scheme, colon, _ = url.partition(":")
    name = scheme.partition("+")[0]
    if not colon or name not in ENGINES:
        raise IndexUnavailable(url, "no engine has such URLs")
    try:
        return ENGINES[name].load()
    except ModuleNotFoundError as exc:
        extra = f"pip install 'scrapy-mainpage[{name}]'"
        raise IndexUnavailable(url, f"{exc.name} is missing: {extra}") from exc


async def connect_index(
    url: str, *, read_only: bool = False, embedder: Embedder | None = None
) -> Index:
    """Open the index of that URL for asynchronous code.

    See :meth:`Index.open`. The *embedder*, of
    :func:`~scrapy_mainpage.indexes.embedders.make_embedder`, is for
    :meth:`Index.embed` and for searches by meaning; vectors of another one are
    removed. Raises :exc:`IndexUnavailable` with the URL and the allowed form, and
    :exc:`IndexFailure` for an index without vectors of the embedder that is
    *read_only*.
    """
    index = await engine_of(url).open(url, read_only=read_only)
    if embedder is not None:
        from . import vectors

        try:
            await vectors.use(index, embedder, read_only=read_only)
        except BaseException:
            await index.close()
            raise
    return index


class IndexUnavailable(ValueError):
    """An index that cannot be opened: wrong URL, foreign file, no permission, ...

    The message is one line with the URL (without its password), the reason and the
    allowed form.
    """

    def __init__(self, url: str, reason: str):
        reason = " ".join(hide_secrets(reason, url).split())
        scheme = url.partition(":")[0].partition("+")[0]
        named = [ENGINES[scheme]] if scheme in ENGINES else ENGINES.values()
        allowed = ", ".join(engine.url for engine in named)
        # Error reporters send the attributes of exceptions, too.
        self.url = redacted(url)
        super().__init__(f"{self.url!r}: {reason}; allowed is {allowed}")
        self.reason = reason
        self.allowed = allowed
