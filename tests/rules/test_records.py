"""Posts and entries whose elements rules name."""

from __future__ import annotations

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.records.threads import MAX_POSTS
from scrapy_mainpage.rules import SiteRules

URL = "https://a.com/birds"
TEXT = "I have tried this engine for two years and it never failed me at all."
BIRDS = ("Owl", "Hawk", "Kite", "Wren", "Crane", "Stork")
POSTS = SiteRules(posts=(".comment",))


def post(k: int, inner: str = "", names: str = "comment") -> str:
    return (
        f"<li class='{names}'><time datetime=2024-01-0{k}>Jan {k}, 2024</time>"
        f"<div class=text><p>Post {k}. {TEXT}</p></div>{inner}</li>"
    )


def thread(posts: str) -> str:
    return f"<html lang=en><body><h1>Engines</h1><ol>{posts}</ol></body></html>"


def test_replies_in_a_post_are_posts() -> None:
    inner = f"<ol>{post(2, f'<ol>{post(3)}</ol>')}</ol>"
    posts = extract(thread(post(1, inner) + post(4)), rules=POSTS).posts
    assert [each.text for each in posts] == [f"Post {k}. {TEXT}" for k in (1, 2, 3, 4)]
    assert [each.date for each in posts] == [f"2024-01-0{k}" for k in (1, 2, 3, 4)]


def test_an_element_that_a_post_begins_with_is_no_other_post() -> None:
    inner = "<div class=comment><p>Post {}. " + TEXT + "</p></div>"
    html = thread("".join(f"<li class=comment>{inner.format(k)}</li>" for k in (1, 2)))
    assert len(extract(html, rules=POSTS).posts) == 2


def test_posts_of_rules_are_bounded() -> None:
    html = thread("".join(map(post, range(MAX_POSTS + 50))))
    assert len(extract(html, rules=POSTS).posts) == MAX_POSTS


def cards(card: str) -> str:
    listed = "".join(card.replace("NAME", bird) for bird in BIRDS)
    return f"<html lang=en><body><h1>Birds</h1><div>{listed}</div></body></html>"


def test_the_link_of_an_entry_may_be_around_its_element() -> None:
    text = "<h3>NAME</h3><p>The NAME lives in the hills and sings at dusk for all.</p>"
    html = cards(f"<a href=/b/NAME><div class=card>{text}</div></a>")
    entries = extract(html, url=URL, rules=SiteRules(entries=(".card",))).entries
    assert [each.url for each in entries] == [f"https://a.com/b/{b}" for b in BIRDS]


def test_elements_without_an_entry_leave_the_listing_to_the_algorithm() -> None:
    text = "<p class=card>The NAME lives in the hills and sings at dusk for all.</p>"
    html = cards(f"<div><h3><a href=/b/NAME>NAME of the hills</a></h3>{text}</div>")
    plain = extract(html, url=URL).entries
    assert len(plain) == len(BIRDS)
    assert extract(html, url=URL, rules=SiteRules(entries=(".card",))).entries == plain
