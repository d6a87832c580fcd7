"""Dates of other calendars and scripts as Gregorian ones in plain digits.

Japanese eras and the years of the Republic of China; Chinese numerals; the Buddhist
years of Thailand and Laos; the Persian solar calendar; month names that dateparser does
not know; times with a word for morning or afternoon before them.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from typing import Final

from ..vocabulary import read_phrases

_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
_ERA_DATE: Final = re.compile(
    r"(令和|平成|昭和|民[國国])\s?([0-9]{1,3}|元)\s?年\s?([0-9]{1,2})\s?月\s?([0-9]{1,2})\s?日"
)
_NUMERALS: Final = "〇一二三四五六七八九"
_HAN_DATE: Final = re.compile(
    r"([〇零○一二三四五六七八九]{4})年([一二三四五六七八九十]{1,3})月([一二三四五六七八九十]{1,3})日"
)
_HOUR: Final = re.compile(
    r"(오전|오후|午前|午後|上午|下午|晚上)?\s?([0-9]{1,2})\s?(?:[時时點点시:：])\s?"
    r"([0-9]{1,2})?(?![0-9])(?:\s?[分분])?(?:\s?[0-9]{1,2}\s?[秒초])?(?:\s?น\.)?"
)
_AFTERNOON: Final = frozenset({"오후", "午後", "下午", "晚上"})
_PERSIAN_NUMBERS: Final = re.compile(
    r"(?<![0-9])(1[34][0-9]{2})([-/.])([0-9]{1,2})\2([0-9]{1,2})(?![0-9])"
)
_BUDDHIST: Final = range(2500, 2700)
_PERSIAN: Final = range(1340, 1500)
_FIRST_DAY: Final = date(1600, 3, 20)
"""The first day of the year 979."""


def to_gregorian(text: str, language: str | None = None) -> str:
    """*text* with its date as ``YYYY-MM-DD`` if it is of another calendar or script.

    Digits are plain already. *language* decides whether 1400/01/15 is a Persian date.

    >>> to_gregorian("令和3年5月6日"), to_gregorian("12 มกราคม 2564 10:30")
    ('2021-05-06', '2021-01-12 10:30')
    """
    text = _ERA_DATE.sub(_of_era, text)
    text = _HAN_DATE.sub(_of_numerals, text)
    text = _day_of_month().sub(_of_month, text)
    text = _year_first().sub(_of_month, text)
    if language and language.partition("-")[0] in {"fa", "ps", "ckb"}:
        text = _PERSIAN_NUMBERS.sub(_of_persian, text)
    return _HOUR.sub(_of_hour, text)


def foreign_dates(text: str) -> list[re.Match[str]]:
    """The dates in *text* that only :func:`to_gregorian` reads."""
    patterns = (_ERA_DATE, _HAN_DATE, _day_of_month(), _year_first())
    return [match for pattern in patterns for match in pattern.finditer(text)]


@cache
def _months() -> dict[str, tuple[str, int]]:
    """Of each name its calendar or language, and the number of the month."""
    return {
        name: (kind, number)
        for kind, rows in read_phrases("months").items()
        for number, names in enumerate(rows, 1)
        for name in names.split("/")
    }


@cache
def _names() -> str:
    return "|".join(sorted(map(re.escape, _months()), key=len, reverse=True))


@cache
def _day_of_month() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![0-9])(?P<day>[0-9]{{1,2}})\.?\s?(?P<month>{_names()})[,،]?\s?"
        r"(?:พ\.ศ\.|ค\.ศ\.)?\s?(?P<year>[0-9]{4})(?![0-9])"
    )


@cache
def _year_first() -> re.Pattern[str]:
    return re.compile(
        r"(?<![0-9])(?P<year>[0-9]{4})(?:\s?m\.|\.\s?gada)?\s"
        rf"(?:(?P<before>[0-9]{{1,2}})\.\s)?(?P<month>{_names()})(?!\w)"
        r"(?:\s(?P<day>[0-9]{1,2})\s?d\.)?",
        re.IGNORECASE,
    )


def _of_month(match: re.Match[str]) -> str:
    found = match.groupdict()
    kind, month = _months()[found["month"].lower()]
    year, day = int(found["year"]), int(found.get("before") or found["day"] or 1)
    if year in _BUDDHIST:
        year -= 543
    if kind == "persian":
        return _iso_of_persian(year, month, day) or match[0]
    return f"{year}-{month:02}-{day:02}"


def _of_era(match: re.Match[str]) -> str:
    era, count, month, day = match.groups()
    year = _ERAS[era] + (1 if count == "元" else int(count))
    return f"{year}-{int(month):02}-{int(day):02}"


def _of_numerals(match: re.Match[str]) -> str:
    plain = match[1].replace("零", "〇").replace("○", "〇")
    year = "".join(str(_NUMERALS.index(sign)) for sign in plain)
    return f"{year}-{_number(match[2]):02}-{_number(match[3]):02}"


def _number(numerals: str) -> int:
    """A number below 100: 十二, 二十, 三十一."""
    tens, ten, ones = numerals.rpartition("十")
    if not ten:
        return _NUMERALS.index(numerals[-1])
    return 10 * (_NUMERALS.index(tens) if tens else 1) + _NUMERALS.find(ones or "〇")


def _of_persian(match: re.Match[str]) -> str:
    found = _iso_of_persian(int(match[1]), int(match[3]), int(match[4]))
    return found or match[0]


def _iso_of_persian(year: int, month: int, day: int) -> str | None:
    """The day in the Gregorian calendar: leap years return in cycles of 33 years."""
    if year not in _PERSIAN or not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    years = year - 979
    days = 365 * years + years // 33 * 8 + (years % 33 + 3) // 4
    days += 31 * (month - 1) - max(0, month - 7) + day - 1
    return (_FIRST_DAY + timedelta(days)).isoformat()


def _of_hour(match: re.Match[str]) -> str:
    half, hour, minute = match[1], int(match[2]), int(match[3] or 0)
    if half in _AFTERNOON and hour < 12:
        hour += 12
    return f" {hour:02}:{minute:02}" if hour < 24 and minute < 60 else match[0]
