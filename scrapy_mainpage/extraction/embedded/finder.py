"""The search for content outside of a page's text, from source to source."""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.document import number_elements, read_tree
from ..document.schema import Context, RunKind
from ..document.tags import ATTRIBUTE_CODES, CODES
from ..metadata.declarations import Declarations, read_declarations
from ..metadata.jsonld import JsonLd, find_script, parse_scripts, read_values
from ..metadata.microdata import PageItem
from ..parsing.tree import ELEMENTS, parse_html
from ..result import MAX_THIN_WORDS, Extraction, Supplement
from ..title_rule import TitleFinder
from .hydration import read_hydration
from .linked_data import describe
from .prose import TEXT_WORK, SeenText, as_html, plain_text
from .values import MIN_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

    from ..algorithms import Algorithm
    from ..document.document import Document
    from ..document.schema import Mask
    from ..parsing.budget import Budget
    from ..result import Draft

MIN_WORDS: Final = 10
"""Fewer words are not content."""

MIN_GAIN: Final = 1.0
"""Words that less sure sources must add, a multiple of the main content without it."""

MAX_SHELL_WORDS: Final = 1_000
"""Words of a page; one that shows more is not a shell for a script to fill."""

MAX_SEEN_SHARE: Final = 0.5
"""A text block is on the page already if this share of its sequences of words is."""

MAX_SEEN_SENTENCE_SHARE: Final = 0.9
MIN_LONG_PARAGRAPH_CHARACTERS: Final = 200
"""Sentences of longer paragraphs are compared one by one."""

BLOCK_WORK: Final = 500
"""Of a block, beside its bytes: its text is made, and compared with the page's."""

MAX_TEMPLATES: Final = 50

_ASIDE: Final = int(Context.HIDDEN | Context.NAVIGATION | Context.FORM | Context.DIALOG)
_PARAGRAPH: Final = re.compile(rf"<p>([^<]{{{MIN_LONG_PARAGRAPH_CHARACTERS},}})</p>")
_SENTENCE: Final = re.compile(r"[^.!?。！？]*(?:[.!?。！？]+|$)\s*")
_BODIES: Final = frozenset("articlebody text reviewbody".split())
_PARTS: Final = frozenset("description recipeinstructions recipeingredient".split())
_SHADOW_ROOT: Final = ("shadowrootmode", "shadowroot")


class EmbeddedFinder:
    """Tries one source after the other until the page has enough words."""

    def __init__(self, draft: Draft, root: _Element, algorithm: Algorithm) -> None:
        self.found: list[Supplement] = []
        self._draft, self._root, self._algorithm = draft, root, algorithm
        self._document, self._url = draft.content.document, draft.content.url
        self._words, self._budget = draft.words, self._document.budget
        self._jsonld: JsonLd | None = None
        self._search_linked_data()
        for search in (
            self._search_microdata,
            self._search_hydration,
            self._search_templates,
            self._search_frames,
        ):
            if self._words < MAX_THIN_WORDS and self._budget.spend(0):
                search()

    @cached_property
    def _declared(self) -> Declarations:
        return read_declarations(self._document, self._url)

    @cached_property
    def _seen(self) -> SeenText:
        """The page's own text, and the texts that were added."""
        return SeenText(map(self._document.block_text, range(self._document.n_blocks)))

    def _take(self, supplements: list[Supplement], *, sure: bool = False) -> None:
        """Take the supplements of one source, if they are worth it.

        A *sure* source is about the page: on a thin page any bit counts.
        """
        added = [item for item in supplements if item.content.main.any()]
        words = sum(item.content.words for item in added)
        gain = 0 if sure and self._words < MAX_THIN_WORDS else MIN_GAIN
        if words >= max(MIN_WORDS, gain * self._words):
            self.found += added
            self._words += words

    def _search_linked_data(self) -> None:
        scripts = [*_linked_scripts(self._document)]
        if not scripts:
            return
        parsed = parse_scripts((text for _, text in scripts), self._budget)
        urls = (self._url, self._declared.canonical_url)
        self._jsonld = read_values(parsed, urls)
        node, html, is_body = describe(self._jsonld)
        is_thin = self._words < MAX_THIN_WORDS
        is_longer = is_body and len(html) > len(self._draft.text)
        if (is_thin or is_longer) and self._is_new([html]):
            element, _ = scripts[find_script(node, parsed)]
            path = self._document.xpath(element)
            self._take([self._from_html("json-ld", path, [html])], sure=True)

    def _search_microdata(self) -> None:
        names = self._document.attributes.name
        if not (names == ATTRIBUTE_CODES["itemprop"]).any():
            return
        self._take(
            [
                self._from_html("microdata", self._document.xpath(element), [html])
                for element, html in _microdata_texts(self._document)
                if self._is_new([html])
            ],
            sure=True,
        )

    def _search_hydration(self) -> None:
        if self._draft.words_total >= MAX_SHELL_WORDS:
            return
        parts: dict[_Element, list[str]] = {}
        for candidate in read_hydration(self._root, self._get_title, self._budget):
            parts.setdefault(candidate.origin, []).append(candidate.html)
        self._take(
            [
                self._from_html("hydration", self._document.xpath(number), htmls)
                for element, number in self._number(parts)
                if self._is_new(htmls := parts[element])
            ]
        )

    def _get_title(self) -> str | None:
        from ..metadata.reader import MetadataReader

        text = self._draft.content.block_text
        read = (self._document, self._url, text, self._declared, self._jsonld)
        return MetadataReader(*read).title

    def _search_templates(self) -> None:
        found = self._number(_shadow_roots(self._root, self._budget))
        roots = ((number, _open_shadow_root(root)) for root, number in found)
        self._take([self._judge("template", *each) for each in roots])

    def _search_frames(self) -> None:
        frames = dict(_frames(self._root))
        self._take(
            [
                self._judge("frame", number, self._budget.parse(frames[frame]))
                for frame, number in self._number(frames)
                if self._budget.spend(0)
            ]
        )

    def _number(self, elements: Iterable[_Element]) -> list[tuple[_Element, int]]:
        """The elements that the page's document has, with their numbers."""
        return [*number_elements(self._root, self._document, elements).items()]

    def _judge(self, source: str, element: int, root: _Element) -> Supplement:
        """What the page's algorithm takes for main content below *root*."""
        document = read_tree(root, self._budget)
        main = self._algorithm.judge(document).main
        return self._from_document(
            source, self._document.xpath(element), document, main
        )

    def _is_new(self, parts: list[str]) -> bool:
        """Whether the page does not show most of it.

        Where it does, the algorithm has seen the text and not taken it, and the rest
        is scraps.
        """
        text = plain_text(" ".join(parts))
        if not self._budget.spend(TEXT_WORK * len(text)):
            return False
        return bool(text) and self._seen.share(text) < MAX_SEEN_SHARE

    def _from_html(self, source: str, path: str, parts: Iterable[str]) -> Supplement:
        """The new blocks of *parts*, each HTML of its own."""
        root = parse_html("<main></main>")
        body = root.find("body")
        assert body is not None
        for part in parts:
            # Parsed apart: an open tag or comment does not reach the next part.
            part = _PARAGRAPH.sub(self._drop_seen_sentences, part)
            inner = self._budget.parse(part)
            for section in inner.findall("body"):
                section.tag = "section"
                body.append(section)
        document = read_tree(root, self._budget)
        main = np.ones(document.n_blocks, bool)
        return self._from_document(source, path, document, main)

    def _drop_seen_sentences(self, match: re.Match[str]) -> str:
        """A long paragraph without the sentences that the page has already."""
        kept = (
            sentence
            for sentence in _SENTENCE.findall(match[1])
            if self._seen.share(sentence) < MAX_SEEN_SENTENCE_SHARE
        )
        return f"<p>{''.join(kept)}</p>"

    def _from_document(
        self, source: str, path: str, document: Document, main: Mask
    ) -> Supplement:
        """The new ones of the *main* blocks of *document*; they count as seen then.

        They are not compared with each other: entries of a list may differ in a number.
        """
        main = main & ((document.blocks.flags & _ASIDE) == 0)
        chosen = np.flatnonzero(main)
        most = max(self._budget.left, 0) // BLOCK_WORK
        self._budget.spend(BLOCK_WORK * len(chosen))
        main[chosen[most:]] = False
        texts = {k: document.block_text(k) for k in chosen[:most].tolist()}
        for block, text in texts.items():
            main[block] = self._seen.share(text) < MAX_SEEN_SHARE
        for text in texts.values():
            self._seen.add(text)
        url = self._declared.base or self._url
        title = TitleFinder(document).find_block(main)
        content = Extraction(document, url, main.astype(np.float32), main, title)
        return Supplement(source, path, content)


