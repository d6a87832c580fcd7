"""Rules that notice when they die, or half of them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.downloadermiddlewares import LimitReports
from scrapy_mainpage.memory.comparison import compare
from scrapy_mainpage.page import Page
from scrapy_mainpage.rules import (
    CorrectedPage,
    RulesError,
    SiteRules,
    format_rules,
    learn_rules,
    parse_rules,
)
from scrapy_mainpage.rules.rule_book import name_rules
from tests.crawling import make_crawler

SENTENCE = "The wall of the harbour, number {n}, was rebuilt in the winter of {n}. "
PARTS = ("headline", "lead", "story-text", "small-print")
NAMES = (*PARTS, "facts", "story-extra")


def page(n: int, *, extra: bool = False) -> str:
    """A story in several elements with ids, beside teasers that are as long."""
    text = SENTENCE.format(n=n)
    teasers = "".join(f"<p>Sold: {text * 2}</p>" for _ in range(3))
    facts = f"<div id=facts><p>{text}</p><p>{text}</p></div>"
    more = f"<div id=story-extra><p>{text * 5}</p></div>"
    return (
        f"<html lang=en><body><div id=menu><a href=/>Home</a></div>"
        f"<h1 id=headline>Harbour {n}</h1><p id=lead>{text * 2}</p>"
        f"{teasers}"
        f"<div id=story-text>{f'<p>{text * 3}</p>' * (2 + n)}</div>"
        f"{facts}{more if extra else ''}"
        f"<div id=small-print><p>{text * 2}</p></div></body></html>"
    )


@pytest.fixture(scope="module")
def rules() -> SiteRules:
    content = tuple(f"#{name}" for name in NAMES)
    shares = (0.01, 0.05, 0.5, 0.05, 0.05, 0)
    return SiteRules(content=content, expects=dict(zip(content, shares, strict=True)))


@pytest.fixture(scope="module")
def roomy(rules: SiteRules) -> SiteRules:
    """The algorithm selects the teasers, which no selector finds."""
    return replace(rules, expects={**rules.expects, "*": 100})


def apply(rules: SiteRules, html: str) -> Page:
    return extract(html, url="https://a.com/9", rules=rules)


def rename(html: str, names: tuple[str, ...]) -> str:
    for name in names:
        html = html.replace(f"id={name}>", f"id=x{len(name)}-new>")
    return html


def test_nothing_is_missed_on_pages_of_the_template(roomy: SiteRules) -> None:
    for n in (1, 2, 4, 6):
        for extra in (True, False):
            found = apply(roomy, page(n, extra=extra))
            assert "rule_missed" not in found.warnings
            assert "Sold" not in found.text


@pytest.mark.parametrize(
    "names", [*((each,) for each in NAMES), *((each, NAMES[2]) for each in NAMES)]
)  # 12 variants of a change of the template
def test_no_page_loses_text_in_silence(
    rules: SiteRules, names: tuple[str, ...]
) -> None:
    for n in (1, 2, 5):
        html = page(n, extra=True)
        whole, changed = apply(rules, html), apply(rules, rename(html, names))
        if changed.words < 0.95 * whole.words:
            assert "rule_missed" in changed.warnings
        if "rule_missed" in changed.warnings:
            plain = extract(rename(html, names), url="https://a.com/9")
            assert changed.text == plain.text  # the default takes over
            assert changed.rules[0].startswith("missed = ")
            assert changed.confidence == plain.confidence


def test_a_part_that_only_some_pages_have_is_missed_if_it_is_seen_elsewhere() -> None:
    content = ("#story-text", "#story-extra", "#lead", "#small-print", "#headline")
    expects = {"#story-text": 0.4, "#story-extra": 0, "*": 90}
    rules = SiteRules(content=(*content, "#facts"), expects=expects)
    assert "rule_missed" not in apply(rules, page(1)).warnings
    html = page(1, extra=True)
    assert "rule_missed" not in apply(rules, html).warnings
    found = apply(rules, rename(html, ("story-extra",)))
    assert found.rules[0] == "missed = #story-extra"


@pytest.mark.parametrize("name", ["facts", "lead", "small-print", "story-text"])
def test_a_part_that_a_page_lacks_or_is_short_of_is_no_miss(
    roomy: SiteRules, name: str
) -> None:
    for new in ("", f"<div id={name}>Closed today.</div>"):
        html = re.sub(rf"<(p|div) id={name}>.*?</\1>", new, page(2))
        found = apply(roomy, html)
        assert found.words < apply(roomy, page(2)).words - 20
        assert "rule_missed" not in found.warnings
        assert "Sold" not in found.text


def test_selectors_that_others_cover_and_drops_without_a_match_are_no_miss() -> None:
    html = page(1)
    parts = ("#story-text", "#story-text p", "body")
    rules = SiteRules(content=parts, drop=("#ad",), expects=dict.fromkeys(parts, 0.2))
    assert "rule_missed" not in apply(rules, html).warnings
    assert "rule_missed" not in apply(SiteRules(drop=("#ad", "#facts")), html).warnings


def test_a_long_title_of_a_short_page_is_missed() -> None:
    title = "The harbour of the old town is closed until the end of May"
    html = f"<html lang=en><body><h1 id=headline>{title}</h1><div id=story>" + (
        f"<p>{SENTENCE.format(n=3) * 3}</p></div><div><a href=/>Home</a></div>"
    )
    expects = {"#story": 0.5, "#headline": 0.05, "*": 0}
    rules = SiteRules(content=("#headline", "#story"), expects=expects)
    assert apply(rules, html).rules[0] == "content = #headline"
    missed = apply(rules, rename(html, ("headline",)))
    assert missed.rules[0] == "missed = #headline"
    assert title in missed.text


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
    assert apply(rules, page(1)).rules == (said,)


def test_shares_of_two_selectors_are_learned_written_and_read() -> None:
    def correct(n: int) -> CorrectedPage:
        html = page(n).replace("id=lead", "id=menu").replace("id=facts", "id=menu")
        html = html.replace("id=small-print", "id=menu")
        blocks = extract(html).blocks
        title = next(b.index for b in blocks if b.tag == "h1")
        text = [b.index for b in blocks if b.text.count("harbour") == 3]
        main = [b.index == title or b.index in text for b in blocks]
        return CorrectedPage(f"https://a.com/{n}", html.encode(), main)

    learned = learn_rules([correct(n) for n in (1, 2)])
    assert [*learned.expects] == [*learned.content, "*"]
    assert len(learned.content) == 2
    assert parse_rules("a.toml", format_rules(learned)).expects == learned.expects


@pytest.mark.parametrize(
    "text",
    [
        'expects = {p = "much"}',
        f"expects = {{p = {'9' * 400}}}",
        "expects = {p = nan}",
        "expects = 1",
        'expects = {".typo" = 0.5}',
        "x = " + "[" * 20_000,
    ],
)
def test_what_cannot_be_expected_is_an_error_of_the_rules(text: str) -> None:
    with pytest.raises(RulesError, match=r"a\.toml: "):
        parse_rules("a.toml", f'content = ["p"]\n{text}')


def test_rules_are_compared_with_the_last_crawl() -> None:
    def counts(story: int, tags: int) -> dict[str, object]:
        rules = {"a.toml": 40, "a.toml: content = .s": story, "a.toml: drop = .t": tags}
        return {"outcomes": {"new": 40}, "rules": rules}

    drifts = compare(counts(40, 4), counts(40, 38))
    assert [(d.name, d.before, d.now) for d in drifts] == [
        ("rules/a.toml: drop = .t", 0.95, 0.1)
    ]
    assert compare(counts(39, 38), counts(40, 38)) == []
    assert compare({**counts(0, 0), "rules": {}}, counts(40, 38)) == []


def test_rules_that_miss_no_more_or_are_edited_are_no_drift() -> None:
    file = {"a.toml": 200}
    missed = {"outcomes": {"new": 200}, "rules": file | {"a.toml: missed = .s": 200}}
    found = {"outcomes": {"new": 200}, "rules": file | {"a.toml: content = .t": 200}}
    assert compare(found, missed) == []
    assert compare(missed, found) == []
    # A site that moves to the template of another kind of page is noticed.
    own = {"a.toml: content = .t": 20, "a.toml: unless = .u": 180}
    moved = {**found, "rules": file | own}
    assert [each.name for each in compare(moved, found)] == [
        "rules/a.toml: content = .t"
    ]
    assert compare(found, moved) == []
    dead = {**found, "rules": file | {"a.toml: content = .t": 0}}
    assert [each.now for each in compare(dead, found)] == [0]


def test_a_file_without_a_match_is_named_and_its_dead_selectors_are_known(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.com.toml").write_text('drop = [".x"]\nfields.price = ".y"\n')
    found = extract(page(1), url="https://a.com/9", rules=tmp_path)
    assert found.rules == ("a.com.toml",)
    reports = LimitReports(make_crawler())
    reports.report(found)
    stats = reports.crawler.stats.get_stats()
    assert stats == {"mainpage/rules/pages/a.com.toml": 1}
    assert [*name_rules(tmp_path, ["a.com.toml", "b.com.toml"])] == [
        "a.com.toml: drop = .x", "a.com.toml: price = .y",
    ]  # fmt: skip
