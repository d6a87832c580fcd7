"""Items of zyte-common-items, made of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zyte_common_items import Article, Product


def make_item(page: Any) -> Article | Product:
    """Return the page as an ``Article``, or as a ``Product`` if that is its type.

    *page* is a :class:`~scrapy_mainpage.Page`, whose module imports this one. Raises
    :exc:`ImportError` without zyte-common-items, and :exc:`ValueError` for a page
    without a URL, which each of these items has.
    """
    try:
        from zyte_common_items import Article, Product
    except ImportError as error:
        message = 'to_item() needs: pip install "scrapy-mainpage[items]"'
        raise ImportError(message) from error
    if page.url is None:
        raise ValueError("an item of zyte-common-items needs the URL of the page")
    if page.page_type == "product":
        return Product(
            **_shared_values(page, "product"),
            name=page.title,
            descriptionHtml=page.html or None,
        )
    return Article(**_shared_values(page, "article"), **_article_values(page))


def _shared_values(page: Any, kind: str) -> dict[str, Any]:
    """The fields that articles and products have in common."""
    from zyte_common_items import Image, Metadata

    declared = page.metadata
    images = [Image(url=item.url) for item in page.media if item.kind == "image"]
    return {
        "url": page.url,
        "canonicalUrl": declared.canonical_url,
        "description": declared.description,
        "mainImage": Image(url=declared.image) if declared.image else None,
        "images": images or None,
        "metadata": Metadata(probability=page.page_types.get(kind)),
    }


def _article_values(page: Any) -> dict[str, Any]:
    from zyte_common_items import Audio, Author, Video

    declared = page.metadata
    changed = _moment(declared.date_modified)
    names = declared.authors
    videos = [Video(url=item.url) for item in page.media if item.kind == "video"]
    audios = [Audio(url=item.url) for item in page.media if item.kind == "audio"]
    return {
        "headline": page.title,
        "authors": [Author(name=name, nameRaw=name) for name in names] or None,
        # Without a date of publication the item has that of the last change.
        "datePublished": _moment(declared.date_published) or changed,
        "dateModified": changed,
        "inLanguage": declared.language.split("-")[0] if declared.language else None,
        "articleBody": page.text.strip() or None,
        "articleBodyHtml": page.html or None,
        "videos": videos or None,
        "audios": audios or None,
    }


def _moment(date: str | None) -> str | None:
    """A date as these items have them, with time and zone; ``None`` for a month."""
    if date is None or len(date) < len("2026-05-02"):
        return None
    if "T" not in date:
        return f"{date}T00:00:00Z"
    return date if date.endswith("Z") or date[-6] in "+-" else f"{date}Z"
