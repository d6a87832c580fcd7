"""Dates as pages write them, to ISO 8601, no more precise than they were given.

A date that can be read in two ways (03/04/2020) is only read where the page's language
settles it; nothing is guessed.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone, tzinfo

from dateutil import parser, tz

FIRST_YEAR = 1990
_SLACK = timedelta(days=2)
_LONGEST = 100

# PHP's "T" gives the zone's abbreviation where ISO has the letter: 2018-11-28CET11:59.
_ISO = re.compile(
    r"([0-9]{4})(?:[-/]([0-9]{1,2})(?:-([0-9]{1,2})"
    r"(?:(?:\s|[A-Z]{1,4})\s*([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,:]([0-9]{1,9}))?)?"
    r"\s*(Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)?(?:\s*(?:Z|UTC))?)?)?)?",
    re.IGNORECASE,
)
_COMPACT = re.compile(
    r"([0-9]{4})([0-9]{2})([0-9]{2})(?:T?([0-9]{2})([0-9]{2})([0-9]{2})?)?()"
    r"([+-][0-9]{4}|Z)?Z?"
)
_EPOCH = re.compile(r"1[0-9]{9}(?:[0-9]{3})?")
_YEAR_FIRST = re.compile(
    r"(?P<year>[0-9]{4})\s*[-/.年년]\s*(?P<month>[0-9]{1,2})\s*[-/.月월]\s*"
    r"(?P<day>[0-9]{1,2})[日일]?"
)
_DAY_NAME = re.compile(
    r"(?<![0-9])(?P<day>[0-9]{1,2})(?:st|nd|rd|th|er|º|\.)?\s*(?:de\s+|of\s+)?"
    r"(?P<month>[^\W\d_]{3,12})[.,]?\s*(?:del?\s+)?(?P<year>[0-9]{4})(?![0-9])"
)
_NAME_DAY = re.compile(
    r"(?P<month>[^\W\d_]{3,12})\.?\s+(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?,?\s+"
    r"(?P<year>[0-9]{4})(?![0-9])"
)
_NUMBERS = re.compile(
    r"(?<![0-9])([0-9]{1,2})\s*([-/.])\s*([0-9]{1,2})\s*\2\s*([0-9]{4})(?![0-9])"
)
_WRITTEN = re.compile(r"(?=.*(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])).*[A-Za-z]{3}")
_NOISE = re.compile(
    r"\b[A-Z]{3,4}(?=[+-][0-9])|\([^)]*\)|\[[^\]]*\]|\b(?:hrs?|uhr|o'clock)\b\.?",
    re.IGNORECASE,
)
_OFFSETS = {
    "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3,
    "JST": 9, "KST": 9,
    "EST": -5, "EDT": -4, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
}  # fmt: skip
_ENGLISH = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
# English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Greek,
# Turkish and the Scandinavian languages, as they stand beside a day.
_NAMES = (
    "january januar jänner janvier janv enero ene gennaio gen janeiro januari stycznia "
    "января ιανουαρίου ocak",
    "february februar feber février févr febrero febbraio fevereiro fev februari "
    "lutego февраля φεβρουαρίου şubat",
    "march märz maerz mrz mars marzo março maart mrt marca марта μαρτίου mart",
    "april avril avr abril abr aprile kwietnia апреля απριλίου nisan",
    "may mai mayo maggio mag maio mei maja maj мая μαΐου mayıs",
    "june juni juin junio giugno giu junho czerwca июня ιουνίου haziran",
    "july juli juillet juil julio luglio lug julho lipca июля ιουλίου temmuz",
    "august août aout agosto ago augustus augusti sierpnia августа αυγούστου ağustos",
    "september sept septembre septiembre settembre set setembro września сентября "
    "σεπτεμβρίου eylül",
    "october oktober okt octobre octubre ottobre ott outubro out października октября "
    "οκτωβρίου ekim",
    "november novembre noviembre novembro listopada ноября νοεμβρίου kasım",
    "december dezember dez décembre déc diciembre dic dicembre dezembro desember "
    "grudnia декабря δεκεμβρίου aralık",
)
_MONTHS = {name: i for i, names in enumerate(_NAMES, 1) for name in names.split()}
_MONTHS |= {name.lower(): i for i, name in enumerate(_ENGLISH, 1)}
# Two moments that differ in every part: what both parses agree on was in the text.
_DEFAULTS = (datetime(2001, 1, 1), datetime(2004, 12, 28, 23, 59, 59, 999999))


def normalise_date(value: object, language: str | None = None) -> str | None:
    """*value* (a string, or seconds or milliseconds since 1970) as ISO 8601.

    Only the parts that it gives: ``"2020"``, ``"2020-03"``, ``"2020-03-04T10:00"``.
    *language*, a BCP 47 tag, settles the order of day and month. ``None`` for what is
    no date, before 1990 or more than two days ahead.

    >>> normalise_date("Wed, 04 Mar 2020 10:00:00 GMT")
    '2020-03-04T10:00:00+00:00'
    >>> normalise_date("03/04/2020"), normalise_date("03/04/2020", "en-gb")
    (None, '2020-04-03')
    """
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value) if 0 < value < 10**14 else None
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    try:
        return _read(_with_plain_digits(value).strip(" \t\r\n\"'"), language)
    except (ValueError, OverflowError):
        return None


def _with_plain_digits(text: str) -> str:
    if text.isascii():
        return text
    return "".join(str(int(c)) if c.isdecimal() else c for c in text)


def _read(text: str, language: str | None) -> str | None:
    if match := _ISO.fullmatch(text) or _COMPACT.fullmatch(text):
        return _from_parts(*match.groups())
    if _EPOCH.fullmatch(text):
        moment = datetime.fromtimestamp(int(text[:10]), timezone.utc)
        return _checked(moment, moment.isoformat())
    text = _NOISE.sub(" ", text)
    if found := _find_day(text, language):
        day, rest = found
        try:
            return _read_freely(f"{day} {rest}")
        except (ValueError, OverflowError):
            return _read_freely(day)
    # Without a written month nothing says which number is which.
    return _read_freely(text) if _WRITTEN.match(text) else None


def _from_parts(
    year: str,
    month: str | None,
    day: str | None,
    hour: str | None,
    minute: str | None,
    second: str | None,
    fraction: str | None,
    zone: str | None,
) -> str | None:
    moment = datetime(
        int(year),
        int(month or 1),
        int(day or 1),
        int(hour or 0),
        int(minute or 0),
        int(second or 0),
        int((fraction or "0").ljust(6, "0")[:6]),
        _offset(zone),
    )
    if month is None:
        return _checked(moment, f"{moment.year}")
    if day is None:
        return _checked(moment, f"{moment.year}-{moment.month:02}")
    if hour is None:
        return _checked(moment, moment.date().isoformat())
    return _checked(moment, moment.isoformat(timespec="auto" if second else "minutes"))


def _offset(zone: str | None) -> tzinfo | None:
    if not zone:
        return None
    if zone.upper() in {"Z", "UTC", "GMT"}:
        return timezone.utc
    digits = zone[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if zone[0] == "-" else offset)


def _checked(moment: datetime, text: str) -> str | None:
    """*text*, if the *moment* that it stands for can be a page's date."""
    latest = datetime.now(timezone.utc).date() + _SLACK
    return text if date(FIRST_YEAR, 1, 1) <= moment.date() <= latest else None


