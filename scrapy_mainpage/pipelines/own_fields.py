"""Fields of the project's own in index documents: where their values are found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from itemadapter import ItemAdapter

from scrapy_mainpage.indexes.documents import INDEX_FIELDS
from scrapy_mainpage.indexes.fields import (
    DATE,
    KEYWORD,
    NAME,
    NUMBER,
    TYPES,
    Field,
    read_field,
)
from scrapy_mainpage.page import Metadata, Page
from scrapy_mainpage.records import PAGE_RECORDS
from scrapy_mainpage.setting_readers import nearest, page_attributes
from scrapy_mainpage.settings import SettingsError

_PLACES: Final = ("from", "url", "meta")
_DOCSEARCH: Final = "docsearch:"


class Source(NamedTuple):
    """The place of a field's values, of one kind in ``_PLACES``, and their type."""

    place: str
    name: str
    type: str


class OwnFields:
    """Reads the fields that ``MAINPAGE_INDEX_FIELDS`` adds to documents.

    Raises :exc:`~scrapy_mainpage.settings.SettingsError` for a name, place or type that
    is none.
    """

    def __init__(self, index_fields: Mapping[str, Any]):
        self._sources: dict[str, Source] = {}
        try:
            for name, value in index_fields.items():
                if name not in INDEX_FIELDS:
                    self._sources[name] = _source(name, value)
                elif not isinstance(value, str):
                    raise ValueError(f"{name!r} needs the name of an item field")
        except (ValueError, re.error) as exc:
            values, problem = dict(index_fields), str(exc)
            raise SettingsError("MAINPAGE_INDEX_FIELDS", values, problem) from exc

    @property
    def types(self) -> dict[str, str]:
        """The types of the fields, by their names."""
        return {name: source.type for name, source in self._sources.items()}

    def read(
        self,
        item: Mapping[str, Any],
        page: Page | None,
        url: str,
        metas: Mapping[str, str],
    ) -> dict[str, Field]:
        """Return the fields of an item; a value that is not of the type is left out."""
        found = {}
        for name, (place, key, kind) in self._sources.items():
            if place == "url":
                match = re.search(key, url)
                value = match[1 if match.re.groups else 0] if match else None
            elif place == "meta":
                value = metas.get(key.lower())
            else:
                value = _part_of(item, key)
                if value in (None, "", []) and page is not None:
                    value = _attribute_of(page, key)
            field = read_field(value, kind)
            if field is None and kind == NUMBER and isinstance(value, str):
                field = read_field(_amount_in(value), kind)
            if field is not None:
                found[name] = field
        return found


def _source(name: str, value: Any) -> Source:
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a field: small letters, digits and _")
    if isinstance(value, str):
        if meant := get_close_matches(name, INDEX_FIELDS, n=1, cutoff=0.8):
            problem = f"an index has no field {name!r} (did you mean {meant[0]!r}?)"
            raise ValueError(f"{problem}; your own one has a dictionary as its source")
        is_meta = value.startswith(_DOCSEARCH)
        value = {"meta" if is_meta else "from": value}
    places = [place for place in _PLACES if place in value]
    unknown = sorted(value.keys() - {*_PLACES, "type"})
    if len(places) != 1 or unknown or not isinstance(value[places[0]], str):
        problem = f"{name!r} needs one of {', '.join(_PLACES)}, and may have a type"
        raise ValueError(problem)
    place, key = places[0], value[places[0]]
    kind = value.get("type") or (_type_of(key) if place == "from" else KEYWORD)
    if kind not in TYPES:
        raise ValueError(f"{name!r}: {kind!r} is none of {', '.join(TYPES)}")
    if place == "url":
        re.compile(key)
    known, record = page_attributes(), key.partition(".")[0]
    is_record = "." in key and (record == "metadata" or record in PAGE_RECORDS)
    if place == "from" and is_record and key not in known:
        raise ValueError(f"a page has no attribute {key!r}{nearest(key, known)}")
    return Source(place, key, kind)


def _type_of(name: str) -> str:
    """The type of a page's attribute of that name, or of an item's field like it."""
    last = name.rpartition(".")[2]
    if "date" in last or last in {"crawled_at", "valid_through"}:
        return DATE
    declared = {
        item.name: str(item.type).removesuffix(" | None")
        for cls in (Page, Metadata, *PAGE_RECORDS.values())
        for item in fields(cls)
    }
    is_number = declared.get(last) in {"int", "float"} or last.endswith("price")
    return NUMBER if is_number else KEYWORD


def _part_of(item: Mapping[str, Any], name: str) -> Any:
    """The value of an item's field; a dot leads into a field that has fields."""
    value: Any = item
    for part in (name,) if name in item else name.split("."):
        if ItemAdapter.is_item(value):
            value = ItemAdapter(value)
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _attribute_of(page: Page, name: str) -> Any:
    if name not in page_attributes():
        return None
    value: Any = page
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def _amount_in(text: str) -> str | None:
    """The number of a text such as "1.299,00 €"."""
    from scrapy_mainpage.extraction.records.prices import read_price

    price = read_price(text)
    return price.amount if price else None
