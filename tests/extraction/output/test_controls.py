"""Names of icons and buttons are no text; the headings and code beside them are."""

from __future__ import annotations

import pytest

from scrapy_mainpage import extract

from .helpers import content_of


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p><i class='material-icons md-18'>home</i> Furniture", "Furniture"),
        ("<p><span class=material-symbols-outlined>chevron_right</span> On", "On"),
        ("<p><b class=material-icons>Two words</b> On", "**Two words** On"),
        (
            "<table><tr><th>A<th>B<tr><td>x<td><i class=material-icons>check</i>",
            "| A | B |\n| --- | --- |\n| x | _check_ |",
        ),
        ("<h2>Mill <button>Copy path</button></h2><p>a", "## Mill\n\na"),
        ("<h2>1. <button>Is it open?</button></h2><p>a", "## 1. Is it open?\n\na"),
        ("<h2><button>Is it open?</button></h2><p>a", "## Is it open?\n\na"),
    ],
)
def test_icons_and_buttons(html: str, markdown: str) -> None:
    assert content_of(html).markdown() == markdown


@pytest.mark.parametrize(
    ("html", "text"),
    [
        # Words for those who hear the page, beside others of their line.
        ("<p><i class=sr-only>Was: </i>$5<i class=sr-only>Now: </i><b>$4", "$5 $4"),
        ("<p><a>5 now</a><a><i class=sr-only>Was: </i>$7</a>", "5 now $7"),
        ("<p>Time: 5<b class='u-screen-reader-text'> minutes</b> mins", "Time: 5 mins"),
        ("<ul><li><b class=visually-hidden>▢ </b>Salt</ul>", "- Salt"),
        (
            "<p>it (<b class=sr-only>new </b>x)<b class=sr-only> a</b>, y",
            "it (x), y",
        ),
        ("<h2>A <b class=sr-only>B</b></h2><p><b class=sr-only>C</b>", "## A B\n\nC"),
        # Lines of links that jump, print or share.
        ("<p><a href=#r class=r-jump>To recipe</a> · <a href=/print/1>Print</a>", ""),
        ("<p><a href=/my_print/1>Print</a> <a href=/?u=https://x.org/>Pin</a>", ""),
        ("<p><a href=/?u=https://x.org/>Shop</a>", "[Shop](/?u=https://x.org/)"),
        ("<p><a href=#r>Salt</a>", "[Salt](/blog/post.html#r)"),
        ("<p>or <a href=/print/1>print</a>", "or [print](/print/1)"),
    ],
)
def test_what_no_reader_sees_and_links_of_the_page_itself(html: str, text: str) -> None:
    content = content_of(f"<p>a</p>{html}</p><p>z")
    found = content.markdown().replace("https://example.com", "").replace("**", "")
    assert found.removeprefix("a\n\n").removesuffix("z").strip() == text


@pytest.mark.parametrize(
    "button",
    [
        "<button>Copy</button>",
        "<a class='btn small' href='javascript:;'>Copy</a>",
        "<a class=btn onclick=copy() href=#>Copy</a>",
        "<span class=btn-clipboard>Copy</span>",
        "<div><span class=btn-clipboard>Copy</span></div>",
    ],
)
@pytest.mark.parametrize("place", ["{0}<pre>a = 1</pre>", "<pre>a = 1</pre>{0}"])
def test_buttons_to_copy_code(button: str, place: str) -> None:
    content = content_of(f"<p>b<div>{place.format(button)}</div><p>c")
    assert content.markdown() == "b\n\n```\na = 1\n```\n\nc"


def test_a_button_to_copy_may_stand_far_from_its_code() -> None:
    html = "{0}<div><span class=btn-clipboard>Copy</span></div><div><pre>a</pre></div>"
    content = content_of(html.format("<p>b" * 9))
    assert content.markdown().endswith("b\n\n```\na\n```")


def test_a_link_above_code_stays() -> None:
    html = "<div class=copy-code><a href=/a.yaml>a.yaml</a></div><pre>a: 1</pre>"
    assert "a.yaml" in content_of(html).markdown()


def test_labels_of_tabs_are_without_icons() -> None:
    icon = "<i class=material-icons>face</i>"
    tabs = "".join(
        f"<li><a data-toggle=tab href=#{name}>{icon} {name}</a></li>"
        for name in ("Linux", "Windows")
    )
    panes = "".join(
        f"<div class=tab-pane id={name}><p>It runs {name}</div>" for name in "ab"
    )
    html = f"<ul class='nav nav-tabs'>{tabs}</ul><div class=tab-content>{panes}</div>"
    assert content_of(html).markdown() == (
        "**Linux**\n\nIt runs a\n\n**Windows**\n\nIt runs b"
    )


def test_a_button_of_the_title_is_no_title() -> None:
    text = "The river rises in the hills above the old mill and runs to the sea. " * 5
    page = extract(f"<h1>Module mill <button>Copy path</button></h1><p>{text}")
    assert page.title == "Module mill"
    assert [block.label for block in page.blocks if block.is_main] == [
        "title",
        "paragraph",
    ]


LINK = (
    "<h2 id=mill>Old mill</h2>"
    "<a href={}><b class={}>Section titled “Old mill”</b></a><p>a"
)


@pytest.mark.parametrize(
    ("target", "name", "stays"),
    [
        ("#mill", "sr-only", False),
        ("#mill", "visually-hidden", False),
        ("#mill", "title", True),
        ("/mill", "sr-only", True),
    ],
)
def test_words_of_a_permalink_for_those_who_hear_the_page_are_left_out(
    target: str, name: str, stays: bool
) -> None:
    markdown = content_of(LINK.format(target, name)).markdown()
    assert markdown.startswith("## Old mill\n\n")
    assert ("Section titled" in markdown) == stays
    assert markdown.endswith("\n\na")


def test_links_to_edit_a_section_are_no_part_of_its_heading() -> None:
    links = "[<a href=/e>Bearbeiten</a> | <a href=/q>Quelltext bearbeiten</a>]"
    heading = f"<h2>Geschichte<span class=mw-editsection>{links}</span></h2>"
    assert content_of(f"{heading}<p>a</p>").markdown() == "## Geschichte\n\na"
    other = heading.replace("mw-editsection", "sources")
    assert "Quelltext" in content_of(f"{other}<p>a</p>").markdown()


@pytest.mark.parametrize("word", ["bash", "", "Two words"])
def test_the_language_beside_a_button_inside_of_code_is_no_code(word: str) -> None:
    bar = f"<div><span>{word}</span><button>Copy</button></div>"
    code = content_of(f"<pre><code>{bar}<div>a = 1\n</div></code></pre>").markdown()
    kept = f"{word}\n" if " " in word else ""
    assert code == f"```\n{kept}a = 1\n```"


def test_a_block_of_words_for_those_who_hear_the_page_alone_is_no_text() -> None:
    """Between them is nothing but a blank."""
    hidden = "<span class=sr-only>Close</span> <span class=sr-only>All pictures</span>"
    page = extract(
        f"<p>{'The mill stands by the river. ' * 9}<button>{hidden}<i></i></button>"
    )
    assert page.text.endswith("river.")
    blocks = [block.text for block in page.blocks if block.is_main]
    assert not any("Close" in text for text in blocks)
