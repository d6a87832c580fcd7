"""What is over a limit is left out, said, and nothing else is touched."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing._survey import survey, valid_utf8
from scrapy_mainpage.extraction.parsing.limits import Limits
from scrapy_mainpage.extraction.parsing.tree import parse_html

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
    assert valid_utf8(page) == count


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
    assert limits.suspects(page)
    fitted = limits.fitted(page)
    assert "attributes" in fitted.reasons
    assert most_attributes(fitted.page) <= limits.max_attributes


def test_surplus_attributes_go_and_the_first_stay() -> None:
    limits = Limits(max_attributes=2)
    fitted = limits.trimmed(b"<p a='1 2' class=x c=3>d<a href=x>e")
    assert fitted == (b"<p a='1 2' class=x>d<a href=x>e", ("attributes",))


def test_a_page_within_limits_is_not_changed() -> None:
    page = b"<!-- a --><P  a>b</i> <b/>c &amp; < d"
    assert Limits().trimmed(page) == (page, ())
    assert Limits().fitted(page) == (page, ())


@pytest.mark.parametrize("tag", ["div", "section", "blockquote", "ul", "h1"])
@pytest.mark.parametrize("depth", [250, 300, 2_048, 100_000])
def test_no_text_is_lost_at_any_depth(tag: str, depth: int) -> None:
    words = "".join(f"<{tag}>w{k} river " for k in range(depth))
    page = f"{words}{f'</{tag}>' * depth}<p>the end"
    extracted = Extractor().extract(page)
    assert [block.text for block in extracted.blocks] == [
        *(f"w{k} river" for k in range(depth)),
        "the end",
    ]
    assert ("depth" in extracted.warnings) == (depth > 256)


@pytest.mark.parametrize("tag", ["dt", "dd", "optgroup", "thead", "tfoot", "li", "tr"])
@pytest.mark.parametrize("holder", ["", "<dl>", "<table>", "<div><span>"])
def test_no_text_is_lost_where_the_parser_leaves_elements_open(
    tag: str, holder: str
) -> None:
    page = Extractor().extract(
        holder + "".join(f"<{tag}>w{k} river " for k in range(3_000)) + "<p>the end"
    )
    words = " ".join(block.text for block in page.blocks).split()
    assert [word for word in words if word[0] == "w"] == [f"w{k}" for k in range(3_000)]
    assert words[-2:] == ["the", "end"]


@pytest.mark.parametrize(
    "tag", ["wbr", "source", "track", "embed", "keygen", "bgsound"]
)
def test_nor_where_it_does_not_know_that_they_are_empty(tag: str) -> None:
    page = Extractor().extract(
        "<p>" + "".join(f"w{k} river <{tag}> " for k in range(3_000)) + "<p>the end"
    )
    words = " ".join(block.text for block in page.blocks).split()
    assert [word for word in words if word[0] == "w"] == [f"w{k}" for k in range(3_000)]
    assert words[-2:] == ["the", "end"]


def test_marks_below_the_last_level_are_left_out() -> None:
    page = Extractor().extract(
        "<p>" + "<b>" * 3_000 + SENTENCE + "</b>" * 3_000 + "end"
    )
    assert [block.text for block in page.blocks] == [SENTENCE + "end"]
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


def test_beyond_the_last_element_text_goes_on_as_paragraphs() -> None:
    limits = Limits(max_elements=30_000)
    rows = "".join(f"<tr><td>w{k}<td><b>x</b>" for k in range(20_000))
    page = f"<table>{rows}</table><script>no</script><select><option>no</select>the end"
    fitted = limits.fitted(page.encode())
    document = read_tree(parse_html(fitted.page))
    assert fitted.reasons == ("elements",)
    assert 30_000 <= document.n_elements < 30_500
    words = document.text.decode().replace("x", " ").split()
    assert words[-3:] == ["w19999", "the", "end"]
    assert [word for word in words if word[0] == "w"] == [
        f"w{k}" for k in range(20_000)
    ]


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
    assert Limits().fitted(html) == (html, ())


def test_a_table_of_fifty_thousand_cells_is_whole() -> None:
    html = b"<table>" + b"<tr><td>17.5 m</td><td>1,066</td></tr>" * 25_000
    assert Limits().fitted(html) == (html, ())


def test_of_a_table_of_single_digits_the_end_is_read_as_paragraphs() -> None:
    html = b"<table>" + b"<tr><td>1<td>2" * 25_000
    page = Extractor().extract(html)
    assert page.warnings == ("elements",)
    assert " ".join(block.text for block in page.blocks).split() == ["1", "2"] * 25_000


def test_a_small_page_may_be_dense() -> None:
    html = b"<table>" + b"<tr><td>1<td>2" * 700
    assert Limits().fitted(html) == (html, ())


def test_what_counts_is_what_came_and_not_how_it_is_kept() -> None:
    page = "<p>€€€€€" * 50_000
    extractor = Extractor()
    assert extractor.fitted(page).reasons == ()
    assert extractor.fitted(page.encode("cp1252"), "cp1252").reasons == ("elements",)
    assert extractor.fitted(page.encode("utf-16")).reasons == ()


@pytest.mark.parametrize(
    "unit", ["<p></p> \n", "<div> </div>", "<b>a</b> b", "<br>river"]
)
def test_what_is_no_text_block_needs_no_room_of_one(unit: str) -> None:
    assert Limits().fitted(unit.encode() * 10_000).reasons == ()


@pytest.mark.parametrize(
    "unit", ["<p>river</p>", "<p></p>river", "<hr>river", "<td>river"]
)
def test_what_is_one_does(unit: str) -> None:
    assert Limits().fitted(unit.encode() * 10_000).reasons == ("elements",)


@pytest.mark.parametrize("unit", ["<p>a", "<li>a", "<td>a", "<b>a</b>", "<tr>"])
def test_of_tags_alone_not_all_are_kept(unit: str) -> None:
    html = unit.encode() * (1_000_000 // len(unit))
    fitted = Limits().fitted(html)
    assert fitted.reasons == ("elements",)
    assert survey(fitted.page)[0] <= 100_001


SHORT = Limits(max_elements=40)
LOW = Limits(max_depth=8)


def all_words(html: bytes) -> list[str]:
    page = Extractor().extract(html)
    return " ".join(block.text for block in page.blocks).split()


@pytest.mark.parametrize(
    "before", [b"<p>w " * 60, b"<i>w</i> " * 60, b"<div>" * 30, b"<div>" + b"<b>" * 30]
)
@pytest.mark.parametrize("limits", [SHORT, LOW])
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
        "<template><p>no</p>no</template>",
        "<datalist><option>no</datalist>",
    ],
)
def test_text_is_kept_and_what_is_none_is_left_out(
    before: bytes, limits: Limits, inner: str
) -> None:
    html = before + f"start {inner} behind</div><p>the end".encode()
    trimmed = limits.trimmed(html).page
    assert all_words(trimmed) == all_words(html)


def test_what_is_open_in_another_element_ends_with_it() -> None:
    html = b"<p>w " * 60 + b"<div><select><option>no</div>behind"
    assert all_words(SHORT.trimmed(html).page) == ["w"] * 60 + ["behind"]


def test_what_has_no_end_tag_hides_nothing() -> None:
    html = b"<p>w " * 60 + b"<ruby>a<rp>(<rt>b<rp>)</ruby> behind"
    assert all_words(SHORT.trimmed(html).page)[-1] == "behind"


def test_text_that_is_no_markup_goes_on_to_the_end() -> None:
    html = b"<p>w " * 60 + b"<plaintext>one <b> &lt;</plaintext>"
    assert all_words(SHORT.trimmed(html).page) == all_words(html)


def test_a_long_text_that_is_no_markup_is_divided() -> None:
    html = b"<xmp>" + b"one <b> two " * 600 + b"</xmp>"
    trimmed = Limits(max_text_node=2_000).trimmed(html)
    assert trimmed.reasons == ("text_node",)
    assert "".join(all_words(trimmed.page)) == "".join(all_words(html))


@pytest.mark.parametrize("limit", [1, 5, 64])
def test_no_character_is_divided(limit: int) -> None:
    html = "河<!-- a -->水<!-- b -->😀".encode() * 50
    trimmed = Limits(max_text_node=limit).trimmed(html)
    assert trimmed.reasons == ("text_node",)
    assert "".join(all_words(trimmed.page)) == "河水😀" * 50


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


def test_large_pages_lose_scripts_and_data() -> None:
    limits = Limits(max_full_size=2_000)
    body = " ".join(f"mill{k} ground{k} the corn{k}." for k in range(100))
    data = f'{{"@type": "Article", "headline": "Mills", "articleBody": "{body}"}}'
    page = f"<script type=application/ld+json>{data}</script><p>{SENTENCE * 2}"
    assert Extractor(limits=limits).extract(page).warnings == ("large",)
    assert Extractor(limits=limits).extract(page).sources == ("document",)
    assert Extractor().extract(page).sources == ("document", "json-ld")


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
