"""Whether the page's title stands in its text: one rule for all pages and outputs."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from .document.schema import Context
from .document.site_frame import heading_blocks, is_banner, leads_home
from .document.tags import HEADING_CODES

if TYPE_CHECKING:
    from .document.document import Document
    from .document.schema import Mask


AUTO: Final = "auto"
ALWAYS: Final = "always"
NEVER: Final = "never"
TITLE_RULES: Final = (AUTO, ALWAYS, NEVER)

MAX_HEADINGS: Final = 8
"""First-level headings that are compared with the page's ``title`` element."""

MAX_CUTS: Final = 12
"""Separators in a title at which it is cut."""

MAX_BLOCKS_ABOVE: Final = 24
"""Blocks between the title and the main content: author, date, breadcrumbs."""

MAX_BLOCKS_FAR: Final = 120
"""The same with a table of contents, for a heading that is a part of the title."""

MAX_SUBHEADINGS: Final = 3
"""Second-level headings that are compared."""

MIN_AGREEMENT: Final = 0.5
"""Agreement from which a heading is the title: half of its words are in it."""

START_CHARACTERS: Final = 60
"""Characters of a block that are compared before all of its text: saves time only."""

AS_PART: Final = 0.8
BELOW_PART: Final = 0.7
"""Agreement of a heading that is a later part of the title, and the most of one that
only shares words with it. Between ``MIN_AGREEMENT`` and 1 their order matters only."""

_OUTSIDE: Final = int(
    Context.HIDDEN
    | Context.NAVIGATION
    | Context.FOOTER
    | Context.ASIDE
    | Context.DIALOG
)
_BANNER: Final = int(Context.HEADER)
_INSIDE: Final = int(Context.MAIN | Context.ARTICLE)
_PARTS: Final = re.compile(
    r"\s?(?:[|｜·•«»]|::|\s[-–—:/<>]\s|[:—]\s)\s?"
    r"|(?<=[\u2e80-\u9fff\uac00-\ud7a3])\s?_|_\s?(?=[\u2e80-\u9fff\uac00-\ud7a3])"
)
"""Between the title and the site's name; ``_`` beside Chinese, Japanese and Korean."""

_WORD: Final = re.compile(r"\w+")
_NO_LETTER: Final = re.compile(r"[\W_]+")
_NO_LETTERS: Final = bytes(code for code in range(128) if not chr(code).isalnum())


class DeclaredTitles(NamedTuple):
    """The letters of a ``title`` element, whole and cut at its separators.

    ``heads`` begin where the title does, ``parts`` are all others.
    """

    heads: frozenset[str]
    parts: frozenset[str]

    @classmethod
    def read(cls, title: str) -> DeclaredTitles:
        """Cut *title* at its first separators."""
        cuts = list(islice(_PARTS.finditer(title), MAX_CUTS))
        heads = [title, *(title[: cut.start()] for cut in cuts)]
        parts = [*_PARTS.split(title, MAX_CUTS), *(title[cut.end() :] for cut in cuts)]
        return cls(frozenset(map(letters, heads)), frozenset(map(letters, parts)))


