"""The entries of listings on pages that are written here."""

from __future__ import annotations

import json

import pytest

from scrapy_mainpage import Page, extract
from scrapy_mainpage.extraction.records import spots
from scrapy_mainpage.records import Entry

SITE = "https://shop.example"
GOODS = (
    ("Copper kettle with a long spout", "89.00", "Boils a litre in four minutes."),
    ("Enamel kettle, 2 litres", "49.90", "Whistles when the water boils in it."),
    ("Cast iron teapot", "65.00", "Keeps the tea warm for an hour and more."),
    ("Glass teapot with a strainer", "24.50", "Shows the colour of the tea in it."),
    ("Travel kettle for two cups", "31.20", "Fits into a small bag of a traveller."),
    ("Stove kettle of brushed steel", "55.00", "For gas, induction and open fire."),
)
POSTS = (
    ("The ferry that nobody takes any more", "2024-03-05", "Ann Mill"),
    ("A winter on the island of Hven", "2024-02-11", "Jonas Heller"),
    ("How to mend a wooden oar", "2024-01-20", "Ann Mill"),
    ("Bread for a week at sea", "2023-12-02", "Rosa Lind"),
    ("What the lighthouse keeper knew", "2023-11-13", "Jonas Heller"),
)
LEDE = (
    "Every morning it leaves the quay with the post, three crates of milk and the "
    "teacher, and comes back in the evening with what the island has to sell."
)


def page_of(
    body: str, path: str = "/category/kettles/", title: str = "Kettles"
) -> Page:
    menu = "".join(f"<li><a href=/{w}>{w.title()}</a>" for w in "home tea cups".split())
    html = (
        f"<html lang=en><head><title>{title}</title></head><body><header><nav><ul>"
        f"{menu}</ul></nav></header><main><h1>{title}</h1>{body}</main><footer><ul>"
        "<li><a href=/terms>Terms and conditions of sale</a><li><a href=/privacy>"
        "Privacy of our customers</a><li><a href=/jobs>Jobs in our shop</a></ul>"
        "</footer></body></html>"
    )
    return extract(html, url=SITE + path)


def grid(rows: tuple[tuple[str, str, str], ...] = GOODS) -> str:
    cards = (
        f"<li class='product product-{k} cat-{'ab'[k % 2]}'><a href=/p/{k}><img "
        f"data-src=/img/{k}.jpg src=blank.gif alt=''></a>"
        f"<h3><a href=/p/{k}>{name}</a></h3><p>{text}</p>"
        f"<del>€{float(price) + 10:.2f}</del> <b>€{price}</b>"
        f"<a href='?add-to-cart={k}'>Add to cart</a></li>"
        for k, (name, price, text) in enumerate(rows)
    )
    return f"<ul class=products>{''.join(cards)}</ul>"


def archive() -> str:
    return "".join(
        f"<article class='post-{k} post type-post category-{'xyz'[k % 3]} tag-{k}'>"
        f"<header><h2 class=entry-title><a href=/{day}/>{title}</a></h2><p class=meta>"
        f"Posted on <time datetime={day}>{day}</time> by <a class=author href=/by/{k}>"
        f"{author}</a> in <a href=/category/sea/>Sea</a></p></header><p>{LEDE} {k}</p>"
        f"<a class=more-link href=/{day}/>Read more</a></article>"
        for k, (title, day, author) in enumerate(POSTS)
    )


def names(page: Page) -> list[str | None]:
    return [entry.name for entry in page.entries]


def test_cards_of_a_shop() -> None:
    entries = page_of(grid()).entries
    assert entries[1] == Entry(
        name="Enamel kettle, 2 litres",
        url=f"{SITE}/p/1",
        summary="Whistles when the water boils in it.",
        image=f"{SITE}/img/1.jpg",
        price="49.90",
        currency="EUR",
        position=2,
    )
    assert [entry.name for entry in entries] == [name for name, _, _ in GOODS]
    assert [entry.price for entry in entries] == [price for _, price, _ in GOODS]


def test_posts_of_an_archive() -> None:
    entries = page_of(archive(), "/category/sea/", "Sea").entries
    found = [(entry.name, entry.date, entry.author) for entry in entries]
    assert found == [*POSTS]
    assert entries[0].url == f"{SITE}/2024-03-05/"
    assert (entries[0].summary or "").startswith("Every morning it leaves the quay")


