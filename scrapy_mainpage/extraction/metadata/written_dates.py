"""Dates in a text: numbers beside each other, or beside the name of a month.

Names of months in all languages, numerals, and years of other calendars: of Japanese
eras and of the Republic of China, the Buddhist years of Thailand and Laos, and the
Persian solar calendar.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta
from functools import cache
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from ..vocabulary import read_phrases

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_GAP: Final = 24
"""Characters between the numbers of a date, and of the words before the first."""

MAX_NUMBERS: Final = 60
_DAYS_OF_MONTH: Final = range(1, 32)
MAX_GLUE: Final = 4
"""Letters of a word between the parts of a date: "4 de marzo de 2020"."""

_CENTURY: Final = 2000
_YEARS: Final = range(1300, 2700)
"""Years of a calendar in use."""

_NUMBER: Final = re.compile(
    r"[0-9]+|[〇零○一二三四五六七八九十]{1,4}(?=[年月日])|元(?=年)"
)
_MAY_DATE: Final = re.compile(r"[0-9]{4}|[年元]|\.[0-9]{2}\.[0-9]{2}")
_WORD: Final = re.compile(r"[^\W\d_][^\s\d,،/|'’_–•·@:()-]*")
_APART: Final = re.compile(r"[][()<>{}:;#@+*=&\"•·\n]")
"""What stands in no date."""
_SIGNS: Final = ("-", "/", ".", "|")
_UNITS: Final = frozenset("年 月 년 월 tháng năm".split())
_DAYS: Final = ("日", "일")
_HOURS: Final = ("时", "時", "點", "点", "시")


_LANGUAGES: Final = tuple(
    "en de fr es it pt nl pl ru uk cs sv da nb fi hu ro tr el bg ja zh ko ar hi he th"
    " lt lv bn lo vi id ca sk sl hr sr fa".split()
)
"""Languages whose names of months are known beside those of the page's language."""

_MONTHS: Final = (
    "january february march april may june july august september october november"
    " december"
).split()
_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
_NUMERALS: Final = "〇一二三四五六七八九"
_BUDDHIST: Final = range(2500, 2700)
_PERSIAN: Final = range(1340, 1500)
_FIRST_DAY: Final = date(1600, 3, 20)
"""The first day of the year 979."""

PERSIAN_LANGUAGES: Final = frozenset({"fa", "ps", "ckb"})
PERSIAN_MONTH: Final = 100
"""Added to the number of a month of the Persian calendar."""


class Written(NamedTuple):
    """A date in a text: where it stands, and its numbers.

    *sign* stands between *day* and *month* that may be the other way round.
    """

    start: int
    end: int
    year: int
    month: int
    day: int
    sign: str = ""


def find_dates(text: str, language: str | None = None) -> Iterator[Written]:
    """The dates in a *text* with plain digits, in its order."""
    if not _MAY_DATE.search(text):
        return
    numbers, end = _Numbers(text, language), 0
    for at, match in enumerate(numbers.found):
        if match.start() >= end and (found := numbers.date_at(at)):
            end = found.end
            yield found


def find_month(text: str, language: str | None = None) -> tuple[int, int]:
    """The year and the month of a *text* that has one number; zeros if it has not."""
    numbers = _Numbers(text, language)
    if len(numbers.found) != 1 or not numbers.is_year(0):
        return 0, 0
    start, end = numbers.found[0].span()
    month = numbers.month_in(text[:start]) or numbers.month_in(text[end:])
    return (numbers.values[0], month) if month else (0, 0)


