"""Metadata of a page from its document: title, language, author, dates and others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ...page import Metadata
from ...text.language import normalise_language
from ..document.schema import HEADING_SHIFT
from ..document.site_frame import heading_blocks, is_banner, leads_home
from ..title_rule import letters
from .authors import find_author
from .candidates import Places
from .dates import normalise_date
from .declarations import Found, from_source, read_declarations
from .field_models import choose_date, source_probability
from .jsonld import read_jsonld, types_of
from .microdata import PageItem
from .moments import find_moments
from .plaintext import MAX_OCCURRENCES, clean
from .titles import after_kicker, choose_title, home_link_names, site_names, uncut

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.schema import Mask
    from .candidates import Candidate
    from .declarations import Declarations
    from .jsonld import JsonLd

_PUBLISHED = (
    "article:published_time", "og:article:published_time", "datepublished",
    "date_published", "publishdate", "publish-date", "publish_date", "published",
    "published_time", "pubdate", "article:published", "article.published",
    "parsely-pub-date", "sailthru.date", "dc.date.issued", "dcterms.issued",
    "dcterms.created", "dc.date.created", "dcterms.date", "dc.date", "dc:date",
    "citation_publication_date", "citation_date", "date", "displaydate",
    "cxenseparse:publishtime", "cxenseparse:recs:publishtime",
    "article:create_time", "article_date_original",
    "og:published_time", "og:pubdate", "video:release_date", "book:release_date",
)  # fmt: skip
_MODIFIED = (
    "article:modified_time", "og:article:modified_time", "og:updated_time",
    "datemodified", "date_modified", "dcterms.modified", "dc.date.modified",
    "article:modified", "modified", "last-modified", "lastmod", "lastmodified",
    "article:updated_time", "http-equiv:last-modified", "revised",
)  # fmt: skip
_IN_URL = re.compile(r"/((?:19|20)[0-9]{2})([/-])([0-9]{2})\2([0-9]{2})(?=[/_-]|$)")
MAX_DATES = 10
"""Values that are tried for one date."""

MAX_HEADINGS = 5
MAX_FIRST = 50
"""Headings one of which may be the title."""


class MetadataReader:
    """The metadata of the page at *url* (``None`` if unknown), each source read once.

    Never raises: missing, broken and implausible values are ``None``. *block_text*
    gives the text of a block, by default as the document has it. *declared* and
    *jsonld* are the page's, if they were read before. *main* is the mask of its main
    content and *title_block* the block of its title, where they are known.
    """

    def __init__(
        self,
        document: Document,
        url: str | None,
        block_text: Callable[[int], str] | None = None,
        declared: Declarations | None = None,
        jsonld: JsonLd | None = None,
        main: Mask | None = None,
        title_block: int = -1,
    ) -> None:
        self.document = document
        self.url = url
        self._places = Places(document, main, title_block)
        self._block_text = block_text or document.block_text
        self.declared = declared or read_declarations(document, url)
        self.canonical_url = self.declared.canonical_url
        self.jsonld = jsonld or read_jsonld(
            document.head_texts("script"),
            (url, self.canonical_url),
            document.budget.renew(),
        )

    @cached_property
    def _item(self) -> PageItem:
        return PageItem(self.document)

    @cached_property
    def language(self) -> str | None:
        """The declared language, as a BCP 47 tag in lower case.

        "en" on the root element is the default of templates: another declaration that
        names another language was chosen for the page.
        """
        return self._language.value if self._language else None

    @cached_property
    def _language(self) -> Found | None:
        root = normalise_language(self.declared.language)
        others = (
            each._replace(value=tag)
            for each in self._languages()
            if (tag := normalise_language(each.value))
        )
        first = next(others, None)
        if root and root.startswith("en") and first:
            return Found("html", root) if first.value.startswith("en") else first
        return Found("html", root) if root else first

    def _languages(self) -> Iterator[Found]:
        declared = self.declared
        yield from declared.found("http-equiv:content-language", "content-language")
        for value in self.jsonld.values("inLanguage"):
            yield Found("json-ld", _text(value, "alternateName", "name"))
        # Without a region it is not a locale: some write the country or market there.
        yield from (f for f in declared.found("og:locale") if len(f.value) > 3)
        yield from declared.found("dc.language", "dcterms.language", "language")

    def metadata(self) -> Metadata:
        """All fields, and the source and the probability of each."""
        document, declared = self.document, self.declared
        title = self.title
        found = {
            "title": Found(self._source_of(title), title) if title else None,
            "language": self._language,
            "author": find_author(
                document, declared, self.jsonld, self._item, self._sites, self._places
            ),
            "date_published": self._date(self._published()),
            "date_modified": self._date(self._modified()),
            "description": self._description(),
            "image": self._image(),
            "site_name": _first(self._site_names),
        }
        known = {name: each for name, each in found.items() if each}
        return Metadata(
            canonical_url=self.canonical_url,
            sources={name: each.source for name, each in known.items()},
            probabilities={
                name: round(share, 3)
                for name, each in known.items()
                if (share := each.probability or source_probability(name, each.source))
            },
            **{name: each.value for name, each in known.items()},
        )

    @cached_property
    def title(self) -> str | None:
        """The title, without the site's name where that is recognised."""
        return choose_title(
            [found.value for found in self._titles],
            _first_text(map(clean, self.document.head_texts("title"))),
            *self._shown,
            self._is_block,
            self._sites | site_names(home_link_names(self.document, self.url), None),
            self._headline(),
        )

    def _headline(self) -> str | None:
        """The first-level heading above the main content."""
        title = self._places.title
        if title < 0 or (title, 1) not in self.document.headings[:MAX_FIRST]:
            return None
        text = self._block_text(title)
        own = (h for h in chain(*self._shown[:2]) if letters(text).endswith(letters(h)))
        return next(own, clean(text))

    @cached_property
    def _shown(self) -> tuple[list[str], list[str], list[str]]:
        """Headings of the first level, those in the banner, those of the second."""
        first = self._headings("h1")
        inside, banner = ([h for h, b in first if b == each] for each in (False, True))
        return inside, banner, [heading for heading, _ in self._headings("h2")]

    @cached_property
    def _titles(self) -> list[Found]:
        """The titles that are declared for machines, best first."""
        content, declared = self.jsonld.content, self.declared
        names = [clean(content.get(key)) for key in ("headline", "name", "title")]
        own = [*from_source("json-ld", filter(None, names))]
        described = "VideoObject" not in types_of(content)
        items = filter(None, map(self._item.value, self._item.elements("headline")))
        return [
            *(own if described else ()),
            *[*declared.found("og:title")][:1],
            *[*declared.found("twitter:title")][:1],
            *(() if described else own),
            *from_source("microdata", islice(items, 1)),
            *[*declared.found("dc.title", "dcterms.title", "citation_title")][:1],
        ]

    def _source_of(self, title: str) -> str:
        """A heading if one says the *title*, else the first declaration with it."""
        wanted = letters(title)
        shown = from_source("heading", chain(*self._shown))
        titles = from_source("title", self.document.head_texts("title"))
        texts = [
            (each.source, letters(each.value))
            for each in (*shown, *self._titles, *titles)
        ]
        equal = (source for source, text in texts if text == wanted)
        return next(
            chain(equal, (source for source, text in texts if wanted in text)), "text"
        )

    @cached_property
    def _sites(self) -> frozenset[str]:
        return site_names([found.value for found in self._site_names], self.url)

    def _is_block(self, text: str) -> bool:
        """Whether a text block says just *text*, and is not a link as a logo is."""
        document, wanted = self.document, text.encode("utf-8", "replace")
        start = document.text.find(wanted)
        for _ in range(MAX_OCCURRENCES):
            if start < 0:
                break
            block = int(np.searchsorted(document.blocks.start, start, "right")) - 1
            linked = document.blocks.linked_words[block] == document.blocks.words[block]
            if linked and document.blocks.flags[block] >> HEADING_SHIFT:
                linked = leads_home(document, int(document.blocks.element[block]))
            if not linked and document.block_text(block).strip() == text:
                return True
            start = document.text.find(wanted, start + 1)
        return False

    def _headings(self, tag: str) -> list[tuple[str, bool]]:
        """The texts of the first headings, and whether each is in the page's banner.

        A link to the site's home is a logo.
        """
        document, found = self.document, []
        blocks = range(document.n_blocks)
        for heading in document.elements_with_tag(tag)[:MAX_HEADINGS].tolist():
            own = blocks[heading_blocks(document, heading)]
            text = not leads_home(document, heading) and clean(
                after_kicker(document, heading) or " ".join(map(self._block_text, own))
            )
            if text:
                flags = int(document.elements.flags[heading])
                found.append((text, is_banner(flags)))
        return found

    @cached_property
    def _site_names(self) -> list[Found]:
        return [*self._find_site_names()]

    def _find_site_names(self) -> Iterator[Found]:
        yield from self.declared.found("og:site_name")
        website, publishers = self.jsonld.website, self.jsonld.values("publisher")
        names = (clean(website.get(key)) for key in ("name", "alternateName"))
        yield from from_source("json-ld", filter(None, names))
        names = (_text(value, "name") for value in publishers)
        yield from from_source("json-ld", filter(None, names))
        yield from self.declared.found(
            "application-name", "apple-mobile-web-app-title", "publisher"
        )

    def _date(self, values: Iterable[Found]) -> Found | None:
        return _first(
            each._replace(value=self._read_date(each.value))
            for each in islice(values, MAX_DATES)
        )

    def _read_date(self, value: Any) -> str | None:
        return normalise_date(value, self.language)

    @cached_property
    def _moments(self) -> list[Candidate]:
        return find_moments(self.document, self._places)

    def _shown_date(self, field: str) -> Iterator[Found]:
        """The likeliest date in the visible page."""
        if found := choose_date(field, self._moments, self._read_date):
            yield found

    def _published(self) -> Iterator[Found]:
        yield from from_source("json-ld", self.jsonld.values("datePublished"))
        yield from self.declared.found(*_PUBLISHED)
        yield from self._item_values("datepublished")
        yield from self._shown_date("date_published")
        yield from from_source("json-ld", self.jsonld.values("dateCreated"))
        if match := _IN_URL.search(self.url or ""):
            yield Found("url", f"{match[1]}-{match[3]}-{match[4]}")

    def _modified(self) -> Iterator[Found]:
        yield from from_source("json-ld", self.jsonld.values("dateModified"))
        yield from self.declared.found(*_MODIFIED)
        yield from self._item_values("datemodified")
        yield from self._shown_date("date_modified")

    def _item_values(self, name: str) -> Iterator[Found]:
        values = map(self._item.value, self._item.elements(name))
        return from_source("microdata", values)

    def _description(self) -> Found | None:
        declared = self.declared
        own = filter(None, map(clean, self.jsonld.values("description")))
        found = [
            *declared.found("og:description", "description", "twitter:description"),
            *from_source("json-ld", own),
            *declared.found("dc.description", "dcterms.description"),
        ]
        texts = [each.value for each in found]
        return Found(found[0].source, uncut(texts[0], texts)) if found else None

    def _image(self) -> Found | None:
        declared = self.declared
        keys = ("url", "contentUrl", "@id")
        own = (_text(value, *keys) for value in self.jsonld.values("image"))
        found = (
            *declared.found("og:image:secure_url", "og:image", "og:image:url"),
            *from_source("json-ld", own),
            *declared.found("twitter:image", "twitter:image:src"),
            *from_source("link", declared.links.get("image_src", ())),
        )
        return _first(
            each._replace(value=declared.absolute(each.value)) for each in found
        )


def _first(values: Iterable[Found]) -> Found | None:
    return next((found for found in values if found.value), None)


def _first_text(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value), None)


def _text(value: Any, *keys: str) -> str | None:
    """A text, or the text that a node has under one of *keys*."""
    if isinstance(value, dict):
        return _first_text(clean(value.get(key)) for key in keys)
    return clean(value)