def test_results_of_a_search() -> None:
    results = "".join(
        f"<div class=result><a href=https://{k}.example/page><h3>{title}</h3></a>"
        f"<cite>{k}.example</cite><p>{LEDE} {k}</p></div>"
        for k, (title, _, _) in enumerate(POSTS)
    )
    page = page_of(results, "/search?q=sea", "Results for sea")
    assert names(page) == [title for title, _, _ in POSTS]
    assert page.entries[2].url == "https://2.example/page"


def test_front_page_with_several_sections() -> None:
    def section(first: int, tag: str) -> str:
        teasers = "".join(
            f"<div class=teaser><img src=/{k}.png><{tag}><a href=/n/{first + k}>"
            f"{title} {first + k}</a></{tag}><p>{LEDE}</p></div>"
            for k, (title, _, _) in enumerate(POSTS[:4])
        )
        return f"<section><h2>Part {first}</h2><div>{teasers}</div></section>"

    page = page_of(section(1, "h3") + section(11, "h3"), "/")
    assert [entry.url for entry in page.entries] == [
        f"{SITE}/n/{k}" for k in (1, 2, 3, 4, 11, 12, 13, 14)
    ]


def test_rows_of_a_table() -> None:
    rows = "".join(
        f"<tr><td><a href=/topic/{k}>{title}</a></td><td><a href=/user/{k}>{author}</a>"
        f"</td><td>{k}</td><td>{day}</td></tr>"
        for k, (title, day, author) in enumerate(POSTS)
    )
    page = page_of(
        f"<table><tr><th>Topic<th>Author<th>Replies{rows}</table>", "/list/7"
    )
    assert names(page) == [title for title, _, _ in POSTS]
    assert [entry.date for entry in page.entries] == [day for _, day, _ in POSTS]


def test_records_of_two_rows() -> None:
    rows = "".join(
        f"<tr class=athing><td>{k}.<td><a href=https://{k}.example/x>{title}</a></tr>"
        f"<tr><td><td>{k + 3} points by <a href=/user?id={author[0]}>{author}</a>"
        f" {LEDE}</tr><tr class=spacer></tr>"
        for k, (title, _, author) in enumerate(POSTS)
    )
    page = page_of(f"<table>{rows}</table>", "/news/")
    assert names(page) == [title for title, _, _ in POSTS]
    assert all(LEDE in (entry.summary or "") for entry in page.entries)


def test_headings_with_text_between_them() -> None:
    body = "".join(
        f"<h2><a href=/a/{k}>{title}</a></h2><p>{LEDE} {k}</p>"
        for k, (title, _, _) in enumerate(POSTS)
    )
    page = page_of(body + "<p><a href=/older>Older posts</a></p>", "/blog/")
    assert names(page) == [title for title, _, _ in POSTS]
    assert [(entry.summary or "")[-1] for entry in page.entries] == [*"01234"]


def test_whole_card_is_the_link() -> None:
    cards = "".join(
        f"<div class=col><a href=/p/{k}><img src=/{k}.png><span class=badge>Sale</span>"
        f"<div class=product-title>{name}</div><div>${price}</div></a></div>"
        for k, (name, price, _) in enumerate(GOODS)
    )
    page = page_of(f"<div class=row>{cards}</div>", "/shop/")
    assert names(page) == [name for name, _, _ in GOODS]
    assert page.entries[0].currency == "USD"


def test_picture_says_the_name() -> None:
    cards = "".join(
        f"<div class=card><a href=/p/{k}><img src=/{k}.png alt='{name}'></a>"
        f"<p>€{price}</p></div>"
        for k, (name, price, _) in enumerate(GOODS)
    )
    assert names(page_of(cards, "/shop/")) == [name for name, _, _ in GOODS]


@pytest.mark.parametrize(
    "body",
    [
        "<article><h1>The ferry</h1>" + f"<p>{LEDE}</p>" * 8 + "</article>",
        "<p>" + LEDE * 3 + "</p><h2>Related</h2>" + grid(GOODS[:3]),
        "<div class=cloud>" + "".join(f"<a href=/t/{w}>{w}</a> " for w in LEDE.split()),
        "",
    ],
    ids=["article", "related", "tags", "nothing"],
)
def test_pages_without_entries(body: str) -> None:
    article = f"<div class=entry-content>{f'<p>{LEDE}</p>' * 12}</div>"
    assert page_of(article + body, "/2024/03/the-ferry", "The ferry").entries == ()


