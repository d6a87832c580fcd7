"""Fields that a project adds to documents: typed values, and conditions on them.

Every engine stores a value as it is shown, and its *key*, by which documents are found:
folded words of a text, a keyword without case, a number, a date in seconds since 1970.
"""

from __future__ import annotations

import math
import re
from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .tokens import fold, segment, unsegment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

KEYWORD, NUMBER, DATE, TEXT = TYPES = ("keyword", "number", "date", "text")

#: Bounds of a document: fields, values of each, characters of one.
MAX_FIELDS: Final = 100
MAX_VALUES: Final = 100
MAX_CHARS: Final = 1_000

#: Values of a facet that are counted.
MAX_COUNTS: Final = 100

NAME: Final = re.compile("[a-z][a-z0-9_]{0,49}")
_NUMBER: Final = re.compile(r"[-+]?\d+(?:\.\d+)?")
_DATE: Final = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?"
    r"\s*(Z|[+-]\d\d:?\d\d)?)?)?)?",
    re.IGNORECASE | re.ASCII,
)
#: Numbers that a date has -> the time until the next such date.
_STEPS: Final = {3: timedelta(1), 5: timedelta(minutes=1), 6: timedelta(seconds=1)}
_OPERATOR: Final = re.compile("<=|>=|<|>|=")

Value = str | float
#: Comparisons that all hold for one value; ``has`` is for words in a text.
Bounds = tuple[tuple[str, Value], ...]
#: The values of a facet, the most frequent first, with the number of documents.
Facets = dict[str, dict[Value, int]]


class UnknownFieldError(ValueError):
    """A field that an index does not have, or a value that is not of its type."""


class Field(NamedTuple):
    """The type and the values of a document's field.

    ``type`` is ``keyword``, ``number``, ``date`` or ``text``. Numbers are floats, dates
    are texts in ISO 8601, of a year, a month, a day or a moment.
    """

    type: str
    values: tuple[Value, ...]

    def rows(self) -> Iterator[tuple[Value, Value]]:
        """Yield each key with the value that is shown, without two of one key."""
        yield from {_key(self.type, value): value for value in self.values}.items()


class Condition(NamedTuple):
    """A condition on a field: one of its values is within one of the bounds."""

    name: str
    type: str
    any_of: tuple[Bounds, ...]
    excluded: bool = False


def read_field(value: Any, kind: str | None = None) -> Field | None:
    """Return the field of a value or of several; ``None`` if none is of the type.

    Without a type texts are keywords, and numbers and dates are of their own.
    """
    if isinstance(value, Field):
        kind, value = value
    values = value if isinstance(value, list | tuple | set | frozenset) else (value,)
    kind = kind or _type_of(values)
    found = [_read(each, kind) for each in list(values)[:MAX_VALUES]]
    known = tuple(dict.fromkeys(each for each in found if each is not None))
    return Field(kind, known) if known and kind in TYPES else None


def read_fields(values: Mapping[str, Any]) -> dict[str, Field]:
    """Return the fields of a document, without names and values that are none."""
    read = {name: read_field(value) for name, value in values.items()}
    known = {x: found for x, found in read.items() if found and NAME.fullmatch(x)}
    return dict(list(known.items())[:MAX_FIELDS])


def type_clash(types: Mapping[str, str], known: Mapping[str, str]) -> str:
    """Say which field has another type in the index; return an empty text if none."""
    for name, kind in types.items():
        if known.get(name, kind) != kind:
            return f"the field {name!r} is a {known[name]} in the index, not a {kind}"
    return ""


def conditions_of(
    filters: Mapping[str, Any], types: Mapping[str, str]
) -> tuple[Condition, ...]:
    """Return the conditions of filters; see :meth:`.Index.search`.

    Raises :exc:`UnknownFieldError`.
    """
    found = []
    for name, wanted in filters.items():
        values = wanted if isinstance(wanted, list | tuple | set) else (wanted,)
        for value in values:
            text = str(value)
            operator = _OPERATOR.match(text) if isinstance(value, str) else None
            sign, rest = ("=", value)
            if operator:
                sign, rest = operator[0], text[operator.end() :]
            found.append(condition(name, sign, rest, check_name(name, types)))
    return joined(found)


def check_name(name: str, types: Mapping[str, str], *kinds: str) -> str:
    """Return the type of a field; raise :exc:`UnknownFieldError` for another one."""
    known = [each for each, kind in types.items() if not kinds or kind in kinds]
    if name not in known:
        there = ", ".join(sorted(map(str, known))) or "none"
        what = f" of the type {' or '.join(kinds)}" if kinds else ""
        raise UnknownFieldError(
            f"the index has no field {name!r}{what}; its fields are: {there}"
        )
    return types[name]


