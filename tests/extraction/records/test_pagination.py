"""The other pages of listings and threads, on pages that are written here."""

from __future__ import annotations

import pytest

from scrapy_mainpage import Page, extract

SITE = "https://shop.example"
CARDS = "".join(
    f"<li><a href=/item/{k}>Kettle number {k}</a><p>Boils water in {k} minutes, without"
    " a sound, on any stove.</p></li>"
    for k in range(3, 9)
)


def listing(pager: str, path: str = "/kettles?page=2", head: str = "") -> Page:
    html = (
        f"<html lang=en><head><title>Kettles</title>{head}<body><nav><a href=/>Home</a>"
        f" <a href=/cups>Cups</a></nav><h1>Kettles</h1><ul>{CARDS}</ul>{pager}"
        "<footer><a href=/terms>Terms</a></footer>"
    )
    return extract(html, url=SITE + path)


def link(target: str, text: str, **attributes: str) -> str:
    names = "".join(
        f' {name.strip("_")}="{value}"' for name, value in attributes.items()
    )
    return f'<a href="{target}"{names}>{text}</a> '


NUMBERS = "".join(link(f"?page={k}", str(k)) for k in (1, 3, 4))


def test_words_and_numbers() -> None:
    page = listing(link("?page=1", "Previous") + NUMBERS + link("?page=3", "Next"))
    assert page.next_page == f"{SITE}/kettles?page=3"
    assert page.previous_page == f"{SITE}/kettles?page=1"
    assert page.page_links == tuple(f"{SITE}/kettles?page={k}" for k in (1, 3, 4))


@pytest.mark.parametrize(
    "said",
    [
        *("Next", "next page »", "Weiter", "Suivant", "Siguiente ›", "次へ", "下一页"),
        *("التالي", "Следующая", "ถัดไป", "›", "→"),
    ],
)
def test_words_in_languages(said: str) -> None:
    page = listing(NUMBERS + link("/kettles?page=3", said))
    assert page.next_page == f"{SITE}/kettles?page=3"


@pytest.mark.parametrize(
    "pager",
    [
        link("/kettles/page/3/", "<svg></svg>", aria_label="Next page").replace(
            "aria_label", "aria-label"
        ),
        link("/kettles/page/3/", "<img src=r.png alt='next page'>"),
        link("/kettles/page/3/", "More", rel="next"),
        link("/kettles/page/3/", "<i class='fa-chevron-right'></i>"),
        f"<div class=pagination-next>{link('/kettles/page/3/', '')}</div>",
    ],
)
def test_signs_of_the_template(pager: str) -> None:
    page = listing(pager, "/kettles/page/2/")
    assert page.next_page == f"{SITE}/kettles/page/3/"


def test_older_posts_lead_back() -> None:
    pager = link("/page/3/", "Older posts") + link("/page/1/", "Newer posts")
    page = listing(pager, "/page/2/")
    assert page.previous_page == f"{SITE}/page/3/"
    assert page.next_page == f"{SITE}/page/1/"


@pytest.mark.parametrize(
    "pager",
    [
        link("/item/77", "Next kettle: the silent one"),  # another article
        link("https://other.example/kettles?page=3", "Next"),
        link("/kettles?page=2", "Next"),  # the page itself
        "".join(link(f"/archive/{year}/", str(year)) for year in range(2019, 2024)),
        "".join(link(f"?size={k}", str(k)) for k in (12, 24, 48)),
        link("javascript:load(3)", "Next"),
        "<button>Next</button>",
        "",
    ],
)
def test_no_page_is_made_up(pager: str) -> None:
    page = listing(pager)
    assert page.next_page is None
    assert page.previous_page is None


def test_numbers_alone_make_no_next_page() -> None:
    page = listing(NUMBERS)
    assert page.next_page is None
    assert len(page.page_links) == 3


def test_pages_of_threads_in_a_forum_are_not_of_the_forum() -> None:
    rows = "".join(
        f"<p>{link(f'/thread-{k}.html', 'A talk')}"
        + "".join(link(f"/thread-{k}-{n}.html", str(n)) for n in (1, 2, 3))
        for k in range(4)
    )
    pager = "".join(link(f"/forum-5-{n}.html", str(n)) for n in (1, 3))
    page = listing(rows + "<hr>" + pager, "/forum-5-2.html")
    assert page.page_links == (f"{SITE}/forum-5-1.html", f"{SITE}/forum-5-3.html")


def test_declared_pages_are_known() -> None:
    head = (
        '<link rel=next href="/kettles?page=3"><link rel=prev href="/kettles?page=1">'
    )
    page = listing("", head=head)
    assert page.page_links == (f"{SITE}/kettles?page=1", f"{SITE}/kettles?page=3")


def test_bad_input() -> None:
    empty = extract(b"")
    assert (empty.next_page, empty.previous_page, empty.page_links) == (None, None, ())
    assert listing(link("http://[broken", "Next")).next_page is None
    many = "".join(link(f"?page={k}", str(k)) for k in range(1, 5000))
    assert len(listing(many).page_links) <= 1000


def test_without_an_address() -> None:
    page = extract(f"<h1>Kettles</h1><ul>{CARDS}</ul>{link('?page=3', 'Next')}")
    assert page.next_page in (None, "?page=3")


def test_fields_of_items() -> None:
    fields = listing(link("?page=3", "Next")).as_dict()
    assert fields["next_page"] == f"{SITE}/kettles?page=3"


def test_fragments_are_pages_of_the_page_s_own_application_alone() -> None:
    routes = "".join(link(f"#/page/{k}", str(k)) for k in (1, 3, 4))
    shop = listing(routes + link("?page=3#/1-size", "Next"), path="/kettles")
    assert shop.page_links == (f"{SITE}/kettles?page=3",)
    application = listing(routes + link("/kettles/#/page/5", "5"), path="/#/page/2")
    assert application.page_links[:3] == tuple(f"{SITE}/#/page/{k}" for k in (1, 3, 4))
    assert all("/kettles/#" not in url for url in application.page_links)
