"""A spider that collects the items of one type from a site."""

from __future__ import annotations

from scrapy_mainpage.spiders import MainpageSpider


class TypesSpider(MainpageSpider):
    """All posts of a forum, or with ``-a item_type=product`` all products of a shop.

    ``scrapy crawl types -a start=https://example.com/forum/``
    """

    name = "types"
    item_type = "forum"
    custom_settings = {
        # The records are all that an item of this spider has.
        "MAINPAGE_ITEM_FIELDS": {},
        "MAINPAGE_FILTER_ENABLED": False,
        "MAINPAGE_INDEX": None,
    }
