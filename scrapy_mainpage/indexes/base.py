"""The one interface behind which every search engine stands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    # typing.Self requires Python 3.11
    from typing_extensions import Self


#: URL scheme -> what the URLs of its engine look like.
URL_FORMS: Final = {
    "sqlite": "sqlite:///relative/path.db or sqlite:////absolute/path.db",
}


class IndexUnavailable(ValueError):
    """An index that cannot be opened: wrong URL, foreign file, no permission, ...

    The message is one line with the URL, the reason and what is allowed.
    """

    def __init__(self, url: str, reason: str):
        scheme = url.partition(":")[0]
        allowed = URL_FORMS.get(scheme) or ", ".join(URL_FORMS.values())
        super().__init__(f"{url!r}: {reason}; allowed is {allowed}")
        self.url = url
        self.reason = reason
        self.allowed = allowed


class IndexFailure(RuntimeError):
    """A read or write that an open index could not do.

    ``reason`` is a short code for statistics, such as ``"disk_full"``.
    """

    def __init__(self, reason: str, message: str):
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class IndexDocument:
    """What is indexed of a page. The URL is its identity.

    ``title``, ``description`` and ``text`` are searched; the rest is kept with the
    document. Dates are ISO 8601 strings.
    """

    url: str
    text: str
    title: str | None = None
    description: str | None = None
    language: str | None = None
    page_type: str | None = None
    author: str | None = None
    date_published: str | None = None
    date_modified: str | None = None
    site_name: str | None = None
    crawled_at: str | None = None

    @property
    def site(self) -> str:
        """The host that the document's URL names, empty if it names none.

        >>> IndexDocument("https://Docs.Example.com:8080/a", "text").site
        'docs.example.com'
        """
        try:
            return urlsplit(self.url).hostname or ""
        except ValueError:
            return ""


@dataclass(frozen=True)
class Hit:
    """A document found. A higher ``score`` is a better match.

    Scores compare within one search only. ``snippet`` is the part of the main text
    that fits the query best, on one line, with the matches between the marks that
    the caller chose.
    """

    url: str
    title: str | None
    snippet: str
    score: float
    site: str = ""
    language: str | None = None
    page_type: str | None = None
    author: str | None = None
    date_published: str | None = None
    crawled_at: str | None = None


class Index(ABC):
    """A full-text index of documents, one per URL.

    An index may be used from several threads, one call at a time. It is a context
    manager that closes itself.
    """

    @classmethod
    @abstractmethod
    def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open the index that ``url`` names; make it first where it does not exist.

        A ``read_only`` index must exist and can be searched only. Raises
        :exc:`IndexUnavailable` at once if the index cannot be used that way.
        """

    @abstractmethod
    def put_many(self, documents: Sequence[IndexDocument]) -> None:
        """Add the documents, each in place of the one with its URL, all or none.

        When it returns they can be found, and stay so if the process is killed.
        Raises :exc:`IndexFailure` otherwise.
        """

    @abstractmethod
    def delete(self, urls: Iterable[str]) -> int:
        """Take out the documents with these URLs; return how many there were."""

    @abstractmethod
    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        highlight: tuple[str, str] = ("**", "**"),
    ) -> list[Hit]:
        """Return up to ``limit`` documents that hold every term, the best first.

        ``query`` is what a user typed: words, ``"a phrase"``, ``prefix*`` and
        ``-excluded``; anything else in it is read as words. ``highlight`` is put
        before and after each match in the snippet.
        """

    @abstractmethod
    def urls(self) -> Iterator[str]:
        """Yield the URL of every document, in no particular order."""

    @abstractmethod
    def close(self) -> None:
        """Release files and connections; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
