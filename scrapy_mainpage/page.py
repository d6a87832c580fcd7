"""The data of an extracted page: plain, frozen and picklable.

Nothing here knows lxml or Scrapy. A :class:`Page` holds the main text; everything
else (Markdown, HTML, blocks, links, media, metadata) is derived from the page's
content on first access, and kept.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field, fields
from functools import cached_property
from html import escape
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final, TypeVar

from .label import Label
from .records import (
    PAGE_RECORDS,
    Entry,
    Event,
    Job,
    Pagination,
    Place,
    Post,
    Product,
    Recipe,
    SearchForm,
    as_plain,
)
from .text.words import count_words, estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

Value = TypeVar("Value")

#: The values of a block's ``source`` for text that is not part of the page's text.
ADDED_SOURCES = frozenset({"json-ld", "hydration"})


@dataclass(frozen=True, slots=True)
class Box:
    """The rectangle of a rendered block, in CSS pixels from the page's top left."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Block:
    """A text block: a run of text between two block-level breaks.

    ``score`` is the algorithm's, from 0 (boilerplate) to 1 (main content).
    ``label_probability`` is that of the role, given that the block is boilerplate; 1
    for main content, whose kind rules determine. ``words``
    counts each Chinese, Japanese or Korean character as a word, and five letters in
    scripts without blanks between words, such as Thai. ``link_density`` is
    the share of the words inside links. ``box`` is ``None`` unless the page was
    rendered. ``source`` is the origin of the text: ``document``, ``noscript``, or from
    outside of the page's text ``json-ld`` or ``hydration`` (the data that a script
    builds the page from); ``xpath`` is then that of the element which holds it.
    """

    index: int
    text: str
    label: Label
    score: float
    xpath: str
    tag: str
    words: int
    link_density: float
    box: Box | None = None
    source: str = "document"
    label_probability: float = 1.0

    @property
    def is_main(self) -> bool:
        """Whether the block is part of the main content."""
        return self.label.is_main


@dataclass(frozen=True, slots=True)
class Link:
    """A link: absolute URL, text, and the label of its block."""

    url: str
    text: str
    label: Label
    rel: str = ""


@dataclass(frozen=True, slots=True)
class Media:
    """An image, video, audio or embedded document inside the main content."""

    kind: str  # "image", "video", "audio" or "embed"
    url: str
    alt: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the main content: a heading and the text up to the next heading.

    ``level`` is the heading's, from 1 to 6; main content before any heading is a
    section without one, of level 0. A ``dt`` or ``tr`` with an anchor is an entry: a
    section one level below that around it, named by the ``dt`` or the first cell. What
    follows the entries is a section of the heading around again. ``anchor`` is the
    fragment of a link to the section, ``None`` where the page offers none. ``text`` is
    without the heading; headings of deeper levels begin sections of their own. A term
    that shares its description with the next one has no text. The section's blocks are
    ``page.blocks[first_block:end_block]``, with the heading and with boilerplate
    between them. ``path`` has the page's title and the headings from the highest to its
    own; ``id`` depends on it alone. :meth:`.Page.markdown_of` writes its Markdown.
    """

    heading: str = ""
    level: int = 0
    anchor: str | None = None
    text: str = ""
    first_block: int = 0
    end_block: int = 0
    # Of the sections before it, so they are no part of what makes two equal.
    path: tuple[str, ...] = field(default=(), compare=False)
    id: str = field(default="", compare=False)

    @property
    def words(self) -> int:
        """The number of words of the text."""
        return count_words(self.text)

    @property
    def tokens(self) -> int:
        """An estimate of the tokens that a language model reads the text as."""
        return estimate_tokens(self.text)


@dataclass(frozen=True)
class Metadata:
    """The page's own metadata; ``None`` where it has none.

    Dates are ISO 8601 strings as precise as the page gives them. ``"; "`` is between
    the names of several authors. ``sources`` says for each field with a value where it
    is from: ``json-ld``, ``microdata``, ``opengraph``, another ``meta`` element,
    ``html`` (its language), the ``title`` element, a ``link``, ``url``; the visible
    page: a ``heading``, a ``time`` element, a ``byline``, other ``text``; or ``rules``.
    ``probabilities`` say for each title, author and date how likely it is right.
    """

    title: str | None = None
    language: str | None = None
    canonical_url: str | None = None
    author: str | None = None
    date_published: str | None = None
    date_modified: str | None = None
    description: str | None = None
    image: str | None = None
    site_name: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict)
    probabilities: Mapping[str, float] = field(default_factory=dict)

    @property
    def authors(self) -> tuple[str, ...]:
        """The names of the authors."""
        return tuple(self.author.split("; ")) if self.author else ()

    def as_dict(self) -> dict[str, str | None]:
        """The fields as a plain dictionary, without sources and probabilities."""
        return {name: getattr(self, name) for name in METADATA_FIELDS}


#: The fields of :class:`Metadata`, without sources and probabilities.
METADATA_FIELDS: Final = tuple(
    item.name
    for item in fields(Metadata)
    if item.name not in {"sources", "probabilities"}
)


class _Derived(cached_property[Value]):
    """An attribute that the page's extraction makes on first access.

    The extraction has a method of the *name*, or of that of the attribute.
    """

    def __init__(self, empty: Value, name: str = "", *arguments: str) -> None:
        super().__init__(self._make)
        self._empty, self._name, self._arguments = empty, name, arguments

    # The type of each attribute is that of the class, not of what is returned here.
    def _make(self, page: Page):  # type: ignore[no-untyped-def]
        if page._extraction is None:
            return self._empty
        value = page._read(self._name or str(self.attrname), *self._arguments)
        return self._empty if value is None else value


#: The attributes in a row of a feed, behind the URL and the metadata.
ROW: Final = """
    page_type confidence algorithm words words_total main_share warnings rendered
    render_reason rules sources text markdown html comments
