"""A slow plain-Python twin of the compiled document pass, written from its definitions.

It reads the tree with lxml's ordinary API, builds each block's text as a string first,
and counts by regular expressions over that string. :func:`twin_of` and :func:`plain`
give the same plain data for a tree and for the :class:`Document` made from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from lxml import etree

from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.document.schema import HEADING_SHIFT, Context, RunKind
from scrapy_mainpage.extraction.document.tags import (
    ATTRIBUTES,
    BLOCK_TAGS,
    OPAQUE_TAGS,
    TAGS,
)
from scrapy_mainpage.extraction.formulas._formula import formula_of

CONTEXT_OF_TAG = {
    "pre": Context.PRE,
    "blockquote": Context.QUOTE,
    **dict.fromkeys(("figcaption", "caption"), Context.CAPTION),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), Context.CODE),
    **dict.fromkeys(("b", "strong"), Context.STRONG),
    **dict.fromkeys(("ul", "ol", "dl", "menu"), Context.LIST),
    "table": Context.TABLE,
    "nav": Context.NAVIGATION,
    "header": Context.HEADER,
    "footer": Context.FOOTER,
    "aside": Context.ASIDE,
    "main": Context.MAIN,
    "article": Context.ARTICLE,
    **dict.fromkeys(("form", "search", "button"), Context.FORM),
    "dialog": Context.DIALOG,
    "noscript": Context.NOSCRIPT,
    **dict.fromkeys(
        ("video", "audio", "canvas", "progress", "meter"), Context.WORDLESS
    ),
}
CONTEXT_OF_ROLE = {
    "navigation": Context.NAVIGATION,
    "banner": Context.HEADER,
    "contentinfo": Context.FOOTER,
    "complementary": Context.ASIDE,
    "main": Context.MAIN,
    "article": Context.ARTICLE,
    "form": Context.FORM,
    "search": Context.FORM,
    "dialog": Context.DIALOG,
    "alertdialog": Context.DIALOG,
    "list": Context.LIST,
    "table": Context.TABLE,
}
KIND_OF_TAG = {
    "br": RunKind.BREAK,
    "img": RunKind.IMAGE,
    "hr": RunKind.RULE,
    "title": RunKind.HEAD,
    **dict.fromkeys(("iframe", "embed", "video", "audio", "object"), RunKind.MEDIA),
}
VOID_TAGS = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param "
    "source track wbr".split()
)
MAX_VALUE_BYTES = 8192  # bytes
FORMULA = 1 << 18  # beside the contexts, which the models know
WORDLESS = int(Context.WORDLESS)

BLANK = re.compile(
    r"[\t\n\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
)
DROPPED = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\xad\ufeff]")
CJK = re.compile(
    r"[\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u3131-\u318e"
    r"\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
    r"\U00020000-\U0003fffd]"
)
UNSPACED = re.compile(r"[\u0e00-\u109f\u1780-\u17ff\uaa60-\uaa7f]")
MARKS = ".!?…؟۔।॥։።‼⁇⁈⁉"
CJK_MARKS = "。．！？｡"
CLOSING = "\"')]»’”›」』）"
COMMAS = ",،、，"
# Over the classes of a block's characters, see class_of.
WORD = re.compile(
    r"[^ jJwu]*(?:j|w[^ jJu]*(?:u[^ jJu]*){0,5}|u[^ jJu]*(?:u[^ jJu]*){0,4})"
)
SENTENCE_END = re.compile(r"(?:[.)]*J[.J)]*)|(?:\.[.)]*(?= |$))")


@cache
def class_of(c: str) -> str:
    """One letter: blank, (J) CJK mark, mark, closing, (j) CJK, word or other (x).

    A letter of a script without blanks between words is (u).
    """
    for letter, members in ((".", MARKS), ("J", CJK_MARKS), (")", CLOSING)):
        if c in members:
            return letter
    if BLANK.match(c):
        return " "
    if CJK.match(c):
        return "j"
    if c.isalnum() and UNSPACED.match(c):
        return "u"
    return "w" if c.isalnum() or c == "_" else "x"


def local_name(name: str) -> str:
    return name.rpartition("}")[2] if name.startswith("{") else name


def tag_of(element: etree._Element) -> str:
    name = local_name(element.tag)
    return name.lower() if name.lower() in TAGS else name


ONLY_OF = {"value": "li", "width": "img", "height": "img"}
"""Attributes that are kept of one tag alone."""


@dataclass
class Char:
    """A character of a block, and the element that holds it as text."""

    char: str
    element: int


@dataclass
class Twin:
    elements: list[dict[str, Any]] = field(default_factory=list)
    blocks: list[dict[str, Any]] = field(default_factory=list)
    runs: list[dict[str, Any]] = field(default_factory=list)
    attributes: list[tuple[str, int, str]] = field(default_factory=list)
    tokens: list[tuple[str, int, str]] = field(default_factory=list)
    lines: list[list[int]] = field(default_factory=lambda: [[0, 0]])
    text: str = ""

    place: int = 0
    line_ended: bool = False
    # The flow: characters since the last block-level break; a block once one shows.
    chars: list[Char] = field(default_factory=list)
    block: int = -1
    drawing: int = -1
    formula: int = -1

    # Elements

    def start(self, node: etree._Element, parent: int) -> int:
        i, tag = len(self.elements), tag_of(node)
        above = self.elements[parent] if parent >= 0 else None
        names = {local_name(k): v for k, v in node.attrib.items()}
        code = (
            2
            + len(local_name(node.tag))
            + sum(
                1 + len(local_name(k)) + (3 + len(v) if v else 0)
                for k, v in node.attrib.items()
                if k != "data-mainpage"
            )
        )
        if tag in BLOCK_TAGS:
            self.close_block()
            self.new_line()
            self.line_ended = False
        self.place += 1

        def nearest(kind: str, itself: bool) -> int:
            return i if itself else above[kind] if above else -1

        self.elements.append(
            {
                "tag": tag,
                "parent": parent,
                "depth": above["depth"] + 1 if above else 0,
                "flags": self.context(tag, names, self.flags_above(node, tag, above)),
                "owner": nearest("owner", tag in BLOCK_TAGS or above is None),
                "link": nearest("link", tag == "a" and "href" in names),
                "item": nearest("item", tag in ("li", "dt", "dd")),
                "cell": nearest("cell", tag in ("td", "th")),
                "first_block": len(self.blocks),
                "first_run": len(self.runs),
                "code": code,
                "first_attribute": len(self.attributes),
                "first_token": len(self.tokens),
            }
        )
        self.keep_attributes(i, node)
        self.count_code(tag, code)
        if self.drawing >= 0 and tag in BLOCK_TAGS:
            self.elements[i]["flags"] &= ~int(Context.WORDLESS)
        self.replace_formula(i, node)
        is_formula = self.elements[i]["flags"] & FORMULA
        if (self.drawing < 0 or tag != "title") and not is_formula:
            self.stand_in_text(i, tag, names, node)
        if tag == "svg":
            if self.drawing < 0 and any(tag_of(e) in BLOCK_TAGS for e in inside(node)):
                self.drawing = i
            if self.drawing >= 0:
                self.elements[i]["flags"] |= int(Context.WORDLESS)
        return i

    def replace_formula(self, i: int, node: etree._Element) -> None:
        """Write a formula as LaTeX, in place of all that is in it."""
        parent, tag = self.elements[i]["parent"], self.elements[i]["tag"]
        is_script = tag == "script"
        if self.elements[i]["flags"] & FORMULA or (
            tag in OPAQUE_TAGS and not is_script
        ):
            return
        latex = formula_of(node, self.formula_name(i))
        if not is_script:
            if self.formula >= 0 or (latex is None and tag != "math"):
                return
            if self.formula_name(i) or tag == "math":
                self.formula = i
            if any(tag_of(each) in BLOCK_TAGS for each in inside(node)):
                return
        if latex is None:
            return
        apart = parent >= 0 and latex.startswith(b"$$")
        apart = apart and self.elements[i]["owner"] == self.elements[parent]["owner"]
        around = [" "] if apart else []
        for pieces, element in (
            (around, parent),
            ([latex.decode()], i),
            (around, parent),
        ):
            if any(pieces):
                self.add_text(pieces, element)
        self.elements[i]["flags"] |= FORMULA | Context.WORDLESS

    def formula_name(self, i: int) -> str:
        """The first token of the class that names a formula."""
        names = "katex|latex|tex|(MathJax|MJXc-display|mwe-math-).*"
        tokens = (t for name, k, t in self.tokens if name == "class" and k == i)
        return next((t for t in tokens if re.fullmatch(names, t, re.DOTALL)), "")

    def flags_above(
        self, node: etree._Element, tag: str, above: dict[str, Any] | None
    ) -> int:
        """The flags that an element inherits; a block may end the heading around it."""
        flags: int = above["flags"] if above else 0
        in_heading = above and tag in BLOCK_TAGS and flags >> HEADING_SHIFT
        if above and in_heading and self.ends_heading(node, tag, above["owner"]):
            flags &= (1 << HEADING_SHIFT) - 1
        return flags

    def ends_heading(self, node: etree._Element, tag: str, heading: int) -> bool:
        own = self.blocks[self.elements[heading]["first_block"] :][:1]
        if not own or own[0]["element"] != heading:
            return False
        if (
            tag not in ("div", "button")
            or not self.blocks[-1]["flags"] >> HEADING_SHIFT
        ):
            return True
        behind = node.xpath("following-sibling::node()[self::* or self::text()]")
        shown = [
            each
            for each in behind
            if not isinstance(each, str) or each.strip(" \t\r\n\f")
        ]
        if shown and not isinstance(shown[0], str):
            return True
        return any(tag_of(each) in BLOCK_TAGS for each in inside(node))

    def reads(self, i: int) -> bool:
        """Whether the children of an element are read."""
        tag = self.elements[i]["tag"]
        return tag not in OPAQUE_TAGS or (tag == "svg" and self.drawing >= 0)

    @staticmethod
    def context(tag: str, names: dict[str, str], flags: int) -> int:
        flags |= CONTEXT_OF_TAG.get(tag, 0)
        if re.fullmatch("h[1-6]", tag):
            flags = flags & ((1 << HEADING_SHIFT) - 1) | int(tag[1]) << HEADING_SHIFT
        style = re.sub("[\t\n\f\r ]", "", names.get("style", ""))
        style = style.encode()[:1024].decode("utf-8", "ignore").lower()
        hidden = not names.get("hidden", "until-found").startswith("until-found")
        if hidden or "display:none" in style or "visibility:hidden" in style:
            flags |= Context.HIDDEN
        if tag == "object" and names.get("data"):
            flags |= Context.WORDLESS
        roles = names.get("role", "")
        if len(roles.encode()) <= MAX_VALUE_BYTES:
            known = (CONTEXT_OF_ROLE.get(role.lower()) for role in roles.split())
            flags |= next((bits for bits in known if bits), 0)
        return int(flags)

    def keep_attributes(self, i: int, node: etree._Element) -> None:
        for full, value in node.attrib.items():
            name = local_name(full)
            name = name if name in ATTRIBUTES else name.lower()
            if name in ONLY_OF and ONLY_OF[name] != tag_of(node):
                continue
            if name not in ATTRIBUTES or len(value.encode()) > MAX_VALUE_BYTES:
                continue
            self.attributes.append((name, i, value))
            if name in ("class", "id", "role"):
                tokens = re.findall("[^\t\n\f\r ]+", value)
                self.tokens += [(name, i, token) for token in tokens]

    def end(self, i: int, tag: str, name: str) -> None:
        element = self.elements[i]
        if tag in BLOCK_TAGS:
            self.close_block()
            self.line_ended = True
        if tag not in VOID_TAGS:
            self.place += 1
            element["code"] += 3 + len(name)
            self.count_code(tag, 3 + len(name))
        if i == self.drawing:
            self.drawing = -1
        if i == self.formula:
            self.formula = -1
        element["end"] = len(self.elements)
        element["end_block"] = len(self.blocks)
        element["end_run"] = len(self.runs)

    # Lines

    def new_line(self) -> None:
        if self.lines[-1] != [0, 0]:
            self.lines.append([0, 0])

    def count_code(self, tag: str, characters: int) -> None:
        if tag not in ("script", "style"):
            self.lines[-1][1] += characters

    # Runs and blocks

    def stand_in_text(
        self, i: int, tag: str, names: dict[str, str], node: etree._Element
    ) -> None:
        json_ld = (
            names.get("type", "").strip().lower().startswith("application/ld+json")
        )
        kind = KIND_OF_TAG.get(tag)
        if tag == "script" and json_ld:
            kind = RunKind.HEAD
        if kind == RunKind.BREAK:
            self.add_break(i)
        elif kind == RunKind.HEAD:
            own = (node.text or "", *(c.tail or "" for c in node))
            self.add_run(kind, i)["value"] = "".join(own)
        elif kind is not None:
            self.add_run(kind, i)

    def add_run(self, kind: RunKind, element: int) -> dict[str, Any]:
        at = len(self.chars) if self.block >= 0 else 0
        run = {"kind": kind, "element": element, "block": self.block}
        run |= {"start": at, "end": at, "offset": len(self.text)}
        run |= {"words": 0, "place": self.place}
        if kind == RunKind.HEAD:
            run["block"] = -1
        self.runs.append(run)
        return run

    def clamp(self) -> None:
        for run in self.runs[self.blocks[self.block]["first_run"] :]:
            run["start"] = min(run["start"], len(self.chars))
            run["end"] = min(run["end"], len(self.chars))

    def add_break(self, i: int) -> None:
        if self.block < 0:
            self.chars.clear()
            return
        pre = self.elements[i]["flags"] & Context.PRE
        if not pre and self.chars[-1].char == " ":
            self.chars.pop()
            self.clamp()
        if [c.char for c in self.chars[-2:]] != ["\n", "\n"]:
            run = self.add_run(RunKind.BREAK, i)
            self.chars.append(Char("\n", i))
            run["end"] += 1

    def add_text(self, pieces: list[str], element: int) -> None:
        """Add the text between two tags, however the tree divides it."""
        context = self.elements[element]["flags"]
        if context & Context.WORDLESS:
            return
        run = None
        for c in shown("".join(map(unix_lines, pieces)), bool(context & Context.PRE)):
            blank = c in " \t\n"
            after_blank = not self.chars or self.chars[-1].char in " \t\n"
            if blank and after_blank and not context & Context.PRE:
                continue
            if self.block < 0:
                if blank:
                    self.chars = [*self.chars, Char(c, element)] if c != "\n" else []
                    continue
                run = self.open_block(element)
            elif run is None:
                run = self.begin_text(element)
            self.chars.append(Char(c, element))
        if run is not None:
            run["end"] = len(self.chars)
            self.blocks[self.block]["end_place"] = self.place

    def begin_text(self, element: int) -> dict[str, Any]:
        self.place += 1
        return self.add_run(RunKind.TEXT, element)

    def open_block(self, element: int) -> dict[str, Any]:
        """A block begins with its first character that shows; it owns the indent."""
        self.chars = [Char(c.char, element) for c in self.chars]
        if self.line_ended:
            self.new_line()
            self.line_ended = False
        self.block = len(self.blocks)
        info = self.elements[element]
        self.blocks.append(
            {
                "element": info["owner"],
                "first_run": len(self.runs),
                "item": info["item"],
                "cell": info["cell"],
                "line": len(self.lines) - 1,
                "place": self.place + 1,
            }
        )
        run = self.begin_text(element)
        run["start"] = 0
        return run

    def close_block(self) -> None:
        if self.block >= 0:
            while self.chars[-1].char in " \t\n":
                self.chars.pop()
            self.clamp()
            block = self.blocks[self.block]
            block["end_run"] = len(self.runs)
            block["text"] = "".join(c.char for c in self.chars)
            block |= self.count()
            self.text += block["text"]
            self.lines[block["line"]][0] += block["chars"]
        self.block = -1
        self.chars = []

    def count(self) -> dict[str, int]:
        text = "".join(c.char for c in self.chars)
        classes = "".join(map(class_of, text))
        contexts = [self.elements[c.element] for c in self.chars]
        linked = [
            x["link"] >= 0 and self.elements[c.element]["tag"] != "br"
            for x, c in zip(contexts, self.chars, strict=True)
        ]
        firsts = [
            m.start() + re.search("[wju]", m[0]).start() for m in WORD.finditer(classes)
        ]
        for run in self.runs[self.blocks[self.block]["first_run"] :]:
            if run["kind"] == RunKind.TEXT:
                run["words"] = sum(run["start"] <= k < run["end"] for k in firsts)
        flags = ~0
        for context, kind in zip(contexts, classes, strict=True):
            if kind != " ":
                formula = context["flags"] & FORMULA
                flags &= context["flags"] & ~(FORMULA | WORDLESS if formula else 0)
        return {
            "flags": flags,
            "chars": len(text),
            "words": len(firsts),
            "cjk": classes.count("j"),
            "linked_chars": sum(linked),
            "linked_words": sum(linked[k] for k in firsts),
            "strong_words": sum(
                bool(contexts[k]["flags"] & Context.STRONG) for k in firsts
            ),
            "sentences": len(SENTENCE_END.findall(classes)),
            "commas": sum(map(text.count, COMMAS)),
            "digits": len(re.findall("[0-9]", text)),
            "capitals": sum(c.isupper() and c.isalnum() for c in text),
        }


def inside(node: etree._Element) -> Iterator[etree._Element]:
    """The elements below *node*."""
    return (each for each in node.iterdescendants() if isinstance(each.tag, str))


def unix_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def shown(text: str, pre: bool) -> str:
    """The characters that a block would keep; line breaks and tabs only in *pre*."""
    text = DROPPED.sub("", text)
    return BLANK.sub(lambda m: m[0] if pre and m[0] in "\n\t" else " ", text)


def twin_of(root: etree._Element) -> dict[str, Any]:
    """Everything a :class:`Document` of *root* must hold."""
    twin = Twin()
    pieces: list[str] = []

    def flush(element: int) -> None:
        if any(pieces):
            twin.add_text(pieces, element)
        pieces.clear()

    # (node, its number or None when it is about to start, its parent's number)
    stack: list[tuple[etree._Element, int | None, int]] = [(root, None, -1)]
    while stack:
        node, number, parent = stack.pop()
        if not isinstance(node.tag, str):
            if node.tag is etree.Entity:
                pieces.append(node.text)
            pieces.append(node.tail or "")
            continue
        if number is None:
            flush(parent)
            number = twin.start(node, parent)
            stack.append((node, number, parent))
            if twin.reads(number):
                pieces.append(node.text or "")
                stack.extend((child, None, number) for child in reversed(node))
            continue
        flush(number)
        twin.end(number, twin.elements[number]["tag"], local_name(node.tag))
        if node is not root:
            pieces.append(node.tail or "")
    twin.close_block()
    return finished(twin)


def finished(twin: Twin) -> dict[str, Any]:
    for run in twin.runs:
        offset = run.pop("offset")
        value = run.pop("value", None)
        if run["kind"] == RunKind.HEAD:
            del run["start"], run["end"]
            run["text"] = value
            continue
        start, end = run.pop("start") + offset, run.pop("end") + offset
        run["text"] = twin.text[start:end]
        run["at"] = len(twin.text[:start].encode())
    return {
        "elements": twin.elements,
        "blocks": twin.blocks,
        "runs": twin.runs,
        "attributes": twin.attributes,
        "tokens": twin.tokens,
        "lines": twin.lines,
        "text": twin.text,
    }


def plain(document: Document) -> dict[str, Any]:
    """A document as the plain data that :func:`twin_of` gives."""

    def rows(table: Any) -> list[dict[str, Any]]:
        columns = (column.tolist() for column in table)
        records = zip(*columns, strict=True)
        return [dict(zip(table._fields, record, strict=True)) for record in records]

    def values(table: Any) -> list[tuple[str, int, str]]:
        return [
            (ATTRIBUTES[name], element, document.values[start:end].decode())
            for name, element, start, end in (row.values() for row in rows(table))
        ]

    elements, blocks = rows(document.elements), rows(document.blocks)
    runs = rows(document.runs)
    for i, element in enumerate(elements):
        element["tag"] = document.tag_name(i)
    for i, block in enumerate(blocks):
        block["text"] = document.block_text(i)
        del block["start"], block["end"]
    for run in runs:
        start, end = run.pop("start"), run.pop("end")
        head = run["kind"] == RunKind.HEAD
        run["text"] = (document.values if head else document.text)[start:end].decode()
        if not head:
            run["at"] = start
    return {
        "elements": elements,
        "blocks": blocks,
        "runs": runs,
        "attributes": values(document.attributes),
        "tokens": values(document.tokens),
        "lines": [list(line.values()) for line in rows(document.lines)],
        "text": document.text.decode(),
    }
