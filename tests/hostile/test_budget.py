"""One budget a page: whatever reads data of a page charges it, and it ends."""

from __future__ import annotations

import ast
import json
import pickle
from collections.abc import Callable, Iterator
from time import thread_time

import pytest
from scrapy.http import HtmlResponse

from scrapy_mainpage import extract
from scrapy_mainpage.crawl.pages import mainpage, make_page
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.budget import Budget
from scrapy_mainpage.extraction.parsing.tree import Limits, parse_html
from scrapy_mainpage.rules import RuleBook, SiteRules
from scrapy_mainpage.text.words import normalize

from .embedded import WAYS
from .making import SENTENCE
from .patterns import sources

CALLS = {
    "parse_html", "fromstring", "HTML", "HTMLParser", "raw_decode", "json.loads",
    "json.load", "unicodedata.normalize", "iterparse",
}  # fmt: skip
"""Calls whose cost grows with what they are given, or faster."""

OWN = "what the plugin or the project wrote itself"
ALLOWED = {
    "extraction/parsing/tree.py": "the parse, which is called after a survey",
    "extraction/document/layout.py": "a snapshot of the plugin's own script",
    "extraction/document/lxml_abi.py": OWN,
    "extraction/metadata/written_dates.py": "names of months, and words of short lines",
    "extraction/metadata/field_models.py": OWN,
    "extraction/declared/sources.py": "scripts that parse_scripts has charged",
    "extraction/output/writers.py": "one heading, escaped by the plugin",
    "extraction/records/posts.py": "a paragraph for each block, escaped by the plugin",
    "text/words.py": "without more marks than letters have",
    "rules/site_rules.py": OWN,
    "rendering/": OWN,
    "memory/": OWN,
    "crawl/ledger.py": OWN,
    "crawl/crawl_scope.py": OWN,
    "recrawl/": "what the plugin wrote itself, and sitemaps of bounded size",
    "indexes/": OWN,
    "evaluation/": OWN,
    "setting_readers.py": OWN,
    "batch/extract.py": "a row of the project's own file",
    "feeds.py": "a feed of the project: an entry at a time",
    "correct/": "a correction of the project's user, of bounded length",
}
"""Modules that may call them without a budget, each with its reason."""


def free_calls(tree: ast.AST, paid: bool = False) -> Iterator[str]:
    """The calls of :data:`CALLS` in functions that mention no budget."""
    for node in ast.iter_child_nodes(tree):
        inner = paid
        if isinstance(node, ast.FunctionDef):
            inner = paid or any(
                "budget" in each or "spend" in each for each in names(node)
            )
        if isinstance(node, ast.Call) and not paid:
            called = ".".join(names(node.func))
            if {called, called.rpartition(".")[2]} & CALLS:
                yield called
        yield from free_calls(node, inner)


def names(tree: ast.AST) -> list[str]:
    """The names in *tree*, the outermost last."""
    found = (getattr(n, "id", getattr(n, "attr", None)) for n in ast.walk(tree))
    arguments = (n.arg for n in ast.walk(tree) if isinstance(n, ast.arg))
    return [*reversed([name for name in found if name]), *arguments]


def test_whatever_parses_decodes_or_normalises_charges_the_budget() -> None:
    ends = [call.rpartition(".")[2] for call in CALLS]
    free = {
        name: {*free_calls(tree)} for name, tree in sources(rf"(?:{'|'.join(ends)})\(")
    }
    free = {name: calls for name, calls in free.items() if calls}
    assert {n: c for n, c in free.items() if not n.startswith((*ALLOWED,))} == {}
    assert [key for key in ALLOWED if not any(n.startswith(key) for n in free)] == []


def test_the_check_finds_a_parse_without_a_budget() -> None:
    source = "def f(a, budget): json.loads(a)\ndef g(a): json.loads(a)\nparse_html(a)"
    assert [*free_calls(ast.parse(source))] == ["json.loads", "parse_html"]


def test_nothing_is_left_when_the_work_is_done() -> None:
    budget = Budget(size=0)
    assert budget.spend(budget.left)
    assert budget.reasons == ()
    assert not budget.spend(1)
    assert budget.reasons == ("large",)


