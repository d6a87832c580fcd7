"""Jobs, places, and the search of a site."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from zyte_common_items import (
    Address,
    BaseSalary,
    BusinessPlace,
    Header,
    HiringOrganization,
    JobLocation,
    JobPosting,
    OpeningHoursItem,
    SearchRequestTemplate,
)

from .values import moment, rating, unknown_probability

_QUERY: Final = "{{ query|quote_plus }}"


def make_job(page: Any) -> JobPosting | None:
    """The job that the page offers."""
    if (found := page.job) is None:
        return None
    salary = found.salary_min or found.salary_max
    return JobPosting(
        url=page.url,
        jobTitle=found.title or page.title,
        headline=page.title,
        datePublished=moment(found.date_posted),
        datePublishedRaw=found.date_posted,
        validThrough=moment(found.valid_through),
        validThroughRaw=found.valid_through,
        jobLocation=JobLocation(raw=found.location) if found.location else None,
        description=found.description or page.text.strip() or None,
        descriptionHtml=page.html or None,
        employmentType=found.employment_type,
        baseSalary=BaseSalary(
            valueMin=found.salary_min,
            valueMax=found.salary_max,
            rateType=found.salary_unit,
            currency=found.salary_currency,
        )
        if salary
        else None,
        hiringOrganization=HiringOrganization(name=found.company, nameRaw=found.company)
        if found.company
        else None,
        remoteStatus="remote" if found.is_remote else None,
        metadata=unknown_probability(),
    )


def make_place(page: Any) -> BusinessPlace | None:
    """The business or other place that the page is about."""
    if (found := page.place) is None:
        return None
    where = (found.address, found.latitude, found.longitude)
    address = Address(addressRaw=where[0], latitude=where[1], longitude=where[2])
    return BusinessPlace(
        url=page.url,
        name=found.name or page.title,
        description=page.metadata.description,
        address=address if any(part is not None for part in where) else None,
        telephone=found.telephone,
        website=found.website,
        categories=list(found.categories) or None,
        openingHours=[OpeningHoursItem(rawOpens=line) for line in found.opening_hours]
        or None,
        aggregateRating=rating(found.rating, found.review_count),
        priceRange=found.price_range,
        metadata=unknown_probability(),
    )


def make_search(page: Any) -> SearchRequestTemplate | None:
    """The request that searches the site by its form."""
    if (form := page.search_form) is None:
        return None
    fields = [*form.fields, (form.field, "")]
    # The words are last, and the template is no value that is encoded.
    query = urlencode(fields) + _QUERY
    # Braces begin an expression of a template.
    url = form.url.replace("{", "%7B").replace("}", "%7D")
    body = headers = None
    if form.method == "POST":
        kind = "application/x-www-form-urlencoded"
        body, headers = query, [Header(name="Content-Type", value=kind)]
    else:
        url = f"{url}?{query}"
    return SearchRequestTemplate(
        url=url,
        method=form.method,
        body=body,
        headers=headers,
        metadata=unknown_probability(),
    )
