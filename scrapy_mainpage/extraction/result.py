"""The result of an extraction: a document, its labels, and outputs derived lazily.

An :class:`Extraction` is plain data (arrays and bytes). Each output is made on first
access; only the text is made at once, by the extractor.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..label import Label
from ..page import Block, Box, Page
from .document.schema import Context
from .labels import LABELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import numpy.typing as npt

    from ..page import Link, Media, Metadata, Section
    from ..records import (
        Entry,
        Event,
        Job,
        Pagination,
        Place,
        Post,
        Product,
        Recipe,
        SearchForm,
    )
    from .algorithms import Algorithm
    from .document.document import Document
    from .document.schema import Bytes, Floats, Longs, Mask
    from .labels.labelling import LabelEvidence
    from .metadata.reader import MetadataReader
    from .output._text import TextWriter

_NOSCRIPT: Final = int(Context.NOSCRIPT)  # for arrays: a flag takes far more time


MIN_TYPE_PROBABILITY: Final = 0.6
"""A page whose likeliest type is less likely has none. In cross-validation 44% of these
types are right, of the others 89%."""

MAX_THIN_WORDS: Final = 100
"""A page with fewer words of main content is thin: embedded data may add to it."""


@dataclass(frozen=True, eq=False)
class Extraction:
    """A document with a score and a label for each of its text blocks.

    ``main`` is the mask of main content, ``scores`` are the algorithm's scores;
    *algorithm* predicts the page type on demand.
    """

    document: Document
    url: str | None
    scores: Floats
    main: Mask
    title_block: int = -1
    """The block that is the page's title, or -1; it need not be main content."""
    algorithm: Algorithm | None = None
    title: str | None = None
    """The title to write before the main content, which has no heading for it."""
    supplements: tuple[Supplement, ...] = ()
    """Main content from embedded data, in the order in which it is appended."""
    ruled_fields: Mapping[str, str] = field(default_factory=dict)
    """Texts of fields that rules of the site found (see :mod:`.page_rules`)."""
    ruled_records: Mapping[str, list[int]] = field(default_factory=dict)
    """The elements of posts and entries that rules of the site found."""
    boxes: Floats | None = None
    """The x, y, width and height of each block's element, if the page was rendered."""

    def __getstate__(self) -> dict[str, Any]:
        # Labels can be derived again, the page type only by the algorithm, which may
        # not be picklable.
        state = {item.name: getattr(self, item.name) for item in fields(self)}
        return state | {"algorithm": None, "page_types": self.page_types}

    @cached_property
    def page_types(self) -> dict[str, float]:
        """The types that the algorithm predicts, the likeliest first."""
        if self.algorithm is None:
            return {}
        return self.algorithm.page_types(self.document, self.scores)

    @property
    def page_type(self) -> str | None:
        """The likeliest type; ``None`` if it is not likely enough."""
        likeliest = next(iter(self.page_types), None)
        if likeliest and self.page_types[likeliest] >= MIN_TYPE_PROBABILITY:
            return likeliest
        return None

    @cached_property
    def labels(self) -> Bytes:
        """The label of each block as an index of ``LABELS``."""
        return self._rated_labels[0]

    @cached_property
    def _rated_labels(self) -> tuple[Bytes, Floats]:
        from .labels.labelling import label_blocks

        found = label_blocks(
            self._label_evidence, lambda: next(iter(self.page_types), None)
        )
        self.__dict__.pop("_label_evidence", None)  # large, and no longer needed
        return found

    @cached_property
    def main_labels(self) -> Bytes:
        """The labels of the main content; those of other blocks are undefined."""
        if "labels" in self.__dict__:
            return self.labels
        from .labels.labelling import label_main

        return label_main(self._label_evidence)

    @cached_property
    def _label_evidence(self) -> LabelEvidence:
        from .labels.labelling import LabelEvidence

        return LabelEvidence(self.document, self.main, self.title_block)

    @cached_property
    def _writer(self) -> TextWriter:
        from .output.text import make_writer

        return make_writer(self.document)

    @cached_property
    def words(self) -> int:
        """The number of words of the main content, without the supplements."""
        return int(self.document.blocks.words.sum(where=self.main))

    def block_text(self, block: int) -> str:
        """The text of *block* without permalinks and line numbers."""
        return self._writer.block_text(block)

    def label(self, block: int) -> Label:
        """The label of *block*; ``Label.OTHER`` for -1, outside of all blocks."""
        return LABELS[self.labels[block]] if block >= 0 else Label.OTHER

    def blocks(self) -> tuple[Block, ...]:
        """Every text block in document order, then the supplements' main blocks."""
        document = self.document
        paths = document.xpaths(document.blocks.element, document.output_budget)
        blocks = [*self._make_blocks(np.arange(document.n_blocks), paths)]
        for item in self.supplements:
            places, path = np.flatnonzero(item.content.main), repeat(item.xpath)
            added = item.content._make_blocks(places, path, len(blocks), item.source)
            blocks.extend(added)
        return tuple(blocks)

    def _make_blocks(
        self,
        places: Longs,
        paths: Iterable[str],
        first: int = 0,
        source: str | None = None,
    ) -> Iterator[Block]:
        """The blocks at *places*, from number *first*; with *source* if it is given."""
        document, blocks = self.document, self.document.blocks
        scores = (self.scores, document.link_density(), self._rated_labels[1])
        columns: tuple[npt.NDArray[Any], ...] = (
            np.arange(document.n_blocks), self.labels, blocks.element, blocks.flags,
            blocks.words, *(np.round(column.astype(float), 4) for column in scores),
        )  # fmt: skip
        rows = zip(*(column[places].tolist() for column in columns), strict=True)
        for index, (row, xpath) in enumerate(zip(rows, paths, strict=False), first):
            i, label, element, flags, words, score, density, probability = row
            own = "noscript" if flags & _NOSCRIPT else "document"
            yield Block(  # in the order of the fields, which is faster than by name
                index,
                self.block_text(i) or document.block_text(i),
                LABELS[label],
                score,
                xpath,
                document.tag_name(element),
                words,
                density,
                None if self.boxes is None else Box(*self.boxes[i].tolist()),
                source or own,
                probability,
            )

    def sections(self) -> tuple[Section, ...]:
        """The main content divided by its headings, then the supplements."""
        from .output.text import find_sections, head_section, place_sections

        found = [*find_sections(self.document, self.main, self.main_labels)]
        if self.title:
            found[:1] = head_section(self.title, found[:1])
        added_from = self.document.n_blocks
        for item in self.supplements:
            content = item.content
            found += find_sections(
                content.document, content.main, content.main_labels, added_from
            )
            added_from += int(content.main.sum())
        return tuple(place_sections(found, self.find_title()))

    def markdown_of(self, first: int, end: int) -> str:
        """The main content among some of the blocks, supplements included."""
        from .output.writers import write_markdown

        parts, place = [], 0
        for content in self._all():
            main = content.main.copy()
            if place == 0:  # blocks of the page are numbered as they are
                main[:first] = main[end:] = False
                place = content.document.n_blocks
            else:
                numbers = np.cumsum(main) - 1 + place
                place += int(main.sum())
                main &= (numbers >= first) & (numbers < end)
            if main.any():
                parts.append(write_markdown(content.document, main, content.url))
        return "\n\n".join(filter(None, parts))

    def comments(self) -> str:
        """The blocks labelled as comments, separated by blank lines."""
        if "labels" not in self.__dict__ and not self._label_evidence.may_have_comments:
            return ""
        chosen = (self.labels == LABELS.index(Label.COMMENTS)).nonzero()[0].tolist()
        return "\n\n".join(map(self.document.block_text, chosen))

    def posts(self) -> tuple[Post, ...]:
        """The posts of a thread, answers or comments."""
        from .records.posts import find_posts

        return find_posts(self)

    def entries(self) -> tuple[Entry, ...]:
        """The entries of a listing."""
        from .records.entries import find_entries

        return find_entries(self)

    def product(self) -> Product | None:
        """The product of the page, declared, shown or given by rules."""
        from .records.products import find_product

        if not self.ruled_fields:
            return find_product(self)
        from .page_rules import ruled_product

        return ruled_product(self, self.ruled_fields)

    def job(self) -> Job | None:
        """The job that the page declares."""
        from .records.schema_records import find_job

        return find_job(self)

    def event(self) -> Event | None:
        """The event that the page declares."""
        from .records.schema_records import find_event

        return find_event(self)

    def recipe(self) -> Recipe | None:
        """The recipe that the page declares."""
        from .records.schema_records import find_recipe

        return find_recipe(self)

    def place(self) -> Place | None:
        """The business or place that the page declares."""
        from .records.schema_records import find_place

        return find_place(self)

    def pagination(self) -> Pagination:
        """The other pages of the listing or thread."""
        from .records.pagination import find_pagination

        return find_pagination(self.document, self.url)

    def search_form(self) -> SearchForm | None:
        """The form that searches the site."""
        from .records.searchform import find_search_form

        return find_search_form(self.document, self.url)

    def sources(self) -> tuple[str, ...]:
        """The distinct sources of the main content, ``document`` first."""
        inside = self.document.blocks.flags[self.main] & _NOSCRIPT
        hidden = np.count_nonzero(inside)
        own = ("document",) if hidden < len(inside) else ()
        noscript = ("noscript",) if hidden else ()
        added = (item.source for item in self.supplements)
        return tuple(dict.fromkeys((*own, *noscript, *added)))

    def markdown(self) -> str:
        """The main content as Markdown."""
        from .output.writers import write_markdown, write_title

        parts = (write_markdown(c.document, c.main, c.url) for c in self._all())
        title = self.title and write_title(self.title, write_markdown)
        return "\n\n".join(filter(None, (title, *parts)))

    def html(self) -> str:
        """The main content as sanitised HTML."""
        from .output.writers import write_html, write_title

        parts = (write_html(c.document, c.main, c.url) for c in self._all())
        title = self.title and write_title(self.title, write_html)
        return "\n".join(filter(None, (title, *parts)))

    def links(self) -> tuple[Link, ...]:
        """All links of the page, and the links of the supplements' main content."""
        from .output.links import find_links

        own, *added = (find_links(c.document, c.labels, c.url) for c in self._all())
        rest = (link for links in added for link in links if link.label.is_main)
        return (*own, *rest)

    def media(self) -> tuple[Media, ...]:
        """Distinct images, video, audio and embeds of the main content."""
        from .output.links import find_media

        found = (
            media
            for c in self._all()
            for media in find_media(c.document, c.main, c.url)
        )
        return tuple({(media.kind, media.url): media for media in found}.values())

    def _all(self) -> tuple[Extraction, ...]:
        return (self, *(item.content for item in self.supplements))

    @cached_property
    def _metadata_reader(self) -> MetadataReader:
        from .metadata.reader import MetadataReader

        return MetadataReader(
            self.document,
            self.url,
            self._writer.block_text,
            main=self.main,
            title_block=self.title_block,
        )

    def find_title(self) -> str | None:
        """The title of the metadata, without the time that its other fields take."""
        return self.ruled_fields.get("title") or self._metadata_reader.title

    def metadata(self) -> Metadata:
        """The metadata that the page declares and shows."""
        found = self._with_language(self._metadata_reader.metadata())
        self.__dict__.pop("_metadata_reader", None)  # large, and no longer needed
        if not self.ruled_fields:
            return found
        from .page_rules import override

        return override(found, self.ruled_fields)

    def _with_language(self, found: Metadata) -> Metadata:
        """*found* with the language of the text, where another one is declared."""
        from ..text.language import CHECKED_CHARACTERS, check_language

        ends = np.cumsum(self.document.blocks.chars[self.main])
        count = int(np.searchsorted(ends, CHECKED_CHARACTERS)) + 1
        blocks = np.flatnonzero(self.main)[:count].tolist()
        text = " ".join(map(self.document.block_text, blocks))
        language = check_language(text, found.language)
        if language == found.language:
            return found
        sources = {**found.sources, "language": "text"}
        if language is None:
            del sources["language"]
        return replace(found, language=language, sources=sources)


@dataclass(frozen=True, eq=False)
class Supplement:
    """Main content from a script, a template or an attribute of the page.

    ``source`` is one of :data:`~scrapy_mainpage.page.ADDED_SOURCES`, ``xpath`` its
    element. ``content`` is a document of its own, whose main blocks are
    appended to the page.
    """

    source: str
    xpath: str
    content: Extraction


@dataclass
class Draft:
    """What is known of a page, until all of it is and the page is made.

    The fields are those of :class:`~scrapy_mainpage.page.Page`.
    """

    content: Extraction
    text: str
    algorithm: str
    words: int
    words_total: int
    confidence: float | None
    warnings: tuple[str, ...]
    rules: tuple[str, ...]

    def make_page(self) -> Page:
        """The page."""
        return Page(
            url=self.content.url,
            text=self.text,
            algorithm=self.algorithm,
            words=self.words,
            words_total=self.words_total,
            confidence=self.confidence,
            warnings=self.warnings,
            rules=self.rules,
            _content=self.content,
        )
