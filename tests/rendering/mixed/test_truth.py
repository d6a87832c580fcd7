"""Ground truth of the mixed site: without scripts, pages match their kind."""

from __future__ import annotations

import re
from collections import Counter
from urllib.request import urlopen

import pytest
from lxml import html

from ..mixedsite import TEMPLATES, make_site, serve_mixed
from .pages import Kind, Page
from .stories import length

SITE = make_site()
DATA = ("hydrated", "stateful")


def text_of(page: Page) -> str:
    """All text of the page except scripts, with single blanks."""
    root = html.document_fromstring(page.template.html(page))
    texts = root.xpath("//body//text()[not(ancestor::script or ancestor::noscript)]")
    return " ".join(" ".join(texts).split())


def share_without_scripts(page: Page) -> float:
    """Share of the words of the main text, below the title, in the static page."""
    text = text_of(page)
    lines = [" ".join(x.split()) for part in page.story.parts for x in part.lines]
    found = [line for line in lines if line in text]
    return sum(map(length, found)) / sum(map(length, lines))


def of_template(name: str) -> list[Page]:
    return [page for page in SITE.pages.values() if page.template.name == name]


def test_kinds_have_their_numbers_of_pages() -> None:
    kinds = Counter(page.kind for page in SITE.pages.values())
    assert kinds == {Kind.STATIC: 60, Kind.SHELL: 20, Kind.HALF: 20}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_pages_hold_what_their_kind_says(template) -> None:
    pages = of_template(template.name)
    assert pages
    for page in pages:
        share = share_without_scripts(page)
        if template.kind is Kind.STATIC and template.name not in DATA:
            assert share == 1, page.path
        elif template.kind is Kind.HALF:
            assert share < 0.5, page.path
        else:
            assert share == 0, page.path


def test_no_two_pages_have_the_same_text() -> None:
    texts = [page.story.text for page in SITE.pages.values()]
    assert len(set(texts)) == len(texts) == 100


def test_the_same_seed_makes_the_same_site_and_another_seed_another() -> None:
    again, other = make_site(), make_site(seed=6)
    assert {p: page.story for p, page in again.pages.items()} == {
        p: page.story for p, page in SITE.pages.items()
    }
    assert not other.pages.keys() & SITE.pages.keys()


def test_every_page_is_reached_by_links_and_some_by_those_of_shells_only() -> None:
    def reached(through_shells: bool) -> set[str]:
        found, queue = set(), [SITE.hubs["/"]]
        while queue:
            page = queue.pop()
            if page.path not in found:
                found.add(page.path)
                if through_shells or page.kind is not Kind.SHELL:
                    queue += page.related
        return found - SITE.hubs.keys()

    assert reached(through_shells=True) == SITE.pages.keys()
    assert 80 <= len(reached(through_shells=False)) < 100


def test_the_data_of_a_page_is_served_and_requests_are_counted() -> None:
    with serve_mixed(20) as site:
        page = next(p for p in site.pages.values() if p.template.name == "empty")
        text = urlopen(f"{page.origin}/fragment{page.path}?from=title").read()
        assert page.story.parts[-1].lines[-1] in html.fromstring(text).text_content()
        assert site.requests[f"/fragment{page.path}"] == 1


def test_templates_can_have_hosts_of_their_own() -> None:
    with serve_mixed(20, hosts=True) as site:
        hosts = {}
        for page in site.by_url.values():
            hosts.setdefault(page.template.name, set()).add(page.origin)
        assert all(len(origins) == 1 for origins in hosts.values())
        assert len(set.union(*hosts.values())) == len(hosts)
        hub = urlopen(site.url).read().decode()
    linked = set(re.findall(r'href="(http[^"]+)"', hub))
    assert {page.url for page in site.hubs["/"].related} == linked
