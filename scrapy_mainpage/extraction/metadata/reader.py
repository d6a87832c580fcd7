"""Metadata of a page from its document: title, language, author, dates and others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ...page import Metadata
from ...text.language import normalise_language
from ..document.schema import HEADING_SHIFT
from ..document.site_frame import heading_blocks, is_banner, leads_home
from .authors import find_author
from .datelines import find_time, find_written_date
from .dates import normalise_date
from .declarations import Microdata, read_declarations
from .jsonld import read_jsonld, types_of
from .plaintext import MAX_OCCURRENCES, clean
from .titles import choose_title, home_link_names, site_names, uncut

if TYPE_CHECKING:
    from ..document.document import Document
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


class MetadataReader:
    """The metadata of the page at *url* (``None`` if unknown), each source read once.

    Never raises: missing, broken and implausible values are ``None``. *block_text*
    gives the text of a block, by default as the document has it. *declared* and
    *jsonld* are the page's, if they were read before.
    """

    def __init__(
        self,
        document: Document,
        url: str | None,
        block_text: Callable[[int], str] | None = None,
        declared: Declarations | None = None,
        jsonld: JsonLd | None = None,
    ) -> None:
        self.document = document
        self.url = url
        self._block_text = block_text or document.block_text
        self.declared = declared or read_declarations(document, url)
        self.canonical_url = self.declared.canonical_url
        self.jsonld = jsonld or read_jsonld(
            document.head_texts("script"), (url, self.canonical_url)
        )

    @cached_property
    def _item(self) -> Microdata:
        return Microdata(self.document)

    @cached_property
    def language(self) -> str | None:
        """The declared language, as a BCP 47 tag in lower case.

        "en" on the root element is the default of templates: another declaration that
        names another language was chosen for the page.
        """
        root = normalise_language(self.declared.language)
        others = [tag for tag in map(normalise_language, self._languages()) if tag]
        if root and root.startswith("en"):
            chosen = (tag for tag in others[:1] if not tag.startswith("en"))
            return next(chosen, root)
        return root or next(iter(others), None)

    def _languages(self) -> Iterator[str | None]:
        yield from self.declared.all("http-equiv:content-language", "content-language")
        for value in self.jsonld.values("inLanguage"):
            yield _text(value, "alternateName", "name")
        # Without a region it is not a locale: some write the country or market there.
        yield from (text for text in self.declared.all("og:locale") if len(text) > 3)
        yield from self.declared.all("dc.language", "dcterms.language", "language")

    def metadata(self) -> Metadata:
        """All fields."""
        return Metadata(
            title=self.title(),
            language=self.language,
            canonical_url=self.canonical_url,
            author=find_author(
                self.document, self.declared, self.jsonld, self._item, self._sites
            ),
            date_published=self._date(self._published()),
            date_modified=self._date(self._modified()),
            description=self._description(),
            image=self._image(),
            site_name=_first(self._site_names),
        )

    def title(self) -> str | None:
        """The title, without the site's name where that is recognised."""
        content, first = self.jsonld.content, self.declared.first
        names = [clean(content.get(key)) for key in ("headline", "name", "title")]
        described = "VideoObject" not in types_of(content)
        return choose_title(
            (
                *(names if described else ()),
                first("og:title"),
                first("twitter:title"),
                *(() if described else names),
                _first(map(self._item.value, self._item.elements("headline"))),
                first("dc.title", "dcterms.title", "citation_title"),
            ),
            _first(map(clean, self.document.head_texts("title"))),
            self._headings("h1", banner=False),
            self._headings("h1", banner=True),
            self._headings("h2"),
            self._is_block,
            self._sites | site_names(home_link_names(self.document, self.url), None),
        )

    @cached_property
    def _sites(self) -> frozenset[str]:
        return site_names(self._site_names, self.url)

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

    def _headings(self, tag: str, *, banner: bool | None = None) -> list[str]:
        """The texts of the first headings; a link to the site's home is a logo.

        With *banner* only those in the page's banner, or outside of it.
        """
        document = self.document
        headings = document.elements_with_tag(tag)[:MAX_HEADINGS].tolist()
        flags = document.elements.flags
        blocks = range(document.n_blocks)
        texts = (
            " ".join(map(self._block_text, blocks[heading_blocks(document, heading)]))
            for heading in headings
            if (banner is None or is_banner(int(flags[heading])) == banner)
            and not leads_home(document, heading)
        )
        return [text for text in map(clean, texts) if text]

    @cached_property
    def _site_names(self) -> list[str]:
        return [*self._find_site_names()]

    def _find_site_names(self) -> Iterator[str]:
        yield from self.declared.all("og:site_name")
        for key in ("name", "alternateName"):
            if name := clean(self.jsonld.website.get(key)):
                yield name
        for value in self.jsonld.values("publisher"):
            if name := _text(value, "name"):
                yield name
        yield from self.declared.all(
            "application-name", "apple-mobile-web-app-title", "publisher"
        )

    def _date(self, values: Iterable[Any]) -> str | None:
        some = islice(values, MAX_DATES)
        return _first(normalise_date(value, self.language) for value in some)

    def _published(self) -> Iterator[Any]:
        yield from self.jsonld.values("datePublished")
        yield from self.declared.all(*_PUBLISHED)
        yield from map(self._item.value, self._item.elements("datepublished"))
        yield find_time(self.document, modified=False)
        yield from self.jsonld.values("dateCreated")
        if match := _IN_URL.search(self.url or ""):
            yield f"{match[1]}-{match[3]}-{match[4]}"
        yield find_written_date(self.document, modified=False)

    def _modified(self) -> Iterator[Any]:
        yield from self.jsonld.values("dateModified")
        yield from self.declared.all(*_MODIFIED)
        yield from map(self._item.value, self._item.elements("datemodified"))
        yield find_time(self.document, modified=True)
        yield find_written_date(self.document, modified=True)

    def _description(self) -> str | None:
        texts = [
            *self.declared.all("og:description", "description", "twitter:description"),
            *filter(None, map(clean, self.jsonld.values("description"))),
            *self.declared.all("dc.description", "dcterms.description"),
        ]
        return uncut(texts[0], texts) if texts else None

    def _image(self) -> str | None:
        declared = self.declared
        texts: list[str | None] = [
            *declared.all("og:image:secure_url", "og:image", "og:image:url"),
            *(
                _text(value, "url", "contentUrl", "@id")
                for value in self.jsonld.values("image")
            ),
            *declared.all("twitter:image", "twitter:image:src"),
            *declared.links.get("image_src", ()),
        ]
        return _first(map(declared.absolute, texts))


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value), None)


def _text(value: Any, *keys: str) -> str | None:
    """A text, or the text that a node has under one of *keys*."""
    if isinstance(value, dict):
        return _first(clean(value.get(key)) for key in keys)
    return clean(value)
