"""The kind of each main block: title, heading, list, table, ..."""

from __future__ import annotations

import pytest

from scrapy_mainpage.label import Label

from .test_roles import labels_of


def kinds_of(body: str, title: str = "") -> dict[str, Label]:
    """The label of each text of a page that is all main content."""
    return labels_of(body, head=f"<title>{title}</title>", every=True)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<p>Oats</p>", Label.PARAGRAPH),
        ("<div>Oats</div>", Label.PARAGRAPH),
        ("<h3>Oats</h3>", Label.HEADING),
        ("<button>Oats</button>", Label.HEADING),
        ("<ul><li>Oats</ul>", Label.LIST),
        ("<ol><li><p>Oats</p></ol>", Label.LIST),
        ("<dl><dd>Oats</dl>", Label.LIST),
        ("<table><tr><td>Oats<td>3</table>", Label.TABLE),
        ("<table><tr><th>Oats<td>3</table>", Label.TABLE),
        ("<pre>Oats</pre>", Label.CODE),
        ("<blockquote><p>Oats</p></blockquote>", Label.QUOTE),
        ("<figure><figcaption>Oats</figcaption></figure>", Label.CAPTION),
        ("<div class=image-caption>Oats</div>", Label.CAPTION),
        ("<div class=photo><div>Oats</div></div>", Label.CAPTION),
        ("<div class=bildunterschrift>Oats</div>", Label.CAPTION),
    ],
)
def test_markup_tells_the_kind(body: str, kind: Label) -> None:
    assert kinds_of(body)["Oats"] is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("$4.20", Label.PRICE),
        ("Now only 4,20 € a bag", Label.PRICE),
        ("In the year 2020 we paid 4 $ for oats.", Label.PARAGRAPH),
        ("Condition: used", Label.FACT),
        ("營業時間：9:00", Label.FACT),
        ("Note: oats burn.", Label.PARAGRAPH),
        ("Opening hours:", Label.PARAGRAPH),
        ("At 10:30 in the mill", Label.PARAGRAPH),
    ],
)
def test_the_text_tells_prices_and_facts(text: str, kind: Label) -> None:
    assert kinds_of(f"<p>{text}</p>")[text] is kind
    assert kinds_of(f"<table><tr><td>{text}<td>3</table>")[text] is Label.TABLE


def test_the_title_is_the_heading_that_agrees_with_the_title_element() -> None:
    body = (
        "<h1>The Daily Sheaf</h1><h2>How oats are milled in winter</h2><p>Slowly.</p>"
    )
    labels = kinds_of(body, title="How oats are milled in winter | The Daily Sheaf")
    assert labels["How oats are milled in winter"] is Label.TITLE
    assert labels["The Daily Sheaf"] is Label.HEADING


def test_without_a_title_element_the_first_h1_is_the_title() -> None:
    labels = kinds_of("<h2>Sheaf</h2><h1>Oats</h1><h1>Rye</h1><p>Slowly.</p>")
    assert labels["Oats"] is Label.TITLE
    assert labels["Rye"] is Label.HEADING


def test_a_block_that_is_no_heading_is_the_title_if_it_says_just_that() -> None:
    labels = kinds_of(
        "<div>农民怎样磨燕麦</div><p>慢慢地磨。</p>", title="农民怎样磨燕麦_新闻"
    )
    assert labels["农民怎样磨燕麦"] is Label.TITLE


def test_a_title_that_is_not_main_content_leaves_no_other_title() -> None:
    body = "<h1>How oats are milled</h1><h2>Oats are milled</h2><p>A miller.</p>"
    labels = labels_of(body, head="<title>How oats are milled</title>")
    assert Label.TITLE not in labels.values()


def test_an_item_of_many_blocks_is_a_container() -> None:
    labels = kinds_of("<ul><li><p>One</p><p>Two</p><p>Three</p><p>Four</p></ul>")
    assert set(labels.values()) == {Label.PARAGRAPH}


def test_a_cell_of_many_blocks_or_words_lays_out_the_page() -> None:
    long = "oats and rye " * 30
    labels = kinds_of(f"<table><tr><td><p>One</p><p>Two</p><td>{long}</table>")
    assert set(labels.values()) == {Label.PARAGRAPH}
