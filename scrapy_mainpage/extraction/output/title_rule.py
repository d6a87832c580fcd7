"""Whether the page's title stands in its text: one rule for all pages and outputs."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from ..document.document import HEADING_SHIFT, Context
from ..document.tags import HEADING_CODES

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ..document.document import Document

    Mask = npt.NDArray[np.bool_]

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

MAX_BLOCKS_NEAR: Final = 3
MAX_HEADING_BLOCKS: Final = 8
MAX_HEADING_RUNS: Final = 20
MAX_SUBHEADINGS: Final = 3
MIN_AGREEMENT: Final = 0.5
START_CHARACTERS: Final = 60
AS_PART: Final = 0.8
BELOW_PART: Final = 0.7

_OUTSIDE: Final = int(
    Context.HIDDEN
    | Context.NAVIGATION
    | Context.FOOTER
    | Context.ASIDE
    | Context.DIALOG
)
_BANNER: Final = int(Context.HEADER)
_FRAME: Final = int(
    Context.HEADER | Context.FOOTER | Context.NAVIGATION | Context.ASIDE
)
_INSIDE: Final = int(Context.MAIN | Context.ARTICLE)
_PARTS: Final = re.compile(
    r"\s*(?:[|｜·•«»]|::|\s[-–—:/<>]\s|[:—]\s)\s*"
    r"|(?<=[\u2e80-\u9fff\uac00-\ud7a3])\s*_|_\s*(?=[\u2e80-\u9fff\uac00-\ud7a3])"
)
"""Between the title and the site's name; ``_`` beside Chinese, Japanese and Korean."""

_WORD: Final = re.compile(r"\w+")
_NO_LETTERS: Final = re.compile(r"[\W_]+")
_HOME: Final = re.compile(r"/?(?:\.{1,2}/)*\.?(?:index\.[a-z]{2,5})?")
_SAME_FOLDER: Final = frozenset({"", ".", "./"})
"""Addresses of the page itself, where each page has a folder of its own."""


class Declared(NamedTuple):
    """The letters of a ``title`` element, whole and cut at its separators.

    ``heads`` begin where the title does, ``parts`` are all others.
    """

    heads: frozenset[str]
    parts: frozenset[str]

    @classmethod
    def read(cls, title: str) -> Declared:
        """Cut *title* at its first separators."""
        cuts = list(islice(_PARTS.finditer(title), MAX_CUTS))
        heads = [title, *(title[: cut.start()] for cut in cuts)]
        parts = [*_PARTS.split(title, MAX_CUTS), *(title[cut.end() :] for cut in cuts)]
        return cls(frozenset(map(_letters, heads)), frozenset(map(_letters, parts)))


def apply_title_rule(document: Document, main: Mask, rule: str = AUTO) -> Mask:
    """The mask *main*, with or without the heading that is the page's title.

    ``auto`` and ``always`` add the heading if it stands in or right above the main
    content (``always`` wherever it stands), ``never`` takes it out. A page without main
    content stays empty.
    """
    title = find_own_heading(document, main, anywhere=rule != AUTO)
    if title is None or (main[title] == (rule != NEVER)).all():
        return main
    main = main.copy()
    main[title] = rule != NEVER
    return main


def find_title_block(document: Document, main: Mask) -> int:
    """The text block that is the page's title, or -1; it need not be main content.

    The longest one of :func:`find_own_heading`, wherever it stands; without it the
    first ``h1`` of the main content, or of the page.
    """
    own = find_own_heading(document, main, anywhere=True)
    if own is not None:
        return int(own.start + document.blocks.words[own].argmax())
    upper = [block for block, level in document.headings if level == 1]
    return next((block for block in upper if main[block]), next(iter(upper), -1))


def find_own_heading(
    document: Document, main: Mask, *, anywhere: bool = False
) -> slice | None:
    """The blocks of the heading that is the page's title.

    It is a heading of the first level, or of the second where none of the first is. It
    agrees with the ``title`` element, or is the only one and stands close to the main
    content; it is not the name of the site. Without such a heading, a block with just
    the title's text right above the main content counts.
    """
    places = main.nonzero()[0]
    if not len(places):
        return None
    first, last = int(places[0]), int(places[-1])
    flags = document.blocks.flags
    start = -1 if anywhere else first
    upper = [block for block, level in document.headings if level == 1]
    headings = _headings(document, upper, start, last)
    declared = Declared.read(document.title)
    agreed = {heading: _agreement(document, heading, declared) for heading in headings}
    if len(headings) == 1:
        blocks = heading_blocks(document, headings[0])
        in_header = bool(flags[blocks.start] & _BANNER)
        # One that is a later part of the title may be the site's name.
        if agreed[headings[0]] != AS_PART and not in_header and main[blocks].all():
            return blocks
        is_inside = bool(flags[blocks.start] & _INSIDE)
        is_near = not in_header and blocks.start >= first - MAX_BLOCKS_NEAR
        if is_inside or is_near:
            agreed[headings[0]] = max(agreed[headings[0]], MIN_AGREEMENT)
    # The only heading of a banner may be the site's name; the title's is then the next.
    lower = [block for block, level in document.headings if level == 2]
    own = (k for k in agreed if not is_banner(int(document.elements.flags[k])))
    best = max((agreed[k] for k in own), default=0)
    for heading in _headings(document, lower[:MAX_SUBHEADINGS], start, last):
        score = _agreement(document, heading, declared)
        if score == 1 or (score > best and (score >= AS_PART or not headings)):
            agreed[heading] = score
    chosen = _choose(document, agreed, first, anywhere=anywhere)
    return chosen or _plain_title(document, declared, first)


