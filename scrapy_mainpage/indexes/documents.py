"""Records of an index, the same for every engine: documents put in, hits returned."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from ..addresses import parts_of, with_anchor
from ..text.words import count_words, estimate_tokens
from .fields import TEXT, Field, read_fields
from .tokens import name_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: Searched fields, and the weight of a match relative to one in the text.
WEIGHTS: Final = {
    "title": 10.0,
    "headings": 4.0,
    "description": 3.0,
    "text": 1.0,
    "comments": 0.3,
}

#: Part of the version of every engine's schema. Raise it with each change of the fields
#: of :class:`IndexDocument`: an engine refuses an index of another version.
FIELDS_VERSION: Final = 0


class Section(NamedTuple):
    """A section of the main text under a heading or the name of an entry.

    ``level`` is the heading's, from 1 to 6; an entry's is below. ``anchor`` is the
    fragment of links to it, ``None`` where the page has none. ``start`` is the place
    of the heading in the text, -1 if not known. ``path`` has the page's title and the
    headings above; it is empty in documents and filled in hits.
    """

    heading: str
    level: int
    anchor: str | None = None
    start: int = -1
    path: tuple[str, ...] = ()


class Passage(NamedTuple):
    """A piece of the main text, small enough to be quoted or embedded.

    ``id`` is stable: the same for the same passage of the same page. ``position``
    counts a document's passages from 0. ``heading`` and ``anchor`` are its section's,
    ``path`` has the page's title and the headings from the highest to its own.
    """

    id: str
    position: int
    text: str
    heading: str | None = None
    anchor: str | None = None
    path: tuple[str, ...] = ()

    @property
    def words(self) -> int:
        """The number of words of the text."""
        return count_words(self.text)

    @property
    def tokens(self) -> int:
        """An estimate of the tokens that a language model reads the text as."""
        return estimate_tokens(self.text)


@dataclass(frozen=True)
class IndexDocument:
    """The indexed record of a page. The URL is its identity.

    The fields of ``WEIGHTS`` are searched; the rest is stored with the document.
    A field of the same name as one of :class:`~scrapy_mainpage.page.Metadata` or
    :class:`~scrapy_mainpage.Page` is filled from there. ``headings`` has one heading
    per line. ``language`` is a BCP 47 tag, dates are ISO 8601 strings. ``weight``
    multiplies the score of the document's hits. ``fields`` are the project's own: each
    a text, a number, a date, a list of them, or a
    :class:`~scrapy_mainpage.indexes.fields.Field`.
    """

    url: str
    text: str
    title: str | None = None
    headings: str | None = None
    description: str | None = None
    comments: str | None = None
    language: str | None = None
    page_type: str | None = None
    author: str | None = None
    date_published: str | None = None
    date_modified: str | None = None
    site_name: str | None = None
    crawled_at: str | None = None
    weight: float = 1.0
    fields: Mapping[str, Any] = field(default_factory=dict, hash=False)
    sections: tuple[Section, ...] = ()
    passages: tuple[Passage, ...] = ()

    @property
    def site(self) -> str:
        """The host of the document's URL, empty if it has none.

        >>> IndexDocument("https://Docs.Example.com:8080/a", "text").site
        'docs.example.com'
        """
        return host_name(parts_of(self.url).hostname or "")

    @property
    def size(self) -> int:
        """The approximate size in bytes."""
        texts = (self.url, self.text, self.headings, self.description, self.comments)
        passages = sum(len(passage.text) for passage in self.passages)
        return sum(len(text) for text in texts if text) + passages + 300

    def storable(self) -> IndexDocument:
        """Return the document in a form that every engine can store.

        NUL is removed, lone surrogates become ``?``; the language is normalised.
        """
        values = {name: _storable(getattr(self, name)) for name in _NAMES}
        if values["language"]:
            values["language"] = language_tag(values["language"])
        values["fields"] = read_fields(self.fields)
        return replace(self, **values)

    def named(self) -> IndexDocument:
        """Return the document as it is searched.

        Its headings have the words that stand for names; its description has the texts
        among its own fields.
        """
        texts = (
            str(value)
            for own in self.fields.values()
            for value in own.values
            if own.type == TEXT
        )
        described = "\n".join(filter(None, (self.description, *texts))) or None
        headings = (section.heading for section in self.sections)
        words = name_words((self.title, *headings, *(self.headings or "").split("\n")))
        lines = filter(None, (self.headings, words))
        found = "\n".join(lines) or None
        return replace(self, headings=found, description=described)

    def as_dict(self) -> dict[str, Any]:
        """Return the document as plain data for JSON, without empty values."""
        values = {name: getattr(self, name) for name in _NAMES}
        for name in ("sections", "passages"):
            values[name] = [part._asdict() for part in values[name]]
        values["fields"] = dict(sorted(read_fields(self.fields).items()))
        return {
            name: value
            for name, value in values.items()
            if (value or name == "text") and (name, value) != ("weight", 1.0)
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> IndexDocument:
        """Return the document of data from :meth:`as_dict`.

        Raises :exc:`TypeError` for any other data.
        """
        parts = {
            "sections": tuple(
                Section(**{**part, "path": ()}) for part in data.get("sections", ())
            ),
            "passages": tuple(
                Passage(**{**part, "path": tuple(part.get("path", ()))})
                for part in data.get("passages", ())
            ),
        }
        own = {
            x: Field(kind, tuple(v)) for x, (kind, v) in data.get("fields", {}).items()
        }
        return cls(**{**data, **parts, "fields": own})


_NAMES: Final = tuple(item.name for item in fields(IndexDocument))

#: The fields of a document that ``MAINPAGE_INDEX_FIELDS`` may name.
INDEX_FIELDS: Final = tuple(
    name for name in _NAMES if name not in ("weight", "fields", "sections", "passages")
)

#: Fields that are stored with a document beside the searched ones.
STORED: Final = (
    *("page_type", "author", "date_published", "date_modified", "site_name"),
    "crawled_at",
)


@dataclass(frozen=True)
class Hit:
    """A document found. A higher ``score`` is a better match.

    Scores compare within one search only. ``snippet`` is the part of the main text
    that fits the query best, on one line, with the matches between the marks that
    the caller chose. ``sections`` are the page's that fit best, at most three.
    ``passage`` is the match in a search for passages. ``weight`` and ``fields`` are the
    document's.
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
    weight: float = 1.0
    fields: Mapping[str, Any] = field(default_factory=dict, hash=False)
    sections: tuple[Section, ...] = ()
    passage: Passage | None = None

    @property
    def anchor(self) -> str | None:
        """The fragment of the passage, or of the section that fits best."""
        places = (self.passage, *self.sections[:1])
        return next((place.anchor for place in places if place), None)

    @property
    def link(self) -> str:
        """The URL with the fragment of the passage or section.

        >>> Hit("u#x", None, "", 1, sections=(Section("Name", 2, "name"),)).link
        'u#name'
        """
        return with_anchor(self.url, self.anchor)