def test_nothing_is_left_when_the_time_is_over() -> None:
    budget = Budget(Limits(max_time=-1.0))
    assert not budget.spend(1_000_000)
    assert budget.reasons == ("time",)


def test_elements_of_all_pieces_count_together() -> None:
    budget = Budget(size=100_000)
    before = budget.elements
    assert len(budget.parse("<p>river mill" * 6_000)[0]) == 6_000
    assert budget.elements < before - 6_000
    assert len(budget.parse("<p>river mill" * 6_000)[0]) < 4_500
    assert budget.reasons == ("elements",)


def test_a_budget_is_new_in_another_process() -> None:
    budget = Budget(Limits(max_elements=7), 100)
    before = budget.left
    budget.spend(10)
    copy = pickle.loads(pickle.dumps(budget))
    assert (copy.left, copy.limits, copy.size) == (before, budget.limits, 100)


ATTRIBUTES = f"<p>{SENTENCE * 20}</p><p {' '.join(f'a{k}=1' for k in range(9_000))}>x"
DEEP = f"<p>{SENTENCE * 9}</p>{'<div>' * 400}deep"
DENSE = f"<p>{SENTENCE * 9}</p>{'<p>a' * 40_000}"


IN_DATA = [WAYS[name] for name in ("JSON-LD article", "assigned state", "flight row")]


@pytest.mark.parametrize("embed", IN_DATA)
@pytest.mark.parametrize(
    ("markup", "reason"),
    [(ATTRIBUTES, "attributes"), (DEEP, "depth"), (DENSE, "elements")],
)
def test_markup_inside_of_a_page_has_the_limits_of_a_page(
    embed: Callable[[str], str], markup: str, reason: str
) -> None:
    page = extract(embed(markup), url="http://a.example/x")
    assert reason in page.warnings
    assert SENTENCE.strip() in page.text
    assert len(page.blocks) < 2_600


TEXT = f"<p>{SENTENCE}</p>" * 40
ICONS = '<i class="icon icon-owl icon-small"></i>' * 6_000
HOLDERS = {
    "state": WAYS["assigned state"](TEXT * 25),
    "rules": f"<main class=c>{TEXT}{ICONS}</main>",
}


@pytest.mark.parametrize("html", HOLDERS.values(), ids=[*HOLDERS])
def test_a_crawl_has_the_budget_of_the_bytes(html: str) -> None:
    body, url = html.encode(), "http://a.example/x"
    response = HtmlResponse(url, body=body, encoding="utf-8")
    assert mainpage(response) == extract(body, url=url)
    rules = SiteRules(content=(".c", *(f"body .c i.x{k}" for k in range(8))))
    extractor = Extractor(rules=RuleBook(rules))
    page = extractor.extract(body, url=url)
    assert page.words > 1_000
    assert make_page(response, extractor) == page
    assert extractor.extract_tree(parse_html(body), url=url).text == page.text


def test_marks_on_a_letter_are_cut_before_they_are_sorted() -> None:
    start = thread_time()
    assert len(normalize("NFKC", "a" + "\u0316\uff9e\u0301" * 100_000)) <= 31
    assert normalize("NFC", "e\u0301" * 50 + "." * 50) == "é" * 50 + "." * 50
    assert thread_time() - start < 1


@pytest.mark.parametrize("embed", IN_DATA)
def test_short_blocks_inside_of_a_page_are_charged_each(
    embed: Callable[[str], str],
) -> None:
    page = extract(embed(f"<p>{SENTENCE * 9}</p>{'<h2>a</h2>b' * 30_000}"))
    assert "large" in page.warnings
    assert SENTENCE.strip() in page.text
    assert 1_000 < len(page.blocks) < 60_000


def test_posts_with_half_a_character_are_read() -> None:
    post = {"@type": "Comment", "text": f"\ud800 {SENTENCE}", "author": {"name": "Ann"}}
    data = json.dumps({"@graph": [post, {**post, "text": f"More: {SENTENCE}"}]})
    page = extract(f"<script type=application/ld+json>{data}</script><p>x")
    assert [post.author for post in page.posts] == ["Ann", "Ann"]
