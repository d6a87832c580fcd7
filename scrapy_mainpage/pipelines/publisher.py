"""What a publisher asks of indexes: robots directives, canonical URL, parts to skip."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scrapy.http import HtmlResponse

from scrapy_mainpage.addresses import MAX_ADDRESS, parts_of
from scrapy_mainpage.crawl.pages import known_page, shared_tree
from scrapy_mainpage.settings import ANY, OFF, RESPECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.http import Response

    from scrapy_mainpage.crawl.crawl_state import ItemOrigin
    from scrapy_mainpage.extraction.extractor import Extractor
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
_MARKS: Final = tuple(name.encode() for name in EXCLUDED)
_EXCLUDED: Final = "//*[" + " or ".join(f"@{name}" for name in EXCLUDED) + "]"
_DECLARED: Final = "//meta[@name and @content] | //link[@rel and @href]"

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
        tree = None
        if isinstance(response, HtmlResponse):
            tree = shared_tree(response, page)
        declared: Any = [] if tree is None else tree.xpath(_DECLARED)
        directives, rest = frozenset[str](), None
        if self._respects:
            directives = directives_of(response) | _of_tree(declared)
        if self._respects and any(mark in response.body for mark in _MARKS):
            rest = self._without_excluded(tree, response.url)
        metas = {
            element.get("name").strip().lower(): element.get("content").strip()
            for element in declared
            if element.tag == "meta"
        }
        return Wishes(directives, self._find_canonical(declared, page), rest, metas)

    def _without_excluded(self, tree: Any, url: str) -> Page | None:
        """Extract the page without the parts that the publisher leaves out."""
        if tree is None or not tree.xpath(_EXCLUDED):
            return None
        rest = deepcopy(tree)
        for element in rest.xpath(_EXCLUDED):
            if element.getparent() is not None:
                # Not taken out: joining the texts around takes the square of a page.
                element.clear(keep_tail=True)
                element.tag = "span"
        return self._extractor.extract_tree(rest, url=url)

    def _find_canonical(self, declared: list[Any], page: Page) -> str | None:
        names = (each.get("rel").lower() for each in declared if each.tag == "link")
        if self._canonical == OFF or not any("canonical" in x.split() for x in names):
            return None
        canonical = (page.metadata.canonical_url or "").partition("#")[0]
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


def directives_of(response: Response) -> frozenset[str]:
    """Return the directives in the headers of a response."""
    lines = response.headers.getlist("X-Robots-Tag")
    return frozenset().union(*(parse(line.decode("latin-1")) for line in lines))


def _of_tree(declared: list[Any]) -> frozenset[str]:
    contents = (
        element.get("content")
        for element in declared
        if element.tag == "meta" and element.get("name").strip().lower() == "robots"
    )
    return frozenset().union(*map(parse, contents))


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
        if colon and name not in _WITH_VALUE:
            break  # what follows is for the robot of that name
        if name == "max-snippet" and value == "0":
            name = NOSNIPPET
        found |= {NOINDEX, "nofollow"} if name == "none" else {name} - {""}
    return frozenset(found - set(_WITH_VALUE))
