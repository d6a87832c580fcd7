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
from ..records import cut_value
from .document.schema import Context
from .document.tags import TAGS
from .labels import LABELS
from .learned.page_types import likely_type
from .page_warnings import OUTPUTS_CUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import numpy.typing as npt

    from ..page import Link, Media, Metadata, Section
    from ..records import (
        Entry,
        Pagination,
        Post,
        Product,
        SearchForm,
    )
    from .declared import Declared
    from .document.document import Document
    from .document.schema import Bytes, Floats, Longs, Mask
    from .labels.labelling import LabelEvidence
    from .metadata.reader import MetadataReader
    from .output._text import TextWriter
    from .records.choice import Parts
    from .records.post_templates import PostTemplates

_BOUNDED: Final = frozenset({"blocks", "sections", "links", "media"})
"""Outputs with each text once, and a budget for addresses and paths."""

_NOSCRIPT: Final = int(Context.NOSCRIPT)  # for arrays: a flag takes far more time


MAX_THIN_WORDS: Final = 100
"""A page with fewer words of main content is thin: embedded data may add to it."""


@dataclass(frozen=True, eq=False)
class Extraction:
    """A document with a score and a label for each of its text blocks.

    ``main`` is the mask of main content, ``scores`` are the algorithm's scores.
    """

    document: Document
    url: str | None
    scores: Floats
    main: Mask
    title_block: int = -1
    """The block that is the page's title, or -1; it need not be main content."""
    predict_types: Callable[[], dict[str, float]] = dict
    """Gives the types of the page by probability, the likeliest first."""
    title: str | None = None
    """The title to write before the main content, which has no heading for it."""
    supplements: tuple[Supplement, ...] = ()
    """Main content from embedded data, in the order in which it is appended."""
    ruled_fields: Mapping[str, str] = field(default_factory=dict)
    """Texts of fields that rules of the site found (see :mod:`.page_rules`)."""
    ruled_records: Mapping[str, list[int]] = field(default_factory=dict)
    """The elements of posts and entries that rules of the site found."""
    given: Declared | None = field(default=None, repr=False)
    """What the page declares, if it was asked for before."""
    post_templates: PostTemplates | None = None
    """What the crawl knows of the posts of its sites."""
    parts: Parts | None = None
    """The thread and the lists that the main content was completed by."""
    boxes: Floats | None = None
    """The x, y, width and height of each block's element, if the page was rendered."""

    def __getstate__(self) -> dict[str, Any]:
        # Labels can be derived again, the page type only by the algorithm, which may
        # not be picklable.
        state = {item.name: getattr(self, item.name) for item in fields(self)}
        state |= {"predict_types": dict, "given": None, "post_templates": None}
        state["parts"] = self.parts and self.parts.small
        return state | {"page_types": self.page_types}

    @property
    def posts_at(self) -> tuple[int, ...]:
        """The blocks with which the posts of a thread begin that is main content."""
        return self.parts.posts if self.parts else ()

    @cached_property
    def declared(self) -> Declared:
        """What the page declares."""
        from .declared import Declared

        return self.given or Declared(self.document, self.url)

    @cached_property
    def page_types(self) -> dict[str, float]:
        """The types that the algorithm predicts, the likeliest first."""
        return self.predict_types()

    def read(self, name: str, *arguments: Any) -> tuple[Any, tuple[str, ...]]:
        """The output of the method *name*, and the codes of what is left out of it.

        It has work of its own, and the rest of the page's time; ``None`` without any.
        """
        document = self.document
        document.budget.begin()
        if document.budget.is_over:
            return None, (OUTPUTS_CUT,)
        value = getattr(self, name)(*arguments)
        document.budget.pause()
        room = 0
        if name not in _BOUNDED:
            value, room = cut_value(value, 2 * document.output_budget)
        is_whole = room >= 0 and not document.budget.reasons
        return value, () if is_whole else (OUTPUTS_CUT,)

    @property
    def page_type(self) -> str | None:
        """The likeliest type; ``None`` if it is not likely enough."""
        return likely_type(self.page_types)

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
            np.arange(document.n_blocks), self.labels, blocks.flags, blocks.words,
            document.elements.tag[blocks.element],
            *(np.round(column.astype(float), 4) for column in scores),
        )  # fmt: skip
        rows = zip(*(column[places].tolist() for column in columns), strict=True)
        tags = *TAGS, *document.extra_tags
        for index, (row, xpath) in enumerate(zip(rows, paths, strict=False), first):
            i, label, flags, words, tag, score, density, probability = row
            own = "noscript" if flags & _NOSCRIPT else "document"
            yield Block(  # in the order of the fields, which is faster than by name
                index,
                self.block_text(i) or document.block_text(i),
                LABELS[label],
                score,
                xpath,
                tags[tag],
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
        return tuple(place_sections(found, self.find_title(), self.document))

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
                where = content.url, content.posts_at
                parts.append(write_markdown(content.document, main, *where))
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

    def record(self, kind: str) -> Any:
        """The job, event, recipe or place that the page declares."""
        from .records import recipes, schema_records

        module = recipes if kind == "recipe" else schema_records
        return getattr(module, f"find_{kind}")(self)

    def pagination(self) -> Pagination:
        """The other pages of the listing or thread."""
        from .records.pagination import find_pagination

        return find_pagination(self.declared)

    def search_form(self) -> SearchForm | None:
        """The form that searches the site."""
        from .records.searchform import find_search_form

        return find_search_form(self.declared)

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

        parts = (
            write_markdown(c.document, c.main, c.url, c.posts_at) for c in self._all()
        )
        title = self.title and write_title(self.title, write_markdown)
        return "\n\n".join(filter(None, (title, *parts)))

    def html(self) -> str:
        """The main content as sanitised HTML."""
        from .output.writers import write_html, write_title

        parts = (write_html(c.document, c.main, c.url, c.posts_at) for c in self._all())
        title = self.title and write_title(self.title, write_html)
        return "\n".join(filter(None, (title, *parts)))

    def links(self) -> tuple[Link, ...]:
        """All links of the page, and the links of the supplements' main content."""
        from .output.links import find_links

        own, *added = (find_links(c.document, c.labels, c.url) for c in self._all())
        rest = (link for links in added for link in links if link.label.is_main)
        return (*own, *rest)

    def linked_words(self) -> int:
        """The number of words of the main content that are in links."""
        every = ((c.document.blocks.linked_words, c.main) for c in self._all())
        return int(sum(words.sum(where=main) for words, main in every))

    def media(self) -> tuple[Media, ...]:
        """Distinct images, video, audio and embeds of the main content."""
        from .output.links import find_media

        parts = (find_media(c.document, c.main, c.url) for c in self._all())
        found = {(media.kind, media.url): media for part in parts for media in part}
        return tuple(found.values())

    def _all(self) -> tuple[Extraction, ...]:
        return (self, *(item.content for item in self.supplements))

    @cached_property
    def _metadata_reader(self) -> MetadataReader:
        from .metadata.reader import MetadataReader

        return MetadataReader(
            self.declared,
            self._writer.block_text,
            main=self.main,
            title_block=self.title_block,
        )

    @cached_property
    def _title(self) -> str | None:
        return self.ruled_fields.get("title") or self._metadata_reader.title

    def find_title(self) -> str | None:
        """The title of the metadata, without the time that its other fields take."""
        return self._title

    def find_canonical_url(self) -> str | None:
        """The address that the page gives as its own, likewise."""
        return self.declared.meta.canonical_url

    def metadata(self) -> Metadata:
        """The metadata that the page declares and shows."""
        self.find_title()  # by the reader that the other fields need
        found = self._metadata_reader.metadata()
        language = self.find_language()
        if language != found.language:
            sources = {**found.sources, "language": "text"}
            if language is None:
                del sources["language"]
            found = replace(found, language=language, sources=sources)
        self.__dict__.pop("_metadata_reader", None)  # large, and no longer needed
        if not self.ruled_fields:
            return found
        from .page_rules import override

        return override(found, self.ruled_fields)

    def find_language(self) -> str | None:
        """The declared language, or that of the text where it is another one."""
        from ..text.language import CHECKED_CHARACTERS, check_language

        ends = np.cumsum(self.document.blocks.chars[self.main])
        count = int(np.searchsorted(ends, CHECKED_CHARACTERS)) + 1
        blocks = np.flatnonzero(self.main)[:count].tolist()
        text = " ".join(map(self.document.block_text, blocks))
        return check_language(text, self._metadata_reader.language)


@dataclass(frozen=True, eq=False)
class Supplement:
    """Main content from a script or an attribute of the page.

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
