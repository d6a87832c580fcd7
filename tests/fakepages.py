"""Pages with records, as an extraction gives them."""

from __future__ import annotations

from typing import Any

from scrapy_mainpage import Page
from scrapy_mainpage.page import Metadata
from scrapy_mainpage.records import (
    PAGE_RECORDS,
    Breadcrumb,
    Entry,
    Pagination,
    Post,
    Product,
    Variant,
)

URL = "https://shop.example/kettle"
PRODUCT = Product(
    name="Kettle",
    brand="Chandler",
    sku="CD-0874",
    gtin="978-3-16-148410-0",
    price="41.00",
    regular_price="48.00",
    currency="EUR",
    availability="PreOrder",
    rating=4.8,
    best_rating=5.0,
    review_count=27,
    features=("Whistles",),
    specifications=(("Weight", "1.25 kg"),),
    images=("https://shop.example/kettle.jpg",),
    breadcrumbs=(Breadcrumb("Galley", "https://shop.example/"),),
    variants=(Variant(name="green", sku="CD-0875", availability="InStock"),),
)
ENTRIES = (
    Entry("Kettle", URL, price="41.00", currency="EUR"),
    Entry("Mug", "https://shop.example/mug", price="5.00", currency="EUR", position=2),
)
TEASERS = (Entry("Glue", "https://b.example/glue", "Holds.", date="2026-05-02T08:30"),)
POSTS = (
    Post("p1", f"{URL}#p1", "jonna", date="2026-09-12T18:04", text="It stops."),
    Post(author="Mr Piston", date="3 days ago", text="The coil.", position=2),
)


class FakeContent:
    """A content with the given records, and nothing else."""

    def __init__(self, **records: Any) -> None:
        self.page_types: dict[str, float] = records.pop("types", {})
        self.page_type = records.pop("type", None)
        self._metadata = Metadata(title="A title", language="en-gb")
        self._records = {
            **dict.fromkeys(PAGE_RECORDS),
            **dict.fromkeys(
                ("entries", "posts", "media", "links", "sections", "sources"), ()
            ),
            **dict.fromkeys(("html", "markdown", "comments"), ""),
            "blocks": (),
            "metadata": self._metadata,
            "find_title": self._metadata.title,
            "find_language": self._metadata.language,
            "pagination": Pagination(),
            **records,
        }

    def read(self, name: str, *arguments: str) -> tuple[Any, tuple[str, ...]]:
        return self._records["".join(arguments) or name], ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self._records[name]
        return lambda: value


def page_with(text: str = "It stops.", **records: Any) -> Page:
    """A page with the records; ``type`` and ``types`` are those of the page."""
    content: Any = FakeContent(**records)
    return Page(URL, text, "learned", _content=content)
