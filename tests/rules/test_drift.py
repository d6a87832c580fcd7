"""Rules whose sites change: pages of other kinds, and selectors that die."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.downloadermiddlewares import LimitReports
from scrapy_mainpage.rules import SiteRules
from tests.crawling import make_crawler

SENTENCE = "The wall of the harbour, number {n}, was rebuilt in the winter of {n}. "
PAGE = (
    "<html lang=en><body><div id=menu><a href=/>Home</a></div><h1>Harbour</h1>"
    f"<div id=story-text>{f'<p>{SENTENCE * 3}</p>' * 3}</div></body></html>"
)


def test_pages_of_another_kind_are_no_miss(tmp_path: Path) -> None:
    def other(name: str) -> str:
        text = SENTENCE.format(n=3)
        return f"<html lang=en><body><ol id={name}>{f'<li>{text * 3}' * 4}</ol>"

    rules = 'content = ["#story-text"]\nunless = ["#poll"]\n'
    (tmp_path / "a.com.toml").write_text(rules)
    found = extract(other("poll"), url="https://a.com/9", rules=tmp_path)
    assert found.rules == ("a.com.toml: unless = #poll",)
    assert found.warnings == ()
    assert found.confidence is not None
    reports = LimitReports(make_crawler())
    reports.report(found)
    assert reports.crawler.stats.get_stats() == {
        f"mainpage/rules/pages/{name}": 1 for name in ("a.com.toml", found.rules[0])
    }
    # Without the element around it a page is missed.
    missed = extract(other("new"), url="https://a.com/9", rules=tmp_path)
    assert "rule_missed" in missed.warnings
    # The next file of the site is tried.
    (tmp_path / "a.com+poll.toml").write_text('content = ["#poll li"]')
    (tmp_path / "a.com+more.toml").write_text('unless = ["li", "#x"]\ncontent = "p"')
    found = extract(other("poll"), url="https://a.com/9", rules=tmp_path)
    assert found.rules == ("a.com+poll.toml: content = #poll li",)


@pytest.mark.parametrize(
    ("unless", "is_other"),
    [
        ("boolean(//article)", False),
        ("not(//article)", True),
        ("count(//article)", False),
        ("count(//p)", True),
        ("string(//article)", False),
        ("//p/@class", False),
        ("#story-text", True),
    ],
)
def test_an_expression_that_says_no_finds_no_other_kind(
    unless: str, is_other: bool
) -> None:
    rules = SiteRules(content=("#story-text",), unless=(unless,))
    said = f"unless = {unless}" if is_other else "content = #story-text"
    assert extract(PAGE, rules=rules).rules == (said,)


def test_a_file_without_a_match_is_named_and_its_dead_selectors_are_known(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.com.toml").write_text('drop = [".x"]\nfields.price = ".y"\n')
    found = extract(PAGE, url="https://a.com/9", rules=tmp_path)
    assert found.rules == ("a.com.toml",)
    reports = LimitReports(make_crawler())
    reports.report(found)
    stats = reports.crawler.stats.get_stats()
    assert stats == {"mainpage/rules/pages/a.com.toml": 1}
