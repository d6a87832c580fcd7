"""The interface of every search engine, their names, and how calls fail."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from ..redaction import UNREADABLE, hide_secrets, is_readable, redacted
from .documents import (
    IndexDocument,
    host_name,
    language_tag,
    split_site,
    url_pattern,
)
from .fields import DATE, NUMBER, TEXT, TYPES, Facets, check_name, conditions_of, joined
from .query import Query, parse_query, split_query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Self

    from .documents import Hit


#: Why an engine finds nothing.
NOT_SEARCHED: Final = (
    "OpenSearch and Elasticsearch are searched by their own API: see "
    "docs/usage/search.rst"
)

#: Hits at most: an engine counts them with 32 bits.
MAX_HITS: Final = 1_000_000

MODES: Final = ("lexical", "vector", "hybrid")


_BROKEN: Final = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""Errors of reading data that is not as it was written."""


class IndexFailure(RuntimeError):
    """A read or write that failed on an open index.

    ``reason`` is a short code for statistics, such as ``"disk_full"``. A call that is
    ``retryable`` may succeed later; any other fails again in the same way.
    """

    def __init__(self, reason: str, message: str, *, retryable: bool = False):
        super().__init__(message)
        self.reason = reason
        self.retryable = retryable


@contextmanager
def reading() -> Iterator[None]:
    """Read what an index holds or a server answers; what is broken is a failure."""
    try:
        yield
    except _BROKEN as exc:
        text = " ".join(f"{type(exc).__name__}: {exc!s:.200}".split())
        raise IndexFailure("corrupt", f"data of the index is broken: {text}") from exc


class Rejection(NamedTuple):
    """Why the index refused one document of a call; see :exc:`IndexFailure`."""

    url: str
    reason: str
    message: str
    retryable: bool = False


class Hits(list["Hit"]):
    """The hits of a search, and the counts of its facets by field and value."""

    def __init__(self, hits: Iterable[Hit] = (), facets: Facets | None = None):
        super().__init__(hits)
        self.facets: Facets = facets or {}


