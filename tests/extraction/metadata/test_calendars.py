"""Dates of other calendars and scripts."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.metadata.dates import dates_in, normalise_date
from tests.extraction.helpers import metadata_of

DATES = [
    ("12 มกราคม 2564", "th", "2021-01-12"),
    ("12 ม.ค. 2564 10:30 น.", "th", "2021-01-12T10:30"),
    ("12 มกราคม พ.ศ. 2564", "th", "2021-01-12"),
    ("12 มกราคม 2021", "th", "2021-01-12"),
    ("12 ມັງກອນ 2021", "lo", "2021-01-12"),
    ("۱۵ فروردین ۱۴۰۰", "fa", "2021-04-04"),
    ("۱۴۰۰/۰۱/۱۵", "fa", "2021-04-04"),
    ("1399-12-30", "fa", "2021-03-20"),
    ("۳۰ اسفند ۱۳۹۹", "fa", "2021-03-20"),
    ("١٢ يناير ٢٠٢١", "ar", "2021-01-12"),
    ("12 كانون الثاني 2021", "ar", "2021-01-12"),
    ("१२ जनवरी २०२१", "hi", "2021-01-12"),
    ("১২ জানুয়ারি ২০২১", "bn", "2021-01-12"),
    ("令和3年5月6日", "ja", "2021-05-06"),
    ("令和元年5月1日", "ja", "2019-05-01"),
    ("平成31年4月1日", "ja", "2019-04-01"),
    ("2021年5月6日 10時30分", "ja", "2021-05-06T10:30"),
    ("2021年5月6日 午後3時5分", "ja", "2021-05-06T15:05"),
    ("2021년 5월 6일 오후 3:20", "ko", "2021-05-06T15:20"),
    ("中華民國110年5月6日", "zh-tw", "2021-05-06"),
    ("二〇二一年五月六日", "zh", "2021-05-06"),
    ("二〇二一年十二月三十一日", "zh", "2021-12-31"),
    ("二〇二一年十月二十日", "zh", "2021-10-20"),
    ("2021年5月6日 下午3:20", "zh", "2021-05-06T15:20"),
    ("ngày 12 tháng 5 năm 2021", "vi", "2021-05-12"),
    ("2021 m. gegužės 12 d.", "lt", "2021-05-12"),
    ("2021. gada 12. maijs", "lv", "2021-05-12"),
    ("12 Μαΐου 2021", "el", "2021-05-12"),
    ("12 במאי 2021", "he", "2021-05-12"),
    ("12 May 2021 10:30 CET", "en", "2021-05-12T10:30"),
    ("May 12, 2021 3:20 PM EDT", "en", "2021-05-12T15:20-04:00"),
]


@pytest.mark.parametrize(("text", "language", "wanted"), DATES)
def test_a_written_date(text: str, language: str, wanted: str) -> None:
    assert normalise_date(text, language) == wanted


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("45 มกราคม 2564", "th"),
        ("12 มกราคม 9999", "th"),
        ("۱۴۰۰/۱۳/۱۵", "fa"),
        ("۱۲ فروردین ۱۹۰۰", "fa"),
        ("令和99年5月6日", "ja"),
        ("二〇二一年九十月六日", "zh"),
    ],
)
def test_what_is_no_date(text: str, language: str) -> None:
    assert normalise_date(text, language) is None


@pytest.mark.parametrize(
    ("line", "language", "wanted"),
    [
        ("เผยแพร่: 12 มกราคม 2564", "th", "2021-01-12"),
        ("تاریخ: ۱۵ فروردین ۱۴۰۰", "fa", "2021-04-04"),
        ("民國110年5月6日", "zh-tw", "2021-05-06"),
        ("二〇二一年五月六日", "zh", "2021-05-06"),
    ],
)
def test_a_line_below_the_title(line: str, language: str, wanted: str) -> None:
    html = f"<html lang={language}><h1>Moss</h1><p>{line}</p><p>Moss grows.</p></html>"
    assert metadata_of(html).date_published == wanted


def test_a_persian_year_of_another_language_is_none() -> None:
    assert normalise_date("1400-01-15", "en") is None


def test_places_are_those_of_the_text() -> None:
    text = "เผยแพร่: 12 มกราคม 2564 โดย"
    ((place, day),) = dates_in(text)
    assert text[place : place + len(day)] == day == "12 มกราคม 2564"
