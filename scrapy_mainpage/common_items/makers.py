"""From pages to items of zyte-common-items: a function for each, its fields as a table.

A function returns ``None`` for a page that is no such item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import zyte_common_items as zyte

from ..items import is_thread
from ..records import Product, Variant

if TYPE_CHECKING:
    from collections.abc import Iterable

MIN_PRICED: Final = 0.5
"""Share of the entries with a price from which on a listing shows products."""

_IN_STOCK: Final = frozenset(
    {"InStock", "InStoreOnly", "LimitedAvailability", "MadeToOrder", "OnlineOnly"}
)
_GTINS: Final = {8: "gtin8", 10: "isbn10", 12: "upc", 13: "gtin13", 14: "gtin14"}
_QUERY: Final = "{{ query|quote_plus }}"


# --- Values of several items ------------------------------------------------


def _one(cls: type, value: Any, *names: str) -> Any:
    """An object with the value in each of its fields *names*; ``None`` for no value."""
    return cls(**dict.fromkeys(names, value)) if value else None


def _each(cls: type, values: Iterable[Any], *names: str) -> Any:
    """A list with an object for each value; ``None`` for none."""
    return [_one(cls, value, *names) for value in values] or None


def _same(found: Any, names: str) -> dict[str, Any]:
    """The fields that are called alike, but for capitals in place of ``_``."""
    pairs = ((name, name.title().replace("_", "")) for name in names.split())
    return {f"{to[0].lower()}{to[1:]}": getattr(found, name) for name, to in pairs}


def _image(url: str | None) -> Any:
    return _one(zyte.Image, url, "url")


def _addresses(page: Any) -> dict[str, Any]:
    """The URL of the page, and the one that it gives as its own."""
    return {"url": page.url, "canonicalUrl": page.metadata.canonical_url}


def _media(page: Any, kind: str) -> list[str]:
    return [item.url for item in page.media if item.kind == kind]


def _probability(page: Any, page_type: str = "") -> zyte.Metadata:
    """The probability of a type; ``None`` for a kind of items that is no type."""
    return zyte.Metadata(probability=page.page_types.get(page_type))


def _rating(found: Any, best: float | None = None) -> zyte.AggregateRating | None:
    if found.rating is None and found.review_count is None:
        return None
    own = _same(found, "review_count")
    return zyte.AggregateRating(ratingValue=found.rating, bestRating=best, **own)


def _language(page: Any) -> str | None:
    return page.language.split("-")[0] if page.language else None


def moment(date: str | None) -> str | None:
    """A date as these items have them, with time and zone; ``None`` for a month.

    >>> moment("2026-05-02"), moment("2026-05-02T08:30"), moment("3 days ago")
    ('2026-05-02T00:00:00Z', '2026-05-02T08:30:00Z', None)
    """
    if date is None or len(date) < len("2026-05-02") or not date[:4].isdigit():
        return None
    day, _, time = date.partition("T")
    if not time:
        return f"{day}T00:00:00Z"
    clock = time.rstrip("Z").partition("+")[0].partition("-")[0]
    zone = time[len(clock) :] or "Z"
    seconds = ":00" if clock.count(":") == 1 else ""
    return f"{day}T{clock}{seconds}{zone}"


# --- Articles and threads ---------------------------------------------------


def make_article(page: Any) -> zyte.Article:
    """The page with its main content; any page is made into one."""
    declared = page.metadata
    changed = moment(declared.date_modified)
    return zyte.Article(
        **_addresses(page),
        headline=page.title,
        description=declared.description,
        authors=_each(zyte.Author, declared.authors, "name", "nameRaw"),
        # Without a date of publication the item has that of the last change.
        datePublished=moment(declared.date_published) or changed,
        dateModified=changed,
        inLanguage=_language(page),
        articleBody=page.text.strip() or None,
        articleBodyHtml=page.html or None,
        mainImage=_image(declared.image),
        images=_each(zyte.Image, _media(page, "image"), "url"),
        videos=_each(zyte.Video, _media(page, "video"), "url"),
        audios=_each(zyte.Audio, _media(page, "audio"), "url"),
        metadata=_probability(page, "article"),
    )


def make_article_list(page: Any) -> zyte.ArticleList | None:
    """The entries of the page, unless they are products."""
    if not page.entries or shows_products(page):
        return None
    articles = [
        zyte.ArticleFromList(
            headline=entry.name,
            url=entry.url,
            articleBody=entry.summary,
            mainImage=_image(entry.image),
            authors=_each(zyte.Author, filter(None, [entry.author]), "name", "nameRaw"),
            datePublished=moment(entry.date),
            datePublishedRaw=entry.date,
            inLanguage=_language(page),
            metadata=_probability(page, "listing"),
        )
        for entry in page.entries
    ]
    return zyte.ArticleList(**_addresses(page), articles=articles)


def make_thread(page: Any) -> zyte.ForumThread | None:
    """The posts of the page, unless they are comments on something else."""
    if not is_thread(page):
        return None
    posts = [
        zyte.SocialMediaPost(
            url=post.url or page.url,
            postId=post.id,
            text=post.text,
            datePublished=moment(post.date),
            metadata=_probability(page, "forum"),
        )
        for post in page.posts
    ]
    topic = _one(zyte.Topic, page.title, "name")
    return zyte.ForumThread(url=page.url, topic=topic, posts=posts)


# --- Products ---------------------------------------------------------------


def make_product(page: Any) -> zyte.Product | None:
    """The product of the page; of its title and main content on a product page."""
    if (found := page.product) is None:
        if page.page_type != "product":
            return None
        found = Product()
    declared = page.metadata
    facts = [
        zyte.AdditionalProperty(name=pair[0], value=pair[1])
        for pair in found.specifications
    ]
    steps = [zyte.Breadcrumb(**_same(step, "name url")) for step in found.breadcrumbs]
    images = found.images or _media(page, "image")
    return zyte.Product(
        **_addresses(page),
        **_offer(found, "sku price currency regular_price mpn"),
        name=found.name or page.title,
        brand=_one(zyte.Brand, found.brand, "name"),
        aggregateRating=_rating(found, found.best_rating),
        description=found.description or declared.description,
        descriptionHtml=page.html or None,
        features=list(found.features) or None,
        additionalProperties=facts or None,
        mainImage=_image(next(iter(found.images), declared.image)),
        images=_each(zyte.Image, images, "url"),
        breadcrumbs=steps or None,
        variants=[_variant(each) for each in found.variants] or None,
        metadata=_probability(page, "product"),
    )


def _offer(found: Product | Variant, names: str) -> dict[str, Any]:
    """What a product has in common with its variants, and fields called alike."""
    stock = found.availability
    # One of two values for a name of schema.org.
    state = stock and ("InStock" if stock in _IN_STOCK else "OutOfStock")
    return _same(found, names) | {"gtin": _gtin(found.gtin), "availability": state}


def _variant(found: Variant) -> zyte.ProductVariant:
    names = "sku price currency name url color size"
    return zyte.ProductVariant(**_offer(found, names), mainImage=_image(found.image))


def _gtin(code: str | None) -> list[zyte.Gtin] | None:
    """The code with its type, by the number of its digits.

    >>> _gtin("978-3-16-148410-0"), _gtin("none")
    ([Gtin(type='isbn13', value='9783161484100')], None)
    """
    digits = (code or "").replace("-", "").replace(" ", "")
    if not digits.isdigit() or len(digits) not in _GTINS:
        return None
    is_book = len(digits) == 13 and digits.startswith(("978", "979"))
    kind = "isbn13" if is_book else _GTINS[len(digits)]
    return [zyte.Gtin(type=kind, value=digits)]


def shows_products(page: Any) -> bool:
    """Whether the entries of the page are products: most of them have a price."""
    priced = sum(entry.price is not None for entry in page.entries)
    return priced > 0 and (
        priced >= MIN_PRICED * len(page.entries) or page.page_type == "collection"
    )


def make_product_list(page: Any) -> zyte.ProductList | None:
    """The entries of the page, if they are products."""
    if not shows_products(page):
        return None
    products = [
        zyte.ProductFromList(
            **_same(entry, "name url price currency"),
            mainImage=_image(entry.image),
            metadata=_probability(page, "collection"),
        )
        for entry in page.entries
    ]
    return zyte.ProductList(
        **_addresses(page),
        categoryName=page.title,
        products=products,
        paginationNext=_one(zyte.Link, page.next_page, "url"),
    )


# --- Jobs, places, and the search of a site ---------------------------------


def make_job(page: Any) -> zyte.JobPosting | None:
    """The job that the page offers."""
    if (found := page.job) is None:
        return None
    pay = {"valueMin": found.salary_min, "valueMax": found.salary_max}
    unit = {"rateType": found.salary_unit, "currency": found.salary_currency}
    return zyte.JobPosting(
        url=page.url,
        jobTitle=found.title or page.title,
        headline=page.title,
        datePublished=moment(found.date_posted),
        datePublishedRaw=found.date_posted,
        validThrough=moment(found.valid_through),
        validThroughRaw=found.valid_through,
        jobLocation=_one(zyte.JobLocation, found.location, "raw"),
        description=found.description or page.text.strip() or None,
        descriptionHtml=page.html or None,
        employmentType=found.employment_type,
        baseSalary=zyte.BaseSalary(**pay, **unit) if any(pay.values()) else None,
        hiringOrganization=_one(
            zyte.HiringOrganization, found.company, "name", "nameRaw"
        ),
        remoteStatus="remote" if found.is_remote else None,
        metadata=_probability(page),
    )


def make_place(page: Any) -> zyte.BusinessPlace | None:
    """The business or other place that the page is about."""
    if (found := page.place) is None:
        return None
    where = (found.address, found.latitude, found.longitude)
    address = zyte.Address(addressRaw=where[0], latitude=where[1], longitude=where[2])
    return zyte.BusinessPlace(
        url=page.url,
        name=found.name or page.title,
        description=page.metadata.description,
        address=address if any(part is not None for part in where) else None,
        **_same(found, "telephone website price_range"),
        categories=list(found.categories) or None,
        openingHours=_each(zyte.OpeningHoursItem, found.opening_hours, "rawOpens"),
        aggregateRating=_rating(found),
        metadata=_probability(page),
    )


def make_search(page: Any) -> zyte.SearchRequestTemplate | None:
    """The request that searches the site by its form."""
    if (form := page.search_form) is None:
        return None
    # The words are last, and the template is no value that is encoded.
    query = urlencode([*form.fields, (form.field, "")]) + _QUERY
    # Braces begin an expression of a template.
    url = form.url.replace("{", "%7B").replace("}", "%7D")
    kind = {"name": "Content-Type", "value": "application/x-www-form-urlencoded"}
    is_post = form.method == "POST"
    return zyte.SearchRequestTemplate(
        url=url if is_post else f"{url}?{query}",
        method=form.method,
        body=query if is_post else None,
        headers=[zyte.Header(**kind)] if is_post else None,
        metadata=_probability(page),
    )
