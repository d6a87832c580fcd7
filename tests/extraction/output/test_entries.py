"""Entries of references are sections of their own, with anchors and paths."""

from __future__ import annotations

from scrapy_mainpage import Page, extract

FILL = "These words are here so that the page has a text that is long enough to read."


def page_of(body: str) -> Page:
    html = f"<title>Sets</title><body><main><h1>Sets</h1><p>{FILL}</p>{body}</main>"
    return extract(html.encode(), url="https://example.com/sets")


def named(page: Page) -> list[tuple[int, str, str | None, str]]:
    return [(s.level, s.heading, s.anchor, s.text) for s in page.sections[1:]]


class TestDefinitions:
    def test_names_with_an_anchor_are_one_level_below_the_heading(self) -> None:
        page = page_of(
            f"<h2 id=m>Methods</h2><p>{FILL}</p><dl>"
            '<dt id="filter">filter(x)<a class=headerlink href="#filter">¶</a></dt>'
            f"<dd><p>It keeps some.</p></dd>"
            '<dt><a name="drop"></a>drop(x) <a href=/s>[source]</a></dt>'
            f"<dd><p>It drops some.</p></dd>"
            f"</dl><p>After them.</p><h2>Next</h2><p>{FILL}</p>"
        )
        assert named(page)[:4] == [
            (2, "Methods", "m", FILL),
            (3, "filter(x)", "filter", "It keeps some."),
            (3, "drop(x)", "drop", "It drops some."),
            (2, "Methods", "m", "After them."),
        ]
        assert page.sections[2].path == ("Sets", "Methods", "filter(x)")

    def test_nested_names_are_below_the_outer_one(self) -> None:
        page = page_of(
            f"<h2>Classes</h2><p>{FILL}</p><dl><dt id=a>class A</dt><dd><p>It is A.</p>"
            "<dl><dt id=b>b()</dt><dd><p>It is b.</p></dd></dl>"
            "<p>Of A again.</p></dd></dl>"
        )
        assert named(page)[1:] == [
            (3, "class A", "a", "It is A."),
            (4, "b()", "b", "It is b."),
            (3, "class A", "a", "Of A again."),
        ]

    def test_names_without_an_anchor_are_text(self) -> None:
        page = page_of(f"<h2>Terms</h2><p>{FILL}</p><dl><dt>Owl</dt><dd>Bird</dd></dl>")
        assert [section.heading for section in page.sections] == ["Sets", "Terms"]
        assert "Owl" in page.sections[-1].text


def test_rows_with_an_anchor_are_entries_named_by_their_first_cell() -> None:
    page = page_of(
        f"<h2>Options</h2><p>{FILL}</p><table><tr><th>Option<th>Meaning</tr>"
        "<tr id=o-a><td>alpha<td>The first letter.</tr>"
        "<tr id=o-b><td>beta<td>The second letter.</tr></table>"
    )
    assert named(page)[1:] == [
        (3, "alpha", "o-a", "The first letter."),
        (3, "beta", "o-b", "The second letter."),
    ]


def test_terms_that_share_a_description_are_sections_with_anchors() -> None:
    page = page_of(
        f"<h2>Calls</h2><p>{FILL}</p><dl><dt id=one>f(a) <a href=/s>[source]</a></dt>"
        "<dt id=two>f(a, b)</dt><dd><p>It calls.</p></dd></dl>"
    )
    assert named(page)[1:] == [
        (3, "f(a)", "one", ""),
        (3, "f(a, b)", "two", "It calls."),
    ]
    assert "source" not in page.text


def test_ids_depend_on_the_path_alone() -> None:
    one = page_of(f"<h2>Owls</h2><p>{FILL}</p><h2>Owls</h2><p>{FILL}</p>").sections
    other = page_of(f"<h2>Cats</h2><p>{FILL}</p><h2>Owls</h2><p>Other.</p>").sections
    assert len({section.id for section in one}) == 3
    assert one[1].id == other[2].id


def test_markdown_of_a_section_has_its_code_and_heading() -> None:
    page = page_of(
        f"<h2>Use</h2><p>{FILL}</p><pre>a = 1\n  b</pre><h2>Next</h2><p>{FILL}</p>"
    )
    (section,) = (part for part in page.sections if part.heading == "Use")
    assert page.markdown_of(section) == f"## Use\n\n{FILL}\n\n```\na = 1\n  b\n```"
    assert section.words == 20
    assert section.tokens > 20
