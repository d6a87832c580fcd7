"""Jobs, events and places that a page declares as its own.

What the declaration leaves open is completed from labelled facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ...records import Event, Job, Place, Recipe
from ..metadata.dates import normalise_date
from ..title_rule import letters
from ..vocabulary import read_phrases
from .labelled import find_labelled, find_specifications, labels_of
from .product_declared import amount_of, read_rating
from .product_page import ProductPage
from .products import titles_of

if TYPE_CHECKING:
    from ..declared import Node
    from .products import Content

_Record = TypeVar("_Record", Job, Event, Recipe, Place)

MAX_TIME: Final = 60 * 24 * 366
"""Minutes of a recipe."""

MAX_DAY: Final = 60
"""Characters of a date, and of a line with a label."""

MAX_LINES: Final = 300
_TIME: Final = re.compile(
    r"(?i)(?:(\d{1,4})\s*(?:h\b|:(?=\d\d\s*h)|hr|hour|std|stunde|heure|hora|ora\b|ore\b|uur|godz|час|ч\b|tim|小时|時間"
    r"|시간)\D*)?(?:(\d{1,5})\s*(?:[mh]\b|min|мин|分|분))?"
)
_ISO_TIME: Final = re.compile(r"P(?:(\d{1,3})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,6})M)?.*)?")
_MAIL: Final = re.compile(r"[^\s@<>()]{1,64}@[^\s@<>()]{1,190}\.\w{2,24}")
_EVENTS: Final = (
    "Event", "MusicEvent", "SportsEvent", "TheaterEvent", "EducationEvent",
    "BusinessEvent", "ExhibitionEvent", "Festival", "SocialEvent", "ScreeningEvent",
    "ComedyEvent", "DanceEvent", "FoodEvent", "LiteraryEvent", "ChildrensEvent",
    "CourseInstance", "Hackathon", "VisualArtsEvent", "SaleEvent",
)  # fmt: skip
_PLACES: Final = (
    "LocalBusiness", "Restaurant", "Hotel", "Store", "Place", "CafeOrCoffeeShop",
    "BarOrPub", "Bakery", "TouristAttraction", "LodgingBusiness", "FoodEstablishment",
    "Museum", "Park", "MedicalBusiness", "Dentist", "Physician", "Pharmacy", "School",
    "AutoRepair", "HealthAndBeautyBusiness", "ProfessionalService", "RealEstateAgent",
    "SportsActivityLocation", "Library", "Campground", "LegalService", "Attorney",
    "FinancialService", "HomeAndConstructionBusiness", "ShoppingCenter", "GroceryStore",
)  # fmt: skip
_ADDRESS: Final = (
    "streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry",
)  # fmt: skip


def page_node(content: Content, *types: str) -> Node | None:
    """What the page declares as its own of one of the *types*."""
    names = [letters(name) for name in titles_of(content)]
    return content.declared.page_node(names, *types)


def _text(node: Node, *keys: str) -> str | None:
    return node.first(*keys, inside=("name", "@id"))


def _lines(node: Node, *keys: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(node.texts(*keys)))[:MAX_LINES]


def _day(node: Node, key: str) -> str | None:
    return normalise_date(node.first(key)) or node.first(key)


def _address(node: Node) -> str | None:
    where = node.first_inner("address")
    parts = (_text(where, key) for key in _ADDRESS)
    return ", ".join(filter(None, parts)) or _text(node, "address")


def find_job(content: Content) -> Job | None:
    """The job of a page that declares one ``JobPosting`` as its own."""
    node = page_node(content, "JobPosting")
    if node is None:
        return None
    pay = node.first_inner("baseSalary")
    value = pay.first_inner("value") or pay
    currency = pay.first("currency") or value.first("currency")
    least, code = amount_of(value.first("minValue", "value"), currency)
    places = map(_address, node.inner("jobLocation"))
    found = Job(
        title=node.first("title", "name"),
        company=_text(node, "hiringOrganization"),
        location="; ".join(dict.fromkeys(filter(None, places))) or None,
        is_remote="telecommute" in (node.first("jobLocationType") or "").lower(),
        date_posted=_day(node, "datePosted"),
        valid_through=_day(node, "validThrough"),
        employment_type=node.first("employmentType"),
        salary_min=least,
        salary_max=amount_of(value.first("maxValue", "value"), currency)[0],
        salary_currency=code,
        salary_unit=value.first("unitText"),
        description=node.first("description"),
    )
    return completed(content, found)


def find_event(content: Content) -> Event | None:
    """The event of a page that declares one as its own."""
    node = page_node(content, *_EVENTS)
    if node is None:
        return None
    offer = node.first_inner("offers")
    price, currency = amount_of(
        offer.first("price", "lowPrice"), offer.first("priceCurrency")
    )
    where = node.first_inner("location")
    mode = _text(node, "eventAttendanceMode") or ""
    found = Event(
        name=node.first("name"),
        start=_day(node, "startDate"),
        end=_day(node, "endDate"),
        place=_place(where) if where else None,
        status=(_text(node, "eventStatus") or "").rpartition("/")[2] or None,
        is_online="Online" in mode or "VirtualLocation" in where.types,
        organizer=_text(node, "organizer"),
        performers=_lines(node, "performer", "performers"),
        price=price,
        currency=currency,
        description=node.first("description"),
        image=node.address("image"),
    )
    return completed(content, found)


def find_place(content: Content) -> Place | None:
    """The business or place that a page declares as its own."""
    node = page_node(content, *_PLACES)
    return None if node is None else completed(content, _place(node))


def _place(node: Node) -> Place:
    where, (rating, _, count) = node.first_inner("geo"), read_rating(node)
    hours = (
        f"{day} {each.first('opens')}-{each.first('closes')}"
        for each in node.inner("openingHoursSpecification")
        for day in _lines(each, "dayOfWeek")
    )
    return Place(
        name=node.first("name"),
        address=_address(node),
        telephone=node.first("telephone"),
        email=node.first("email"),
        website=node.address("url"),
        latitude=_degrees(where.first("latitude")),
        longitude=_degrees(where.first("longitude")),
        opening_hours=_lines(node, "openingHours") or tuple(hours)[:MAX_LINES],
        rating=rating,
        review_count=count,
        price_range=node.first("priceRange"),
        categories=_lines(node, "servesCuisine"),
    )


def _degrees(text: str | None) -> float | None:
    try:
        found = float(text or "")
    except ValueError:
        return None
    return found if abs(found) <= 180 else None


def _shown_day(value: str) -> str | None:
    """The day, also one to come, in ISO 8601."""
    if known := normalise_date(value):
        return known
    if len(value) > MAX_DAY or not any(map(str.isdigit, value)):
        return None
    import dateparser

    settings: dict[str, Any] = {"REQUIRE_PARTS": ["day", "month", "year"]}
    if value.count(".") > 1:
        settings["DATE_ORDER"] = "DMY"
    found = dateparser.parse(value, settings=settings)
    return found.date().isoformat() if found else None


def _duration(text: str | None) -> str | None:
    """The time as a duration of ISO 8601: "1 h 30 min" is ``PT1H30M``."""
    return written(minutes_of(text))


def minutes_of(text: str | None) -> int:
    """The minutes of a duration, in words or as ISO 8601 has it; 0 for none."""
    if iso := _ISO_TIME.fullmatch(text or ""):
        days, hours, minutes = (int(each or 0) for each in iso.groups())
        return 60 * (24 * days + hours) + minutes
    matches = (match.groups() for match in _TIME.finditer(text or ""))
    hours, minutes = (int(each or 0) for each in next(filter(any, matches), (0, 0)))
    return 60 * hours + minutes


def written(minutes: int) -> str | None:
    """The minutes as a duration of ISO 8601; ``None`` for none and too many."""
    if not 0 < minutes <= MAX_TIME:
        return None
    hours, minutes = divmod(minutes, 60)
    return "PT" + f"{hours}H" * (hours > 0) + f"{minutes}M" * (minutes > 0)


def _amount(value: str) -> str | None:
    return value if any(map(str.isdigit, value)) else None


def _telephone(value: str) -> str | None:
    return value if sum(map(str.isdigit, value)) > len("12345") else None


def _mail(value: str) -> str | None:
    found = _MAIL.search(value)
    return found[0] if found else None


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    **dict.fromkeys(("valid_through", "date_posted", "start"), _shown_day),
    **dict.fromkeys(("prep_time", "cook_time", "total_time"), _duration),
    "place": Place, "telephone": _telephone, "email": _mail, "servings": _amount,
}  # fmt: skip
"""How the value of a field is read; of all others it is the text."""


def completed(content: Content, record: _Record) -> _Record:
    """The record with the labelled facts of the page for fields that it leaves open."""
    known = read_phrases("record_facts")
    lacking = tuple(name for name in known if getattr(record, name, "") is None)
    if not lacking:
        return record
    page = ProductPage(content.document, content.title_block)
    labels, found = labels_of("record_facts", lacking), dict[str, Any]()
    pairs = ((labels.get(letters(name)), v) for name, v in find_specifications(page))
    lines = (
        (name, value)
        for block, name, value in find_labelled(page, "record_facts", lacking)
        if block >= page.title and len(value) <= MAX_DAY
    )
    for key, text in chain(pairs, lines):
        if key and key not in found and (value := _READERS.get(key, str)(text)):
            found[key] = value
    return replace(record, **found)
