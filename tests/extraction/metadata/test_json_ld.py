"""Metadata from JSON-LD, sound and hostile."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extraction.metadata.helpers import URL, meta, read, script

ARTICLE = '{"@type": "Article", "headline": "Moss", "x": 1}'


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "Article", "headline": "Moss", "tags": [1, 2,],}',
        '{"@type": "Article", "headline": "Moss",\n "text": "a\nb\tc"}',
        f"<!-- {ARTICLE} -->",
        f"//<![CDATA[\n{ARTICLE}\n//]]>",
        f"/*<![CDATA[*/{ARTICLE}/*]]>*/",
        '{"@type": "Article", // kind\n "headline": "Moss",\n "x": 1}',
        ARTICLE.replace('"', "&quot;"),
        f"{ARTICLE};",
        '{"@type": "Thing"} ' + ARTICLE,
        '{"@type": ["http://schema.org/Article"], "headline": "Moss", "x": 1}',
        '{"@type": "WebPage", "mainEntity": ' + ARTICLE + "}",
    ],
)  # fmt: skip
def test_jsonld_that_is_broken_or_nested_is_read(text: str) -> None:
    assert read(script(text)).title == "Moss"


def test_of_several_articles_the_one_with_the_page_address_counts() -> None:
    urls = ("https://gardenpost.example/f", URL.replace("www.", ""))
    nodes = [
        {"@type": "Article", "headline": name, "url": url}
        for name, url in zip(("Ferns", "Moss"), urls, strict=True)
    ]
    assert read(script(nodes)).title == "Moss"
    parts = [{**node, "url": None, "@id": f"#{k}"} for k, node in enumerate(nodes)]
    assert read(script(parts)).title is None


def test_a_list_of_articles_does_not_describe_the_page() -> None:
    nodes = [
        {"@type": "Article", "headline": name, "datePublished": "2020-03-04"}
        for name in ("Ferns", "Moss")
    ]
    page = read(script(nodes) + "<title>All plants</title>")
    assert (page.title, page.date_published) == ("All plants", None)


def test_the_answers_of_a_question_page_are_not_the_page() -> None:
    node = {
        "@type": "FAQPage",
        "mainEntity": {"@type": "Question", "name": "Why moss?", "text": "So."},
    }
    assert read(script(node) + "<title>Questions</title>").title == "Questions"


@pytest.mark.parametrize(
    "value", [None, 1, 1.5, True, [], {}, [[]], {"name": 1}, {"name": [[1]]}, "", "{"]
)
def test_jsonld_values_of_unexpected_types_are_passed_over(value: Any) -> None:
    node = dict.fromkeys(
        "headline name author creator datePublished dateModified description image "
        "publisher inLanguage url mainEntityOfPage @id".split(),
        value,
    )
    nodes = [{"@type": "Article", **node}, {"@type": value}, {"@graph": value}, value]
    assert read(script([*nodes, {"@type": "WebSite", "name": value}])).author is None


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"@graph":' * 5000 + "1" + "}" * 5000,
        '{"mainEntity":' * 500 + "1" + "}" * 500,
        '{"@type": "Article", "headline": "' + "x" * 1_200_000 + '"}',
        "[" + '{"@type": "Thing"},' * 20_000 + '{"@type": "Article"}]',
        '{"a": ' + "9" * 10_000 + "}",
        '{"a": "\\ud800"}',
        "//" * 50_000,
    ],
)
def test_hostile_jsonld_ends_quietly(text: str) -> None:
    assert read(script(text) + "<title>Moss</title>").title == "Moss"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "@type @id @graph headline name author url datePublished image "
                "inLanguage mainEntity publisher description".split()
            ),
            inner | st.sampled_from(["Article", "WebPage", "2020", "#a"]),
            max_size=6,
        )
    ),
    max_leaves=20,
)
texts = st.text(max_size=40) | st.sampled_from(["2020-03-04", "a | b", "//x", "{{x}}"])


@given(value=json_values, text=texts, url=st.none() | texts)
def test_nothing_raises_and_every_field_is_text_or_none(
    value: Any, text: str, url: str | None
) -> None:
    escaped = text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    names = "date author description og:title og:url og:image og:locale".split()
    head = script(value) + meta(**dict.fromkeys(names, escaped))
    head += f'<title>{escaped}</title><base href="{escaped}">'
    head += f'<link rel="canonical" href="{escaped}">'
    body = f'<time datetime="{escaped}">x</time>'
    body += f'<a rel="author" class="byline">{escaped}</a>'
    page = read(head, f"<h1>{escaped}</h1>{body}", url=url)
    assert all(field is None or field for field in page.as_dict().values())
    assert all(
        isinstance(field, str) for field in page.as_dict().values() if field is not None
    )
