"""A link extractor that selects links by the label of their text block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Set
from typing import TYPE_CHECKING, Any, Final

from scrapy.linkextractors import LinkExtractor
from w3lib.url import canonicalize_url, safe_url_string

from .crawl.pages import mainpage, refusal
from .label import MAIN_LABELS, Label

if TYPE_CHECKING:
    from scrapy.http import TextResponse
    from scrapy.link import Link

    from .page import Link as PageLink


#: Links with the label ``related`` of a hub, and how many to a link in main content.
MIN_HUB_LINKS: Final = 10
HUB_RATIO: Final = 5


class MainContentLinkExtractor(LinkExtractor):
    """A link extractor that keeps the links of text blocks with certain labels.

    ``labels`` is one label or several, as :class:`~scrapy_mainpage.Label` or by name;
    ``"main"`` stands for every kind of main content and is the default; of a page that
    only leads to others it takes the links labelled ``related``, too. All arguments
    of Scrapy's :class:`~scrapy.linkextractors.LinkExtractor` apply too::

        MainContentLinkExtractor(labels={"navigation", "pagination"}, allow=r"/docs/")

    A URL that several blocks link to is kept if one of them has a wanted label. A link
    outside of all blocks has the label ``other``, one in a hidden part of the page has
    none. Responses that are not HTML, and pages whose extraction failed, have no links.

    Raises :exc:`ValueError` for a label that does not exist.
    """

    def __init__(
        self,
        labels: str | Label | Iterable[str | Label] = "main",
        *,
        process_value: Callable[[Any], Any] | None = None,
        **kwargs: Any,
    ):
        super().__init__(process_value=process_value, **kwargs)
        self.labels = read_labels(labels)
        self._process_value = process_value or (lambda value: value)

    def extract_links(self, response: TextResponse) -> list[Link]:
        """Return the links that have the labels and pass the filters."""
        if refusal(response):
            return []
        wanted = self._wanted(response)
        return [
            link
            for link in super().extract_links(response)
            if self._key(link.url, response.encoding) in wanted
        ]

    def _wanted(self, response: TextResponse) -> set[str]:
        """Return the keys of the page's links that have the labels."""
        links = mainpage(response).all_links
        labels = self.labels | self._of_hub(links)
        processed = (
            self._process_value(link.url) for link in links if link.label in labels
        )
        return {
            self._key(response.urljoin(url), response.encoding)
            for url in processed
            if url is not None
        }

    def _of_hub(self, links: Iterable[PageLink]) -> Set[Label]:
        """The label of a hub's links, if all main content is wanted.

        A page that leads to others, such as the start of a documentation, has little
        main content, and its lists of links have the label ``related``.
        """
        counts = Counter(link.label for link in links)
        main = sum(counts[label] for label in MAIN_LABELS)
        related = counts[Label.RELATED]
        is_hub = related >= MIN_HUB_LINKS and related > HUB_RATIO * main
        return {Label.RELATED} if is_hub and self.labels >= MAIN_LABELS else set()

    def _key(self, url: str, encoding: str) -> str:
        """Return the canonical form of a URL, the same for all its spellings."""
        try:
            safe = safe_url_string(url, encoding=encoding)
            return canonicalize_url(safe, keep_fragments=not self.canonicalize)
        except ValueError:  # a URL that cannot be followed
            return url


def read_labels(labels: str | Label | Iterable[str | Label]) -> frozenset[Label]:
    """Return the labels of the names; ``"main"`` is every kind of main content."""
    names = [labels] if isinstance(labels, str) else list(labels)
    read: set[Label] = set()
    for name in names:
        if name == "main":
            read |= MAIN_LABELS
            continue
        try:
            read.add(Label(name))
        except ValueError:
            allowed = ", ".join(["main", *(label.value for label in Label)])
            raise ValueError(f"unknown label {name!r}; allowed: {allowed}") from None
    return frozenset(read)