class _Numbers:
    """The numbers of a *text*, and what stands between them."""

    def __init__(self, text: str, language: str | None) -> None:
        self.text, self.language = text, language
        self.found = [*islice(_NUMBER.finditer(text), MAX_NUMBERS)]
        self.values = [number_of(match[0]) for match in self.found]

    def date_at(self, at: int) -> Written | None:
        """The date that begins with a number, or with the name of its month before."""
        if at + 1 == len(self.found):
            return None
        return self._of_numbers(at) or self._between(at) or self._behind_name(at)

    def _of_numbers(self, at: int) -> Written | None:
        """Three numbers with the same sign, or units, between them."""
        if at + 2 >= len(self.found):
            return None
        signs = [self._gap(n).strip().lower() for n in (at, at + 1)]
        is_signed = signs[0] == signs[1] and signs[0] in _SIGNS
        if not is_signed and not _UNITS.issuperset(signs):
            return None
        start, end = self.found[at].start(), self.found[at + 2].end()
        first, second, third = self.values[at : at + 3]
        # The year before the first one of the era that is named before them.
        era = _ERAS.get(self.text[:start].rstrip()[-2:], 0)
        if (era or self.is_year(at)) and not self._is_clock(at + 2):
            if third not in _DAYS_OF_MONTH:  # "2020-03-0412 min read"
                third, end = (
                    int(self.found[at + 2][0][:2]),
                    end + 2 - self._size(at + 2),
                )
            end += self.text.startswith(_DAYS, end)
            return Written(start - 2 * bool(era), end, era + first, second, third)
        is_short = signs[0] == "." and [*map(self._size, range(at, at + 3))] == [2] * 3
        is_part = at and self.text[self.found[at - 1].end() : start] == signs[0]
        is_year = self.is_year(at + 2) or is_short
        if is_part or not (is_year and self._is_day(at) and self._is_day(at + 1)):
            return None
        sign = signs[0] if is_signed else ""
        return Written(start, end, third + _CENTURY * is_short, second, first, sign)

    def _between(self, at: int) -> Written | None:
        """Day and year, or year and day, with the name of the month between them.

        Or behind them where no year follows.
        """
        first, second = self.values[at : at + 2]
        start, end = self.found[at].start(), self.found[at + 1].end()
        month = self.month_in(self._gap(at))
        if self._is_day(at) and self.is_year(at + 1):
            return Written(start, end, second, month, first) if month else None
        if month is None or not (self.is_year(at) and self._is_day(at + 1)):
            return None
        if not month and not self._has_year(at + 2):
            behind = self.text[end : end + MAX_GAP].lstrip(" .")
            word = _WORD.match(behind)
            month = self._month(word[0]) if word else 0
        return Written(start, end, first, month, second) if month else None

    def _behind_name(self, at: int) -> Written | None:
        """The name of a month, the day, and the year, which a time may stand before."""
        start = self.found[at].start()
        before = [*_WORD.finditer(self.text, max(0, start - MAX_GAP), start)][-1:]
        month = self._month(before[0][0]) if before and self._is_day(at) else 0
        if not month:
            return None
        for year in range(at + 1, len(self.found)):
            if self.is_year(year):
                end = self.found[year].end()
                is_near = end - start <= MAX_GAP and not _APART.search(
                    self.text[start:end].replace(":", "")
                )
                place, day = before[0].start(), self.values[at]
                found = Written(place, end, self.values[year], month, day)
                return found if is_near else None
            if self._is_day(year):
                break
        return None

    def month_in(self, gap: str) -> int | None:
        """The month that is named in a *gap* among short words; 0 if none is.

        ``None`` where other words are in it.
        """
        if _APART.search(gap):
            return None
        words = _WORD.findall(gap)
        months = [self._month(word) for word in (*words, " ".join(words))]
        is_glue = all(
            m or len(w) <= MAX_GLUE for w, m in zip(words, months, strict=False)
        )
        return max(months) if is_glue or months[-1] else None

    def _gap(self, at: int) -> str:
        """The text between a number and the next one, if it is of few characters."""
        if not 0 <= at < len(self.found) - 1:
            return ""
        start, end = self.found[at].end(), self.found[at + 1].start()
        return self.text[start:end] if end - start <= MAX_GAP else "?" * MAX_GAP

    def _size(self, at: int) -> int:
        return len(self.found[at][0])

    def is_year(self, at: int) -> bool:
        """Whether a number can be a year."""
        return self.values[at] in _YEARS and self._size(at) == len("2020")

    def _has_year(self, at: int) -> bool:
        return at < len(self.found) and self.is_year(at)

    def _is_day(self, at: int) -> bool:
        """Whether a number can be a day, and is no part of a time."""
        return self.values[at] in _DAYS_OF_MONTH and not self._is_clock(at)

    def _is_clock(self, at: int) -> bool:
        is_hour = self.text.startswith(_HOURS, self.found[at].end())
        is_beside = ":" in {self._gap(at - 1), self._gap(at)}
        return self._size(at) <= len("59") and (is_hour or is_beside)

    def _month(self, word: str) -> int:
        return month_of(word, self.language)


