"""Fields of the project's own in index documents: where their values are found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

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
from scrapy_mainpage.items import ItemFields
from scrapy_mainpage.page import Metadata, Page
from scrapy_mainpage.records import PAGE_RECORDS
from scrapy_mainpage.setting_readers import nearest, page_attributes
from scrapy_mainpage.settings import SettingsError

_PLACES: Final = ("from", "url", "meta")
_RECORDS: Final = ("metadata", *PAGE_RECORDS)

_Metas = Mapping[str, str]


class Source(NamedTuple):
    """The place of a field's values, of one kind in ``_PLACES``, and their type."""

    place: str
    key: str
    type: str

    @classmethod
    def read(cls, name: str, value: Any) -> Source:
        """Read the setting of the field *name*; :exc:`ValueError` for a bad one."""
        if not NAME.fullmatch(name):
            problem = "is no name of a field: small letters, digits and _"
            raise ValueError(f"{name!r} {problem}")
        if isinstance(value, str):
            if meant := get_close_matches(name, INDEX_FIELDS, n=1, cutoff=0.8):
                problem = f"an index has no field {name!r} (did you mean {meant[0]!r}?)"
                raise ValueError(f"{problem}; your own one has a dictionary as source")
            value = {"from": value}
        value = value if isinstance(value, dict) else {}
        places = [place for place in _PLACES if isinstance(value.get(place), str)]
        if len(places) != 1 or value.keys() - {*places, "type"}:
            allowed = f"one of {', '.join(_PLACES)}, and may have a type"
            raise ValueError(f"{name!r} needs {allowed}")
        place, key = places[0], value[places[0]]
        kind = value.get("type") or (_type_of(key) if place == "from" else KEYWORD)
        if kind not in TYPES:
            raise ValueError(f"{name!r}: {kind!r} is none of {', '.join(TYPES)}")
        known, record = page_attributes(), key.partition(".")[0]
        if place == "url":
            re.compile(key)
        elif place == "from" and record in _RECORDS and "." in key and key not in known:
            raise ValueError(f"a page has no attribute {key!r}{nearest(key, known)}")
        return cls(place, key, kind)

    def find(
        self, item: Mapping[str, Any], page: Page | None, url: str, metas: _Metas
    ) -> Any:
        """Return the value: of the item, else of its page."""
        if self.place == "url":
            match = re.search(self.key, url)
            return match[1 if match.re.groups else 0] if match else None
        if self.place == "meta":
            return metas.get(self.key.lower())
        value = _part_of(item, self.key)
        if value not in (None, "", []) or self.key not in page_attributes():
            return value
        value = page
        for part in self.key.split("."):
            value = getattr(value, part, None)
        return value


class OwnFields:
    """Reads the fields that ``MAINPAGE_INDEX_FIELDS`` adds to documents.

    ``types`` are the types of the fields, by their names. Raises
    :exc:`~scrapy_mainpage.settings.SettingsError` for a name, place or type that is
    none.
    """

    def __init__(self, index_fields: Mapping[str, Any]):
        own = {k: v for k, v in index_fields.items() if k not in INDEX_FIELDS}
        try:
            for name in index_fields.keys() - own.keys():
                if not isinstance(index_fields[name], str):
                    raise ValueError(f"{name!r} needs the name of an item field")
            self._sources = {name: Source.read(name, v) for name, v in own.items()}
        except (ValueError, re.error) as exc:
            values, problem = dict(index_fields), str(exc)
            raise SettingsError("MAINPAGE_INDEX_FIELDS", values, problem) from exc
        self.types = {name: source.type for name, source in self._sources.items()}

    def read(
        self, item: Mapping[str, Any], page: Page | None, url: str, metas: _Metas
    ) -> dict[str, Field]:
        """Return the fields of an item; a value that is not of the type is left out."""
        found = {}
        for name, source in self._sources.items():
            value = source.find(item, page, url, metas)
            field = read_field(value, source.type)
            if field is None and source.type == NUMBER and isinstance(value, str):
                field = read_field(_amount_in(value), NUMBER)
            if field is not None:
                found[name] = field
        return found


def _type_of(name: str) -> str:
    """The type of a page's attribute of that name, or of an item's field like it."""
    last = name.rpartition(".")[2]
    if "date" in last or last in {"crawled_at", "valid_through"}:
        return DATE
    declared = (
        item
        for cls in (Page, Metadata, *PAGE_RECORDS.values())
        for item in fields(cls)
        if item.name == last
    )
    kinds = {str(item.type).removesuffix(" | None") for item in declared}
    is_number = kinds & {"int", "float"} or last.endswith("price")
    return NUMBER if is_number else KEYWORD


def _part_of(item: Mapping[str, Any], name: str) -> Any:
    """The value of an item's field; a dot leads into a field that has fields."""
    value: Any = item
    for part in (name,) if name in item else name.split("."):
        if ItemFields.is_item(value):
            value = ItemFields(value)
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _amount_in(text: str) -> str | None:
    """The number of a text such as "1.299,00 €"."""
    from scrapy_mainpage.extraction.records.prices import read_price

    price = read_price(text)
    return price.amount if price else None