def _plain_title(document: Document, declared: Declared, first: int) -> slice | None:
    """The block right above the main content that is the declared title, unmarked.

    A later part of the title, which may be the site's name, needs the class ``title``.
    """
    for block in range(first, max(first - MAX_BLOCKS_NEAR, 0) - 1, -1):
        if int(document.blocks.flags[block]) & _OUTSIDE:
            continue
        text = document.block_text(block)
        start = _letters(text[:START_CHARACTERS])
        # Most blocks are long, and begin otherwise.
        if not any(part.startswith(start) for parts in declared for part in parts):
            continue
        spelled = _letters(text)
        if spelled and (
            spelled in declared.heads
            or (spelled in declared.parts and _is_named_title(document, block))
        ):
            return slice(block, block + 1)
    return None


def _is_named_title(document: Document, block: int) -> bool:
    names = document.attribute(int(document.blocks.element[block]), "class") or ""
    return "title" in names.split()


def _choose(
    document: Document, agreed: dict[int, float], first: int, *, anywhere: bool
) -> slice | None:
    """The blocks of the heading that agrees best; of several the nearest to *first*."""
    best, blocks = 0.0, None
    for heading, score in agreed.items():
        place = heading_blocks(document, heading)
        is_far = not anywhere and place.start < first - MAX_BLOCKS_ABOVE
        if score < (AS_PART if is_far else MIN_AGREEMENT):
            continue
        nearer = blocks is None or abs(first - place.start) < abs(first - blocks.start)
        if score > best or (score == best and nearer):
            best, blocks = score, place
    return blocks


def _headings(
    document: Document, blocks: list[int], first: int, last: int
) -> list[int]:
    """The heading elements around *blocks* that may be the title, each once.

    With main content from the block *first* to *last*; *first* is -1 for any place.
    """
    found = []
    for block in blocks[:MAX_HEADINGS]:
        far = first >= 0 and not first - MAX_BLOCKS_FAR <= block <= last
        if far or int(document.blocks.flags[block]) & _OUTSIDE:
            continue
        element = int(document.blocks.element[block])
        while document.elements.tag[element] not in HEADING_CODES:
            element = int(document.elements.parent[element])
        if element not in found and not leads_home(document, element):
            found.append(element)
    return found


def is_banner(flags: int) -> bool:
    """Whether *flags* are of the page's banner, and not of an article's own header."""
    return bool(flags & _BANNER) and not flags & _INSIDE


def is_site_frame(flags: int) -> bool:
    """Whether *flags* are of the site's own header, footer, menu or sidebar.

    Those inside of an article belong to it.
    """
    return bool(flags & _FRAME) and not flags & _INSIDE


def heading_blocks(document: Document, heading: int) -> slice:
    """The text blocks of a heading, without what stands in it behind its own text."""
    first = int(document.elements.first_block[heading])
    end = min(int(document.elements.end_block[heading]), first + MAX_HEADING_BLOCKS)
    levels = (document.blocks.flags[first:end] >> HEADING_SHIFT).tolist()
    return slice(first, first + (levels.index(0) if 0 in levels else len(levels)))


def _agreement(document: Document, heading: int, declared: Declared) -> float:
    """How far a heading is the title that the page declares: 0 to 1.

    1 is the title or the beginning of it, :data:`AS_PART` another part, in which sites
    write their name. A heading in the page's banner agrees only with the former, and
    fully only with all of the title.
    """
    blocks = heading_blocks(document, heading)
    text = " ".join(map(document.block_text, range(blocks.start, blocks.stop)))
    spelled = _letters(text)
    in_banner = is_banner(int(document.blocks.flags[blocks.start]))
    if spelled and spelled in declared.heads:
        is_all = not in_banner or spelled == _letters(document.title)
        return 1.0 if is_all else AS_PART
    if in_banner:
        return 0.0
    if spelled and spelled in declared.parts:
        return AS_PART
    known = set(_WORD.findall(document.title.lower()))
    words = _WORD.findall(text.lower())
    shared = sum(word in known for word in words) / max(len(words), 1)
    return min(shared, BELOW_PART)


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text.casefold())


def leads_home(document: Document, heading: int) -> bool:
    """Whether a heading is a link to the site's home, as a logo is."""
    first = int(document.elements.first_run[heading])
    end = min(int(document.elements.end_run[heading]), first + MAX_HEADING_RUNS)
    elements = set(document.runs.element[first:end].tolist())
    links = {int(document.elements.link[element]) for element in elements}
    link = links.pop() if len(links) == 1 else -1
    href = document.attribute(link, "href") or "" if link >= 0 else ""
    return href.strip() not in _SAME_FOLDER and leads_to_home(href)


def leads_to_home(href: str) -> bool:
    """Whether a relative address is that of the site's, or a folder's, first page."""
    try:
        parts = urlsplit(href.strip())
    except ValueError:
        return False
    is_relative = not parts.netloc and not parts.query and not parts.fragment
    return is_relative and bool(_HOME.fullmatch(parts.path))
