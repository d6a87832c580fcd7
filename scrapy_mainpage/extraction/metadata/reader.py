"""Metadata of a page from its document: title, language, author, dates and others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING

from ...page import Metadata
from ...text.language import normalise_language
from ..declared.meta import Found, from_source
from ..document.schema import HEADING_SHIFT
from ..document.site_frame import heading_blocks, is_banner, leads_home
from ..title_rule import letters
from .authors import find_author
from .candidates import Places
from .dates import normalise_date
from .field_models import choose_date, source_probability
from .moments import find_moments
from .plaintext import blocks_saying, clean
from .titles import after_kicker, choose_title, home_link_names, site_names

if TYPE_CHECKING:
    from ..declared import Declared
    from ..document.schema import Mask
    from .candidates import Candidate

_IN_URL = re.compile(
    r"/((?:19|20)[0-9]{2}([/_-]?)[0-9]{1,2}\2[0-9]{1,2}"
    r"|[0-9]{1,2}([._-])[0-9]{1,2}\3(?:19|20)[0-9]{2})(?![0-9])"
)
MIN_SURE = 0.9
"""Probability of a shown date that outranks a meta element and the address."""

MAX_DATES = 10
"""Values that are tried for one date."""

MAX_HEADINGS = 5
"""First headings of each level, one of which may be the title."""

MAX_FIRST = 50
"""Headings of the page up to that above the main content."""


class MetadataReader:
    """The metadata of a page from what it has *declared* and what it shows.

    Never raises: missing, broken and implausible values are ``None``. *block_text*
    gives the text of a block, by default as the document has it. *main* is the mask of
    the main content and *title_block* the block of the title, where they are known.
    """

    def __init__(
        self,
        declared: Declared,
        block_text: Callable[[int], str] | None = None,
        main: Mask | None = None,
        title_block: int = -1,
    ) -> None:
        self.declared, self.meta = declared, declared.meta
        self.document, self.url = declared.document, declared.url
        self._places = Places(self.document, main, title_block)
        self._block_text = block_text or self.document.block_text

    @cached_property
    def language(self) -> str | None:
        """The declared language, as a BCP 47 tag in lower case.

        "en" on the root element is the default of templates: another declaration that
        names another language was chosen for the page.
        """
        return self._language.value if self._language else None

    @cached_property
    def _language(self) -> Found | None:
        root = normalise_language(self.meta.language)
        others = (
            each._replace(value=tag)
            for each in self.declared.found("language")
            # Without a region it is not a locale: some write the market there.
            if each.source != "opengraph" or len(each.value) > 3
            if (tag := normalise_language(each.value))
        )
        first = next(others, None)
        if root and root.startswith("en") and first:
            return Found("html", root) if first.value.startswith("en") else first
        return Found("html", root) if root else first

    def metadata(self) -> Metadata:
        """All fields, and the source and the probability of each."""
        title = self.title
        found = {
            "title": Found(self._source_of(title), title) if title else None,
            "language": self._language,
            "author": find_author(self.declared, self._sites, self._places),
            "date_published": self._date(self._dates("date_published")),
            "date_modified": self._date(self._dates("date_modified")),
            "description": _first(self.declared.found("description")),
            "image": self._image(),
            "site_name": _first(self._site_names),
        }
        known = {name: each for name, each in found.items() if each}
        return Metadata(
            canonical_url=self.meta.canonical_url,
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
            [found.value for found in self.declared.found("title")],
            next(filter(None, map(clean, self.document.head_texts("title"))), None),
            *self._shown,
            self._subheadings(),
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
        own = (h for h in chain(*self._shown) if letters(text).endswith(letters(h)))
        return next(own, clean(text))

    @cached_property
    def _shown(self) -> tuple[list[str], list[str]]:
        """Headings of the first level, and those of them in the banner."""
        first = self._headings_of("h1")
        inside, banner = ([h for h, b in first if b == each] for each in (False, True))
        return inside, banner

    def _subheadings(self) -> Iterator[str]:
        """Headings of the second level, which few pages need."""
        yield from (heading for heading, _ in self._headings_of("h2"))

    def _is_block(self, text: str) -> bool:
        """Whether a text block says just *text*, and is not a link as a logo is."""
        document = self.document
        for block in blocks_saying(document, text):
            linked = document.blocks.linked_words[block] == document.blocks.words[block]
            if linked and document.blocks.flags[block] >> HEADING_SHIFT:
                linked = leads_home(document, int(document.blocks.element[block]))
            if not linked:
                return True
        return False

    def _headings_of(self, tag: str) -> list[tuple[str, bool]]:
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

    def _source_of(self, title: str) -> str:
        """A heading if one says the *title*, else the first declaration with it."""
        wanted = letters(title)
        equal = (source for source, text in self._titles() if text == wanted)
        within = (source for source, text in self._titles() if wanted in text)
        return next(chain(equal, within), "text")

    def _titles(self) -> Iterator[tuple[str, str]]:
        """The letters of all that may be the title, each with its source."""
        shown = from_source("heading", chain(*self._shown, self._subheadings()))
        heads = from_source("title", self.document.head_texts("title"))
        for each in chain(shown, self.declared.found("title"), heads):
            yield each.source, letters(each.value)

    @cached_property
    def _sites(self) -> frozenset[str]:
        return site_names([found.value for found in self._site_names], self.url)

    @cached_property
    def _site_names(self) -> list[Found]:
        found = [*self.declared.found("site_name")]
        first = [each for each in found if each.source == "opengraph"]
        # A publisher or an application may be called otherwise.
        website = self.declared.website.texts("name", "alternateName")
        return [*first, *from_source("json-ld", website), *found]

    def _date(self, values: Iterable[Found]) -> Found | None:
        return _first(
            each._replace(value=self._read_date(each.value))
            for each in islice(values, MAX_DATES)
        )

    def _read_date(self, value: object) -> str | None:
        return normalise_date(value, self.language)

    @cached_property
    def _moments(self) -> list[Candidate]:
        return find_moments(self.document, self._places)

    def _shown_date(self, field: str) -> Iterator[Found]:
        """The likeliest date in the visible page."""
        if found := choose_date(field, self._moments, self._read_date):
            yield found

    def _dates(self, field: str) -> Iterator[Found]:
        declared = [*self.declared.found(field)]
        # A meta element may have the day of a template, or of the last build.
        is_weak = not declared or declared[0].source == "meta"
        shown = [*self._shown_date(field)] if is_weak else []
        yield from (each for each in shown if (each.probability or 0) >= MIN_SURE)
        yield from declared
        is_published = field == "date_published"
        if is_published and (match := _IN_URL.search(self.url or "")):
            yield Found("url", match[1].replace("_", "-"))
        yield from shown if is_weak else self._shown_date(field)
        if is_published:
            yield from self.declared.found("date_created")

    def _image(self) -> Found | None:
        linked = from_source("link", self.meta.links.get("image_src", ()))
        found = chain(self.declared.found("image"), linked)
        absolute = self.meta.absolute
        return _first(each._replace(value=absolute(each.value)) for each in found)


def _first(values: Iterable[Found]) -> Found | None:
    return next((found for found in values if found.value), None)
