"""Content over a limit is dropped and reported, and the rest is unchanged."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing._limits import count_characters, survey
from scrapy_mainpage.extraction.parsing.tree import Limits, parse_html

SENTENCE = "A river runs through old towns and under bridges, past mills. "


def names(count: int, value: str = "=1") -> str:
    return " ".join(f"a{k}{value}" for k in range(count))


def most_attributes(page: bytes) -> int:
    return max(len(element.attrib) for element in parse_html(page).iter("*"))


@pytest.mark.parametrize(
    ("page", "counts"),
    [
        ("", (0, 0)),
        ("text", (0, 0)),
        ("<p>a</p>", (1, 1)),
        ("<p>a < b <3 </ c>", (1, 0)),
        ("<!-- <p> --><p>", (1, 0)),
        ("<!--><p>", (1, 0)),
        ("<!--->-<p>", (1, 0)),
        ("<!-- --!><p>", (1, 0)),
        ("<?php <p><p>", (1, 0)),
        ("<script>'<p>'</script><p>", (2, 1)),
        ("<script><!--<script></script><p></script><p>", (2, 1)),
        ("<script/><p>", (2, 0)),
        ("<style><p></STYLE ><p>", (2, 1)),
        ("<title><p></titles></title>", (1, 1)),
        ("<plaintext><p>", (1, 0)),
        ("<p a='<p>'><p>", (2, 0)),
        ("<p a=b'<p>'", (1, 0)),
        ("<p a='<p>", (1, 0)),
        ("<p", (1, 0)),
        ("<", (0, 0)),
    ],
)
def test_tags_are_counted_as_a_parser_does(page: str, counts: tuple[int, int]) -> None:
    assert survey(page.encode())[:2] == counts


@pytest.mark.parametrize(
    ("page", "count"),
    [(b"", 0), (b"abc" * 20, 0), ("äbc你😀".encode(), 3), (b"\xc3", -1), (b"a\x80", -1)]
    + [(b"\xed\xa0\x80", -1), (b"\xf5\x80\x80\x80", -1), (b"\xc0\x80", -1)]
    + [(b"x" * k + b"\xc3\xa4" + b"y" * k, 1) for k in range(40)],
)
def test_characters_of_utf_8(page: bytes, count: int) -> None:
    assert count_characters(page) == count


@pytest.mark.parametrize(
    "before",
    [
        "",
        "<!-->",
        "<p a='>' b=\">\">",
        "<p =' x>",
        "<p a=b'c=\">",
        "<p a=='>",
        "<p ' \">",
        "<script><!--<script></script> <p a='</script>",
        "<script/><p>",
        "<p a= b='>",
    ],
)
@pytest.mark.parametrize("value", ["", "=1", "='<p>'", '="</p>"'])
def test_no_disguise_hides_a_tag_of_many_attributes(before: str, value: str) -> None:
    limits = Limits()
    page = f"{before}<div {names(2_000, value)}>{SENTENCE}</div>".encode()
    assert most_attributes(page) >= 2_000
    assert limits.bound(page).reasons
    bounded = limits.bound(page)
    assert "attributes" in bounded.reasons
    assert most_attributes(bounded.html) <= limits.max_attributes


def test_a_page_within_limits_is_not_changed() -> None:
    page = b"<!-- a --><P  a>b</i> <b/>c &amp; < d"
    assert Limits().bound(page) == (page, ())


@pytest.mark.parametrize("tag", ["div", "section", "blockquote", "ul", "h1"])
@pytest.mark.parametrize("depth", [250, 300, 2_048, 20_000])
def test_no_text_is_lost_at_any_depth(tag: str, depth: int) -> None:
    words = "".join(f"<{tag}>w{k} river " for k in range(depth))
    page = f"{words}{f'</{tag}>' * depth}<p>the end"
    extracted = Extractor().extract(page)
    texts = [*(f"w{k} river" for k in range(depth)), "the end"]
    found = [block.text for block in extracted.blocks]
    # Of very many blocks the last ones are joined.
    assert found[:2_048] == texts[:2_048]
    assert " ".join(found).split() == " ".join(texts).split()
    assert ("depth" in extracted.warnings) == (depth > 256)


OPEN = "dt dd optgroup thead tfoot li tr".split()
UNKNOWN = "wbr source track embed keygen bgsound".split()


@pytest.mark.parametrize(
    ("before", "unit"),
    [
        *(
            (holder, f"<{tag}>w{{}} river ")
            for tag in OPEN
            for holder in ("", "<dl>", "<table>", "<div><span>")
        ),
        *(("<p>", f"w{{}} river <{tag}> ") for tag in UNKNOWN),
    ],
)
def test_no_text_is_lost_where_the_parser_leaves_elements_open(
    before: str, unit: str
) -> None:
    """Without an end tag, or for want of knowing that they are empty."""
    html = before + "".join(map(unit.format, range(3_000))) + "<p>the end"
    words = all_words(html.encode())
    assert [word for word in words if word[0] == "w"] == [f"w{k}" for k in range(3_000)]
    assert words[-2:] == ["the", "end"]


def test_marks_below_the_last_level_are_left_out() -> None:
    text = SENTENCE * 500
    page = Extractor().extract("<p>" + "<b>" * 3_000 + text + "</b>" * 3_000 + "end")
    assert [block.text for block in page.blocks] == [text + "end"]
    assert "depth" in page.warnings


def test_a_tree_that_was_cut_is_read_anew_and_left_as_it_is() -> None:
    source = "<div>" * 3_000 + SENTENCE * 5 + "</div>" * 3_000 + "<p>the end"
    root = parse_html(source)
    before = sum(1 for _ in root.iter())
    page = Extractor().extract_tree(root, source=lambda: source)
    assert page.blocks[-1].text == "the end"
    assert "depth" in page.warnings
    assert sum(1 for _ in root.iter()) == before


def test_of_a_cut_tree_without_a_source_it_is_said() -> None:
    page = Extractor().extract_tree(parse_html("<div>a" * 3_000))
    assert "depth" in page.warnings


@pytest.mark.parametrize(
    "unit",
    [
        "<tr><td>The mill {0}<td>{0} meters",
        "<tr><td>{0} km</td><td>1.5 m</td></tr>",
        "<li>Mill {0}</li>",
        "<p>The mill {0}</p>",
        "<dt>Mill {0}</dt><dd>{0} m</dd>",
        "<a href=/{0}>w{0}</a><br>",
    ],
)
def test_long_tables_and_lists_are_whole(unit: str) -> None:
    holder = "table" if "<td>" in unit else "div"
    html = f"<{holder}>{''.join(map(unit.format, range(10_000)))}</{holder}>".encode()
    assert Limits().bound(html) == (html, ())


def test_a_table_of_fifty_thousand_cells_is_whole() -> None:
    html = b"<table>" + b"<tr><td>17.5 m</td><td>1,066</td></tr>" * 25_000
    assert Limits().bound(html) == (html, ())


def test_of_a_table_of_single_digits_the_end_is_read_as_paragraphs() -> None:
    html = b"<table>" + b"<tr><td>1<td>2" * 25_000
    page = Extractor().extract(html)
    assert page.warnings == ("elements",)
    assert " ".join(block.text for block in page.blocks).split() == ["1", "2"] * 25_000


def test_a_small_page_may_be_dense() -> None:
    html = b"<table>" + b"<tr><td>1<td>2" * 700
    assert Limits().bound(html) == (html, ())


@pytest.mark.parametrize("unit", ["<p>a", "<li>a", "<td>a", "<b>a</b>", "<tr>"])
def test_of_tags_alone_not_all_are_kept(unit: str) -> None:
    html = unit.encode() * (1_000_000 // len(unit))
    bounded = Limits().bound(html)
    assert bounded.reasons == ("elements",)
    assert survey(bounded.html)[0] <= 100_000 + len(html) // 1024


def all_words(html: bytes) -> list[str]:
    page = Extractor().extract(html)
    return " ".join(block.text for block in page.blocks).split()


def flatten(html: bytes, **limits: int) -> bytes:
    return Limits(**limits).flatten(html).html


@pytest.mark.parametrize("limits", [{}, {"max_elements": 5}])
@pytest.mark.parametrize(
    "inner",
    [
        "<b>one</b> <i>two</i>",
        "<b>one</b><i>two</i>",
        "one < two & &lt;b>",
        "<xmp>one <b> &amp; two</xmp>",
        "<noembed>one</noembed>",
        "<table><tr><td>one<td>two</table>",
        "<svg/>",
        "<svg><title>no</title><text>no</text></svg>",
        "<iframe/>",
        "<textarea>no</textarea>",
        "<title>no</title>",
        "<frame>",
        "<script>no</script>",
        "<select><option>no</select>",
        "<template><p>no</p><template>no</template>no</template>",
        "<datalist><option>no</datalist>",
        "<video>no</video>",
        "<ruby>a<rp>(</rp><rt>b</ruby>",
        "<plaintext>one <b> &lt;</plaintext>",
        "<a href=/>one</a> <a href=/ title='>'>two",
        "<a href=/><h2>one</h2>two</a>",
        "<select>one",
    ],
)
def test_flat_html_has_the_text_of_the_page(inner: str, limits: dict[str, int]) -> None:
    html = b"<p>w " * 9 + f"<div>start {inner} behind</div><p>the end".encode()
    if inner in ("<select>one", "<ruby>a<rp>(</rp><rt>b</ruby>"):
        # An element without end tag hides nothing; brackets around ruby text stay.
        assert all_words(flatten(html, **limits))[-3:] == ["behind", "the", "end"]
    else:
        assert all_words(flatten(html, **limits)) == all_words(html)


def test_flat_html_keeps_the_head_headings_lists_and_links() -> None:
    html = (
        b"<!doctype html><html lang=de><head><title>A &amp; b</title><meta name=a>"
        b"<script>no</script></head><body><div class=x><h2 id=y>One</h2>two "
        b"<a href='/three?a>b'>three</a><ul><li>four</ul><br>five"
    )
    assert flatten(html) == (
        b"<html lang=de><title>A &amp; b</title><meta name=a><h2>One</h2>"
        b"<p>two <a href='/three?a>b'>three</a></p><li>four</li><p>five</p>"
    )


def test_flat_html_of_any_page_is_flat() -> None:
    html = flatten(b"<div><a href=/><blockquote><p>" * 3_000 + b"end" * 9)
    assert read_tree(parse_html(html)).elements.depth.max() <= 4


def test_above_the_last_element_paragraphs_are_joined() -> None:
    document = read_tree(parse_html(flatten(b"<p>river" * 4_000, max_elements=100)))
    assert 100 <= document.n_elements < 150
    assert document.text.count(b"river") == 4_000
    assert document.text.endswith(b"river river")


def test_a_long_raw_text_is_divided() -> None:
    html = b"<xmp>" + b"one <b> two " * 600 + b"</xmp>"
    flat = flatten(html, max_text_node=2_000)
    assert flat.count(b"<p>") == 5
    assert "".join(all_words(flat)) == "".join(all_words(html))


@pytest.mark.parametrize("limit", [1, 5, 64])
def test_no_character_is_divided(limit: int) -> None:
    html = "河<!-- a -->水<!-- b -->😀".encode() * 50
    bounded = Limits(max_text_node=limit).bound(html)
    assert bounded.reasons == ("text_node",)
    assert "".join(all_words(bounded.html)) == "河水😀" * 50


def test_a_long_text_is_divided_between_words() -> None:
    limits = Limits(max_text_node=2_000)
    page = Extractor(limits=limits).extract("<p>" + SENTENCE * 200)
    assert "text_node" in page.warnings
    assert len(page.blocks) == 7
    assert " ".join(block.text for block in page.blocks) == (SENTENCE * 200).strip()


def test_a_long_text_without_blanks_is_divided_between_characters() -> None:
    limits = Limits(max_text_node=1_024)
    page = Extractor(limits=limits).extract("<p>" + "河水" * 1_000)
    assert "".join(block.text for block in page.blocks) == "河水" * 1_000


@pytest.mark.parametrize(
    "page", ["<p>" + SENTENCE * 40, ("<p>" + SENTENCE * 40).encode()]
)
def test_of_too_large_pages_nothing_is_read(page: str | bytes) -> None:
    extracted = Extractor(limits=Limits(max_size=2_000)).extract(page)
    assert (extracted.text, extracted.warnings) == ("", ("too_large",))
    assert extracted.blocks == ()


def test_a_page_that_has_had_its_time_says_so() -> None:
    page = Extractor(limits=Limits(max_time=-1.0)).extract("<p>" + SENTENCE)
    assert (page.text, page.warnings) == ("", ("time",))


def test_a_page_without_main_content_says_so() -> None:
    page = Extractor("semantic-markup").extract("<nav><a href=/>Home</a></nav>")
    assert page.text == ""
    assert "no_main_content" in page.warnings
