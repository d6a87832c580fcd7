"""The search form of a site: forms, declared searches, and forms that are none."""

from __future__ import annotations

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.records import SearchForm

SITE = "https://b.example"


def form_of(html: str, url: str | None = f"{SITE}/blog/chair") -> SearchForm | None:
    return extract(f"<body>{html}<p>Hide glue holds.</p>", url=url).search_form


def test_a_form_with_its_hidden_fields() -> None:
    html = """<form role=search method=get action="/find?lang=en"><input type=search
    name=s><input type=hidden name=post_type value=product>
    <input type=hidden name=csrf_token value=x1><input type=submit></form>"""
    fields = (("post_type", "product"),)
    assert form_of(html) == SearchForm(f"{SITE}/find", "s", fields=fields)


def test_a_form_without_an_action_goes_to_its_page() -> None:
    assert form_of("<form><input name=q></form>") == SearchForm(
        f"{SITE}/blog/chair", "q"
    )


def test_a_posted_form_keeps_the_query_of_its_action() -> None:
    html = '<form method=POST class=suche action="?do=s"><input name=begriff></form>'
    assert form_of(html) == SearchForm(f"{SITE}/blog/chair?do=s", "begriff", "POST")


@pytest.mark.parametrize(
    "html",
    [
        "<form class=search><input name=q><input type=password name=p></form>",
        "<form><input type=email name=q></form>",
        "<form><input name=first><input name=last></form>",
        "<form><input name=city></form>",
        "<form><input name=q><textarea name=t></textarea></form>",
        "<form class=search><input type=search></form>",
        '<form action="javascript:go()"><input name=q></form>',
        "<form class=search>" + "<input type=hidden name=a>" * 200 + "<input name=q>",
        "<form></form>",
    ],
)
def test_other_forms_are_none(html: str) -> None:
    assert form_of(html) is None


@pytest.mark.parametrize(
    "target", ['"%s"', '{"@type": "EntryPoint", "urlTemplate": "%s"}']
)
def test_a_declared_search_stands_where_no_form_does(target: str) -> None:
    template = target % f"{SITE}/?s={{search_term_string}}&in=all"
    html = f"""<script type="application/ld+json">{{"@type": "WebSite", "url": "/",
    "potentialAction": [{{"@type": "SearchAction", "target": {template}}}]}}</script>"""
    assert form_of(html) == SearchForm(f"{SITE}/", "s", fields=(("in", "all"),))
    assert form_of("<form><input name=q></form>" + html) == SearchForm(
        f"{SITE}/blog/chair", "q"
    )


@pytest.mark.parametrize("target", ["[1]", '"{q}"', "null", '"javascript:{q}?q={q}"'])
def test_a_broken_declaration_is_none(target: str) -> None:
    html = f"""<script type="application/ld+json">{{"@type": "WebSite",
    "potentialAction": {{"@type": "SearchAction", "target": {target}}}}}</script>"""
    assert form_of(html) is None


def test_a_page_without_a_url_has_no_form_of_its_own_address() -> None:
    assert form_of("<form><input name=q></form>", url=None) is None


def test_many_forms_are_read_up_to_a_bound() -> None:
    assert form_of("<form><input name=a></form>" * 60 + "<form><input name=q>") is None