def condition(
    name: str, sign: str, value: Any, kind: str, *, excluded: bool = False
) -> Condition:
    """Return the condition that a field is equal (``=``), above or below a value.

    A date is a period: ``=2025`` is all of the year, ``>2025`` is after it. Raises
    :exc:`UnknownFieldError` if the value is not of the type.
    """
    read = _read(value, kind)
    if read is None:
        raise UnknownFieldError(f"{name}: {value!r:.80} is no {kind}")
    if sign != "=" and kind not in (NUMBER, DATE):
        raise UnknownFieldError(f"{name}: {sign} is for numbers and dates")
    return Condition(name, kind, (_bounds(sign, read, kind),), excluded)


def _bounds(sign: str, value: Value, kind: str) -> Bounds:
    if kind == TEXT:
        return (("has", _key(kind, value)),)
    if kind == KEYWORD:
        return (("=", _key(kind, value)),)
    period = period_of(value) if isinstance(value, str) else None
    if period is None:
        return ((sign, value),)
    first, after = period
    choices: dict[str, Bounds] = {
        "=": ((">=", first), ("<", after)),
        ">=": ((">=", first),),
        ">": ((">=", after),),
        "<": (("<", first),),
        "<=": (("<", after),),
    }
    return choices[sign]


def joined(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Join conditions on equal values: one of several values of a field is enough."""
    found: dict[object, Condition] = {}
    for each in conditions:
        signs = [sign for sign, _ in each.any_of[0]]
        is_equal = signs in (["="], ["has"], [">=", "<"]) and not each.excluded
        key = each.name if is_equal else (each, len(found))
        before = found.get(key)
        any_of = before.any_of + each.any_of if before else each.any_of
        found[key] = each._replace(any_of=any_of)
    return tuple(found.values())


def period_of(text: str) -> tuple[float, float] | None:
    """Return the beginning of a date and of what follows it, in seconds since 1970.

    Without a zone it is UTC.

    >>> first, after = period_of("2025-01")
    >>> (after - first) / 86_400
    31.0
    """
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None
    *parts, zone = match.groups()
    numbers = [int(part) for part in parts if part is not None]
    try:
        padded = (*numbers, 1, 1)[: max(len(numbers), 3)]
        start = datetime(*padded, tzinfo=timezone.utc)  # type: ignore[arg-type, misc]
        if len(numbers) == 1:
            end = start.replace(year=start.year + 1)
        elif len(numbers) == 2:
            end = (start + timedelta(days=31)).replace(day=1)
        else:
            end = start + _STEPS[len(numbers)]
        offset = _offset(zone)
        return start.timestamp() - offset, end.timestamp() - offset
    except (OverflowError, ValueError):
        return None


def _offset(zone: str | None) -> int:
    if not zone or zone in "Zz":
        return 0
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return minutes * (-60 if zone[0] == "-" else 60)


def _type_of(values: Iterable[Any]) -> str:
    first = next(iter(values), None)
    if isinstance(first, date):
        return DATE
    is_number = isinstance(first, int | float) and not isinstance(first, bool)
    return NUMBER if is_number else KEYWORD


def _read(value: Any, kind: str) -> Value | None:
    """Return a value in its type; ``None`` if it is not of it."""
    if value is None:
        return None
    text = value.isoformat() if isinstance(value, date) else str(value).strip()
    if isinstance(value, bool):
        text = text.lower()
    text = unsegment(segment(text[:MAX_CHARS]))
    if kind == NUMBER:
        is_number = isinstance(value, float) or _NUMBER.fullmatch(text)
        number = float(text) if is_number else math.nan
        return number if math.isfinite(number) else None
    if kind == DATE:
        return text if period_of(text) else None
    return text if str(_key(kind, text)).strip() else None


def _key(kind: str, value: Value) -> Value:
    if isinstance(value, float):
        return value
    if kind == DATE:
        period = period_of(value)
        return period[0] if period else 0.0
    if kind == TEXT:
        return f" {' '.join(fold(segment(value)).split())} "
    return value.casefold()


def shown_fields(rows: Iterable[tuple[str, Value]]) -> dict[str, Any]:
    """Return the fields of a hit: a value, or a tuple of several."""
    found: dict[str, tuple[Value, ...]] = {}
    for name, value in rows:
        found[name] = (*found.get(name, ()), shown(value))
    return {
        name: tuple(sorted(each)) if len(each) > 1 else each[0]
        for name, each in found.items()
    }


def shown(value: Value) -> Value:
    """Return a value as it is shown: a whole number as an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
