"""Selectors find what CSS and XPath say, in time that grows with the page."""

from __future__ import annotations

import contextlib
import logging
import random
from time import process_time
from typing import Any

import pytest
from cssselect import HTMLTranslator
from lxml import etree

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.document.document import (
    OtherTree,
    number_elements,
    read_tree,
    walk_elements,
)
from scrapy_mainpage.extraction.parsing.budget import Budget
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.rules import CorrectedPage, SiteRules, learn_rules
from scrapy_mainpage.rules.selectors import CostlySelector, Selector

CSS = [
    "p + p", "p ~ p", "h1 ~ p", "h1 + p ~ a", "div p", "div > p", "div.a p.b",
    "a > p b", "p:first-child", "p:last-child", "p:only-child", "p:nth-child(2)",
    "a:nth-child(odd)", "p:nth-last-child(3)", "p:nth-of-type(2)",
    "b:nth-last-of-type(2n)", "p:only-of-type", "p:first-of-type", "p:last-of-type",
    "p, a.b, div > a", "div:not(.a) > p", "*:empty", "a:is(.a, .b)", "div .a ~ .b + p",
    "div > p:first-child ~ a b", "div:has(p)",
]  # fmt: skip
XPATH = [
    "//p//a", "//p[following-sibling::a]", "//h1/following-sibling::p", "//p[../a]",
    "//p/../a", "//div[.//p]", "//p[//h1]", "//a[preceding-sibling::*[1][self::p]]",
    "//text()[following-sibling::b]", "//p[count(preceding-sibling::p) = 1]/@class",
    "//div[descendant::a and @class='a']//b", "(//div)[1]//p", "//p/following::a[1]",
    "//div/descendant::p", "/html/body//p", "//p[parent::div/a]", "count(//p//a)",
    "//p[contains(., '//x[..//]')]", "//p/ancestor::div//a", ".//p//b",
    "//p[.='x' and following-sibling::b[1]]/following-sibling::*[2]",
    "//p[ancestor::body/p[@class='b']]", "//p[parent::node()/p[@class='b']]",
    "//p[/html/body/p[@class='b']]", "//a[/descendant::h1]", "/.//p", "//p[a or//b]",
    "//a | /descendant::h1", "//div[p //a]", "//p[ancestor::div]", "//p/ancestor::div",
    "//p/../p[1]", "//p[contains(., 'x')][position() = last()]", "count(/)",
    "//p[contains(.., 'x')]", "//p[.. = 'x']", "//div[parent::body[contains(., 'y')]]",
    "//p/ancestor::div[. != 'x']", "//p/parent::div[b]", "//p[(..) = 'x']/a",
    "//p[contains(/html, 'x') and not(a | b)]", "//p[string-length() > 1]//b",
    "//p[normalize-space()='x']", "//div[p < p]", "//div[p = a]", "//p[-.. > 3]",
    "//p | //a", "//child | //div/child::div", "(//p | //div/p | //a)[1]",
    "//p/text() | //a/text() | //p/@class",
    "//p[sum(../p) > 3]", "//p[. = preceding::p]", "//p[/ = 'x']", "//comment() | //h1",
    "string(//p)", "concat(//div, 'x', .5)", "//p[translate(., 'x', 'y') = 'y']",
    "//*[@*[name() = 'class' or . = 'a']]", "id('x') | //*[self::a or self::b]",
    "(//p)[.. = 'x']/..", "//h1[div] | //div[* and div div div] | child :: * /div",
    "//div[processing-instruction('x') or text()[contains(., 'x')]][2 * 1]",
    "//p[starts-with(@class, 'a')] | //p[@class != 'a'][last() - 1]",
    "//p[contains('|a|b|', concat('|', @class, '|'))]", "//div[b[text()='x']/@class]",
    "//p/ancestor::div[@class='a'][text()='x']", "//b[parent::div[@class='a']]/..",
    "//p[not(contains(., 'text()') or contains(., concat('m:read(', \"'\")))]",
]  # fmt: skip


def make_tree(seed: int) -> Any:
    rng = random.Random(seed)
    root = etree.Element("html")
    nodes = [etree.SubElement(root, "body")]
    for _ in range(60):
        around = rng.choice(nodes[-6:] + nodes[:1])
        node = etree.SubElement(around, rng.choice("p div h1 a b".split()))
        node.text = rng.choice("xy")
        if rng.random() < 0.4:
            node.set("class", rng.choice(["a", "b", "a b"]))
        if rng.random() < 0.1:
            node.addnext(etree.Comment("c"))
        nodes.append(node)
    return root


