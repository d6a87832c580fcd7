"""Values that items of several kinds have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zyte_common_items import AggregateRating, Breadcrumb, Image, Metadata

if TYPE_CHECKING:
    from collections.abc import Iterable


def addresses(page: Any) -> dict[str, Any]:
    """The URL of the page, and the one that it gives as its own."""
    return {"url": page.url, "canonicalUrl": page.metadata.canonical_url}


def image(url: str | None) -> Image | None:
    """The image with the URL."""
    return Image(url=url) if url else None


def images(urls: Iterable[str]) -> list[Image] | None:
    """The images with the URLs; ``None`` without any."""
    return [Image(url=url) for url in urls] or None


def media(page: Any, kind: str) -> list[str]:
    """The URLs of the page's media of the kind."""
    return [item.url for item in page.media if item.kind == kind]


def probability(page: Any, page_type: str) -> Metadata:
    """The metadata with the probability of a type; ``None`` without a prediction."""
    return Metadata(probability=page.page_types.get(page_type))


def unknown_probability() -> Metadata:
    """The metadata of an item whose kind is no type of pages."""
    return Metadata(probability=None)


def rating(
    value: float | None, count: int | None, best: float | None = None
) -> AggregateRating | None:
    """The rating; ``None`` without value and count."""
    if value is None and count is None:
        return None
    return AggregateRating(ratingValue=value, reviewCount=count, bestRating=best)


def breadcrumbs(steps: Iterable[Any]) -> list[Breadcrumb] | None:
    """The steps from the home of the site to the page."""
    return [Breadcrumb(name=step.name, url=step.url) for step in steps] or None


def moment(date: str | None) -> str | None:
    """A date as these items have them, with time and zone; ``None`` for a month.

    >>> moment("2026-05-02"), moment("2026-05-02T08:30"), moment("3 days ago")
    ('2026-05-02T00:00:00Z', '2026-05-02T08:30:00Z', None)
    """
    if date is None or len(date) < len("2026-05-02") or not date[:4].isdigit():
        return None
    day, _, time = date.partition("T")
    if not time:
        return f"{day}T00:00:00Z"
    clock = time.rstrip("Z").partition("+")[0].partition("-")[0]
    zone = time[len(clock) :] or "Z"
    seconds = ":00" if clock.count(":") == 1 else ""
    return f"{day}T{clock}{seconds}{zone}"