def _linked_scripts(document: Document) -> Iterator[tuple[int, str]]:
    """Element and text of each JSON-LD script."""
    runs = document.runs
    tags = document.elements.tag[runs.element]
    chosen = (runs.kind == RunKind.HEAD) & (tags == CODES["script"])
    texts = document.head_texts("script")
    return zip(runs.element[np.flatnonzero(chosen)].tolist(), texts, strict=True)


def _microdata_texts(document: Document) -> Iterator[tuple[int, str]]:
    """Element and HTML of the content that attributes of the page's item hold.

    The document does not keep attributes of more than 8,192 bytes.
    """
    page = PageItem(document)
    if page.item is None:
        return
    is_article = any(kind.endswith(("Article", "Posting")) for kind in page.item.types)
    for name in sorted(_BODIES if is_article else _BODIES | _PARTS):
        for element in page.elements(name):
            if text := (document.attribute(element, "content") or "").strip():
                yield element, as_html(text)


def _shadow_roots(root: _Element, budget: Budget) -> Iterator[_Element]:
    """The outermost declarative shadow roots that hold text, within the *budget*."""
    found = 0
    for template in root.iter("template"):
        if not _is_shadow_root(template) or found == MAX_TEMPLATES:
            continue
        if next(template.iterancestors("template"), None) is not None:
            continue  # part of another one
        if sum(map(len, template.itertext())) >= MIN_CHARACTERS:
            found += 1
            budget.elements -= sum(1 for _ in template.iter())
            if budget.elements < 0:
                budget.note(ELEMENTS)
                return
            yield template


def _frames(root: _Element) -> Iterator[tuple[_Element, str]]:
    """The frames whose document is in an attribute, and that document."""
    frames = ((frame, frame.get("srcdoc", "")) for frame in root.iter("iframe"))
    found = (each for each in frames if len(each[1]) >= MIN_CHARACTERS)
    return islice(found, MAX_TEMPLATES)


def _is_shadow_root(template: _Element) -> bool:
    return any(template.get(name) is not None for name in _SHADOW_ROOT)


def _open_shadow_root(template: _Element) -> _Element:
    """A copy of *template* in which shadow roots are plain elements."""
    copy = deepcopy(template)
    copy.tail = None
    for inner in [copy, *copy.iter("template")]:
        if _is_shadow_root(inner):
            inner.tag = "div"
    return copy
