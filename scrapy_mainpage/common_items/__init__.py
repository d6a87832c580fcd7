"""Items of zyte-common-items, made of pages.

A *page* is a :class:`~scrapy_mainpage.Page`, whose module imports this package.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

#: Name of an item -> the function in ``makers`` that makes it.
_MAKERS: Final = {
    "JobPosting": "make_job",
    "Product": "make_product",
    "ForumThread": "make_thread",
    "ProductList": "make_product_list",
    "ArticleList": "make_article_list",
    "BusinessPlace": "make_place",
    "Article": "make_article",
    "SearchRequestTemplate": "make_search",
}
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
    makers = import_module(f"{__name__}.makers")
    names = _MAKERS if name is None else (name,)
    made = (getattr(makers, _MAKERS[each])(page) for each in names)
    return next((item for item in made if item is not None), None)
