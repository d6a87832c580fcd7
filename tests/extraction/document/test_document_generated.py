"""The document of generated trees, markup and bytes holds what is in the tree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_mainpage.extraction.document.tags import TAGS
from scrapy_mainpage.extraction.parsing.tree import parse_html
from tests.extraction.document.test_document import assert_xpaths_find
from tests.extraction.soundness import check_document

# Mostly tags and characters with special treatment; sometimes any.
TELLING_TAGS = (
    "p div span a b br hr pre ul li dd td table h1 h2 nav img video title script style "
    "svg template select blockquote html body code strong wbr x-y P o:p"
).split()
TELLING_TEXTS = [
    *" \n\t\r\f\u00a0\u2003\u3000\u0085",
    *"aZé0_,.!?'\")]-…؟।。，！？」你かカ한ſǅⅧ٣Ⓐ\u0301\u00ad\u200b\ufeff😀𠀀",
    *("ไทย", "สวัสดีชาวโลก", "ភាសា"),
    *("  ", "\n\n", "\r\n", "word", "two words. ", " 3.5", "你好。"),
]
TELLING_ATTRIBUTES = {
    "href": ["", "x"],
    "hidden": ["", "until-found"],
    "role": ["main", " Banner x", "none main", "heading"],
    "class": ["", "a", " a\tb  c ", "é \u00a0d", "x" * 8193],
    "style": ["display:none", "Display: None", "x"],
    "type": ["application/ld+json", "text/plain"],
    "data-x": ["", "ä"],
    "é": ["1"],
}

XML_CHARACTERS = st.characters(
    exclude_categories=["Cs"], exclude_characters="\x00\ufffe\uffff"
).filter(lambda c: c >= " ")

characters = st.sampled_from(TELLING_TEXTS) | XML_CHARACTERS
texts = st.lists(characters, max_size=8).map("".join)
tags = st.sampled_from([tag for tag in TELLING_TAGS if tag != "o:p"] + list(TAGS))
attribute = st.sampled_from(list(TELLING_ATTRIBUTES)).flatmap(
    lambda name: st.tuples(st.just(name), st.sampled_from(TELLING_ATTRIBUTES[name]))
)
attributes = st.lists(attribute, max_size=3).map(dict)

# Steps that build a tree: (action, tag or text, attributes or text).
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["open", "leaf"]), tags, attributes),
        st.tuples(st.just("close"), st.integers(1, 3), st.none()),
        st.tuples(
            st.sampled_from(["text", "comment", "instruction", "entity"]),
            texts.map(lambda text: text.replace("\f", "")),  # XML has no form feed
            st.none(),
        ),
    ),
    max_size=40,
)


def build(root_tag: str, actions: list[tuple]) -> etree._Element:
    """A tree made by lxml calls, with any element nested in any other."""
    node = root = etree.Element(root_tag)
    for action, what, extra in actions:
        if action in ("open", "leaf"):
            child = etree.SubElement(node, what, extra)
            node = child if action == "open" else node
        elif action == "close":
            for _ in range(what):
                node = node if node is root else node.getparent()
        elif action == "text":
            add_text(node, what)
        else:
            node.append(odd_node(action))
            node[-1].tail = what
    return root


def odd_node(kind: str) -> etree._Element:
    if kind == "comment":
        return etree.Comment(" <p>no</p> ")
    return (
        etree.Entity("e") if kind == "entity" else etree.ProcessingInstruction("p", "q")
    )


def add_text(node: etree._Element, text: str) -> None:
    if len(node):
        node[-1].tail = (node[-1].tail or "") + text
    else:
        node.text = (node.text or "") + text


@given(tags, steps)
def test_built_trees(root_tag: str, actions: list[tuple]) -> None:
    check_document(build(root_tag, actions))


@given(tags, steps)
def test_inner_elements_and_trees_with_adjacent_texts(
    root_tag: str, actions: list[tuple]
) -> None:
    root = build(root_tag, actions)
    # Leaves text nodes side by side.
    etree.strip_tags(root, "b", "span", etree.Comment)
    check_document(root)
    for node in root.iter(etree.Element):
        check_document(node)


def markup_of(name: str, extra: dict[str, str]) -> str:
    written = "".join(f' {k}="{v}"' if v else f" {k}" for k, v in extra.items())
    return f"<{name}{written}>"


ODD_MARKUP = (
    "<!-- c -->|<?p q?>|<![CDATA[d]]>|<!doctype html>|&amp;|&nbsp;|&shy;|&#13;|&#xD800;"
    "|&no;|<|</|<p <p|<a'b>|&#0;|]]>"
).split("|")

markup = st.lists(
    st.one_of(
        st.builds(markup_of, st.sampled_from(TELLING_TAGS), attributes),
        st.sampled_from(TELLING_TAGS).map("</{}>".format),
        texts,
        st.sampled_from(ODD_MARKUP),
    ),
    max_size=40,
).map("".join)


@given(markup)
def test_parsed_markup(page: str) -> None:
    root = parse_html(page)
    check_document(root)
    assert_xpaths_find(root)
