"""Items of zyte-common-items, made of pages.

A *page* is a :class:`~scrapy_mainpage.Page`, whose module imports this package.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

#: Name of an item -> the module with its function, ``make_`` and a shorter name.
_MAKERS: Final = {
    "Article": "texts.make_article",
    "ArticleList": "texts.make_article_list",
    "BusinessPlace": "others.make_place",
    "ForumThread": "texts.make_thread",
    "JobPosting": "others.make_job",
    "Product": "shops.make_product",
    "ProductList": "shops.make_product_list",
    "SearchRequestTemplate": "others.make_search",
}

PROVIDED: Final = frozenset(_MAKERS) - {"SearchRequestTemplate"}
"""The names of the items that any page has, if without data."""

_ORDER: Final = (
    "JobPosting",
    "Product",
    "ForumThread",
    "ProductList",
    "ArticleList",
    "BusinessPlace",
    "Article",
)
"""A page is the first of these that it has the records of; any page is an article."""


def make_item(page: Any, name: str | None = None) -> Any:
    """Return the page as the item *name*; ``None`` if it is none.

    Without a name it is the item that the page is, else an ``Article``. Raises
    :exc:`ImportError` without zyte-common-items, and :exc:`ValueError` for a page
    without a URL, which these items have, and for an unknown name.
    """
    if name is not None and name not in _MAKERS:
        allowed = ", ".join(_MAKERS)
        raise ValueError(f"unknown item {name!r}; allowed: {allowed}")
    try:
        import_module("zyte_common_items")
    except ImportError as error:
        message = 'to_item() needs: pip install "scrapy-mainpage[items]"'
        raise ImportError(message) from error
    if page.url is None:
        raise ValueError("an item of zyte-common-items needs the URL of the page")
    for each in _ORDER if name is None else (name,):
        module, _, function = _MAKERS[each].partition(".")
        make = getattr(import_module(f".{module}", __name__), function)
        if (item := make(page)) is not None:
            return item
    return None


def provide_item(page: Any, cls: type) -> Any:
    """Return the page as an item of the class; one without data if it is none.

    Such an item has the URL, and 0 as its probability where its kind has one.
    """
    item = make_item(page, cls.__name__)
    if item is not None:
        return item
    has_probability = cls.__name__ in {"BusinessPlace", "JobPosting", "Product"}
    metadata = {"probability": 0.0} if has_probability else None
    return cls(url=page.url, metadata=metadata)
