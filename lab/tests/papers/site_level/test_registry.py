"""The systems by name, and pages that nobody expects."""

from __future__ import annotations

import re

import pytest

from lab.papers.site_level import SITE_SYSTEMS, get_site_system
from lab.papers.systems import BASELINES
from lab.tests.papers.site_level.sites import texts_taken
from scrapy_mainpage.extraction.algorithms import AlgorithmError, available

STRANGE = {
    "empty": "",
    "text beside elements": "a<p>b</p>c",
    "deep": "<div>" * 400 + "text" + "</div>" * 400,
    "unknown tags": "<x-a>one<y-b>two</y-b></x-a>",
    "blank": "<p> </p>",
}


def test_the_names_are_no_algorithms_of_a_page() -> None:
    assert [*SITE_SYSTEMS] == ["rtdm-td", "sst", "temex"]
    assert not SITE_SYSTEMS.keys() & {*available(), *BASELINES}


@pytest.mark.parametrize("name", SITE_SYSTEMS)
def test_options_are_checked(name: str) -> None:
    with pytest.raises(AlgorithmError, match=f"'{name}' does not take"):
        get_site_system(name, {"nope": 1})


@pytest.mark.parametrize("name", SITE_SYSTEMS)
@pytest.mark.parametrize("body", STRANGE.values(), ids=STRANGE)
def test_strange_pages(name: str, body: str) -> None:
    system = get_site_system(name, {})
    alike, other = texts_taken(system, body, body)
    assert alike == other
    # Beside a page with nothing in common all texts are content.
    taken = texts_taken(system, body, "<h1>else</h1>")
    assert taken[1] == ["else"]
    assert "".join(taken[0]) == re.sub("<[^>]*>", "", body).replace(" ", "")
