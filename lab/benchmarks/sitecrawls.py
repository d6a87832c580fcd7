"""Whole crawls of a shop and of forums, compared with their own databases.

The applications are those of the zoo (``lab.zoo``), with their own templates, served on
the loopback. ``MainpageSpider`` gets the address of the start page and the type of the
items, and no selector.
"""

from __future__ import annotations

import argparse
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from lab import crawls
from lab.tables import Table
from lab.zoo.content import Content, as_product, as_thread, load_contents
from lab.zoo.software import load_software
from lab.zoo.tools import django
from scrapy_mainpage.records import Post
from scrapy_mainpage.spiders import MainpageSpider

from .posts import count

PRODUCTS: Final = 60
EDITIONS: Final = ("", ", second series", ", travel edition")
SOLD_OUT: Final = 5
"""Each fifth product has no stock."""

_PRODUCT: Final = """
    select p.id, p.title, p.upc, s.price, s.price_currency, max(s.num_in_stock) > 0,
    p.parent_id from catalogue_product p
    left join catalogue_product child on child.parent_id = p.id
    join partner_stockrecord s on s.product_id in (p.id, child.id) group by p.id
"""
_SPIRIT: Final = """
    select t.id, c.comment, u.username, date(c.date) from spirit_comment_comment c
    join spirit_topic_topic t on t.id = c.topic_id join auth_user u on u.id = c.user_id
"""
_MACHINA: Final = """
    select t.id, p.content, u.username, date(p.created) from forum_conversation_post p
    join forum_conversation_topic t on t.id = p.topic_id
    join auth_user u on u.id = p.poster_id
"""


class Software(NamedTuple):
    """An application: its database, and the ids in its addresses."""

    name: str
    query: str
    id: str


SHOP: Final = Software("oscar", _PRODUCT, r"_(\d+)/$")
FORUMS: Final = (
    Software("spirit", _SPIRIT, r"/topic/(\d+)/"),
    Software("machina", _MACHINA, r"/topic/[^/]*-(\d+)/"),
)


class Crawl(NamedTuple):
    """Rows of a database by id, the items of the spider by id, and its requests."""

    rows: dict[str, list[tuple[Any, ...]]]
    items: dict[str, list[dict[str, Any]]]
    requests: int


def run(options: argparse.Namespace) -> list[Table]:
    """A table of the shop, and one of the forums."""
    contents = load_contents()
    made = make_products([each for each in contents if each.kind == "product"])
    shop = Table(
        "crawl of a shop",
        ["software", "products", "found", "name", "price", "currency", "SKU",
         "availability", "other items", "requests"],
        name="evaluation-shopcrawl",
    )  # fmt: skip
    shop.rows.append([SHOP.name, *compare_products(crawl(SHOP, made, "product"))])
    forums = Table(
        "crawls of forums",
        ["software", "threads", "found", "posts", "found", "author", "date",
         "superfluous", "other items", "requests"],
        name="evaluation-forumcrawls",
    )  # fmt: skip
    threads = [as_thread(each) for each in contents if each.kind == "thread"]
    for forum in FORUMS:
        forums.rows.append([forum.name, *compare_posts(crawl(forum, threads, "forum"))])
    return [shop, forums]


def make_products(contents: Sequence[Content]) -> list[dict[str, Any]]:
    """Products of the contents in several editions, each fifth of them sold out."""
    made = []
    for number in range(PRODUCTS):
        edition, own = divmod(number, len(contents))
        product = as_product(contents[own])
        changes = {
            "slug": f"{product['slug']}-{edition}",
            "title": product["title"] + EDITIONS[edition],
            "sku": f"{product['sku']}{'ABC'[edition]}",
            "price": f"{float(product['price']) + 3 * edition:.2f}",
            "stock": 0 if number % SOLD_OUT == 0 else 7,
        }
        made.append(product | changes)
    return made


def crawl(software: Software, contents: object, item_type: str) -> Crawl:
    """Fill, serve and crawl the application."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        packages = load_software()[software.name].packages
        with django(software.name, folder, packages, contents) as (site, _):
            start = f"{site.url}/"
            crawled = crawls.crawl({}, MainpageSpider, start=start, item_type=item_type)
        rows, items = defaultdict(list), defaultdict(list)
        with sqlite3.connect(folder / "home/site.sqlite") as database:
            for number, *row in database.execute(software.query):
                rows[str(number)].append(tuple(row))
        for item in crawled.items:
            match = re.search(software.id, item["url"])
            items[match[1] if match else item["url"]].append(item)
        return Crawl(rows, items, crawled.stats["downloader/request_count"])


def compare_products(found: Crawl) -> list[Any]:
    """Products, the shares of them that are found and right, other items, requests."""
    right: Counter[str] = Counter()
    # A variant has a page of its own, but need not be found: its product has it.
    own = {number: row for number, (row,) in found.rows.items() if row[-1] is None}
    for number, (name, sku, price, currency, in_stock, _) in own.items():
        for item in found.items.get(number, [])[:1]:
            checks = {
                "found": True,
                "name": item["name"] == name,
                "price": float(item["price"] or 0) == float(price),
                "currency": item["currency"] == currency,
                "sku": sku in {item["sku"], item["gtin"], item["mpn"]},
                "availability": (item["availability"] == "InStock") == bool(in_stock),
            }
            right.update(checks)
            for field in (field for field, is_right in checks.items() if not is_right):
                print(f"{item['url']}: {field} is {item.get(field)!r}")
    total = len(own)
    keys = ("found", "name", "price", "currency", "sku", "availability")
    shares = [right[key] / total for key in keys]
    return [total, *shares, len(found.items.keys() - found.rows), found.requests]


def compare_posts(found: Crawl) -> list[Any]:
    """Threads and posts, their shares found, other items, requests."""
    counts: Counter[str] = Counter()
    for number, rows in found.rows.items():
        names = ("text", "author", "date")
        marked = [dict(zip(names, row, strict=True)) for row in rows]
        items = found.items.get(number, [])
        posts = [Post(**post) for item in items for post in item["posts"]]
        own = count(marked, tuple(posts), items[0]["url"] if items else "")
        counts += own + Counter(threads=bool(items))
        if own["found"] < len(rows) or own["more"]:
            print(f"thread {number}: {dict(own)}")
    threads, posts = len(found.rows), counts["posts"]
    shares = (counts[key] / posts for key in ("found", "author", "date", "more"))
    others = len(found.items.keys() - found.rows)
    return [
        threads,
        counts["threads"] / threads,
        posts,
        *shares,
        others,
        found.requests,
    ]
