"""What a publisher asks of indexes: robots directives, canonical URL, parts to skip."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scrapy.http import HtmlResponse

from scrapy_mainpage.addresses import MAX_ADDRESS, parts_of
from scrapy_mainpage.crawl.pages import known_page, shared_tree
from scrapy_mainpage.extraction.declared.meta import Meta
from scrapy_mainpage.extraction.document.tags import ATTRIBUTE_CODES
from scrapy_mainpage.settings import ANY, OFF, RESPECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.http import Response

    from scrapy_mainpage.crawl.crawl_state import ItemOrigin
    from scrapy_mainpage.extraction.extractor import Extractor
    from scrapy_mainpage.extraction.result import Extraction
    from scrapy_mainpage.page import Page
    from scrapy_mainpage.settings import Settings

NOINDEX: Final = "noindex"
NOSNIPPET: Final = "nosnippet"
CANONICAL: Final = "canonical"

#: Attributes of parts that search engines are to leave out.
EXCLUDED: Final = (
    "data-nosnippet",
    "data-pagefind-ignore",
    "data-elastic-exclude",
    "data-search-exclude",
)
_CODES: Final = [ATTRIBUTE_CODES[name] for name in EXCLUDED]
_EXCLUDED: Final = "//*[" + " or ".join(f"@{name}" for name in EXCLUDED) + "]"

#: Directives with a value behind a colon; any other name there is that of a robot.
_WITH_VALUE: Final = (
    "max-snippet",
    "max-image-preview",
    "max-video-preview",
    "unavailable_after",
)


class Wishes(NamedTuple):
    """What is asked for a page: directives in lower case, its address, its content.

    ``canonical`` is ``None`` if that is the page's URL; ``page`` if nothing is left
    out. ``metas`` are the contents of meta elements by name, in lower case.
    """

    directives: frozenset[str] = frozenset()
    canonical: str | None = None
    page: Page | None = None
    metas: Mapping[str, str] = {}


class PublisherReader:
    """Reads what a publisher asks, as far as the settings respect it."""

    def __init__(self, settings: Settings, extractor: Extractor):
        self._respects = settings.robots_meta == RESPECT
        self._canonical = settings.canonical
        self._extractor = extractor

    def read(self, origin: ItemOrigin | None) -> Wishes:
        """Return what is asked for an item whose page is that of its response."""
        response = origin.response if origin else None
        page = origin.page if origin else None
        if response is None or page is None or known_page(response) is not page:
            if response is None or not self._respects:
                return Wishes()
            return Wishes(directives_of(response))
        content = page._extraction
        meta = content.declared.meta if content else Meta({}, {}, None, None)
        directives, rest = frozenset[str](), None
        if self._respects:
            in_page = map(parse, meta.meta.get("robots", ()))
            directives = directives_of(response).union(*in_page)
            if content and _shows_excluded(content, page):
                rest = self._without_excluded(response, page)
        named = meta.meta.items()
        metas = {name: text.strip() for name, texts in named for text in texts if text}
        is_named = self._canonical != OFF and "canonical" in meta.links
        canonical = self._find_canonical(page) if is_named else None
        return Wishes(directives, canonical, rest, metas)

    def _without_excluded(self, response: Response, page: Page) -> Page | None:
        """Extract the page without the parts that the publisher leaves out."""
        tree: Any = None
        if isinstance(response, HtmlResponse):
            tree = shared_tree(response, page)
        if tree is None:
            return None
        rest = deepcopy(tree)
        for element in rest.xpath(_EXCLUDED):
            if element.getparent() is not None:
                # Not taken out: joining the texts around takes the square of a page.
                element.clear(keep_tail=True)
                element.tag = "span"
        return self._extractor.extract_tree(rest, url=response.url)

    def _find_canonical(self, page: Page) -> str | None:
        canonical = (page._metadatum("canonical_url") or "").partition("#")[0]
        own = (page.url or "").partition("#")[0]
        theirs, ours = parts_of(canonical), parts_of(own)
        # Templates that name the home page on every page are mistaken; so is a scheme
        # that the site has left.
        is_home = not theirs.path.strip("/") and not theirs.query
        is_sound = 0 < len(canonical) <= MAX_ADDRESS
        if not is_sound or is_home or theirs[1:] == ours[1:]:
            return None
        is_same_host = theirs.netloc.lower() == ours.netloc.lower()
        return canonical if self._canonical == ANY or is_same_host else None


def _shows_excluded(content: Extraction, page: Page) -> bool:
    """Whether a part that is to be left out may be in what is indexed of the page.

    Most such parts are dialogs and menus, which its text does not have anyway.
    """
    document = content.document
    marked = document.attributes.element[np.isin(document.attributes.name, _CODES)]
    if not len(marked):
        return False
    # An element in a line begins in the block before its own, or in that.
    first = document.elements.first_block[marked]
    end = np.maximum(document.elements.end_block[marked], first)
    mains = np.concatenate(([0], np.cumsum(content.main)))
    is_main = (mains[end] > mains[np.maximum(first - 1, 0)]).any()
    return bool(is_main or content.supplements or page.comments)


def directives_of(response: Response) -> frozenset[str]:
    """Return the directives in the headers of a response."""
    lines = response.headers.getlist("X-Robots-Tag")
    return frozenset().union(*(parse(line.decode("latin-1")) for line in lines))


def parse(line: str) -> frozenset[str]:
    """Return the directives of a line that are for every robot.

    >>> sorted(parse("noarchive, max-snippet: 0"))
    ['noarchive', 'nosnippet']
    >>> sorted(parse("otherbot: noindex, nofollow"))
    []
    """
    found = set()
    for part in line.lower().split(","):
        name, colon, value = (text.strip() for text in part.partition(":"))
        if colon and name not in _WITH_VALUE and not name[:1].isdigit():
            break  # what follows is for the robot of that name
        if name == "max-snippet" and value == "0":
            name = NOSNIPPET
        found |= {NOINDEX, "nofollow"} if name == "none" else {name} - {""}
    return frozenset(found - set(_WITH_VALUE))