@pytest.mark.parametrize("seed", range(12))
def test_css_and_xpath_find_what_they_say(seed: int) -> None:
    root = make_tree(seed)
    for css in CSS:
        expected = etree.XPath(HTMLTranslator().css_to_xpath(css))(root)
        assert Selector(css).find(root, Budget()) == expected, css
    for path in XPATH:
        found = Selector(path).find(root, Budget(size=10**6))
        assert found == etree.XPath(path)(root), path


@pytest.mark.parametrize(
    "path",
    [
        "id(//p)", "//p[contains(., //h1)]", "//p[translate(., 'a', .) = 'x']",
        "//p[contains(@id, @class)]", "//p[contains(text(), concat('a', text()))]",
    ],
)  # fmt: skip
def test_a_text_of_the_page_that_is_searched_for_another_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="write its text in quotes"):
        Selector(path)


def test_own_attributes_and_texts_are_free_and_those_of_others_are_not() -> None:
    root = parse_html(
        f"<body class={'a' * 90_000}>" + "<p class=a>x<b id=c>y</b>" * 900
    )
    own = ["contains(@class, 'a')", "text()='x'", "b/@id='c' and b[@id]", "b[text()]"]
    left = set()
    for test in own:
        budget = Budget()
        assert len(Selector(f"//p[{test}]").find(root, budget)) == 900
        left.add(budget.left)
    assert len(left) == 1
    others = [
        "p[contains(../@class, 'x')]",
        "p[//@class='x']",
        "p[/html/body/@class='x']",
    ]
    for path in (*others, "p/ancestor::body[@class='x']", "b[../../@class='x']"):
        with pytest.raises(CostlySelector):
            Selector(f"//{path}").find(root, Budget())


AXES = "self parent ancestor descendant following preceding-sibling attribute".split()
TESTS = "p a div * node() text() b[1] h1[. = 'x']".split(" ", 7)


@pytest.mark.parametrize("seed", range(8))
def test_any_xpath_finds_what_it_says(seed: int) -> None:
    rng, root = random.Random(seed), make_tree(seed)

    def step() -> str:
        axis = rng.choice([f"{rng.choice(AXES)}::", f"{rng.choice(AXES)}:: ", "", ""])
        return rng.choice([axis + rng.choice(TESTS), axis + rng.choice(TESTS), "../*"])

    def path() -> str:
        return "".join(rng.choice(["/", "//", " // "]) + step() for _ in range(2))

    for _ in range(20):
        inner = rng.choice(["", ".", step()]) + path()
        more = (f"{inner} = {step()}", f"contains({inner},'x')", f"-({inner}) < 2")
        both = (f"{step()} or{path()}", f"not({inner} | {step()}) and {inner}")
        inner = rng.choice([inner, f"count({inner}) > 1", *more, *both])
        text = rng.choice(["", "."]) + path().strip()
        text = rng.choice([f"{text}[{inner}]{path()}", f"({text})[{inner}]", text])
        found = Selector(text).find(root, Budget(size=10**7))
        assert found == etree.XPath(text)(root), text


def test_what_is_inside_of_nested_elements_is_compared_where_it_is_found() -> None:
    root = parse_html("<div>" * 40 + "<b>a</b>" * 900 + "<p>a")
    assert len(Selector("//div//p").find(root, Budget())) == 1
    with pytest.raises(CostlySelector):  # libxml2 compares all nodes
        Selector("//div//p[@x]").find(root, Budget())


def test_the_step_to_siblings_by_their_parent_is_linear() -> None:
    root = parse_html("<p>a b c</p>" * 4_000)
    assert len(Selector("//p/../p[1]").find(root, Budget(size=48_000))) == 1
    with pytest.raises(CostlySelector):
        Selector("//p[ancestor::body/p[@class='y']]").find(root, Budget(size=48_000))


@pytest.mark.parametrize("name", ["is", "where"])
def test_a_choice_is_a_condition_beside_the_others(name: str) -> None:
    root = parse_html("<p id=1 class='x y'><p id=2 class=x><p id=3 class=y><b class=x>")
    for css, found in {
        f"p.x:{name}(.y)": "1", f".x:{name}(.y, b)": "1-", f"p:{name}(.x, .y)": "123",
        f"p:{name}(b)": "", f".x:{name}(*, .z)": "12-",
    }.items():  # fmt: skip
        nodes = Selector(css).find(root, Budget())
        assert "".join(node.get("id", "-") for node in nodes) == found, css


