"""What rules do to a page: they decide before the algorithm, or are ignored."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from scrapy_mainpage import Label, Page, extract
from scrapy_mainpage.extraction.algorithms import available
from scrapy_mainpage.extraction.document.document import (
    OtherTree,
    number_elements,
    read_tree,
    walk_elements,
)
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.rules import CorrectedPage, SiteRules, learn_rules, rule_book
from scrapy_mainpage.rules.rule_book import match_rules
from tests.extraction.embedded.helpers import FIRST, TITLE, linked, shell

WORDS = "The owl sleeps by day, and wakes when the light of the evening is gone. "
PAGE = f"""<html><head><title>Owls - Birds</title>
<meta name="author" content="Ada"></head><body>
<svg><g><path/></g></svg><nav><a href="/">Home</a></nav>
<div class="story"><h1>Owls</h1><p class="by">By <b>Grace</b> Hopper</p>
<p>{WORDS * 4}</p><ul><li>mice</li><li>voles</li></ul>
<div class="share" data-note="x">Share <a href="/s">this story</a></div>
<time datetime="2021-03-04">yesterday</time></div>
<div class="teaser"><h2>Bats</h2><p>{WORDS * 4}</p></div>
<footer>Imprint</footer></body></html>"""


def rule(*content: str, **other: Any) -> Page:
    return extract(
        PAGE, url="https://a.com/", rules=SiteRules(content=content, **other)
    )


def test_content_are_the_blocks_in_the_elements_without_what_is_dropped() -> None:
    page = rule(".story", drop=(".share", "//p[@class='by']", "time"))
    assert page.text == f"Owls\n\n{(WORDS * 4).strip()}\n\nmice\nvoles"
    assert page.rules == (
        "content = .story",
        "drop = .share",
        "drop = //p[@class='by']",
        "drop = time",
    )
    assert page.warnings == ()
    assert page.confidence is None


def test_labels_are_kinds_of_content_and_roles_of_the_rest() -> None:
    page = rule(".story", drop=(".share",))
    labels = {block.text[:12]: block.label for block in page.blocks}
    assert labels["Owls"] is Label.TITLE
    assert labels["mice"] is Label.LIST
    assert labels["Share this s"] is Label.SHARE
    assert labels["Home"] is Label.NAVIGATION
    assert not labels["Bats"].is_main


def test_all_selectors_count() -> None:
    both = rule(".teaser", ".story p").text
    assert "Bats" in both
    assert "Grace" in both


@pytest.mark.parametrize(
    "content", [".none", "h1", "//h1 | //h2", "//@href", "string(//p)", "svg", "g"]
)
def test_rules_without_text_or_with_headings_alone_are_ignored(content: str) -> None:
    plain = extract(PAGE, url="https://a.com/")
    page = rule(content, drop=(".story",))
    assert page.text == plain.text != ""
    assert page.warnings == (*plain.warnings, "rule_missed")
    assert page.rules == ("missed = content",)
    assert page.confidence == plain.confidence


def test_content_that_is_dropped_as_a_whole_is_a_miss() -> None:
    page = rule(".story", drop=("body",))
    assert page.text
    assert page.warnings == ("rule_missed",)


def test_a_selector_that_fails_on_a_page_finds_nothing_there(
    caplog: pytest.LogCaptureFixture,
) -> None:
    # The prefix is unknown only where the predicate is evaluated.
    rules = SiteRules(content=("//p[re:test(., 'x')]", ".story"), name="a.toml")
    for _ in range(2):
        assert extract(PAGE, rules=rules).text.startswith("Owls")
    assert caplog.messages == [
        "Rule fails: a.toml: content = //p[re:test(., 'x')]: Undefined namespace prefix"
    ]


def test_rules_that_take_too_long_leave_the_page_to_the_algorithm(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_book, "MAX_TIME", 1e-9)
    rules = SiteRules(drop=("h1", ".story"), name="a.com.toml")
    plain = extract(PAGE)
    for _ in range(2):
        found = extract(PAGE, rules=rules)
        assert found.warnings == (*plain.warnings, "rule_too_costly")
        assert found.text == plain.text
        assert found.rules == ()
    assert caplog.messages == [
        "Rule fails: a.com.toml: drop = h1: 0.0 s on a page, without its rules now"
    ]


def test_without_content_the_algorithm_selects() -> None:
    plain = extract(PAGE)
    page = extract(PAGE, rules=SiteRules(drop=(".by", ".teaser")))
    assert "Grace" in plain.text
    assert "Grace" not in page.text
    assert page.confidence == plain.confidence
    assert page.rules == ("drop = .by", "drop = .teaser")


def test_nothing_comes_out_empty() -> None:
    page = extract(PAGE, rules=SiteRules(drop=("body",)))
    assert page.text == extract(PAGE).text


def test_metadata_are_overridden_by_the_first_text() -> None:
    page = rule(
        ".story",
        title=("#none", "//h2"),
        author=(".by",),
        date=("time",),
    )
    assert page.title == "Bats"
    assert page.metadata.author == "Grace Hopper"
    assert page.metadata.date_published == "2021-03-04"
    assert page.rules[1:] == ("title = //h2", "author = .by", "date = time")
    assert pickle.loads(pickle.dumps(page)).metadata == page.metadata


@pytest.mark.parametrize(
    ("selector", "text"),
    [
        ("meta[name=author]", "Ada"),
        ("//meta/@content", "Ada"),
        ("string(//b)", "Grace"),
        ("head > title", "Owls - Birds"),
        ("//b/text()", "Grace"),
        ("count(//b)", "Ada"),
        (".none", "Ada"),
    ],
)
def test_a_text_is_of_an_element_an_attribute_or_a_string(
    selector: str, text: str
) -> None:
    page = rule(".story", author=(selector,))
    assert page.metadata.author == text


def test_a_date_that_is_none_changes_nothing() -> None:
    plain = extract(PAGE)
    page = rule(".story", date=("h1",))
    assert page.metadata.date_published == plain.metadata.date_published


def test_the_setting_for_the_title_decides_about_it() -> None:
    rules = SiteRules(content=(".story p",), drop=(".share",))
    texts = {
        how: extract(PAGE, rules=rules, title_in_text=how).text
        for how in ("auto", "always", "never")
    }
    assert texts["auto"].startswith("By Grace")
    assert texts["always"].startswith("Owls\n\nBy Grace")
    assert texts["never"].startswith("By Grace")


@pytest.mark.parametrize("algorithm", available())
def test_rules_decide_whatever_the_algorithm(algorithm: str) -> None:
    rules = SiteRules(content=(".story",))
    try:
        page = extract(PAGE, rules=rules, algorithm=algorithm)
    except ValueError as error:  # no layout
        pytest.skip(str(error))
    assert page.text.startswith("Owls\n\nBy Grace Hopper")
    assert "Bats" not in page.text


def test_structured_data_are_added_only_where_rules_miss() -> None:
    node = {"@type": "Article", "headline": TITLE, "articleBody": FIRST}
    html = shell(linked(node), body="<div class=a>Owls.</div>")
    assert extract(html, rules=SiteRules(content=(".a",))).text == "Owls."
    assert FIRST in extract(html, rules=SiteRules(content=(".b",))).text


def test_rules_of_another_host_do_not_count(tmp_path: Path) -> None:
    rules = SiteRules(hosts=("b.com",), content=(".teaser",))
    assert extract(PAGE, url="https://a.com/", rules=rules).rules == ()
    assert extract(PAGE, url="https://b.com/", rules=rules).rules


def test_a_page_without_rules_has_none() -> None:
    page = extract(PAGE)
    assert page.rules == ()
    assert page.as_row()["rules"] == []


T = "The old river runs through towns and under bridges, past mills that turn no more."
ODD = {
    "svg": "<svg><foreignObject><p>a</p></foreignObject></svg>" * 4,
    "empty svg": "<svg><g><path/></g><text>a</text></svg>",
    "svg in svg": "<svg><svg><g/></svg><foreignObject><p>a<svg><g/></svg></svg>",
    "template": "<template><p>a<template><p>b</template></template>",
    "comment": "<!-- a --><p>b<!-- c --></p><?php echo ?>",
    "script": "<script>a</script><noscript><p>a</p></noscript><style>p{}</style>",
    "opaque": "<select><option>a<option>b</select><iframe><p>a</iframe><math><mi>x",
    "object": "<object><p>a</p></object><video><p>b</p></video><canvas><p>c</canvas>",
}


@pytest.mark.parametrize("odd", ODD.values(), ids=[*ODD])
def test_rules_and_document_number_elements_alike(odd: str) -> None:
    html = f"<body>{odd}<div class=x><p>{T}</p><p class=d>DROP {T}</p><p>KEEP {T}</p>"
    root = parse_html(html)
    document = read_tree(root)
    names = [node.tag for node in walk_elements(root)]
    assert names == [document.tag_name(k) for k in range(document.n_elements)]
    ruled = extract(html, rules=SiteRules(content=(".x",), drop=(".d",)))
    assert ruled.text == f"{T}\n\nKEEP {T}"
    found = extract(html, url="http://a.example/x")
    main = [block.text in {T, f"KEEP {T}"} for block in found.blocks]
    page = CorrectedPage("http://a.example/x", html.encode(), main)
    assert learn_rules([page]).drop == (".d",)


def test_another_tree_than_the_one_that_was_read_is_noticed() -> None:
    root = parse_html("<div><p>a</p><b>b</b></div>")
    document = read_tree(root)
    ((paragraph, bold),) = root.iter("div")
    paragraph.addprevious(bold)
    with pytest.raises(OtherTree):
        number_elements(root, document, [paragraph])
    paragraph.append(etree.Element("i"))
    with pytest.raises(OtherTree):
        number_elements(root, document, [bold])
    match = match_rules(SiteRules(content=("p",)), root, document)
    assert match.warnings == ("other_elements",)
