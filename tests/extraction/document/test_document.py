"""The document of pages written by hand: literal values, and checks of all trees."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest
from lxml import etree
from parsel import Selector

from scrapy_mainpage.extraction.document import tags
from scrapy_mainpage.extraction.document.document import Document, read_tree
from scrapy_mainpage.extraction.document.schema import (
    HEADING_SHIFT,
    Context,
    RunKind,
    spans_with,
)
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.extraction.repeats.candidates import find_links
from tests.extraction.helpers import block_texts as texts
from tests.extraction.soundness import check_document, same_documents


def read(page: str | etree._Element) -> Document:
    """The document of HTML in ``body``, or of a tree, checked against the tree."""
    return check_document(parse_html(page) if isinstance(page, str) else page)


def xml(source: str) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, strip_cdata=False)
    return etree.fromstring(source, parser)


def counts(document: Document, *names: str) -> list[tuple[int, ...]]:
    """The named values of each block."""
    columns = (getattr(document.blocks, name).tolist() for name in names)
    return list(zip(*columns, strict=True))


def tags_of(document: Document) -> list[str]:
    return [document.tag_name(i) for i in range(document.n_elements)]


def contexts(document: Document, tag: str) -> list[Context]:
    names = tags_of(document)
    flags = document.elements.flags.tolist()
    return [Context(f) for f, name in zip(flags, names, strict=True) if name == tag]


BLOCK_TEXTS = {
    # Elements that split a block, and elements that do not.
    "text around elements": (
        "a<p>b</p>c<div>d<span>e</span>f</div>g",
        ["a", "b", "c", "def", "g"],
    ),
    "comment and processing instruction": (
        "<p>a<!-- x -->b <?php y ?> c</p>",
        ["ab c"],
    ),
    "line breaks": ("<p>a <br> b<br><br><br>c<br></p>", ["a\nb\n\nc"]),
    "line breaks alone": ("<p><br><br></p><br>x", ["x"]),
    "rule": ("a<hr>b", ["a", "b"]),
    "list": ("<ul><li>a<li>b<ul><li>c</ul></ul>", ["a", "b", "c"]),
    "definitions": ("<dl><dt>a<dd>b</dl>", ["a", "b"]),
    "table": ("<table><tr><td>a<td>b<tr><th>c</table>", ["a", "b", "c"]),
    "unknown tags are inline": ("<p>a <x-y>b</x-y> <o:p>c</o:p></p>", ["a b c"]),
    "image in a word": ("<p>a<img src=i>b</p>", ["ab"]),
    "only blanks": ("<p> \n\t&nbsp;</p>", []),
    # Content that is not text.
    "opaque elements": (
        "<p>a<script>s</script><style>s</style><template>t</template>"
        "<svg><text>v</text></svg>"
        "<iframe>i</iframe>b</p>",
        ["ab"],
    ),
    "boxes between words": (
        "<p>a<textarea>t</textarea>b<select><option>o</select>c</p>",
        ["a b c"],
    ),
    "prices side by side": (
        "<p><span>$5</span><span>Was $7</span><s>€9</s><ins>£8</ins></p>",
        ["$5 Was $7 €9 £8"],
    ),
    "boxes in boxes": (
        "<p><span>Fat: <a>3</a><a>g</a></span><span><a>Fiber:</a><time>2 h</time>"
        "</span><span>A?</span><span>(B)</span><a>Ὠσίν</a></p>",
        ["Fat: 3g Fiber: 2 h A?(B) Ὠσίν"],
    ),
    "a sentence and its source": (
        "<p><span>So it is.</span><span>Photo: A</span>B <span>std.</span>"
        "<span>Set.</span><a href='#1'>1</a></p>",
        ["So it is. Photo: AB std.Set.1"],
    ),
    "a word in two parts": (
        "<p><span>Re</span><span>d</span> <b>a</b>B <span>T</span><span>HE</span>"
        " 19<sup>2</sup> <span>1</span><span>2</span></p>",
        ["Red aB THE 192 12"],
    ),
    "two codes": ("<p><code>a</code><code>b</code></p>", ["a b"]),
    "hidden words": ("<p>a<b hidden>b</b><i style='display:none'>c</i>d</p>", ["ad"]),
    "a hidden line": ("<p hidden>a<b>b</b></p>", ["ab"]),
    "a reading": ("<p><ruby>漢字<rt>かんじ</rt></ruby></p>", ["漢字(かんじ)"]),
    "lines of wide characters": ("<p>漢，\n字 \n a 漢 字</p>", ["漢，字 a 漢 字"]),
    "an element that the parser does not close": (
        "<div>a<embed src=e><p>b</p><p>c</div>d",
        ["a", "b", "c", "d"],
    ),
    "formulas are text": ("<p>x<math><mi>y</mi><mo>=</mo></math></p>", ["x$y =$"]),
    "fallbacks": ("<p>a<video>f<b>g</b></video>b</p><canvas>h</canvas>", ["ab"]),
    # Characters.
    "blanks of all kinds": ("<p>a \n\t&nbsp;&#x3000;\u2009b</p>", ["a b"]),
    "soft hyphen, byte order mark": ("<p>a&shy;b\ufeffc</p>", ["abc"]),
    "zero width stays": ("<p>a\u200bb\u200dc</p>", ["a\u200bb\u200dc"]),
    "combining marks": ("<p>e\u0301\u0323</p>", ["e\u0301\u0323"]),
    "emoji": ("<p>👩‍👩‍👧 x</p>", ["👩‍👩‍👧 x"]),
    "lone surrogate as a reference": ("<p>a&#xD800;b</p>", ["a\ufffdb"]),
    "unknown entity": ("<p>&nosuch; &amp;</p>", ["&nosuch; &"]),
    # Preformatted.
    "indentation": ("<pre>\n\n  a\n\tb  c\n \n</pre>", ["  a\n\tb  c"]),
    "indentation across tags": (
        "<pre> <b>  </b> <i>a</i>\n <i> b</i></pre>",
        ["    a\n  b"],
    ),
    "line ends": ("<pre>a\r\n b&#13;c&#13;\nd</pre>", ["a\n b\nc\nd"]),
    "break in preformatted": ("<pre>a <br> b\n\n\nc</pre>", ["a \n b\n\n\nc"]),
    "blanks that are none of ASCII": ("<pre>a&nbsp;&nbsp;b</pre>", ["a  b"]),
    "indent does not leak": ("<pre>   </pre><p>a</p><pre>  <p>b</p></pre>", ["a", "b"]),
}


@pytest.mark.parametrize("case", BLOCK_TEXTS)
def test_text_of_blocks(case: str) -> None:
    page, expected = BLOCK_TEXTS[case]
    assert texts(read(page)) == expected


def test_text_directly_in_html_and_of_tails() -> None:
    root = etree.Element("html")
    root.text = "a"
    for tag in ("p", "script", "br", "b", "hr", "video"):
        etree.SubElement(root, tag).tail = tag.upper()
    root.append(etree.Comment("no"))
    root[-1].tail = "C"
    assert texts(read(root)) == ["a", "PSCRIPT\nBRB", "HRVIDEOC"]


def test_cdata_and_unresolved_entities_belong_to_the_text() -> None:
    root = xml(
        "<!DOCTYPE p [<!ENTITY e 'x'>]><p>a<![CDATA[<b> ]]>&e;<!-- c -->d<i>f</i></p>"
    )
    document = read(root)
    assert texts(document) == ["a<b> &e;df"]
    assert document.runs.kind.tolist() == [RunKind.TEXT] * 2


COUNTS: dict[str, tuple[str, dict[str, Any]]] = {
    "words": ("<p>A well-known _x, 3.5 - e.g. don't</p>", {"words": 6, "chars": 33}),
    "word over tags": ("<p>on<b>e</b> w<!-- -->ord</p>", {"words": 2}),
    "strong": ("<p><b>a b</b> <strong>c<i> d</i></strong> e</p>", {"strong_words": 4}),
    "links": (
        "<p><a href=x>ab cd</a> e <a name=n>f</a> <a href>g</a></p>",
        {"linked_chars": 6, "linked_words": 3, "words": 5},
    ),
    "blanks at the end of links": (
        "<p><a href=x>ab <br> </a><a href=x>c </a> </p>",
        {"linked_chars": 3, "chars": 4},
    ),
    "long address": (
        f"<p><a href='{'x' * 9000}'>ab</a></p>",
        {"linked_chars": 2, "linked_words": 1},
    ),
    "sentences": (
        '<p>One. Two?! "Three!" (Four.) v1.2 a.b … e.g.; five…</p>',
        {"sentences": 6},
    ),
    "Chinese": (
        "<p>你好，世界。“好！？”ABC中文。</p>",
        {"words": 8, "cjk": 7, "sentences": 3, "commas": 1, "capitals": 3},
    ),
    "full stop before a Chinese one": ("<p>x.。y</p>", {"sentences": 1, "words": 2}),
    "Japanese and Korean": ("<p>カナとかな 한국어</p>", {"words": 8, "cjk": 8}),
    "Arabic": (
        "<p>نعم، لا؟ ۱۲</p>",
        {"words": 3, "commas": 1, "sentences": 1, "digits": 0},
    ),
    "Hindi": ("<p>नमस्ते दुनिया।</p>", {"words": 2, "sentences": 1}),
    "Thai": ("<p>สวัสดี ชาวโลก</p>", {"words": 3, "cjk": 0}),
    "Thai in several elements": ("<p>ชา<b>วโลก</b>ไทย</p>", {"words": 2}),
    "Thai behind Latin": ("<p>abc\u0e01\u0e01 \u0e01bc\u0e01</p>", {"words": 2}),
    "digits and capitals": ("<p>ÄB c 12 Ⅷ Ⓐ ２</p>", {"digits": 2, "capitals": 3}),
    "beyond the first plane": ("<p>𠀀𠀁 𝒜 😀</p>", {"cjk": 2, "words": 3, "chars": 6}),
    "combining marks make no word": ("<p>\u0301 e\u0301x</p>", {"words": 1}),
    "indentation of a link": ("<pre>  <a href=x>b</a></pre>", {"linked_chars": 3}),
}


@pytest.mark.parametrize("case", COUNTS)
def test_counts_of_a_block(case: str) -> None:
    page, expected = COUNTS[case]
    document = read(page)
    assert counts(document, *expected) == [tuple(expected.values())]


def test_flags_of_a_block_are_those_of_all_its_text() -> None:
    blocks = read(
        "<p><b>a</b> b</p><p> <b>c</b> </p><p><span hidden>d</span>e</p><p hidden>f</p>"
    ).blocks
    assert blocks.flags.tolist() == [0, Context.STRONG, 0, Context.HIDDEN]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("hidden", Context.HIDDEN),
        ("hidden=until-found", Context(0)),
        ("style='DISPLAY : none;'", Context.HIDDEN),
        ("style='x:y;visibility:\nhidden'", Context.HIDDEN),
        ("style='display:block'", Context(0)),
        (f"style='{'a' * 1014}display:none'", Context(0)),
        (f"style='{' ' * 5000}display:none'", Context.HIDDEN),
        ("role=navigation", Context.NAVIGATION),
        ("role=' Banner '", Context.HEADER),
        ("role='none presentation main article'", Context.MAIN),
        ("role=''", Context(0)),
        ("role=heading", Context(0)),
        ("class=navigation", Context(0)),
    ],
)
def test_context_by_attributes(attributes: str, expected: Context) -> None:
    assert contexts(read(f"<div {attributes}>x</div>"), "div") == [expected]


def test_context_is_inherited_and_the_nearest_heading_counts() -> None:
    root = etree.fromstring("<nav><h1><ul><h3><b/></h3></ul><i/></h1></nav>")
    document = read(root)
    nav, lists, strong = Context.NAVIGATION, Context.LIST, Context.STRONG
    assert contexts(document, "b") == [
        nav | lists | strong | Context(3 << HEADING_SHIFT)
    ]
    assert contexts(document, "i") == [nav | Context(1 << HEADING_SHIFT)]


def test_nearest_owner_link_item_and_cell() -> None:
    root = etree.fromstring(
        '<div><a href="x"><li><a>a</a><td><b>b</b></td></li></a><dd>c</dd></div>'
    )
    e = read(root).elements
    # div a li a td b dd
    assert e.parent.tolist() == [-1, 0, 1, 2, 2, 4, 0]
    assert e.depth.tolist() == [0, 1, 2, 3, 3, 4, 1]
    assert e.end.tolist() == [7, 6, 6, 4, 6, 6, 7]
    assert e.owner.tolist() == [0, 0, 2, 2, 4, 4, 6]
    assert e.link.tolist() == [-1, 1, 1, 1, 1, 1, -1]
    assert e.item.tolist() == [-1, -1, 2, 2, 2, 2, 6]
    assert e.cell.tolist() == [-1, -1, -1, -1, 4, 4, -1]


def test_runs_of_a_block() -> None:
    document = read("<p>a <img><b>b</b><br>c</p><hr><video></video>")
    kinds = [RunKind(kind).name for kind in document.runs.kind]
    assert kinds == ["TEXT", "IMAGE", "TEXT", "BREAK", "TEXT", "RULE", "MEDIA"]
    assert document.runs.block.tolist() == [0, 0, 0, 0, 0, -1, -1]
    assert document.runs.start.tolist() == [0, 2, 2, 3, 4, 5, 5]
    assert document.runs.end.tolist() == [2, 2, 3, 4, 5, 5, 5]
    assert document.runs.words.tolist() == [1, 0, 1, 0, 1, 0, 0]
    assert (document.blocks.first_run[0], document.blocks.end_run[0]) == (0, 5)


def test_places_count_tags_and_texts() -> None:
    document = read(etree.fromstring("<div>a<br/><b>b</b> <i> </i><p>c</p></div>"))
    # 1 <div> 2 a 3 <br> 4 <b> 5 b 6 </b> 7 blank 8 <i> 9 </i> 10 <p> 11 c
    assert counts(document, "place", "end_place") == [(2, 7), (11, 11)]


def test_lines_begin_at_block_level_tags_and_after_them() -> None:
    root = etree.fromstring("<div>a<b>b</b><p>cd</p>e<style>x</style><hr/>f</div>")
    lines = read(root).lines
    assert lines.text.tolist() == [2, 2, 1, 0, 1]
    assert lines.code.tolist() == [5 + 3 + 4, 3 + 4, 0, 4, 6]


def test_attributes_that_are_kept() -> None:
    document = read(
        "<p class=' a  b\n\tc ' ID=i data-x=y title='&auml;\"' hidden lang>x</p>"
        f"<img src='{'s' * 9000}' alt=''><img src='{'s' * 8192}'>"
        "<p id=one id=two role='r q'>y"
    )
    names = tags_of(document)
    p, second = (i for i, name in enumerate(names) if name == "p")
    assert document.attributes_of(p) == {
        "class": " a  b\n\tc ", "id": "i", "title": 'ä"', "lang": ""
    }  # fmt: skip
    assert document.attribute(p, "title") == 'ä"'
    assert document.attribute(p, "href") is None
    first, other = (i for i, name in enumerate(names) if name == "img")
    assert document.attributes_of(first) == {"alt": ""}
    assert document.attributes_of(other) == {"src": "s" * 8192}
    assert document.attributes_of(second) == {"id": "one", "role": "r q"}
    tokens = [
        (tags.ATTRIBUTES[name], element, document.values[start:end].decode())
        for name, element, start, end in zip(
            *(c.tolist() for c in document.tokens), strict=True
        )
    ]
    assert tokens == [
        ("class", p, "a"),
        ("class", p, "b"),
        ("class", p, "c"),
        ("id", p, "i"),
        ("id", second, "one"),
        ("role", second, "r"),
        ("role", second, "q"),
    ]


def test_code_counts_characters_of_tags() -> None:
    root = etree.fromstring('<p é="ä" b=""><br x="12"/></p>')
    assert read(root).elements.code.tolist() == [
        len('<p é="ä" b></p>'),
        len('<br x="12">'),
    ]


def test_head_texts() -> None:
    document = read(
        "<title>One &amp; only</title><title> Two</title>"
        '<script type=" Application/LD+JSON; x">{"a": "<b>"}</script>'
        "<script type=text/javascript>no</script><script>no</script><p>x"
        '<script type="application/ld+json"></script>'
    )
    assert list(document.head_texts("title")) == ["One & only", " Two"]
    assert list(document.head_texts("script")) == ['{"a": "<b>"}', ""]
    assert texts(document) == ["x"]


def test_tags_in_upper_case_and_in_namespaces_are_known() -> None:
    root = xml(
        '<HTML xmlns="http://www.w3.org/1999/xhtml" xmlns:x="urn:x"><BODY>a'
        '<P x:class="c">b</P><x:p>c</x:p><x:Own>d</x:Own></BODY></HTML>'
    )
    document = read(root)
    assert tags_of(document) == ["html", "body", "p", "p", "Own"]
    assert texts(document) == ["a", "b", "c", "d"]
    assert document.attribute(2, "class") == "c"


def test_names_that_only_the_page_knows() -> None:
    document = read("".join(f"<x-{k}>a</x-{k}><x-{k}></x-{k}>" for k in range(700)))
    assert document.extra_tags == tuple(f"x-{k}" for k in range(700))
    assert Counter(tags_of(document))["x-699"] == 2
    assert len(tags.CODES) == len(tags.TAGS) <= 256  # codes are places


@pytest.mark.parametrize(
    "page",
    [
        "<p>a<p>b<div><my-tag>c</my-tag><o:p>d</o:p><o:p>e</o:p></div><p>f",
        "<div><a'b\"c>x</a'b\"c><a\x01b>y</a\x01b><é>z</é><p>p</p></div>",
        "<svg><a></a></svg><div><svg></svg><svg/><!-- c --><select>t</select></div>",
    ],
)
def test_xpath_finds_the_element(page: str) -> None:
    root = Selector(text=page, type="html").root
    assert_xpaths_find(root)
    assert_xpaths_find(root[0][-1])


def test_xpath_finds_elements_in_namespaces_and_upper_case() -> None:
    assert_xpaths_find(
        xml('<a xmlns:o="urn:o"><p/><P/><o:p/><p/><o:q xmlns="urn:d"><p/></o:q></a>')
    )


def is_opaque(node: etree._Element, root: etree._Element) -> bool:
    """Whether the inside of an element is left out; drawings may hold HTML."""
    around = [node, *ancestors(node, root)]
    inside = (each.tag for top in around if top.tag == "svg" for each in top.iter())
    holds_html = node.tag == "svg" and not set(tags.BLOCK_TAGS).isdisjoint(inside)
    return node.tag in tags.OPAQUE_TAGS and not holds_html


def assert_xpaths_find(root: etree._Element) -> None:
    document, tree = read_tree(root), etree.ElementTree(root)
    kept = [
        node
        for node in root.iter(etree.Element)
        if not any(is_opaque(each, root) for each in ancestors(node, root))
    ]
    assert len(kept) == document.n_elements
    for i, node in enumerate(kept):
        assert tree.xpath(document.xpath(i)) == [node]


def ancestors(node: etree._Element, root: etree._Element) -> list[etree._Element]:
    found = []
    while node is not root:
        node = node.getparent()
        found.append(node)
    return found


def test_an_inner_element_is_not_left() -> None:
    root = Selector(text="<div>a<p>b<i>c</i></p>d</div><p>e").root
    document = read(root.find(".//p"))
    assert tags_of(document) == ["p", "i"]
    assert texts(document) == ["bc"]
    assert texts(read(root.find(".//i"))) == ["c"]


@pytest.mark.parametrize(
    "root",
    [
        *(etree.Comment("c"), etree.ProcessingInstruction("p"), etree.Entity("e")),
        etree._Element.__new__(etree._Element),
    ],
)
def test_what_is_no_element_is_refused(root: etree._Element) -> None:
    with pytest.raises(ValueError, match="not an element"):
        read_tree(root)


@pytest.mark.parametrize("root", [None, "<p>", etree.ElementTree(etree.Element("p"))])
def test_what_is_no_node_is_refused(root: Any) -> None:
    with pytest.raises(TypeError):
        read_tree(root)


def test_documents_are_pickled() -> None:
    document = read("<title>t</title><p class=a>x <x-y>y</x-y>")
    copy = pickle.loads(pickle.dumps(document))
    assert same_documents(copy, document)
    assert copy.xpath(5) == document.xpath(5)
    assert copy.extra_tags == document.extra_tags == ("x-y",)


def test_names_of_the_arrays_match_the_compiled_records() -> None:
    document = read("<p class=a>x")
    for table in (document.elements, document.blocks, document.runs):
        assert all(column.dtype == "int32" and column.ndim == 1 for column in table)


def test_link_density_is_per_word() -> None:
    document = read("<p>a <a href=x>b c</a> d</p><p>-</p>")
    assert document.link_density().tolist() == [0.5, 0.0]


def test_elements_with_tag() -> None:
    document = read("<p>a<p>b")
    assert document.elements_with_tag("p").tolist() == [2, 3]
    assert document.elements_with_tag("td").tolist() == []


def test_places_of_runs_are_in_the_text() -> None:
    """The text of a script is elsewhere: a link that ends with one has its own text."""
    script = f'<script type="application/ld+json">"{300 * "x"}"</script>'
    page = f"<p><a href=/a>One {script}</a> and <a href=/b>two</a>{script}"
    document = read(page)
    places = document.places.tolist()
    assert places == sorted(places)
    assert places[-1] == len(document.text) == len("One and two")
    assert find_links(document).text.all()


def test_a_word_is_found_inside_of_a_span_alone() -> None:
    text = b"by an author, a writer"
    author, writer = text.index(b"author"), text.index(b"writer")
    spans = {
        (0, author): False,
        (0, author + 6): True,
        (author, author + 6): True,
        (author, author + 5): False,
        (author + 1, writer + 5): False,
        (writer, len(text)): True,
        (0, 0): False,
    }
    starts, ends = np.array([*spans], np.int32).T
    found = spans_with((b"author", b"writer", b"."), text, starts, ends)
    assert found.tolist() == [*spans.values()]
