"""Presentation MathML to LaTeX, for formulas whose page does not say their LaTeX.

The steps and the depth of a formula are bounded. What is not MathML, or more than that,
has no LaTeX: then its text stays the page's.
"""

import re
from unicodedata import name as name_of, normalize

from libc.string cimport strcmp, strlen
from lxml.includes cimport tree
from lxml.includes.tree cimport xmlAttr, xmlNode

from .latex_names import (
    ABOVE, BELOW, BINARY, CLOSING, FUNCTIONS, LARGE, LETTER_STYLES, MATRICES, OPENING,
    RELATIONS, STYLES, SYMBOLS, WIDE,
)

cdef enum:
    MAX_NODES = 4000
    MAX_DEPTH = 60
    MAX_TOKEN_BYTES = 1000

cdef enum Kind:
    FOREIGN, ROW, FIRST, IDENTIFIER, NUMBER, OPERATOR, TEXT, SPACE, FRACTION, SQUARE_ROOT, ROOT
    SUB, SUP, SUB_SUP, UNDER, OVER, UNDER_OVER, SCRIPTS, TABLE, FENCED, NOTHING, STRING

cdef dict KINDS = {
    **dict.fromkeys("math mrow mstyle mpadded merror menclose mtd mphantom".split(), ROW),
    **dict.fromkeys(("semantics", "maction"), FIRST),
    **dict.fromkeys(("mprescripts", "none", "maligngroup", "malignmark"), NOTHING),
    "mi": IDENTIFIER, "mn": NUMBER, "mo": OPERATOR, "mtext": TEXT, "ms": STRING, "mspace": SPACE,
    "mfrac": FRACTION, "msqrt": SQUARE_ROOT, "mroot": ROOT, "msub": SUB, "msup": SUP,
    "msubsup": SUB_SUP, "munder": UNDER, "mover": OVER, "munderover": UNDER_OVER,
    "mmultiscripts": SCRIPTS, "mtable": TABLE, "mfenced": FENCED,
}

cdef dict SPECIAL = {c: "\\" + c for c in "{}%$#&_"} | {"\\": "\\backslash ", "^": "\\^{}", "~": "\\~{}"}
# One character, or one command without arguments: needs no braces.
cdef object SINGLE = re.compile(r"\\?[^\\{}]|\\[A-Za-z]+").fullmatch
# A base that takes a script without braces.
cdef object BASE = re.compile(r"\\?[^\\{}]|[0-9.]+|\\[A-Za-z]+(?:\{[^{}]*\})?").fullmatch
cdef object TALL = re.compile(r"\\(?:frac|begin|sum|prod|int|genfrac|overset|underset|sqrt)").search
cdef object NEEDS_BLANK = re.compile(r"(?:\\[A-Za-z]+|[_^]\w)$").search
cdef object BLANKS = re.compile(r"[ \t\r\n\f]+").sub
cdef object WIDTH = re.compile(r"([0-9.]+)(em|ex)").match

cdef str MATRIX = "\\begin{matrix}"
cdef str GENFRAC = "\\genfrac{}{}{0pt}{}"


class NoLatex(Exception):
    """A tree that has no LaTeX."""


cdef bint is_named(xmlNode* node, const char* name) noexcept:
    return strcmp(<const char*>node.name, name) == 0


cdef xmlNode* first_element(xmlNode* node) noexcept:
    node = node.children
    while node and node.type != tree.XML_ELEMENT_NODE:
        node = node.next
    return node


cdef xmlNode* next_element(xmlNode* node) noexcept:
    node = node.next
    while node and node.type != tree.XML_ELEMENT_NODE:
        node = node.next
    return node


cdef bytes attribute_of(xmlNode* node, const char* name):
    """The value of an attribute; empty without it."""
    cdef xmlAttr* attribute = node.properties
    while attribute:
        if strcmp(<const char*>attribute.name, name) == 0:
            if attribute.children and attribute.children.content:
                return <bytes>(<const char*>attribute.children.content)
            return b""
        attribute = attribute.next
    return b""


cdef bytes text_of(xmlNode* node, Py_ssize_t most):
    """The texts that are children of *node*; `None` beyond *most* bytes, or with elements."""
    cdef bytes text = b""
    cdef xmlNode* child = node.children
    while child:
        if child.type == tree.XML_ELEMENT_NODE:
            return None
        if child.content and (
            child.type == tree.XML_TEXT_NODE or child.type == tree.XML_CDATA_SECTION_NODE
        ):
            if len(text) + <Py_ssize_t>strlen(<const char*>child.content) > most:
                return None
            text += <bytes>(<const char*>child.content)
        child = child.next
    return text


cdef str join(list parts):
    """The *parts* of a row, with a blank between a command or a script and a letter."""
    cdef str text = "", part
    for part in parts:
        if not text and part.strip() in BINARY:
            part = part.strip()
        if part and part[0].isalnum() and NEEDS_BLANK(text):
            text += " "
        if part[:1] == " " and (not text or text[len(text) - 1] == " "):
            part = part[1:]
        text += part
    return text