class Index(ABC):
    """A full-text index of documents, one per URL.

    Several threads may use it; calls wait for each other. It is a context manager that
    closes itself.
    """

    #: The ``Vectors`` of the passages, with their model; see :func:`.open_index`.
    vectors: Any = None

    @classmethod
    @abstractmethod
    def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open the index of that URL; create it if it does not exist.

        A ``read_only`` index must exist and can be searched only. Raises
        :exc:`IndexUnavailable` at once if the index cannot be used that way.
        """

    def put_many(self, documents: Iterable[IndexDocument]) -> Sequence[Rejection]:
        """Add the documents, each in place of everything under its URL.

        Of several with one URL the last counts. When it returns, all survive a kill of
        this process, except for those that it returns as rejected. Raises
        :exc:`IndexFailure` if one of them cannot be stored, or it is unknown whether
        any is in the index; then the same call may be repeated.
        """
        _check("documents", documents, Iterable, "a list of IndexDocument")
        storable = (document.storable() for document in map(_document, documents))
        last = {document.url: document for document in storable}
        return self._put(list(last.values()))

    @abstractmethod
    def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        """See :meth:`put_many`; URLs are distinct and every text can be stored."""

    def delete(self, urls: Iterable[str]) -> int:
        """Remove the documents with these URLs; return how many existed."""
        _check("urls", urls, Iterable, "a list of URLs")
        return self._delete([_check("url", url, str, "a URL") for url in urls])

    @abstractmethod
    def _delete(self, urls: Sequence[str]) -> int:
        """See :meth:`delete`."""

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        highlight: tuple[str, str] = ("**", "**"),
        site: str | None = None,
        page_type: str | None = None,
        language: str | None = None,
        passages: bool = False,
        synonyms: Mapping[str, Sequence[str]] | None = None,
        filters: Mapping[str, Any] | None = None,
        facets: Sequence[str] = (),
        sort: str = "",
        mode: str = "lexical",
    ) -> Hits:
        """Return up to ``limit`` documents, the best first.

        What is named as the query comes first. All others are ordered by one score:
        which of its words, how often, and how well a title or heading fits it.

        ``query`` is as a user typed it: words, ``"a phrase"``, ``prefix*``,
        ``-excluded`` and conditions on fields of the index, such as ``version:15`` and
        ``price<100``; anything else in it is read as words. ``highlight`` is put
        before and after each match in the snippet. ``site`` is a host and includes its
        subdomains; with a port, only pages of that port. ``language`` is a tag and
        includes longer ones (``"en"``: ``"en-gb"``, too). With ``passages`` each hit is
        a passage, which only documents with passages have. The last word may be the
        beginning of one. ``synonyms`` are from
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
        the index does not have, and a value that is not of its type; :exc:`TypeError`
        and :exc:`ValueError` for any other argument that is none.
        """
        _check("query", query, str, "a text")
        _check("limit", limit, int, "a number")
        _check("highlight", highlight, tuple, "a pair of texts")
        _check("filters", filters or {}, Mapping, "conditions by field")
        _check("facets", facets, Sequence, "a list of fields")
        _check("synonyms", synonyms or {}, Mapping, "as read_synonyms returns them")
        if mode not in MODES:
            raise ValueError(f"mode: {mode!r} is none of {', '.join(MODES)}")
        has_sign = any(sign in query for sign in ":=<>")
        wants_fields = has_sign or filters or facets or sort
        types = self.field_types() if wants_fields else {}
        words, conditions = split_query(query, types)
        conditions += conditions_of(filters or {}, types)
        if sort:
            check_name(sort.lstrip("-"), types, NUMBER, DATE)
        for name in facets:
            check_name(name, types, *(kind for kind in TYPES if kind != TEXT))
        host, port = split_site(site or "")
        parsed = Query(
            terms=tuple(parse_query(words)),
            limit=min(limit, MAX_HITS),
            highlight=highlight,
            site=host_name(host) or None,
            page_type=page_type or None,
            language=language_tag(language or "") or None,
            passages=passages,
            url_like=url_pattern(host, port) if port else None,
            conditions=joined(conditions),
            sort=sort,
        )
        if not parsed.can_match:
            return Hits()
        with reading():
            return self._search(parsed, synonyms, mode, facets)

    def _search(self, query: Query, *options: Any) -> Hits:
        """See :meth:`search`; an engine that is only written to keeps this one."""
        raise IndexFailure("not_searched", NOT_SEARCHED)

    def field_types(self) -> Mapping[str, str]:
        """Return the names and types of the documents' own fields."""
        return {}

    @reading()
    def embed(self) -> int:
        """Embed the passages without a vector; return how many.

        Those that have not changed since are not embedded again. Raises
        :exc:`IndexFailure`, also if the model fails; what is embedded stays.
        """
        return int(self.vectors.embed()) if self.vectors else 0

    @abstractmethod
    def urls(self) -> Iterator[str]:
        """Yield the URL of every document, in no particular order."""

    def mark(self, name: str) -> str | None:
        """Return the mark of that name; ``None`` without one.

        A program that writes leaves a mark to know the index again: an index made anew,
        or an older copy, has another one.
        """
        return None

    def put_mark(self, name: str, value: str) -> bool:
        """Leave a mark; return whether the engine keeps marks."""
        return False

    @abstractmethod
    def close(self) -> None:
        """Release files and connections; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _check(name: str, value: Any, kind: Any, wanted: str) -> Any:
    """Return an argument, or raise :exc:`TypeError`; a text is no list of texts."""
    if not isinstance(value, kind) or (isinstance(value, str) and kind is not str):
        raise TypeError(f"{name}: {value!r:.80} is not {wanted}")
    return value


def _document(value: Any) -> IndexDocument:
    made: IndexDocument = _check("documents", value, IndexDocument, "an IndexDocument")
    _check("url of a document", made.url, str, "a text")
    _check(f"text of {made.url:.80}", made.text, str, "a text")
    return made


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
        "sqlite",
        "SqliteIndex",
        "sqlite:///relative/path.db or sqlite:////absolute/path.db",
    ),
    "postgresql": Engine(
        "postgresql",
        "PostgresqlIndex",
        "postgresql://user:password@host:5432/database",
    ),
    **{
        name: Engine(
            "searchserver",
            "SearchServerIndex",
            f"{name}+http(s)://user:password@host:9200/index",
        )
        for name in ("opensearch", "elasticsearch")
    },
}


def engine_of(url: str) -> type[Index]:
    """Return the engine class for the scheme of ``url``.

    Raises :exc:`IndexUnavailable` for an unknown scheme, a client not installed, or
    credentials that cannot be told from the rest of the URL.
    """
    _check("url of an index", url, str, "a text such as sqlite:///site.db")
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