@pytest.mark.parametrize(
    ("css", "found"),
    [("div:has(.x)", 250), ("div:contains('x')", 250), (":has(b)", 260)],
)
def test_what_looks_into_nested_elements_pays(css: str, found: int) -> None:
    root = parse_html("<div>" * 250 + "<p class='a x'><b>x</b>" * 8)
    assert len(Selector(css).find(root, Budget())) == found
    page = "<div>" * 250 + "<p class=a>a b" * 20_000
    start = process_time()
    with contextlib.suppress(CostlySelector):
        Selector(css).find(parse_html(page), Budget(size=len(page)))
    assert process_time() - start < 2


def test_a_condition_behind_has_is_one_of_what_it_has() -> None:
    root = parse_html("<div id=1 class=x><p></p></div><div id=2><p class=x></p></div>")
    found = Selector("div:has(> p.x)").find(root, Budget())
    assert [node.get("id") for node in found] == ["2"]


@pytest.mark.parametrize(
    "page",
    [
        "<main><h1>a</h1>" + "<p>a b c</p>" * 4_000 + "</main>",
        "<div>" * 200 + "<p>a b c</p>" * 2_000 + "</div>" * 200,
        "<ul><li>a<li>b</ul>" * 8_000,
        "<div>" + "<p>1<a>2</a>" * 2_000,
    ],
    ids=["siblings", "nested", "lists", "pairs"],
)
def test_what_is_found_takes_time_in_proportion_to_the_page(page: str) -> None:
    root = parse_html(page)
    for selector in (*CSS, *XPATH):
        compiled, start = Selector(selector), process_time()
        try:
            compiled.find(root, Budget(size=len(page)))
        except CostlySelector:
            assert selector in XPATH
        assert process_time() - start < 1, selector


def test_a_costly_selector_leaves_the_page_to_the_algorithm(
    caplog: pytest.LogCaptureFixture,
) -> None:
    page = "<main><h1>Owls</h1>" + "<p>The owl sleeps.</p>" * 9_000 + "</main>"
    rules = SiteRules(drop=("//p[following-sibling::h1]", "h1"), name="a.com.toml")
    with caplog.at_level(logging.WARNING):
        found = extract(page, rules=rules)
    assert "rule_too_costly" in found.warnings
    assert found.rules == ()
    assert found.text == extract(page).text
    assert "a.com.toml: drop = //p[following-sibling::h1]: takes too" in caplog.text
    assert "write CSS ('a ~ b'" in caplog.text
    caplog.clear()
    page = page.replace("<p>", "<p class=x>")
    for path, instead in {
        "//p[contains(.., 'x')]": "read the texts of fewer",
        "//main[p | p | p[@class]]": "'//p[a or b]'",
    }.items():
        found = extract(page, rules=SiteRules(drop=(path,)))
        assert "rule_too_costly" in found.warnings
        assert instead in caplog.text


@pytest.mark.parametrize("css", ["p:has(+ a)", "p:has(~ a)", "p:fly"])
def test_what_cannot_be_linear_is_refused(css: str) -> None:
    with pytest.raises(ValueError, match=r"write XPath|pseudo"):
        Selector(css)


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
    page = extract(html, rules=SiteRules(content=(".x",), drop=(".d",)))
    assert page.text == f"{T}\n\nKEEP {T}"
    found = extract(html, url="http://a.example/x")
    main = [block.text.startswith("KEEP") for block in found.blocks]
    learned = learn_rules([CorrectedPage("http://a.example/x", html.encode(), main)])
    assert [*learned.selectors]


def test_another_tree_than_the_one_that_was_read_is_noticed() -> None:
    root = parse_html("<div><p>a</p><b>b</b></div>")
    document = read_tree(root)
    paragraph = root.find(".//p")
    paragraph.addprevious(root.find(".//b"))
    with pytest.raises(OtherTree):
        number_elements(root, document, [paragraph])
    paragraph.append(etree.Element("i"))
    with pytest.raises(OtherTree):
        number_elements(root, document, [root.find("body")])
    match = SiteRules(content=("p",))
    from scrapy_mainpage.rules.selector_matching import match_rules

    assert match_rules(match, root, document).warnings == ("other_elements",)
