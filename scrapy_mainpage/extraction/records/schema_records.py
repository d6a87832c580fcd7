"""Jobs, events, recipes and places that a page declares as its own.

What the declaration leaves open is completed from labelled facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...records import Event, Job, Place, Recipe
from ..metadata.dates import normalise_date
from ..metadata.jsonld import types_of
from ..title_rule import letters
from .labelled_facts import completed
from .nodes import Declared
from .product_declared import amount_of, number
from .products import titles_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..metadata.jsonld import Node
    from .products import Content

MAX_LINES: Final = 300
MAX_LEVELS: Final = 4
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


class _Reader:
    """Reads the texts of one node."""

    def __init__(self, content: Content) -> None:
        self.declared = Declared(content.document, content.url)
        self._names = [letters(name) for name in titles_of(content, self.declared)]

    def node(self, *types: str) -> Node | None:
        return self.declared.page_node(self._names, *types)

    def text(self, node: Node, *keys: str) -> str | None:
        found = (self.declared.first(node, key, "name", "@id") for key in keys)
        return next(filter(None, found), None)

    def lines(self, node: Node, *keys: str) -> tuple[str, ...]:
        texts = (text for key in keys for text in self.declared.texts(node, key))
        return tuple(dict.fromkeys(texts))[:MAX_LINES]

    def inner(self, node: Node, key: str) -> Node:
        return next(self.declared.inner(node, key), {})

    def day(self, node: Node, *keys: str) -> str | None:
        return normalise_date(self.text(node, *keys)) or self.text(node, *keys)

    def image(self, node: Node) -> str | None:
        return next(self.declared.addresses(node, "image"), None)

    def rating(self, node: Node) -> tuple[float | None, int | None]:
        rating = self.inner(node, "aggregateRating")
        count = number(self.text(rating, "reviewCount", "ratingCount"))
        return number(self.text(rating, "ratingValue")), int(count) if count else None

    def address(self, node: Node) -> str | None:
        inner = self.inner(node, "address")
        if not inner:
            return self.text(node, "address")
        parts = (self.text(inner, key) for key in _ADDRESS)
        return ", ".join(filter(None, parts)) or self.text(inner, "name")


def find_job(content: Content) -> Job | None:
    """The job of a page that declares one ``JobPosting`` as its own."""
    read = _Reader(content)
    node = read.node("JobPosting")
    if node is None:
        return None
    pay = read.inner(node, "baseSalary")
    value = read.inner(pay, "value") or pay
    currency = read.text(pay, "currency") or read.text(value, "currency")
    least, code = amount_of(read.text(value, "minValue", "value"), currency)
    places = (read.address(place) for place in read.declared.inner(node, "jobLocation"))
    remote = read.text(node, "jobLocationType") or ""
    found = Job(
        title=read.text(node, "title", "name"),
        company=read.text(node, "hiringOrganization"),
        location="; ".join(dict.fromkeys(filter(None, places))) or None,
        is_remote="telecommute" in remote.lower(),
        date_posted=read.day(node, "datePosted"),
        valid_through=read.day(node, "validThrough"),
        employment_type=read.text(node, "employmentType"),
        salary_min=least,
        salary_max=amount_of(read.text(value, "maxValue", "value"), currency)[0],
        salary_currency=code,
        salary_unit=read.text(value, "unitText"),
        description=read.text(node, "description"),
    )
    return completed(content, found)


def find_event(content: Content) -> Event | None:
    """The event of a page that declares one as its own."""
    read = _Reader(content)
    node = read.node(*_EVENTS)
    if node is None:
        return None
    offer = read.inner(node, "offers")
    price, currency = amount_of(
        read.text(offer, "price", "lowPrice"), read.text(offer, "priceCurrency")
    )
    where = read.inner(node, "location")
    mode = read.text(node, "eventAttendanceMode") or ""
    found = Event(
        name=read.text(node, "name"),
        start=read.day(node, "startDate"),
        end=read.day(node, "endDate"),
        place=_place(read, where) if where else None,
        status=(read.text(node, "eventStatus") or "").rpartition("/")[2] or None,
        is_online="Online" in mode or "VirtualLocation" in types_of(where),
        organizer=read.text(node, "organizer"),
        performers=read.lines(node, "performer", "performers"),
        price=price,
        currency=currency,
        description=read.text(node, "description"),
        image=read.image(node),
    )
    return completed(content, found)


def find_recipe(content: Content) -> Recipe | None:
    """The recipe of a page that declares one as its own."""
    read = _Reader(content)
    node = read.node("Recipe")
    if node is None:
        return None
    rating, count = read.rating(node)
    steps = [*_steps(read, node, "recipeInstructions")]
    found = Recipe(
        name=read.text(node, "name"),
        ingredients=read.lines(node, "recipeIngredient", "ingredients"),
        instructions=tuple(steps[:MAX_LINES]),
        servings=read.text(node, "recipeYield", "yield"),
        prep_time=read.text(node, "prepTime"),
        cook_time=read.text(node, "cookTime"),
        total_time=read.text(node, "totalTime"),
        cuisine=read.text(node, "recipeCuisine"),
        category=read.text(node, "recipeCategory"),
        calories=read.text(read.inner(node, "nutrition"), "calories"),
        rating=rating,
        review_count=count,
        image=read.image(node),
    )
    return completed(content, found)


def _steps(read: _Reader, node: Any, key: str, level: int = 0) -> Iterator[str]:
    """The texts of steps, those of sections as well."""
    for value in read.declared.values(node, key):
        if not isinstance(value, dict):
            yield from read.lines({key: value}, key)
        elif "itemListElement" in value and level < MAX_LEVELS:
            yield from _steps(read, value, "itemListElement", level + 1)
        elif text := read.text(value, "text", "name"):
            yield text


def find_place(content: Content) -> Place | None:
    """The business or place that a page declares as its own."""
    read = _Reader(content)
    node = read.node(*_PLACES)
    return None if node is None else completed(content, _place(read, node))


def _place(read: _Reader, node: Node) -> Place:
    where, (rating, count) = read.inner(node, "geo"), read.rating(node)
    hours = (
        f"{day} {read.text(each, 'opens')}-{read.text(each, 'closes')}"
        for each in read.declared.inner(node, "openingHoursSpecification")
        for day in read.lines(each, "dayOfWeek")
    )
    return Place(
        name=read.text(node, "name"),
        address=read.address(node),
        telephone=read.text(node, "telephone"),
        email=read.text(node, "email"),
        website=next(read.declared.addresses(node, "url"), None),
        latitude=_degrees(read.text(where, "latitude")),
        longitude=_degrees(read.text(where, "longitude")),
        opening_hours=read.lines(node, "openingHours") or tuple(hours)[:MAX_LINES],
        rating=rating,
        review_count=count,
        price_range=read.text(node, "priceRange"),
        categories=read.lines(node, "servesCuisine"),
    )


def _degrees(text: str | None) -> float | None:
    try:
        found = float(text or "")
    except ValueError:
        return None
    return found if abs(found) <= 180 else None