def _find_day(text: str, language: str | None) -> tuple[str, str] | None:
    """The day in *text*, its month as an English name, and the text around it."""
    for pattern in (_YEAR_FIRST, _DAY_NAME, _NAME_DAY):
        if match := pattern.search(text):
            name = match["month"]
            month = int(name) if name.isdigit() else _MONTHS.get(name.lower())
            if month and month <= 12:
                return _split(text, match, int(match["day"]), month, match["year"])
    if match := _NUMBERS.search(text):
        first, mark, second, year = match.groups()
        if order := _order(int(first), mark, int(second), language):
            return _split(text, match, *order, year)
    return None


def _split(
    text: str, match: re.Match[str], day: int, month: int, year: str
) -> tuple[str, str]:
    before = text[: match.start()]
    # A time may stand before the day; a weekday or "Updated:" says nothing new.
    time = before if re.search("[0-9]", before) else ""
    return f"{day} {_ENGLISH[month - 1]} {year}", f"{time} {text[match.end() :]}"


def _order(
    first: int, mark: str, second: int, language: str | None
) -> tuple[int, int] | None:
    """Day and month, where the numbers, the mark or the language settle it."""
    if second > 12 >= first:
        return second, first
    if second > 12:
        return None
    if first > 12 or first == second or mark == ".":
        return first, second
    if language in {None, "en", "en-ca", "en-ph"}:
        return None
    return (second, first) if language == "en-us" else (first, second)


def _zone(name: str | None, offset: int | None) -> tzinfo | None:
    if offset is not None:
        return tz.tzoffset(None, offset)
    hours = _OFFSETS.get((name or "").upper())
    return None if hours is None else timezone(timedelta(hours=hours))


def _read_freely(text: str) -> str | None:
    first, second = (
        parser.parse(text, default=default, dayfirst=bool(i), tzinfos=_zone)
        for i, default in enumerate(_DEFAULTS)
    )
    if (first.year, first.month) != (second.year, second.month):
        return None
    if first.day != second.day:
        return _checked(first, f"{first.year}-{first.month:02}")
    if first.hour != second.hour:
        return _checked(first, first.date().isoformat())
    timespec = "minutes" if first.second != second.second else "auto"
    return _checked(first, first.isoformat(timespec=timespec))
