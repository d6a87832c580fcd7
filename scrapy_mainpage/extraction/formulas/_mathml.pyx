"""Presentation MathML to LaTeX, for formulas whose page does not say their LaTeX.

The steps and the depth of a formula are bounded. What is not MathML, or more than that,
has no LaTeX: then its text stays the page's.
"""

import re

from lxml.includes cimport tree
from lxml.includes.tree cimport xmlNode

from ..document._nodes cimport attribute_of, first_element, is_named, next_element, text_of

from .latex import (
    BINARY, FUNCTIONS, GENFRAC, RELATIONS, STYLES, SYMBOLS,
    base_of, beside, braced, encloses, join, join_fences, letter, script,
)

cdef enum:
    MAX_NODES = 4000
    MAX_DEPTH = 60
    MAX_BYTES = 8192            # of all tokens

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
cdef object TALL = re.compile(r"\\(?:frac|begin|sum|prod|int|genfrac|overset|underset|sqrt)").search
cdef object BLANKS = re.compile(r"[ \t\r\n\f]+").sub
cdef object WIDTH = re.compile(r"([0-9.]+)(em|ex)").match


class NoLatex(Exception):
    """A tree that has no LaTeX."""


cdef class Converter:
    cdef int nodes, bytes_left

    def __init__(self):
        self.bytes_left = MAX_BYTES

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
        cdef bytes content = text_of(node, self.bytes_left)
        cdef str text
        if content is None:
            raise NoLatex
        self.bytes_left -= <int>len(content)
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


cdef str space(str width):
    found = WIDTH(width)
    size = float(found[1]) if found and found[1].count(".") < 2 and found[1] != "." else 0.0
    return "\\qquad " if size >= 2 else "\\quad " if size >= 1 else "\\," if size > 0 else ""


cdef str write_latex(xmlNode* math):
    """The LaTeX of a `math` element; `None` if it has none."""
    cdef Converter converter = Converter()
    try:
        return converter.convert(math, 0).strip()
    except NoLatex:
        return None