cdef list join_fences(list parts):
    """A matrix or a fraction without a line takes the fences around it."""
    cdef list joined = []
    cdef str part, name
    cdef bint closes = False
    for part, after in zip(parts, [*parts[1:], ""]):
        before = joined[len(joined) - 1] if joined else ""
        after = after if after in CLOSING else ""
        if closes:
            closes = False
        elif part.startswith(MATRIX) and (before, after) in MATRICES:
            name = MATRICES[before, after]
            inner = part[len(MATRIX):len(part) - len(MATRIX) + 2]
            joined[len(joined) - 1] = "\\begin{" + name + "}" + inner + "\\end{" + name + "}"
            closes = after != ""
        elif part.startswith(GENFRAC) and before == "(" and after == ")":
            joined[len(joined) - 1] = "\\binom" + part[len(GENFRAC):]
            closes = True
        else:
            joined.append(part)
    return joined


cdef bint encloses(list parts):
    """Whether a row begins with a fence that its end closes."""
    cdef str part
    cdef int level = 0
    if parts[0] not in OPENING or parts[len(parts) - 1] not in CLOSING:
        return False
    for part in parts[1:len(parts) - 1]:
        level += (part in OPENING and part not in CLOSING) - (part in CLOSING and part not in OPENING)
        if level < 0:
            return False
    return level == 0


cdef str group(str text):
    """An argument of a command or a script."""
    text = text.strip()
    return text if SINGLE(text) else "{" + text + "}"


cdef str braced(str text):
    return "{" + text.strip() + "}"


cdef str base_of(str text):
    text = text.strip()
    return text if BASE(text) else "{" + text + "}"


cdef str script(str sign, str text):
    if sign == "^" and text.strip() in ("\\prime", "\\prime\\prime", "'", "''"):
        return text.strip().replace("\\prime", "'")
    return sign + group(text) if text.strip() else ""


cdef class Converter:
    cdef int nodes

    cdef str convert(self, xmlNode* node, int depth):
        cdef int kind = KINDS.get((<const char*>node.name).decode("utf-8", "replace").lower(), FOREIGN)
        self.nodes += 1
        if kind == FOREIGN or self.nodes > MAX_NODES or depth > MAX_DEPTH:
            raise NoLatex
        if IDENTIFIER <= kind <= TEXT or kind == STRING:
            return self.token(node, kind)
        if kind == SPACE:
            return space(attribute_of(node, b"width").decode("utf-8", "replace"))
        if kind == NOTHING:
            return ""
        self.refuse_text(node)
        if kind == TABLE:
            return self.table(node, depth)
        if kind == FENCED:
            return self.fenced(node, depth)
        if kind == ROW:
            return self.row(node, depth)
        if kind == FIRST:
            return self.convert(first_element(node), depth + 1) if first_element(node) else ""
        parts = self.children(node, depth)
        if kind == SQUARE_ROOT:
            return "\\sqrt" + braced(join(parts))
        if kind == SCRIPTS:
            return self.scripts(node, parts)
        parts += [""] * (3 - len(parts))
        first, second, third = parts[:3]
        if kind == FRACTION:
            line = attribute_of(node, b"linethickness")
            return (GENFRAC if line[:1] == b"0" else "\\frac") + braced(first) + braced(second)
        if kind == ROOT:
            return "\\sqrt[" + second.strip() + "]" + braced(first)
        if kind == SUB:
            return base_of(first) + script("_", second)
        if kind == SUP:
            return base_of(first) + script("^", second)
        if kind == SUB_SUP:
            return base_of(first) + script("_", second) + script("^", third)
        if kind == UNDER:
            return beside(first, second, "")
        return beside(first, "", second) if kind == OVER else beside(first, second, third)

    cdef int refuse_text(self, xmlNode* node) except -1:
        """Text that is not in a token would be lost."""
        cdef xmlNode* child = node.children
        while child:
            if child.type == tree.XML_TEXT_NODE and child.content:
                if (<bytes>(<const char*>child.content)).strip():
                    raise NoLatex
            child = child.next

    cdef list children(self, xmlNode* node, int depth):
        cdef list parts = []
        cdef xmlNode* child = first_element(node)
        while child:
            parts.append(self.convert(child, depth + 1))
            child = next_element(child)
        return parts

    cdef str token(self, xmlNode* node, int kind):
        cdef bytes content = text_of(node, MAX_TOKEN_BYTES)
        cdef str text
        if content is None:
            raise NoLatex
        text = BLANKS(" ", content.decode("utf-8", "replace"))
        if kind == TEXT or kind == STRING:
            text = "".join([SPECIAL.get(c, c) for c in text.replace("\xa0", " ")])
            text = '"' + text + '"' if kind == STRING else text
            return "\\text{" + text + "}" if text.strip() else "\\ " if text else ""
        text = text.strip()
        if text in FUNCTIONS:
            return "\\" + text
        if kind == OPERATOR:
            if text in RELATIONS or text in BINARY:
                return " " + (RELATIONS.get(text) or BINARY.get(text) or text) + " "
            if len(text) > 1 and text.isalpha():
                return "\\operatorname{" + text + "}"
            return ", " if text == "," else "".join([SYMBOLS.get(c, c) for c in text])
        variant = attribute_of(node, b"mathvariant").decode("utf-8", "replace")
        if variant in STYLES:
            return STYLES[variant] + "{" + text + "}"
        if kind == IDENTIFIER and len(text) > 1 and text.isalpha() and text.isascii():
            return "\\mathrm{" + text + "}"
        return join([letter(c) for c in text])

    cdef str row(self, xmlNode* node, int depth):
        """A row, whose fences may be those of a matrix or grow with what is inside."""
        cdef list parts = join_fences(self.children(node, depth))
        cdef Py_ssize_t n = len(parts)
        if n > 2 and encloses(parts) and attribute_of(first_element(node), b"stretchy") != b"false":
            inner = join(parts[1:n - 1]).strip()
            if TALL(inner):
                return join(["\\left" + parts[0], " ", inner, " \\right" + parts[n - 1]])
        return join(parts)

    cdef str table(self, xmlNode* node, int depth):
        """A matrix or aligned equations."""
        cdef list rows = []
        cdef xmlNode* row = first_element(node)
        while row:
            if not (is_named(row, b"mtr") or is_named(row, b"mlabeledtr")):
                raise NoLatex
            self.refuse_text(row)
            rows.append(" & ".join([part.strip() for part in self.children(row, depth)]))
            row = next_element(row)
        aligned = attribute_of(node, b"columnalign").startswith(b"right left")
        name = "aligned" if aligned else "matrix"
        return "\\begin{" + name + "}" + " \\\\ ".join(rows) + "\\end{" + name + "}"

    cdef str fenced(self, xmlNode* node, int depth):
        cdef list parts = self.children(node, depth)
        signs = [attribute_of(node, name).decode("utf-8", "replace") for name in (b"open", b"close")]
        opening, closing = [
            SYMBOLS.get(sign, sign) or default for sign, default in zip(signs, ("(", ")"))
        ]
        separator = attribute_of(node, b"separators").decode("utf-8", "replace").strip()[:1] or ","
        return opening + (separator + " ").join([part.strip() for part in parts]) + closing

    cdef str scripts(self, xmlNode* node, list parts):
        cdef list before = [], after = []
        cdef xmlNode* child = first_element(node)
        cdef int k = 0
        cdef bint is_before = False
        while child:
            if is_named(child, b"mprescripts"):
                is_before = True
            elif k:
                (before if is_before else after).append(parts[k])
            child = next_element(child)
            k += 1
        text = "".join([script("_^"[k & 1], before[k]) for k in range(len(before))])
        text = "{}" + text if text else ""
        text += base_of(parts[0]) if parts else ""
        return text + "".join([script("_^"[k & 1], after[k]) for k in range(len(after))])


