"""Jobs, events, recipes and places, completed by what the page labels."""

from __future__ import annotations

import json
from typing import Any

import pytest

import scrapy_mainpage
from scrapy_mainpage import Page
from scrapy_mainpage.extraction.records.labelled import split_label

TEXT = (
    "<p>We look for somebody who likes bread, gets up early and can bake it well.</p>"
)


def page(node: dict[str, Any], body: str, title: str = "Baker") -> Page:
    script = json.dumps({"@context": "https://schema.org", **node})
    return scrapy_mainpage.extract(
        f"<title>{title}</title><script type='application/ld+json'>{script}</script>"
        f"<body><h1>{title}</h1>{body}{TEXT * 4}</body>"
    )


JOB = {"@type": "JobPosting", "title": "Baker", "employmentType": "FULL_TIME"}


@pytest.mark.parametrize(
    "facts",
    [
        "<dl><dt>Location<dd>Leeds<dt>Employer:<dd>Mill Bakery<dt>Closing date"
        "<dd>3 May 2031<dt>Employment type<dd>Part time</dl>",
        "<table><tr><th>Arbeitsort<td>Leeds<tr><th>Arbeitgeber<td>Mill Bakery"
        "<tr><th>Bewerbungsfrist<td>03.05.2031</table>",
        "<ul><li>Lieu de travail : Leeds<li>Employeur : Mill Bakery"
        "<li>Date limite : 3 mai 2031</ul>",
    ],
    ids=["list", "table", "lines"],
)
def test_a_job_has_what_its_declaration_leaves_open(facts: str) -> None:
    job = page(JOB, facts).job
    assert job is not None
    assert (job.location, job.company) == ("Leeds", "Mill Bakery")
    assert (job.valid_through or "")[:10] == "2031-05-03"
    assert job.employment_type == "FULL_TIME"  # the declaration wins


def test_an_event_has_a_date_and_a_place() -> None:
    facts = "<dl><dt>When<dd>3 May 2031<dt>Venue<dd>Town Hall<dt>Host<dd>Mill Band</dl>"
    event = page({"@type": "Event", "name": "Baker"}, facts).event
    assert event is not None
    assert (event.start or "")[:10] == "2031-05-03"
    assert event.place is not None
    assert (event.place.name, event.organizer) == ("Town Hall", "Mill Band")


def test_the_times_of_a_recipe_are_durations() -> None:
    facts = (
        "<table><tr><th>Prep time<td>20 minutes<tr><th>Cook time<td>1 hr 30 min"
        "<tr><th>Serves<td>4<tr><th>Total time<td>soon</table>"
    )
    recipe = page({"@type": "Recipe", "name": "Baker"}, facts).recipe
    assert recipe is not None
    assert (recipe.prep_time, recipe.cook_time) == ("PT20M", "PT1H30M")
    assert (recipe.servings, recipe.total_time) == ("4", "PT1H50M")


def test_a_place_has_a_telephone_and_an_address() -> None:
    facts = (
        "<dl><dt>Phone<dd>0113 496 0000<dt>Email<dd>Write to hello@mill.example"
        "<dt>Address<dd>4 Mill Lane, Leeds<dt>Fax<dd>ask</dl>"
    )
    place = page({"@type": "Bakery", "name": "Baker"}, facts).place
    assert place is not None
    assert (place.telephone, place.email) == ("0113 496 0000", "hello@mill.example")
    assert place.address == "4 Mill Lane, Leeds"


def test_nothing_is_guessed_without_a_declaration() -> None:
    facts = "<dl><dt>Location<dd>Leeds<dt>Employer<dd>Mill Bakery<dt>When<dd>today</dl>"
    found = page({"@type": "WebPage", "name": "Baker"}, facts)
    assert (found.job, found.event, found.recipe, found.place) == (None,) * 4


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Prep15 minutes", ("prep_time", "15 minutes")),
        ("調理時間30分", ("cook_time", "30分")),
        ("Cook time：an hour", ("cook_time", "an hour")),
        ("Cook time", ("cook_time", "")),
        ("Cook this for 2 hours", ("", "")),
    ],
)
def test_a_label_ends_at_a_colon_or_before_a_number(
    line: str, found: tuple[str, str]
) -> None:
    assert split_label(line, "record_facts", ("prep_time", "cook_time")) == found
