"""Images and media in the flow of the main content, not of the site's frame."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, parse_qsl, urlsplit

import numpy as np

from ..document.schema import Context, RunKind
from ..document.site_frame import is_site_frame, leads_to_home
from ..document.tags import CODES
from ._main_tree import text_holders
from ._signs import Signs
from .anchors import Anchors
from .urls import IMAGE_SCHEMES, NOWHERE, clean_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    from ..document.document import Document
    from ..document.schema import Bytes, Ints, Mask
    from .urls import Addresses

MAX_SPACER_PIXELS: Final = 3
_PLAYERS: Final = frozenset({CODES["video"], CODES["audio"]})
_IFRAME: Final = CODES["iframe"]
_NOSCRIPT: Final = int(Context.NOSCRIPT)
_SOURCES: Final = ("src", "data-src")
_IMAGE: Final = int(RunKind.IMAGE)
_MEDIA: Final = int(RunKind.MEDIA)
# Of scripts that count visits, and buttons of social networks.
_COUNTER: Final = re.compile(
    r"(?:^|[/_\-.])(?:(?:piwik|matomo|ns|like|share|recommendations"
    r"|(?:bulk)?follow|(?:tweet|follow)_button)"
    r"\.(?:php|html)|(?:pixel|1px|1x1|b)\.gif)\b",
    re.IGNORECASE,
)
_ADVERTISES: Final = re.compile(
    r"(?:^|[/.\-_ ])(?:i?ads?|ad-?(?:frame|server|zone)\w*|adserv\w*|advert\w*"
    r"|doubleclick|googlesyndication|banners?|promos?|likebox|comments?|(?:re)?captcha"
    r"|consent)(?=[/.\-_?&= ]|$)",
    re.IGNORECASE,
)
# Signs and counters, which say nothing without an alternative text.
_ICON: Final = re.compile(
    r"(?:^|[^a-z])(?:icons?|ico|pixel|spacer|blank|clear|transparent|bullet|arrow|divider"
    r"|loader|loading|spinner|1x1)(?:[^a-z]|$)",
    re.IGNORECASE,
)
_MAX_ADDRESS: Final = 300
_AFTER_SCHEME: Final = re.compile(r"^\w+://|[?#].*$")
# What sizes of one image differ in.
_SIZE: Final = re.compile(r"(?:[-_]\d+(?:x\d+)?)?(?:\.[A-Za-z]{3,4})?(?:\?.*)?$")
_IMAGE_FILE: Final = re.compile(
    r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?)$", re.IGNORECASE
)


_Image: TypeAlias = "tuple[int, Mapping[str, str]]"
_NO_IMAGE: Final[_Image] = (0, {})


def find_sources(
    document: Document, addresses: Addresses, main: Mask, kept: Bytes
) -> Iterator[tuple[int, int, str | None]]:
    """Run, element and address of each image and each media run that is kept.

    The address is ``None`` for an image without a usable one, for the copy of a lazy
    one in ``noscript``, for the smaller of two sizes in a figure, counters, for a frame
    that advertises or that the site made its pages of, for icons and for a second copy
    without an alternative text, and for an image of the site's frame: spacers, buttons
    that share the page, links home or up the page, and beside *main* images of the
    site's header, footer, menu or sidebar.
    """
    kinds = document.runs.kind
    is_source = (kinds == _IMAGE) | (kinds == _MEDIA)
    frame = _Frame(document, addresses, main)
    last, last_image = -1, _NO_IMAGE
    seen: set[str] = set()
    for run in np.flatnonzero(is_source & (kept != 0)).tolist():
        element = int(document.runs.element[run])
        image = element, document.attributes_of(element)
        if kinds[run] != _IMAGE:
            shows = frame.shows(element) and not frame.is_counter(*image)
            yield run, element, addresses.media(element) if shows else None
            continue
        url = None if frame.has(run, *image) else frame.source_of(*image)
        if url in seen and frame.is_copy(run, last, *image):
            url = None
        if url and last == run - 1 and frame.is_same(image, last_image):
            if frame.is_fallback(element) or frame.is_fallback(last_image[0]):
                yield run, element, None
                continue
            yield last, last_image[0], None
        if url:
            last, last_image = run, image
            seen.add(url)
        yield run, element, url


class _Frame:
    """Tells images of a site's frame from those of the content."""

    def __init__(self, document: Document, addresses: Addresses, main: Mask) -> None:
        self._document = document
        self._addresses = addresses
        self._places = np.flatnonzero(main)

    def source_of(self, image: int, values: Mapping[str, str]) -> str | None:
        """The address of an image; without a usable one of the larger it links to."""
        url = self._addresses.image(image, values)
        link = int(self._document.elements.link[image])
        if url or link < 0:
            return url
        target = self._addresses.link(link)
        return target if target and _names_image(target) else None

    def has(self, run: int, image: int, values: Mapping[str, str]) -> bool:
        """Whether the *image* of a *run* belongs to the frame."""
        sizes = (values.get(name, "") for name in ("width", "height"))
        if any(_is_at_most(size, MAX_SPACER_PIXELS) for size in sizes):
            return True
        if self.is_counter(image, values):
            return True
        source = _file_of(values.get("src"))[:_MAX_ADDRESS]
        if not values.get("alt") and _ICON.search(source):
            return True
        link = int(self._document.elements.link[image])
        if link >= 0 and (
            self._leads_up_or_home(link, image) or self._shares_page(link)
        ):
            return True
        if self._document.runs.block[run] >= 0 or not self._is_beside(image):
            return False
        href = link >= 0 and self._document.attribute(link, "href")
        if href and href not in NOWHERE and not _names_image(href):
            return True
        return is_site_frame(int(self._document.elements.flags[image]))

    def shows(self, element: int) -> bool:
        """Whether it is a video or audio, or a frame that does not advertise.

        A page of the same site in it, or one beside the main content, needs a title.
        """
        if self._document.elements.tag[element] in _PLAYERS:
            return True
        url = (self._addresses.media(element) or "")[:_MAX_ADDRESS]
        name = (self._document.attribute(element, "title") or "")[:_MAX_ADDRESS]
        if _ADVERTISES.search(url) or _ADVERTISES.search(name):
            return False
        if name.strip() or self._document.elements.tag[element] != _IFRAME:
            return True
        return not (self._is_own(url) or self._is_beside(element))

    def _is_own(self, url: str) -> bool:
        """Whether an address is of the page's own site: its host, one below, beside."""
        own = (self._page.hostname or "").removeprefix("www.")
        above = own.partition(".")[2]
        site = above if "." in above else own
        return bool(own) and f".{urlsplit(url).hostname}".endswith(f".{site}")

    def _shares_page(self, link: int) -> bool:
        """Whether a link hands the page's own address to another site."""
        parts = urlsplit(self._addresses.link(link) or "")
        own = self._page
        if not parts.query or not own.path.strip("/") or parts.netloc == own.netloc:
            return False
        page = own.netloc + own.path.rstrip("/")
        values = (value for _, value in parse_qsl(parts.query))
        return any(_AFTER_SCHEME.sub("", value).rstrip("/") == page for value in values)

    @cached_property
    def _page(self) -> SplitResult:
        return urlsplit(clean_url(self._addresses.url or "", None, IMAGE_SCHEMES) or "")

    def is_copy(
        self, run: int, last: int, image: int, values: Mapping[str, str]
    ) -> bool:
        """Whether an image, shown before, says nothing: behind the first, or alone.

        One in a table's cell may be a mark of its own, one in a link another page's.
        """
        elements = self._document.elements
        if elements.cell[image] >= 0:
            return False
        is_alone = self._document.runs.block[run] < 0 and elements.link[image] < 0
        return last == run - 1 or bool(is_alone and not values.get("alt"))

    def is_counter(self, element: int, values: Mapping[str, str]) -> bool:
        """Whether an image or a frame counts visits, or is a network's button."""
        path = values.get("src", "").partition("?")[0]
        if _COUNTER.search(path):
            return True
        is_fallback = self.is_fallback(element) and values.get("alt") == ""
        return is_fallback and not _IMAGE_FILE.search(path)

    def is_same(self, image: _Image, other: _Image) -> bool:
        """Whether two images are one: with scripts and without, or in one figure."""
        sources = image[1], other[1]
        alts = {values.get("alt") for values in sources}
        is_fallback = self.is_fallback(image[0]) != self.is_fallback(other[0])
        named = _stem if is_fallback else _file_of
        names = ({named(v.get(n)) for n in _SOURCES} - {""} for v in sources)
        if not set.isdisjoint(*names):
            return is_fallback or self._share_figure(other[0], image[0])
        return is_fallback and len(alts) == 1 and any(alts)

    def _share_figure(self, first: int, last: int) -> bool:
        figures, ends = self._figures
        at = bisect_left(figures, first)
        return at > 0 and ends[at - 1] > last

    @cached_property
    def _figures(self) -> tuple[list[int], list[int]]:
        """All figures, and the last end of each and those before it."""
        figures = self._document.elements_with_tag("figure")
        ends = np.maximum.accumulate(self._document.elements.end[figures])
        return figures.tolist(), ends.tolist()

    def is_fallback(self, element: int) -> bool:
        return bool(self._document.elements.flags[element] & _NOSCRIPT)

    def _leads_up_or_home(self, link: int, image: int) -> bool:
        href = (self._document.attribute(link, "href") or "").strip()
        if not href or href in NOWHERE:  # a script shows it larger
            return False
        if href.startswith("#"):
            target = self._anchors.find_target(href[1:].encode())
            return href == "#top" or 0 <= target < image
        return leads_to_home(href) or self._is_root(link)

    def _is_root(self, link: int) -> bool:
        """Whether a link leads to the root of the page's own site."""
        url, base = self._addresses.link(link), self._addresses.base
        if not url or not base:
            return False
        parts = urlsplit(url)
        is_own = parts.netloc == urlsplit(base).netloc
        return is_own and parts.path in ("", "/") and not parts.query

    def _is_beside(self, image: int) -> bool:
        """Whether an image stands before or after all main content, beside it."""
        if not len(self._places):
            return False
        elements, holder = self._document.elements, int(self._holders[image])
        place, (first, last) = elements.first_block[image], self._places[[0, -1]]
        holds_all = holder < 0 or (
            elements.first_block[holder] <= first and elements.end_block[holder] > last
        )
        return bool(holds_all and not first < place <= last)

    @cached_property
    def _anchors(self) -> Anchors:
        return Anchors(self._document)

    @cached_property
    def _holders(self) -> Ints:
        return text_holders(self._document.once(Signs))


def _stem(source: str | None) -> str:
    """An image's address without its size; empty for one inside of the page."""
    source = (source or "").strip()
    return "" if source.startswith("data:") else _SIZE.sub("", source)


def _file_of(source: str | None) -> str:
    return (source or "").partition("?")[0].rpartition("/")[2]


def _names_image(address: str) -> bool:
    return bool(_IMAGE_FILE.search(address.partition("?")[0]))


def _is_at_most(size: str, pixels: int) -> bool:
    digits = size.strip().removesuffix("px")
    return digits.isdecimal() and int(digits[:9]) <= pixels
