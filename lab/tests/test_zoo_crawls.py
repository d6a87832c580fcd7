"""Whole crawls of applications of the zoo, by type and without a selector."""

import pytest

from lab.benchmarks.sitecrawls import (
    FORUMS,
    Crawl,
    compare_posts,
    compare_products,
    crawl,
    make_products,
)
from lab.zoo.content import load_contents
from lab.zoo.publish import as_thread
from lab.zoo.tools import ToolError

COUNT = 16


@pytest.mark.timeout(900)
def test_all_threads_of_a_forum_are_collected():
    threads = [c for c in load_contents() if c.kind == "thread"][:COUNT]
    try:
        found = crawl(FORUMS[0], [as_thread(each) for each in threads], "forum")
    except ToolError as error:
        pytest.skip(str(error))
    n_threads, share, posts, *shares, _ = compare_posts(found)
    assert (n_threads, share, posts) == (COUNT, 1, sum(map(len, found.rows.values())))
    assert min(shares[:3]) > 0.95
    assert shares[3:] == [pytest.approx(0, abs=0.05), 0]


def test_products_are_compared_with_the_rows_of_the_shop():
    rows = {
        "1": [("Kettle", "K-1", "41.00", "EUR", 1, None)],
        "2": [("Lamp", "L-2", "9.50", "EUR", 0, None)],
        "3": [("Lamp, red", None, "9.50", "EUR", 0, 2)],
    }
    item = {"url": "/1", "name": "Kettle", "price": "41.0", "currency": "USD"}
    item |= {"sku": None, "gtin": "K-1", "mpn": None, "availability": "OutOfStock"}
    found = Crawl(rows, {"1": [item], "3": [item], "/add/": [item]}, 9)
    assert compare_products(found) == [2, 0.5, 0.5, 0.5, 0, 0.5, 0, 1, 9]


def test_made_products_differ_in_name_number_and_address():
    made = make_products([c for c in load_contents() if c.kind == "product"])
    for field in ("slug", "title", "sku"):
        assert len({each[field] for each in made}) == len(made) == 60
    assert sum(each["stock"] == 0 for each in made) == 12
