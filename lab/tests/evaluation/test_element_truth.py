"""The main content as its elements have it: text blocks, parts, and cells."""

from __future__ import annotations

import pytest

from lab.evaluation.element_truth import (
    Content,
    Part,
    read_content,
    split_words,
)


def read(body: str, content: str = "//main", drop: str = "") -> Content:
    html = f"<html><body><nav>Menu</nav><main>{body}</main></body></html>"
    return read_content(html.encode(), content, drop)


def texts(content: Content) -> list[str]:
    return [" ".join(block.text.split()) for block in content.blocks]


def kinds(content: Content) -> list[tuple[str, list[str]]]:
    return [
        (part.kind, texts(content)[part.start : part.end]) for part in content.parts
    ]


def columns(table: Part) -> list[tuple[int, int]]:
    return [(cell.row, cell.column) for cell in table.cells]


@pytest.mark.parametrize(
    ("body", "content", "found"),
    [
        # Block elements part texts, inline elements do not.
        ("a<p>One <b>t</b>wo<!-- no --> three</p>b<div>c<p>d</div>e<br>f", "//main",
         ["a", "One two three", "b", "c", "d", "e f"]),
        # What nobody reads is no text.
        ("<style>p{}</style>a<script>b</script><template>c</template> d", "//main",
         ["a d"]),
        # Several elements are read in order, and none twice.
        ("<p>a</p><div>no</div><p>b <b>c</b></p>", "//main/p | //b", ["a", "b c"]),
        ("<p>a</p>tail", "//main/p", ["a"]),
        ("<div>" * 200 + "deep", "//main", ["deep"]),
    ],
)  # fmt: skip
def test_texts(body: str, content: str, found: list[str]) -> None:
    assert texts(read(body, content)) == found


def test_a_heading_is_one_text_block_with_its_level() -> None:
    content = read("<h2><span>One</span><div>two</div></h2><p>text<h6>six</h6>")
    assert [(block.level, block.words) for block in content.blocks] == [
        (2, ("one", "two")),
        (0, ("text",)),
        (6, ("six",)),
    ]


def test_code_is_one_text_block_with_its_lines() -> None:
    content = read("<pre>a <b>b</b>\n  c\n\n<div>d</div></pre>")
    (block,) = content.blocks
    assert block.text.split("\n")[:2] == ["a b", "  c"]
    assert kinds(content) == [("code", ["a b c d"])]


def test_numbers_of_lines_beside_code_are_no_text() -> None:
    html = "<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table><pre>1\n3</pre>"
    assert [block.text for block in read(html).blocks] == ["a\nb", "1\n3"]


def test_lists_inside_a_list_belong_to_it() -> None:
    content = read("<ul><li>a<ol><li>b</ol></ul><ol><li>c</ol><dl><dt>d<dd>e</dl>")
    assert kinds(content) == [("lists", ["a", "b"]), ("lists", ["c"])]


def test_a_table_has_two_rows_with_text_and_no_table_inside() -> None:
    row = "<tr><td>a<td>b"
    inner = f"<table>{row}{row}</table>"
    assert kinds(read(inner)) == [("tables", ["a", "b", "a", "b"])]
    assert kinds(read(f"<table>{row}</table>")) == []
    assert kinds(read(f"<table>{row}<tr><td> <td></table>")) == []
    assert len(read(f"<table><tr><td>x<tr><td>{inner}</table>").parts) == 1


def test_spans_push_cells_to_the_right() -> None:
    (table,) = read(
        "<table><tr><td rowspan=2>a<td colspan=2>b<td>c"
        "<tr><td>d<td>e<td rowspan=x>f<tr><td colspan=0>g<td>h</table>"
    ).parts
    assert columns(table) == [
        *((0, 0), (0, 1), (0, 3)),
        *((1, 1), (1, 2), (1, 3)),
        *((2, 0), (2, 1)),
    ]


def test_dropped_elements_are_no_content_but_a_heading_knows_them() -> None:
    content = read(
        "<h1>Title<a class=p>edit</a></h1><pre><i class=p>1</i>code</pre>after",
        drop="//*[@class='p']",
    )
    assert texts(content) == ["Title", "code", "after"]
    assert content.blocks[0].full_text.split() == ["Titleedit"]


@pytest.mark.parametrize("path", ["//article", "count(//main)", "//main/text()"])
def test_truth_that_is_not_in_the_page_is_an_error(path: str) -> None:
    with pytest.raises(ValueError, match="no element of the page is"):
        read("text", path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't: get_size2()", "don t get size 2"),
        ("20 m²,\u200b 20 m^2", "20 m 2 20 m 2"),
        ("soft\u00adhyphen ﬁne Ｆｕｌｌ", "softhyphen fine full"),
        ("正文 ok", "正 文 ok"),
        ("— ¶ #", ""),
    ],
)
def test_words(text: str, words: str) -> None:
    assert split_words(text) == words.split()
