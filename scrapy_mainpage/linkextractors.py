"""A link extractor that selects links by the label of their text block."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from scrapy.linkextractors import LinkExtractor
from w3lib.url import canonicalize_url, safe_url_string

from .crawl.pages import mainpage, refusal
from .label import MAIN_LABELS, Label

if TYPE_CHECKING:
    from scrapy.http import TextResponse
    from scrapy.link import Link


class MainContentLinkExtractor(LinkExtractor):
    """A link extractor that keeps the links of text blocks with certain labels.

    ``labels`` is one label or several, as :class:`~scrapy_mainpage.Label` or by name;
    ``"main"`` stands for every kind of main content and is the default. All arguments
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
        processed = (
            self._process_value(link.url)
            for link in mainpage(response).all_links
            if link.label in self.labels
        )
        return {
            self._key(response.urljoin(url), response.encoding)
            for url in processed
            if url is not None
        }

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