def test_facets_orders_and_pages_are_no_entries() -> None:
    facets = "".join(f"<li><a href='?brand={k}'>Brand {k} ({k})</a>" for k in range(9))
    order = (
        "<a href='?sort=price'>Cheapest first of all</a> <a href='?sort=new'>New</a>"
    )
    pages = "".join(f"<a href='?page={k}'>{k}</a> " for k in range(2, 9))
    page = page_of(f"<ul>{facets}</ul>{order}{grid()}<div class=pager>{pages}</div>")
    assert names(page) == [name for name, _, _ in GOODS]


def test_lines_that_all_cards_have_are_no_summaries() -> None:
    line = "Error while rating this product. Please try it again in a while."
    page = page_of(grid(tuple((name, price, line) for name, price, _ in GOODS)))
    assert {entry.summary for entry in page.entries} == {None}


def test_each_address_once_and_numbered() -> None:
    page = page_of(grid() + grid())
    assert [entry.position for entry in page.entries] == [1, 2, 3, 4, 5, 6]


def declared(*extra: str) -> str:
    items = [
        {
            "@type": "ListItem",
            "position": k,
            "item": {
                "@type": "Product",
                "name": name,
                "url": f"/p/{k}?from=list",
                "description": f"{text} Made by hand.",
                "offers": {"price": price, "priceCurrency": "SEK"},
            },
        }
        for k, (name, price, text) in enumerate(GOODS)
    ]
    data = {"@context": "https://schema.org", "@type": "ItemList"}
    script = json.dumps({**data, "itemListElement": items})
    return f"<script type=application/ld+json>{script}</script>{''.join(extra)}"


def test_declared_items_complete_what_is_seen() -> None:
    cards = "".join(
        f"<div class=card><h3><a href=/p/{k}>{name}</a></h3></div>"
        for k, (name, _, _) in enumerate(GOODS)
    )
    entries = page_of(declared(cards)).entries
    assert (entries[0].price, entries[0].currency) == ("89.00", "SEK")
    assert entries[0].url == f"{SITE}/p/0"
    assert entries[0].summary == "Boils a litre in four minutes. Made by hand."
    seen = page_of(declared(grid())).entries
    assert (seen[0].price, seen[0].currency) == ("89.00", "EUR")


def test_declared_items_alone() -> None:
    entries = page_of(declared("<div id=app></div>")).entries
    assert [entry.name for entry in entries] == [name for name, _, _ in GOODS]
    assert [entry.position for entry in entries] == [1, 2, 3, 4, 5, 6]


def test_microdata_completes_what_is_seen() -> None:
    cards = "".join(
        f"<div class=card itemscope itemtype=http://schema.org/Product><h3 "
        f"itemprop=name><a itemprop=url href=/p/{k}>{name}</a></h3><div itemscope "
        f"itemprop=offers itemtype=http://schema.org/Offer><meta itemprop=price "
        f"content={price}><meta itemprop=priceCurrency content=NOK></div></div>"
        for k, (name, price, _) in enumerate(GOODS)
    )
    entries = page_of(cards).entries
    assert [entry.price for entry in entries] == [price for _, price, _ in GOODS]
    assert {entry.currency for entry in entries} == {"NOK"}
    assert [entry.name for entry in entries] == [name for name, _, _ in GOODS]


@pytest.mark.parametrize(
    "script",
    [
        '{"@type": "ItemList", "itemListElement": 7}',
        '{"@type": "ItemList", "itemListElement": [3, null, {"item": [1]}]}',
        '{"@type": ["Blog"], "blogPost": {"url": "javascript:x"}}',
        '{"@type": "ItemList", "itemListElement": [{"item": {"offers": [[]]}}]}',
        '{"@type": "ItemList", "itemListElement": [{"url": {}, "item": 1}]}',
        "{",
    ],
)
def test_broken_declarations_change_nothing(script: str) -> None:
    body = f"<script type=application/ld+json>{script}</script>{grid()}"
    assert page_of(body).entries == page_of(grid()).entries


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<a href=/1><img src=1.png alt='The first'></a><a href=/2><img src=2.png></a>",
        "<a href=/1></a>" * 9,
        "<base href='http://[bad/'>" + grid(),
        "<ul>" + "<li><a href='http://[bad/'>A name of four words</a>" * 5,
        "<a href=/a>" * 300 + "A name of four words",
    ],
)
@pytest.mark.parametrize("url", [None, "http://[bad/", f"{SITE}/search?q=a"])
def test_odd_pages_do_not_fail(html: str, url: str | None) -> None:
    page = extract(html or "<p>", url=url)
    assert all(entry.name and entry.url for entry in page.entries)