cdef str letter(str c):
    """A character of an identifier: a letter of a mathematical alphabet by its style."""
    if c in SYMBOLS:
        return SYMBOLS[c]
    plain = normalize("NFKC", c)
    if plain != c and len(plain) == 1 and c.isalpha():
        title = name_of(c, "")
        for part, command in LETTER_STYLES:
            if part in title:
                plain = SYMBOLS.get(plain, plain)
                return command + "{" + plain + "}" if command else plain
    return c


cdef str space(str width):
    found = WIDTH(width)
    size = float(found[1]) if found and found[1].count(".") < 2 and found[1] != "." else 0.0
    return "\\qquad " if size >= 2 else "\\quad " if size >= 1 else "\\," if size > 0 else ""


cdef str beside(str base, str below, str above):
    """A base with what stands below and above it: limits, an accent, or a small text."""
    text, low, high = base.strip(), below.strip(), above.strip()
    if text in LARGE or text.startswith(("\\underbrace", "\\overbrace", "\\operatorname")):
        return text + script("_", low) + script("^", high)
    if high:
        accent = accent_of(ABOVE, high)
        if accent and not SINGLE(text):
            accent = WIDE.get(accent, accent)
        text = accent + braced(text) if accent else "\\overset" + braced(high) + braced(text)
    if low:
        accent = accent_of(BELOW, low)
        text = accent + braced(text) if accent else "\\underset" + braced(low) + braced(text)
    return text


cdef str accent_of(dict accents, str sign):
    if sign == "\\to":
        sign = "→"
    elif sign == "\\sim":
        sign = "~"
    elif sign == "\\hat{}":
        sign = "^"
    elif sign == "\\_":
        sign = "_"
    elif sign == "\\leftrightarrow":
        sign = "↔"
    return accents.get(sign, "")


cdef str write_latex(xmlNode* math):
    """The LaTeX of a `math` element; `None` if it has none."""
    cdef Converter converter = Converter()
    try:
        return converter.convert(math, 0).strip()
    except NoLatex:
        return None