#: The fields of a hit that are stored with the document as text.
HIT_FIELDS: Final = (
    *("url", "title", "site", "language"),
    *("page_type", "author", "date_published", "crawled_at"),
)

#: The fields that engines with SQL store as text beside the searched words.
STORED_FIELDS: Final = tuple(dict.fromkeys((*HIT_FIELDS, *STORED)))


def host_name(name: str) -> str:
    """Return the host in the normal form of an index.

    >>> host_name("Bücher.example.")
    'xn--bcher-kva.example'
    """
    name = name.lower().strip(".")
    try:
        return name if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        return name


def split_site(site: str) -> tuple[str, int | None]:
    """Return the host and the port of a site.

    >>> split_site("127.0.0.1:8703")
    ('127.0.0.1', 8703)
    >>> split_site("::1")
    ('::1', None)
    """
    try:
        parts = urlsplit(f"//{site}")
        return (parts.hostname or "", parts.port) if parts.port else (site, None)
    except ValueError:
        return site, None


def url_pattern(host: str, port: int) -> str:
    """Return what the URLs of a host with this port are LIKE in SQL."""
    host = f"[{host}]" if ":" in host else host
    default = {80: f"http://%{host}/%", 443: f"https://%{host}/%"}
    return default.get(port, f"%{host}:{port}/%")


def language_tag(tag: str) -> str:
    """Return the tag in the normal form of an index.

    >>> language_tag("pt_BR")
    'pt-br'
    """
    return tag.lower().replace("_", "-")


def storable_text(text: str) -> str:
    """Return a text, such as a URL, as :meth:`IndexDocument.storable` changes it."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, tuple):
        parts = map(_storable, value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def types_of(documents: Iterable[IndexDocument]) -> dict[str, str]:
    """Return the types of the fields that the documents have."""
    return {
        name: field.type for each in documents for name, field in each.fields.items()
    }
