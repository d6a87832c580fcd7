"""Rules that are learned from corrected pages."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.rules import CorrectedPage, SiteRules, learn_rules
from tests.mockserver import article

TEXT = "Page {n} says in plain words, with a comma, what a reader came here for. "
OTHER = "Item {n} of the shop is cheap, and it is sent to you for nothing at all. "


def page(n: int, *, body: str = "", outside: str = "") -> str:
    text = "".join(f"<p>{TEXT.format(n=n * 10 + k)}</p>" for k in range(2 + n))
    shop = "".join(f"<p>{OTHER.format(n=k)}</p>" for k in range(3))
    return f"""<html><body class="page-{n}"><div id="menu"><a href="/">Home</a></div>
<div class="Shop_box__aX3{n}b"><p>Buy {n}.</p>{shop}</div>
<div class="Article_body__k9Zq1"><h1 class="head">Title {n}</h1>
<span class="who">By Writer {n}</span><div>{text}</div>
<div class="promo c{n}"><p>{OTHER.format(n=9)}</p></div>{body}</div>
<div class="bottom">{outside}</div></body></html>"""


def correct(html: str, n: int = 0, *, drop: str = "Item|Buy|Home|By ") -> CorrectedPage:
    blocks = extract(html).blocks
    main = [not re.match(drop, block.text) for block in blocks]
    return CorrectedPage(f"https://a.com/{n}", html.encode(), main)


def texts(rules: SiteRules, html: str) -> str:
    return extract(html, rules=rules).text


def test_rules_fit_other_pages_of_the_template() -> None:
    rules = learn_rules([correct(page(n), n) for n in (1, 2)])
    text = texts(rules, page(5))
    assert text.startswith("Title 5\n\nPage 50")
    assert "Page 56" in text
    assert not re.search("Item|Buy|Home|By ", text)
    for _, selector in rules.selectors:  # no positions, and no numbers
        assert not re.search(r"nth|first|last|\d", selector)


def test_rules_are_the_same_in_every_run() -> None:
    pages = [correct(page(n), n) for n in (1, 2)]
    assert learn_rules(pages) == learn_rules(pages) == learn_rules(pages[::-1])


def test_pages_of_two_templates_give_the_rules_of_both() -> None:
    shop = f"<div id=x><p>{OTHER.format(n=1) * 4}</p></div>"
    text = TEXT.format(n=2) * 5
    post = f"{shop}<article><p>{text}</p></article>"
    thread = f"{shop}<div class=thread><p>{text}</p><p>{text}</p></div>"
    rules = learn_rules([correct(post), correct(thread)])
    for html in (post, thread):
        assert texts(rules, html).startswith("Page 2 says")
        assert "Item" not in texts(rules, html)


def shop(n: int, names: str, main: str = "text") -> str:
    """A page whose offers look like its text."""
    text = "".join(f"<p>{TEXT.format(n=n + k) * 4}</p>" for k in range(4))
    offers = f"<div class='{names}'><p>{OTHER.format(n=n) * 6}</p></div>"
    return f"<html lang=en><div class={main}><h1>Page {n}</h1>{text}{offers}</div>"


@pytest.mark.parametrize(
    ("names", "chosen"), [("beta zone", ".zone"), ("alpha mark", ".alpha")]
)
def test_a_selector_that_other_pages_have_is_preferred(names: str, chosen: str) -> None:
    pages = [correct(shop(n, "alpha zone"), n) for n in (1, 2)]
    others = [(f"https://a.com/o{n}", shop(n, names).encode()) for n in range(4)]
    assert learn_rules(pages, others).drop == (chosen,)


@pytest.mark.parametrize("main", ["lead", "text lead"])
def test_rules_do_not_contradict_the_algorithm_on_other_pages(main: str) -> None:
    pages = [correct(shop(n, "lead"), n) for n in (1, 2)]
    assert learn_rules(pages).drop == (".lead",)
    html = shop(3, "x", f"'{main}'")
    rules = learn_rules(pages, [("https://a.com/3", html.encode())])
    assert texts(rules, html).count("Page") == extract(html).text.count("Page")


def right_page(n: int = 1, **changed: object) -> CorrectedPage:
    """A page that the algorithm is right about, without names for its paragraphs."""
    html = article(f"trains {n}", paragraphs=8)
    main = [block.is_main for block in extract(html).blocks]
    known = CorrectedPage(f"https://a.com/{n}", html.encode(), main)
    return replace(known, **changed)  # type: ignore[arg-type]


def without(*paragraphs: int) -> CorrectedPage:
    """One of many paragraphs that are built alike is none of the main content."""
    known = right_page()
    blocks = [b.index for b in extract(known.html).blocks if "paragraph" in b.text]
    main = [
        is_main and block not in [blocks[k] for k in paragraphs]
        for block, is_main in enumerate(known.main)
    ]
    return replace(known, main=main)


def in_template(name: str) -> CorrectedPage:
    """Every second paragraph counts: no selector tells them apart."""
    text = "".join(f"<p>{TEXT.format(n=n)}</p>" for n in range(8))
    html = f"<div class={name}>{text}</div>"
    return CorrectedPage("https://a.com/1", html.encode(), [True, False] * 4)


@pytest.mark.parametrize(
    ("pages", "reason"),
    [
        ([correct(page(1), drop=".")], "no page with main content"),
        ([right_page(main=[True])], r"1 corrected blocks on a page of \d+"),
        # What is right is no rule, and nothing tells the author from its neighbours.
        ([right_page(fields={"author": 7})], "corrections of 0.0% of the text are too"),
        ([without(1), without(2)], "no few selectors fit: correct another page"),
        (
            [in_template("a"), in_template("b")],
            "the corrected pages are of different templates: correct more of one",
        ),
    ],
)
def test_the_reason_for_no_rules_is_said(
    pages: list[CorrectedPage], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        learn_rules(pages)


def test_few_links_that_were_kept_are_no_rule() -> None:
    def kept(n: int) -> CorrectedPage:
        more = "<ul class=more><li><a href=/x>See also</a></ul>"
        html = article(f"trains {n}", paragraphs=8, main=more)
        main = [b.is_main or b.text == "See also" for b in extract(html).blocks]
        return CorrectedPage(f"https://a.com/{n}", html.encode(), main)

    with pytest.raises(ValueError, match=r"too few for rules|no few selectors"):
        learn_rules([kept(1), kept(2)])


def test_title_author_and_date_are_found_by_their_blocks() -> None:
    day = "<time class=when datetime=2021-02-03>3 February</time>"
    pages = []
    for n in (1, 2):
        html = page(n, outside=day)
        blocks = [block.text for block in extract(html).blocks]
        fields = {
            "title": blocks.index(f"Title {n}"),
            "author": blocks.index(f"By Writer {n}"),
            "date": blocks.index("3 February"),
        }
        pages.append(replace(correct(html, n), fields=fields))
    rules = learn_rules(pages)
    found = (rules.title, rules.author, rules.date)
    assert found == (("h1",), (".who",), ("time",))
    metadata = extract(page(7, outside=day), rules=rules).metadata
    assert metadata.title == "Title 7"
    assert metadata.author == "Writer 7"
    assert metadata.date_published == "2021-02-03"


def test_a_field_is_named_by_what_is_around_it_where_its_name_is_not_enough() -> None:
    other = "<div class=card><b class=price>9.00</b></div>" * 2
    own = "<div class=buy><b class=price>5.00</b></div>"
    html = article("kettle", paragraphs=3, main=other + own).encode()
    blocks = extract(html).blocks
    price = next(block.index for block in blocks if block.text == "5.00")
    main = [block.is_main for block in blocks]
    known = CorrectedPage("https://a.com/1", html, main, {"price": price})
    assert learn_rules([known]).fields["price"] == (".buy",)


def test_what_the_algorithm_of_the_user_gets_wrong_is_learned() -> None:
    text = "<p>Snow fell on the hills through the night, and the road was closed.</p>"
    pages = []
    for n in (1, 2):
        html = f"<nav><a href=/>Home</a></nav><article><h1>{n}</h1>{text * 9}</article>"
        main = [block.is_main for block in extract(html).blocks]
        pages.append(CorrectedPage("", html.encode(), main, {"title": 1}))
    assert learn_rules(pages).content == ()
    learned = learn_rules(pages, extractor=Extractor("centroid"))
    assert learned.content == ("article",)