class TitleFinder:
    """Finds the heading of a document that is the page's title, for any main content.

    It is a heading of the first level, or of the second where none of the first is. It
    agrees with the ``title`` element, or is the only one and stands close to the main
    content; it is not the name of the site. Without such a heading, a block with just
    the title's text above the main content counts.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._agreements: dict[int, float] = {}
        self._headings: dict[int, int] = {}

    def apply(self, main: Mask, rule: str = AUTO) -> Mask:
        """The mask *main*, with or without the heading that is the page's title.

        ``auto`` and ``always`` add the heading if it stands in or right above the main
        content (``always`` wherever it stands), ``never`` takes it out. A page without
        main content stays empty.
        """
        title = self.find_heading(main, anywhere=rule != AUTO)
        if title is None or (main[title] == (rule != NEVER)).all():
            return main
        main = main.copy()
        main[title] = rule != NEVER
        return main

    def find_block(self, main: Mask) -> int:
        """The text block that is the page's title, or -1; it need not be main content.

        The longest one of the heading, wherever it stands; without it the first ``h1``
        of the main content, or of the page.
        """
        own = self.find_heading(main, anywhere=True)
        if own is not None:
            return int(own.start + self._document.blocks.words[own].argmax())
        upper = self._blocks_of_level(1)
        return next((block for block in upper if main[block]), next(iter(upper), -1))

    def find_heading(self, main: Mask, *, anywhere: bool = False) -> slice | None:
        """The blocks of the heading: near the main content, or *anywhere*."""
        places = main.nonzero()[0]
        if not len(places):
            return None
        first, last = int(places[0]), int(places[-1])
        start = -1 if anywhere else first
        headings = self._candidates(self._blocks_of_level(1), start, last)
        agreed = {heading: self._agreement(heading) for heading in headings}
        if len(headings) == 1:
            blocks = heading_blocks(self._document, headings[0])
            flags = int(self._document.blocks.flags[blocks.start])
            in_header = bool(flags & _BANNER)
            # One that is a later part of the title may be the site's name.
            if agreed[headings[0]] != AS_PART and not in_header and main[blocks].all():
                return blocks
            is_near = not in_header and blocks.start >= first - MAX_BLOCKS_ABOVE
            if flags & _INSIDE or is_near:
                agreed[headings[0]] = max(agreed[headings[0]], MIN_AGREEMENT)
        # A banner's only heading may be the site's name; the title's is then the next.
        flags_of = self._document.elements.flags
        own = (agreed[k] for k in agreed if not is_banner(int(flags_of[k])))
        best = max(own, default=0)
        lower = self._blocks_of_level(2)[:MAX_SUBHEADINGS]
        for heading in self._candidates(lower, start, last):
            score = self._agreement(heading)
            if score == 1 or (score > best and (score >= AS_PART or not headings)):
                agreed[heading] = score
        chosen = self._choose(agreed, first, anywhere=anywhere)
        return chosen or self._plain_title(first)

    def _blocks_of_level(self, wanted: int) -> list[int]:
        headings = self._document.headings
        return [block for block, level in headings if level == wanted]

    @cached_property
    def _declared(self) -> DeclaredTitles:
        return DeclaredTitles.read(self._document.title)

    def _candidates(self, blocks: list[int], first: int, last: int) -> list[int]:
        """The heading elements around *blocks* that may be the title, each once.

        With main content from the block *first* to *last*; *first* is -1 for any place.
        """
        document, found = self._document, []
        for block in blocks[:MAX_HEADINGS]:
            far = first >= 0 and not first - MAX_BLOCKS_FAR <= block <= last
            if far or int(document.blocks.flags[block]) & _OUTSIDE:
                continue
            if block not in self._headings:
                self._headings[block] = _heading_around(document, block)
            element = self._headings[block]
            if element >= 0 and element not in found:
                found.append(element)
        return found

    def _agreement(self, heading: int) -> float:
        if heading not in self._agreements:
            found = _agreement(self._document, heading, self._declared)
            self._agreements[heading] = found
        return self._agreements[heading]

    def _choose(
        self, agreed: dict[int, float], first: int, *, anywhere: bool
    ) -> slice | None:
        """The heading that agrees best, of equals the nearest to *first*."""
        best, blocks = 0.0, None
        for heading, score in agreed.items():
            place = heading_blocks(self._document, heading)
            is_far = not anywhere and place.start < first - MAX_BLOCKS_ABOVE
            if score < (AS_PART if is_far else MIN_AGREEMENT):
                continue
            nearer = blocks is None or abs(first - place.start) < abs(
                first - blocks.start
            )
            if score > best or (score == best and nearer):
                best, blocks = score, place
        return blocks

    def _plain_title(self, first: int) -> slice | None:
        """The block above the main content that is the declared title, unmarked.

        A later part of the title, which may be the site's name, needs the class
        ``title``; a link leads to another page, or home.
        """
        document, declared = self._document, self._declared
        for block in range(first, max(first - MAX_BLOCKS_ABOVE, 0) - 1, -1):
            is_linked = document.blocks.linked_words[block] > 0
            if is_linked or int(document.blocks.flags[block]) & _OUTSIDE:
                continue
            text = document.block_text(block)
            start = letters(text[:START_CHARACTERS])
            # Most blocks are long, and begin otherwise.
            if not any(part.startswith(start) for parts in declared for part in parts):
                continue
            spelled = letters(text)
            names = document.attribute(int(document.blocks.element[block]), "class")
            is_named = "title" in (names or "").split()
            if spelled and (
                spelled in declared.heads or (spelled in declared.parts and is_named)
            ):
                return slice(block, block + 1)
        return None


def _heading_around(document: Document, block: int) -> int:
    """The heading element around *block*; -1 for a link to the site's home."""
    element = int(document.blocks.element[block])
    while document.elements.tag[element] not in HEADING_CODES:
        element = int(document.elements.parent[element])
    return -1 if leads_home(document, element) else element


def _agreement(document: Document, heading: int, declared: DeclaredTitles) -> float:
    """How far a heading is the title that the page declares: 0 to 1.

    1 is the title or the beginning of it, :data:`AS_PART` another part, in which sites
    write their name. A heading in the page's banner agrees only with the former, and
    fully only with all of the title.
    """
    blocks = heading_blocks(document, heading)
    text = " ".join(map(document.block_text, range(blocks.start, blocks.stop)))
    spelled = letters(text)
    in_banner = is_banner(int(document.blocks.flags[blocks.start]))
    if spelled and spelled in declared.heads:
        is_all = not in_banner or spelled == letters(document.title)
        return 1.0 if is_all else AS_PART
    if in_banner:
        return 0.0
    if spelled and spelled in declared.parts:
        return AS_PART
    known = set(_WORD.findall(document.title.lower()))
    words = _WORD.findall(text.lower())
    shared = sum(word in known for word in words) / max(len(words), 1)
    return min(shared, BELOW_PART)


@lru_cache(maxsize=512)
def letters(text: str) -> str:
    """The letters and digits of *text* in one case, to compare spellings."""
    folded = text.casefold()
    if folded.isascii():
        return folded.encode().translate(None, _NO_LETTERS).decode()
    return _NO_LETTER.sub("", folded)