def test_dates_that_cannot_be_read_stay_as_they_are_and_are_tried_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = tuple((f"{name} {k}", f"{k}.00", f"Mayday {k % 28 + 1}, 20{k % 90 + 10}")
                 for k in range(300) for name, _, _ in GOODS[:1])  # fmt: skip
    tried: list[object] = []
    monkeypatch.setattr(spots, "normalise_date", lambda value, _: tried.append(value))
    dates = [entry.date for entry in page_of(grid(rows)).entries]
    assert dates[250] == "Mayday 27, 2080"
    assert 0 < len(tried) <= 2 * spots.MAX_FAILED


@pytest.mark.parametrize("path", ["/kettles/", "/kettles"])
def test_fragments_lead_to_entries_of_the_page_s_own_application_alone(
    path: str,
) -> None:
    variants = page_of(grid().replace("href=/p/", "href=/p.html#/"), path)
    assert {entry.url for entry in variants.entries} <= {f"{SITE}/p.html"}
    routes = page_of(grid().replace("href=/p/", "href=#/p/"), path)
    expected = [f"{SITE}{path}#/p/{k}" for k in range(len(GOODS))]
    assert [entry.url for entry in routes.entries] == expected * path.endswith("/")


RULINGS = (
    ("Mill against the Town of Hven", "11-201", "March 5, 2024"),
    ("Heller and others v. Lind", "11-198", "March 5, 2024"),
    ("The Island Bank against Heller", "11-193", "March 5, 2024"),
    ("In the matter of a wooden oar", "10-772", "February 11, 2024"),
    ("State v. Keeper", "10-655", "February 11, 2024"),
    ("Lind v. the Owners of the Ferry", "10-641", "February 11, 2024"),
)


def test_name_and_date_in_other_cells_than_the_link() -> None:
    rows = "".join(
        f"<tr class=row{k % 2}><td><a href=/d/{number}.pdf>{number}</a>"
        f"<td>{name}<td>{day}</tr>"
        for k, (name, number, day) in enumerate(RULINGS)
    )
    page = page_of(f"<table><tr><th>No.<th>Case<th>Date{rows}</table>", "/opinions/")
    found = [(entry.name, entry.url, (entry.date or "")[:7]) for entry in page.entries]
    assert found == [
        (name, f"{SITE}/d/{number}.pdf", "2024-03" if "March" in day else "2024-02")
        for name, number, day in RULINGS
    ]


LINES = (
    "<a href=/d/{no}.pdf>{no}</a> {day}  {name}<br>No. of the case: {no}<br><br>",
    "{day}, no. {no}<br><a href=/{no}>{name}</a><br>Decided in the town<br><br>",
    "<tr><td><a href=/{no}>{no}</a><td>{name} {day} More",
    "<tr><td><a href=/{no}>{no}</a><td>1-21-08<td>{day}<br><b>Case: </b>{name}<br>Open",
    "<tr><td>{day}<td>[<a href=/{no}.p>PDF</a>] [<a href=/{no}.d>DOC</a>]<td>{name}",
    "<tr><td>{day}<td>{name}<td><a href=/{no}><i aria-label='PDF of {no}'></i></a>",
)


@pytest.mark.parametrize("row", LINES)
def test_names_and_dates_in_one_line(row: str) -> None:
    rows = "".join(row.format(name=n, no=no, day=day) for n, no, day in RULINGS)
    entries = page_of("<table>" * ("<td>" in row) + rows, "/opinions/").entries
    found = [(entry.name, (entry.date or "")[:7]) for entry in entries]
    assert found == [(n, f"2024-0{3 - (d[0] == 'F')}") for n, _, d in RULINGS]


def test_date_of_a_heading_counts_for_the_entries_below() -> None:
    body = "".join(
        f"<h3>Published on {day}:</h3><ul>"
        + "".join(
            f"<li><a href=/d/{number}>{name}</a></li>"
            for name, number, own in RULINGS
            if own == day
        )
        + "</ul>"
        for day in dict.fromkeys(day for *_, day in RULINGS)
    )
    dates = [entry.date for entry in page_of(body, "/opinions/").entries]
    assert dates == ["2024-03-05"] * 3 + ["2024-02-11"] * 3