def month_of(name: str, language: str | None = None) -> int:
    """The number of the month with this *name*; 0 if it names none.

    That of the page's *language* counts first, as "listopad" is not one month in all.
    """
    plain = plain_word(name)
    own = _months(language.partition("-")[0]) if language else {}
    return own.get(plain) or _month_of().get(plain, 0)


def plain_word(text: str) -> str:
    """A word in lower case without accents and marks.

    >>> plain_word("ม.ค."), plain_word("Août,")
    ('มค', 'aout')
    """
    parts = unicodedata.normalize("NFKD", text.lower()).strip(".,;'\u2019-–|()")
    return "".join(p for p in parts if p != "." and not unicodedata.combining(p))


@cache
def _months(language: str) -> dict[str, int]:
    """The names of months in a language, as dateparser has them."""
    try:
        data = import_module(f"dateparser.data.date_translation_data.{language}")
    except ModuleNotFoundError:  # a language that it does not know
        return {}
    return {
        plain_word(name): month
        for month, key in enumerate(_MONTHS, 1)
        for name in data.info[key]
        # "X" is a month in Hungarian, and "Pro 2" a device.
        if not name[-1].isdigit() and (len(name) > 2 or not name.isascii())
    }


@cache
def _month_of() -> dict[str, int]:
    """The months by their names in all languages; the first ones win."""
    others = {
        plain_word(name): number + PERSIAN_MONTH * (kind == "persian")
        for kind, rows in read_phrases("months").items()
        for number, names in enumerate(rows, 1)
        for name in names.split("/")
    }
    every = (_months(language).items() for language in reversed(_LANGUAGES))
    return dict(chain(others.items(), chain.from_iterable(every)))


def number_of(text: str) -> int:
    """A number in plain digits or in Chinese numerals, the first year of an era as 1.

    >>> number_of("2021"), number_of("二〇二一"), number_of("三十一"), number_of("元")
    (2021, 2021, 31, 1)
    """
    if text[0].isascii():
        return int(text)
    plain = text.replace("零", "〇").replace("○", "〇").replace("元", "一")
    tens, ten, ones = plain.rpartition("十")
    if not ten:
        return int("".join(str(_NUMERALS.index(sign)) for sign in plain))
    return 10 * (_NUMERALS.find(tens[-1]) if tens else 1) + (
        _NUMERALS.find(ones[0]) if ones else 0
    )


def gregorian(
    year: int, month: int, day: int, language: str | None = None
) -> date | None:
    """The day of the Gregorian calendar; ``None`` for none that can be of a page.

    >>> gregorian(2564, 1, 12), gregorian(1400, 101, 15)
    (datetime.date(2021, 1, 12), datetime.date(2021, 4, 4))
    """
    is_persian = month > PERSIAN_MONTH or (
        year in _PERSIAN and (language or "").partition("-")[0] in PERSIAN_LANGUAGES
    )
    try:
        if is_persian:
            return _of_persian(year, month % PERSIAN_MONTH, day)
        return date(year - 543 if year in _BUDDHIST else year, month, day)
    except ValueError:
        return None


def _of_persian(year: int, month: int, day: int) -> date | None:
    """A day of the Persian calendar: leap years return in cycles of 33 years."""
    if year not in _PERSIAN or not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    years = year - 979
    days = 365 * years + years // 33 * 8 + (years % 33 + 3) // 4
    days += 31 * (month - 1) - max(0, month - 7) + day - 1
    return _FIRST_DAY + timedelta(days)
