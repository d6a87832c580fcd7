"""Systems that compare the pages of a site, on sites that were worked out by hand."""

from __future__ import annotations

import re

import pytest

from lab.papers.site_level import SITE_SYSTEMS, get_site_system
from lab.papers.site_level.site import SitePage
from lab.papers.site_level.temex import find_subdigraph
from tests.extraction.helpers import document_of

MENU = "<ul><li><a href=/1>One</a></li><li><a href=/2>Two</a></li></ul>"
LINKS = "".join(f"<a href=/{n}>{n}</a>" for n in (1, 2, 3))
THREE = [f"{LINKS}<b>Beta</b>", f"{LINKS}<b>Beta</b>", f"{LINKS}<b>Gamma</b>"]
STRANGE = {
    "empty": "",
    "text beside elements": "a<p>b</p>c",
    "deep": "<div>" * 400 + "text" + "</div>" * 400,
    "unknown tags": "<x-a>one<y-b>two</y-b></x-a>",
    "blank": "<p> </p>",
}


def site_of(*bodies: str) -> list[SitePage]:
    """Pages with the addresses /1, /2, ..."""
    return [
        SitePage(f"http://a.example/{number}", document_of(f"<body>{body}</body>"))
        for number, body in enumerate(bodies, 1)
    ]


def texts_taken(name: str, *bodies: str, **options: object) -> list[list[str]]:
    """The texts of each page that are main content."""
    pages, taken = site_of(*bodies), []
    masks = get_site_system(name, options).find_contents(pages)
    for page, mask in zip(pages, masks, strict=True):
        runs, text = page.document.runs, page.document.text
        assert len(mask) == len(runs.kind)
        spans = zip(runs.start[mask], runs.end[mask], strict=True)
        taken.append([text[a:b].decode().strip() for a, b in spans])
    return taken


@pytest.mark.parametrize(
    ("name", "options", "bodies", "taken"),
    [
        # TemEx: what two linked pages share is their template.
        ("temex", {}, [f"{MENU}<p>Story {t}</p><i>Foot</i>" for t in ("owls", "cats")],
         [["Story owls"], ["Story cats"]]),
        # A node is mapped only below mapped parents, and once.
        ("temex", {}, [f"{MENU}<div class={c}><p>Foot</p></div>" for c in "ab"],
         [["Foot"], ["Foot"]]),
        ("temex", {}, [f"{MENU}<p>Ad</p><p>Ad</p>", f"{MENU}<p>Ad</p>"], [["Ad"], []]),
        # The order of classes does not count, other attributes do not.
        ("temex", {}, [f"{MENU}<p class='a b' title=x>Ad", f"{MENU}<p class='b  a'>Ad"],
         [[], []]),
        # The template is what all pages of the subdigraph share.
        ("temex", {}, THREE, [["Beta"], ["Beta"], ["Gamma"]]),
        ("temex", {"pages": 2}, THREE, [[], [], ["Gamma"]]),
        # Without links the pages with similar addresses are compared.
        ("temex", {}, ["<i>Foot</i><p>x</p>", "<i>Foot</i><p>y</p>"], [["x"], ["y"]]),
        # RTDM-TD: what the sample shares is the template.
        ("rtdm-td", {}, ["<p>M</p><p>A</p><i>F</i>", "<p>M</p><p>B<p>C</p><i>F</i>"],
         [["A"], ["B", "C"]]),
        # The mapping of least cost, not the first. First div: 2 go, 1 + 4 come;
        # second div: 2 + 1 come.
        ("rtdm-td", {}, ["<div><b>x</b><i>y</i></div>",
                         "<div><u>q</u></div><div><b>x</b><i>y</i><u>z</u></div>"],
         [[], ["q", "z"]]),
        # Pages behind the sample lose the template, too.
        ("rtdm-td", {"pages": 2}, ["<p>M</p><i>1</i>", "<p>M</p><i>2</i>",
                                   "<p>M</p><i>3</i>", "<u>4</u>"],
         [["1"], ["2"], ["3"], ["4"]]),
        # One page of another kind in the sample leaves no template.
        ("rtdm-td", {}, ["<p>M</p>", "<p>M</p>", "<u>4</u>"], [["M"], ["M"], ["4"]]),
        # SST: parts without any important node are noise; 2 / 3 by the threshold.
        ("sst", {}, [f"<ul><li>Home</ul><div><p>{t}</p></div>" for t in ("a", "b")],
         [["a"], ["b"]]),
        ("sst", {"threshold": 0.6}, ["<p>On owls</p>", "<p>On cats</p>"],
         [["On owls"], ["On cats"]]),
        ("sst", {"threshold": 0.7}, ["<p>On owls</p>", "<p>On cats</p>"], [[], []]),
    ],
)  # fmt: skip
def test_the_texts_that_a_system_takes(
    name: str, options: dict[str, object], bodies: list[str], taken: list[list[str]]
) -> None:
    assert texts_taken(name, *bodies, **options) == taken


@pytest.mark.parametrize("name", SITE_SYSTEMS)
@pytest.mark.parametrize("body", STRANGE.values(), ids=STRANGE)
def test_strange_pages(name: str, body: str) -> None:
    alike, other = texts_taken(name, body, body)
    assert alike == other
    # Beside a page with nothing in common all texts are content.
    taken = texts_taken(name, body, "<h1>else</h1>")
    assert taken[1] == ["else"]
    assert "".join(taken[0]) == re.sub("<[^>]*>", "", body).replace(" ", "")


@pytest.mark.parametrize(("size", "found"), [(2, [3]), (3, [1, 2]), (4, [1, 2])])
def test_a_subdigraph_has_links_between_all_of_its_pages(
    size: int, found: list[int]
) -> None:
    """0, 1 and 2 link to each other, so do 0, 3; 4 does not link back."""
    links = [[4, 3, 1, 2], [0, 2], [1, 0], [0], [1, 2, 3]]
    assert find_subdigraph(links, 0, size) == found
    assert find_subdigraph([[1, 2], [2], [1]], 0, 3) == []
