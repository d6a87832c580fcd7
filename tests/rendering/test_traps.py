"""Pages whose scripts put something worse in the place of a static article."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse

from scrapy_mainpage.rendering import decider
from scrapy_mainpage.rendering.need import Judgement, Need
from tests.rendering.test_decider import answer, make, response_to, send

SENTENCES = (
    "The harbour bridge was closed on Monday after a crane had touched its pillar.",
    "Engineers of the county looked at the steel all day and found two cracks in it.",
    "Until the repair is done, buses take the road along the river and the old mill.",
    "The mayor said that nobody had been hurt, and thanked the divers for their work.",
    "A ferry for walkers and bicycles runs each half hour from six in the morning.",
    "The bridge was built in the summer of 1931 by three hundred men of the valley.",
)
HEADER = "<header><a href=/>Town News</a><nav><a href=/a>Sport</a></nav></header>"
FOOTER = "<footer><p>Town News Ltd</p><a href=/imprint>Imprint</a></footer>"


def page(main: str, title: str = "Harbour bridge closed after accident") -> str:
    return (
        f"<!doctype html><title>{title}</title><body>{HEADER}<main>{main}</main>"
        f"{FOOTER}<script src=/app.js></script>"
    )


def article(sentences: int, more: str = "") -> str:
    text = "".join(f"<p>{each}</p>" for each in SENTENCES[:sentences])
    return page(f"<h1>Harbour bridge closed after accident</h1>{text}{more}")


STATIC = {
    "short": article(2),
    "article": article(6),
    "with a place for more": article(6, "<div id=rest></div>"),
    "long": article(6, "".join(f"<p>{each * 4}</p>" for each in SENTENCES)),
    "without a heading": page("".join(f"<p>{each}</p>" for each in SENTENCES)),
    "list": page(
        "<h1>Harbour bridge closed after accident</h1><ul>"
        + "".join(f"<li>{each}</li>" for each in SENTENCES)
        + "</ul>"
    ),
}
PRIVACY = (
    "<p>We and our 812 partners store and read information on your device, such as "
    "identifiers in cookies, and process personal data, so that advertisements and "
    "content can be chosen and measured. You can change your mind at any time.</p>"
)
REPLACED = {
    "sign in": page("<p>Please sign in to continue reading.</p>"),
    "subscribe": page(
        "<h1>Subscribe to read</h1><p>Only 1 Euro a week. Cancel any time.</p>"
    ),
    "consent": page(PRIVACY + "<button>Accept all</button>"),
    "long consent": page(PRIVACY * 12, "We value your privacy"),
    "login form": page("<h1>Sign in</h1><form><input type=password></form>"),
    "error": page("<p>Something went wrong. Please try again later.</p>"),
    "not found": page("<h1>Page not found</h1><p>Sorry, there is nothing here.</p>"),
    "loading": page("<p>Loading...</p>"),
    "empty": page(""),
    "first words": article(1, "<p>Subscribe to continue.</p>"),
    "other page": page("<h1>Weather</h1><p>Rain in the north, wind in the west.</p>"),
}


@pytest.fixture
def outcome(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Any]:
    """The middleware's answer to a rendered page in the place of a static one."""
    judgement = Judgement(Need.MAYBE, "empty_container")
    monkeypatch.setattr(decider, "judge", lambda *args: judgement)

    def answered(static: str, replaced: str) -> Any:
        ours, asked = make(), Request("http://example.com/news/bridge.html")
        send(ours, asked)
        changed = answer(ours, asked, response_to(asked, static))
        assert isinstance(changed, Request)
        return answer(ours, changed, response_to(changed, replaced))

    return answered


@pytest.mark.parametrize("static", STATIC)
@pytest.mark.parametrize("replaced", REPLACED)
def test_a_static_article_stays(outcome: Any, static: str, replaced: str) -> None:
    back = outcome(STATIC[static], REPLACED[replaced])
    assert isinstance(back, Request), f"{replaced} replaces {static}"


@pytest.mark.parametrize("static", STATIC)
def test_what_adds_to_the_article_is_taken(outcome: Any, static: str) -> None:
    added = "<p>The crane belongs to a firm from the south, which will pay for it.</p>"
    full = STATIC[static].replace("</main>", f"{added * 3}</main>")
    assert isinstance(outcome(STATIC[static], full), HtmlResponse)


def test_a_fuller_page_on_the_same_is_taken_and_the_static_text_is_kept(
    outcome: Any,
) -> None:
    teaser = page(
        "<p>All news of the town and the harbour, every day anew, since the "
        "year 1872: sport, weather, people and places of the valley.</p>"
    )
    taken = outcome(teaser, article(6))
    assert isinstance(taken, HtmlResponse)
    assert taken.meta["mainpage_rendering"]["static"].startswith("All news")
