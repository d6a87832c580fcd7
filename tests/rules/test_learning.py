"""Rules that are learned from corrected pages."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.rules import CorrectedPage, SiteRules, learn_rules, preview
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
    assert rules.content == ("[class*='Article_body__']",)
    assert sorted(rules.drop) == [".promo", ".who"]
    text = texts(rules, page(5))
    assert text.startswith("Title 5\n\nPage 50")
    assert "Page 56" in text
    assert not re.search("Item|Buy|Home|By ", text)


def test_rules_are_the_same_in_every_run() -> None:
    pages = [correct(page(n), n) for n in (1, 2)]
    assert learn_rules(pages) == learn_rules(pages) == learn_rules(pages[::-1])


def test_there_are_no_rules_where_the_algorithm_fits_better() -> None:
    def mixed(n: int) -> CorrectedPage:
        html = article(f"trains {n}", paragraphs=8)
        main = [block.is_main for block in extract(html).blocks]
        paragraphs = [b.index for b in extract(html).blocks if "paragraph" in b.text]
        main[paragraphs[n]] = False  # one of many that are built alike
        return CorrectedPage(f"https://a.com/{n}", html.encode(), main)

    with pytest.raises(ValueError, match="no selector fits the corrected pages"):
        learn_rules([mixed(1), mixed(2)])


def test_no_selector_counts_positions_or_names_numbers() -> None:
    rules = learn_rules([correct(page(n), n) for n in (1, 2)])
    for _, selector in rules.selectors:
        assert not re.search(r"nth|first|last|\d", selector)


def test_pages_of_two_templates_give_the_rules_of_both() -> None:
    shop = f"<div id=x><p>{OTHER.format(n=1) * 4}</p></div>"
    text = TEXT.format(n=2) * 5
    post = f"{shop}<article><p>{text}</p></article>"
    thread = f"{shop}<div class=thread><p>{text}</p><p>{text}</p></div>"
    rules = learn_rules([correct(post), correct(thread)])
    for html in (post, thread):
        assert texts(rules, html).startswith("Page 2 says")
        assert "Item" not in texts(rules, html)


def test_what_only_other_pages_show_counts() -> None:
    # Both selectors fit the corrected pages: one finds nothing elsewhere.
    def make(n: int, name: str) -> str:
        text = f"<p>{TEXT.format(n=n) * 6}</p><p>{TEXT.format(n=-n) * 6}</p>"
        shop = "<nav class=box><a href=/>Home</a></nav>"
        return (
            f"<body>{shop}<div class={name}><div class=zone>{text}</div></div></body>"
        )

    pages = [correct(make(n, "alpha"), n) for n in (1, 2)]
    assert learn_rules(pages).content == (".zone",)
    others = [(f"https://a.com/o{n}", make(n, "beta").encode()) for n in range(4)]
    swapped = [
        replace(each, html=each.html.replace(b"zone", b"mark")) for each in pages
    ]
    swapped_others = [(url, html.replace(b"beta", b"alpha")) for url, html in others]
    assert learn_rules(pages, others).content == (".zone",)
    assert learn_rules(swapped, swapped_others).content == (".alpha",)


def test_rules_are_for_the_folder_of_the_corrected_pages() -> None:
    def directory(n: int) -> str:
        names = "".join(f"<li><a href=/{k}>Shop {n} {k}</a>" for k in range(12))
        about = "".join(f"<p>{TEXT.format(n=k) * 3}</p>" for k in range(4))
        return f"<div class=dir><ul>{names}</ul></div><main>{about}</main>"

    def news(n: int) -> tuple[str, bytes]:
        menu = "<div class=dir><a href=/a>Shops A to K</a></div>"
        return f"https://a.com/news/{n}", article(f"owl {n}", links=menu).encode()

    lists = [
        replace(correct(directory(n), drop="Page"), url=f"https://a.com/shop/{n}")
        for n in (1, 2)
    ]
    more = [(f"https://a.com/shop/{n}", directory(n).encode()) for n in (3, 4)]
    assert learn_rules(lists, more).paths == ()
    rules = learn_rules(lists, [*more, *map(news, range(6))])
    assert rules.paths == ("/shop/*",)


def test_title_author_and_date_are_found_by_their_blocks() -> None:
    day = "<time class=when datetime=2021-02-03>3 February</time>"
    pages = []
    for n in (1, 2):
        html = page(n, outside=day)
        blocks = [block.text for block in extract(html).blocks]
        pages.append(
            replace(
                correct(html, n),
                fields={
                    "title": blocks.index(f"Title {n}"),
                    "author": blocks.index(f"By Writer {n}"),
                    "date": blocks.index("3 February"),
                },
            )
        )
    rules = learn_rules(pages)
    assert rules.title == ("h1",)
    assert rules.author == (".who",)
    assert rules.date == ("time",)
    metadata = extract(page(7, outside=day), rules=rules).metadata
    assert metadata.title == "Title 7"
    assert metadata.author == "Writer 7"
    assert metadata.date_published == "2021-02-03"


def test_pages_without_anything_to_learn_are_errors() -> None:
    nothing = correct(page(1), drop=".")
    with pytest.raises(ValueError, match="no page with main content"):
        learn_rules([nothing])
    wrong = replace(correct(page(1)), main=[True])
    with pytest.raises(ValueError, match=r"1 corrected blocks on a page of \d+"):
        learn_rules([wrong])
    html = article("trains", paragraphs=3)
    main = [block.is_main for block in extract(html).blocks]
    second = max(k for k, is_main in enumerate(main) if is_main)
    # What is right is no rule, and nothing tells the author from its neighbours.
    right = CorrectedPage("https://a.com/1", html.encode(), main, {"author": second})
    with pytest.raises(ValueError, match="no selector fits the corrected pages"):
        learn_rules([right])


def test_the_preview_says_what_rules_do_before_they_are_saved() -> None:
    rules = learn_rules([correct(page(n), n) for n in (1, 2)])
    bare = f"<main><p>{TEXT * 9}</p></main>"
    pages = [("https://a.com/4", page(4).encode()), ("https://a.com/x", bare.encode())]
    ruled, missed = preview(rules, pages)
    assert ruled.is_matched
    assert ruled.words_after == extract(page(4), rules=rules).words
    assert ruled.words_before == extract(page(4)).words
    assert ruled.rules[0] == "content = [class*='Article_body__']"
    assert not missed.is_matched
    assert missed.words_after == missed.words_before > 0


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