""".split()

MAX_SHOWN_TITLE: Final = 60
MAX_SHOWN_TEXT: Final = 2000
"""Characters of a page's title in its ``repr``, and of its text in a notebook."""


@dataclass(frozen=True, repr=False)
class Page:
    """The extraction of one page.

    ``words`` and ``words_total`` count the words of the main content and of the whole
    page. ``confidence`` (0 to 1) is ``None`` where the algorithm does not predict it.
    ``warnings`` are codes of failures and omissions. ``rendered`` says whether a
    browser rendered the page; ``render_reason`` is the code of why it did or did not,
    ``None`` where rendering was never considered; ``static`` is the main text of the
    static page, 4,000 characters at most, where a rendered page shows another one,
    as in an application that fills a page of its server anew. ``rules`` are those of
    the site that decided something, as ``FILE: KEY = SELECTOR``; ``FILE`` alone where
    none of a file did. ``str(page)`` is the text.
    """

    url: str | None
    text: str
    algorithm: str
    words: int = 0
    words_total: int = 0
    confidence: float | None = None
    warnings: tuple[str, ...] = ()
    rendered: bool = False
    render_reason: str | None = None
    static: str | None = None
    rules: tuple[str, ...] = ()
    # No field: feeds and asdict() leave it out, replace() keeps it.
    _content: InitVar[Any] = None

    def __post_init__(self, _content: Any) -> None:
        vars(self)["_content"] = _content

    @classmethod
    def empty(cls, url: str | None, reason: str, algorithm: str = "") -> Page:
        """A page without text; ``reason`` is the code of why, kept in the warnings."""
        return cls(url=url, text="", algorithm=algorithm, warnings=(reason,))

    def __getstate__(self) -> dict[str, Any]:
        # Derived data can be derived again: a pickle holds the fields alone.
        data = {item.name: getattr(self, item.name) for item in fields(self)}
        return data | {"_content": self._extraction}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        title = shorten(self.title or "", MAX_SHOWN_TITLE, placeholder="...")
        return f"<Page {title!r} {self.url} ({self._summary()})>"

    def _repr_html_(self) -> str:
        """The page in a notebook: escaped text, without anything to load."""
        text = self.text[:MAX_SHOWN_TEXT]
        text += " ..." if len(text) < len(self.text) else ""
        shown = (self.title or "", self.url or "", self._summary(), text)
        return (
            "<div><strong>{}</strong><br>{}<br><small>{}</small>"
            '<div style="white-space: pre-wrap; max-height: 20em; overflow: auto">'
            "{}</div></div>"
        ).format(*map(escape, shown))

    def _summary(self) -> str:
        parts = [
            self.page_type or "",
            f"{self.words} of {self.words_total} words",
            "" if self.confidence is None else f"confidence {self.confidence:.2f}",
            *self.warnings,
        ]
        return ", ".join(filter(None, parts))

    @property
    def _extraction(self) -> Any:
        return vars(self)["_content"]

    def _read(self, name: str, *arguments: Any) -> Any:
        """An output of the extraction; what it is without is said in the warnings."""
        value, warnings = self._extraction.read(name, *arguments)
        vars(self)["warnings"] = tuple(dict.fromkeys((*self.warnings, *warnings)))
        return value

    @property
    def main_share(self) -> float:
        """The share of the page's words that are main content; 0 for no words."""
        return self.words / self.words_total if self.words_total else 0.0

    @cached_property
    def page_type(self) -> str | None:
        """The kind of page; ``None`` without a prediction that is likely enough."""
        return self._extraction.page_type if self._extraction else None

    @cached_property
    def page_types(self) -> dict[str, float]:
        """The probability of each kind of page, the likeliest first; may be empty."""
        return self._extraction.page_types if self._extraction else {}

    markdown = _Derived[str]("")
    """The main content as CommonMark with tables."""
    html = _Derived[str]("")
    """The main content as sanitised HTML: no scripts, absolute links."""
    blocks = _Derived[tuple[Block, ...]](())
    """Every text block of the page, in document order."""
    sections = _Derived[tuple[Section, ...]](())
    """The main content by heading, each with its text."""

    def markdown_of(self, section: Section) -> str:
        """A section as Markdown, with its heading: code and tables in their form.

        Each call reads the whole page.
        """
        if self._extraction is None or section.end_block <= section.first_block:
            return ""
        return self._read("markdown_of", section.first_block, section.end_block) or ""

    comments = _Derived[str]("")
    """The text of the blocks labelled as comments, separated by blank lines."""
    posts = _Derived[tuple[Post, ...]](())
    """The posts of a thread, the question and its answers, or the comments."""
    entries = _Derived[tuple[Entry, ...]](())
    """The entries of a listing: cards, teasers, rows or results."""
    _pagination = _Derived[Pagination](Pagination(), "pagination")
    """The other pages of the listing or thread."""

    @property
    def next_page(self) -> str | None:
        """The address of the next page of the listing or thread."""
        return self._pagination.next_page

    @property
    def previous_page(self) -> str | None:
        """The address of the previous page of the listing or thread."""
        return self._pagination.previous_page

    @property
    def page_links(self) -> tuple[str, ...]:
        """The addresses of all other pages of the listing or thread."""
        return self._pagination.page_links

    product = _Derived[Product | None](None)
    """The product that the page is about."""
    job = _Derived[Job | None](None, "record", "job")
    """The job that the page offers."""
    event = _Derived[Event | None](None, "record", "event")
    """The event that the page announces."""
    recipe = _Derived[Recipe | None](None, "record", "recipe")
    """The recipe of the page."""
    place = _Derived[Place | None](None, "record", "place")
    """The business or other place that the page is about."""
    search_form = _Derived[SearchForm | None](None)
    """How the site is searched; ``None`` where the page has no form for it."""
    sources = _Derived[tuple[str, ...]](())
    """The sources of the blocks of the main content, each once."""

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links inside the main content, in document order."""
        return tuple(link for link in self.all_links if link.label.is_main)

    all_links = _Derived[tuple[Link, ...]]((), "links")
    """All links of the page, each with the label of its block."""
    _linked_words = _Derived[int](0, "linked_words")
    """The words of the main content that are in links."""
    media = _Derived[tuple[Media, ...]](())
    """Images, video, audio and embeds inside the main content."""
    metadata = _Derived[Metadata](Metadata())
    """The page's own metadata (title, author, dates, ...)."""

    @property
    def title(self) -> str | None:
        """The page's title, without the site's name where that is recognised."""
        return self._metadatum("title")

    @property
    def language(self) -> str | None:
        """The language the page declares, as a BCP 47 tag in lower case."""
        return self._metadatum("language")

    def _metadatum(self, name: str) -> str | None:
        """A field of the metadata, without the time that the others take."""
        if "metadata" in self.__dict__ or not self._extraction:
            return self.metadata.as_dict()[name]
        found: str | None = self._read(f"find_{name}")
        return found

    def as_dict(self, *, blocks: bool = False) -> dict[str, Any]:
        """All of the page as plain data for JSON, with every block if ``blocks``."""
        data = self.as_row()
        for name in ("links", "all_links", "media", "sections", "posts", "entries"):
            data[name] = [*map(as_plain, getattr(self, name))]
        for name in PAGE_RECORDS:
            data[name] = as_plain(getattr(self, name))
        data |= as_plain(self._pagination) | {"static": self.static}
        data["metadata_sources"] = dict(self.metadata.sources)
        data["metadata_probabilities"] = dict(self.metadata.probabilities)
        if blocks:
            data["blocks"] = [*map(as_plain, self.blocks)]
        data["warnings"] = [*self.warnings]
        return data

    def as_row(self) -> dict[str, Any]:
        """The page without lists of links, media and sections, for any kind of feed.

        The values are texts, numbers and lists of codes.
        """
        values = {name: getattr(self, name) for name in ROW}
        values["warnings"] = self.warnings  # those of the outputs as well
        lists = {k: [*v] for k, v in values.items() if isinstance(v, tuple)}
        return {"url": self.url, **self.metadata.as_dict(), **values, **lists}

    def to_item(self, name: str | None = None) -> Any:
        """The page as an item of zyte-common-items (the extra ``items``).

        That is the first of ``JobPosting``, ``Product``, ``ForumThread``,
        ``ProductList``, ``ArticleList`` and ``BusinessPlace`` that the page is one of,
        else an ``Article``. With a *name*, also ``SearchRequestTemplate``, it is that
        item, or ``None`` if the page is none. ``metadata.probability`` is that of the
        page type, ``None`` without a prediction.

        Raises :exc:`ImportError` without the extra, :exc:`ValueError` for a page
        without a URL and for an unknown name.
        """
        from .common_items import make_item

        return make_item(self, name)
