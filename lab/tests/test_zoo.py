"""The zoo: its contents, its truth, its servers, and whole crawls of a forum."""

from __future__ import annotations

import socket
import sys

import pytest

from lab.benchmarks.sitecrawls import (
    FORUMS,
    Crawl,
    compare_posts,
    compare_products,
    crawl,
)
from lab.zoo.content import (
    HALVES,
    KINDS,
    as_thread,
    choose,
    half_of,
    html_box,
    load_contents,
)
from lab.zoo.record import Page, Recorder, TruthError, describe
from lab.zoo.software import load_software
from lab.zoo.tools import Site, ToolError, serving
from scrapy_mainpage.evaluation.datasets import load_sets

HTML = """<!DOCTYPE html><html><body>
<header><a href="/">Site</a></header>
<div><h1>Two bridges<a class="link" href="#">#</a></h1><i class="by">Ada</i></div>
<div class="text"><p>One is <b>old</b>, the other m<sup>2</sup>.</p>
<aside class="more"><a href="/x">Read also</a></aside>
<table><tr><th>Bridge</th><th>Year</th></tr><tr><td>North</td><td></td></tr></table>
<pre>a = 1
  b = 2</pre><script>x()</script><p>First<br>second</p></div>
<footer>Imprint</footer></body></html>"""
TEXT = """Two bridges
One is old, the other m2.
Bridge
Year
North
a = 1
b = 2
First
second"""
SOURCE = "One is old, the other m2. Bridge Year North a = 1 b = 2 First second"


def make_page(**changes):
    values = {
        "path": "/bridges/",
        "html": HTML.encode(),
        "content": "h1, div.text",
        "drop": "a.link, aside.more",
        "title": "Two bridges",
        "source": SOURCE,
    }
    return Page(**values | changes)


@pytest.fixture(scope="module")
def contents():
    return load_contents()


def test_text_is_that_of_the_elements_without_what_is_dropped():
    line = describe(make_page())
    assert line["text"] == TEXT


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"content": "div.other"}, "no element"),
        ({"content": "script"}, "no text"),
        ({"type": "blog"}, "unknown type"),
        ({"content": "div.text"}, "without its title"),
        ({"source": SOURCE + " and a whole other sentence"}, "missing 5 words"),
        ({"source": "One is old, the other m2."}, "more 9 words"),
    ],
)
def test_truth_that_cannot_be_right_is_refused(changes, reason):
    with pytest.raises(TruthError, match=reason):
        describe(make_page(**changes))


def test_recorded_pages_are_a_set_of_labelled_pages(tmp_path):
    recorder = Recorder(tmp_path, "train")
    pages = [make_page(), make_page(content="b.x"), make_page()]
    number, wrong = recorder.record("bricks", pages)
    assert number == 2
    assert [reason.split(":")[0] for reason in wrong] == ["bricks-01"]
    recorder.record("mortar", [make_page(template="dark", type="documentation")])
    recorder.record("bricks", [make_page(title="Two", source="")])
    (pages,) = load_sets(tmp_path)
    assert pages.name == "zoo-train"
    assert [page.id for page in pages.pages] == ["bricks-00", "mortar-dark-00"]
    assert pages.pages[1].url == "https://mortar.example/dark/bridges/"
    assert pages.pages[1].type == "documentation"
    assert [page.text for page in pages.pages] == [TEXT, TEXT]
    assert pages.pages[0].html() == HTML.encode()
    files = sorted(path.name for path in tmp_path.glob("zoo-train/html/*"))
    assert files == ["bricks-00.html.gz", "mortar-dark-00.html.gz"]


def test_both_halves_have_contents_of_every_kind(contents):
    kinds = {(content.kind, half_of(content)) for content in contents}
    assert kinds == {(kind, half) for kind in KINDS for half in HALVES}


def test_software_of_the_two_halves_never_publishes_the_same_content(contents):
    wanted = dict.fromkeys(KINDS, 5)
    train, measure = (choose(contents, wanted, half, "x") for half in HALVES)
    assert len(train) > 15
    assert not {c.name for c in train} & {c.name for c in measure}
    assert {each.half for each in load_software().values()} == set(HALVES)


def test_all_boxes_are_written(contents):
    texts = [content.markup("markdown", html_box) for content in contents]
    assert not [text for text in texts if "ZOOBOX" in text or "\n:::" in text]
    assert sum(text.count('<div class="note">') for text in texts) >= 5


@pytest.mark.parametrize("own", load_software().values(), ids=lambda own: own.name)
def test_the_table_of_software_is_complete(own):
    assert callable(own.build)
    assert own.half in HALVES
    assert own.wanted.keys() <= KINDS
    assert own.truth
    for theme in own.themes or [""]:
        page = own.reference("/x", b"", "x", template=theme)
        assert page.template == theme.replace("_", "-")


# --- Applications


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_server_answers_inside_of_the_block_only(tmp_path):
    site = Site("shop")
    (tmp_path / "index.html").write_text(f"<a href='{site.url}/x'>x</a> {site.url[7:]}")
    port = str(site.port)
    command = (sys.executable, "-m", "http.server", "--bind", "127.0.0.1", port)
    with serving(*command, log=tmp_path / "log", port=site.port, cwd=tmp_path):
        page = site.get("/")
        with pytest.raises(ToolError, match="404"):
            site.get("/missing")
    assert page == b"<a href='https://shop.example/x'>x</a> shop.example"
    assert not answers(site.port)


def test_a_server_that_ends_is_an_error_with_its_last_words(tmp_path):
    command = (sys.executable, "-c", "raise SystemExit('no such database')")
    with (
        pytest.raises(ToolError, match="no such database"),
        serving(*command, log=tmp_path / "log", port=Site("shop").port),
    ):
        pass


COUNT = 16


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
