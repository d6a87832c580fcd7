"""What is put into an index, and what is found in it: the same for every engine."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

#: What is searched, and how much a match weighs there compared to one in the text.
WEIGHTS: Final = {
    "title": 10.0,
    "headings": 4.0,
    "description": 3.0,
    "text": 1.0,
    "comments": 0.3,
}

_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


class Section(NamedTuple):
    """A part of the main text under a heading.

    ``level`` is the heading's, from 1 to 6. ``anchor`` is what a link to it has after
    the ``#``, ``None`` where the page gives none.
    """

    heading: str
    level: int
    anchor: str | None = None


class Passage(NamedTuple):
    """A piece of the main text, small enough to be quoted or embedded.

    ``id`` stays the same for the same passage of the same page. ``position`` counts a
    document's passages from 0. ``heading`` and ``anchor`` are those of its section.
    """

    id: str
    position: int
    text: str
    heading: str | None = None
    anchor: str | None = None


@dataclass(frozen=True)
class IndexDocument:
    """What is indexed of a page. The URL is its identity.

    ``title``, ``headings``, ``description``, ``text`` and ``comments`` are searched;
    the rest is kept with the document. ``headings`` are one a line. ``language`` is a
    BCP 47 tag, dates are ISO 8601 strings.
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
    sections: tuple[Section, ...] = ()
    passages: tuple[Passage, ...] = ()

    @property
    def site(self) -> str:
        """The host that the document's URL names, empty if it names none.

        >>> IndexDocument("https://Docs.Example.com:8080/a", "text").site
        'docs.example.com'
        """
        try:
            return host_name(urlsplit(self.url).hostname or "")
        except ValueError:
            return ""

    @property
    def size(self) -> int:
        """About how many bytes the document is long."""
        texts = (self.url, self.text, self.headings, self.description, self.comments)
        passages = sum(len(passage.text) for passage in self.passages)
        return sum(len(text) for text in texts if text) + passages + 300

    def storable(self) -> IndexDocument:
        """The document without what no engine stores: NUL, halves of surrogates.

        Halves of surrogate pairs become ``?``; the language gets one spelling.
        """
        cleaned = {item.name: _storable(getattr(self, item.name)) for item in _FIELDS}
        changed = {
            name: value
            for name, value in cleaned.items()
            if value is not getattr(self, name)
        }
        tag = cleaned["language"]
        if tag and tag != language_tag(tag):
            changed["language"] = language_tag(tag)
        return replace(self, **changed) if changed else self

    def as_dict(self) -> dict[str, Any]:
        """The document as plain data for JSON, without what is empty."""
        values = {item.name: getattr(self, item.name) for item in _FIELDS}
        for name in ("sections", "passages"):
            values[name] = [part._asdict() for part in values[name]]
        return {
            name: value for name, value in values.items() if value or name == "text"
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> IndexDocument:
        """The document that :meth:`as_dict` made the data of.

        Raises :exc:`TypeError` for data that is none.
        """
        parts = {
            "sections": tuple(Section(**part) for part in data.get("sections", ())),
            "passages": tuple(Passage(**part) for part in data.get("passages", ())),
        }
        return cls(**{**data, **parts})


_FIELDS: Final = fields(IndexDocument)

#: The fields of a document, as ``MAINPAGE_INDEX_FIELDS`` may name them.
INDEX_FIELDS: Final = tuple(
    item.name for item in _FIELDS if item.name not in ("sections", "passages")
)


@dataclass(frozen=True)
class Hit:
    """A document found. A higher ``score`` is a better match.

    Scores compare within one search only. ``snippet`` is the part of the main text
    that fits the query best, on one line, with the matches between the marks that
    the caller chose. ``passage`` is what was found in a search for passages.
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
    sections: tuple[Section, ...] = ()
    passage: Passage | None = None


def host_name(name: str) -> str:
    """The host in the one spelling that it has in an index.

    >>> host_name("Bücher.example.")
    'xn--bcher-kva.example'
    """
    name = name.lower().strip(".")
    try:
        return name if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        return name


def language_tag(tag: str) -> str:
    """The tag in the one spelling that it has in an index.

    >>> language_tag("pt_BR")
    'pt-br'
    """
    return tag.lower().replace("_", "-")


def storable_text(text: str) -> str:
    """The text as :meth:`IndexDocument.storable` leaves it, such as a URL to delete."""
    return _UNSTORABLE.sub(_replacement, text)


def _storable(value: Any) -> Any:
    """The value itself where nothing is wrong with it."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, tuple):
        parts = [type(part)(*map(_storable, part)) for part in value]
        return value if all(map(_is_same, parts, value)) else tuple(parts)
    return value


def _is_same(new: tuple[Any, ...], old: tuple[Any, ...]) -> bool:
    return all(one is other for one, other in zip(new, old, strict=True))


def _replacement(match: re.Match[str]) -> str:
    return "" if match[0] == "\0" else "?"
