"""Presentation MathML to LaTeX, for formulas whose page does not say their LaTeX.

Letters and signs stay the characters that they are, which KaTeX, MathJax and unicode-math
read. What is not MathML, or too large, has no LaTeX: then its text stays the page's.
"""

import re

from lxml.includes cimport tree
from lxml.includes.tree cimport xmlNode

from ..document._nodes cimport attribute_of, first_element, is_named, next_element, text_of

cdef enum:
    # Of a formula: each is visited once, and recursion has an end.
    MAX_NODES = 4000
    MAX_DEPTH = 60
    MAX_BYTES = 8192            # of all tokens

cdef set ROWS = set("math mrow mstyle mpadded menclose mtd mphantom".split())
cdef set FIRST = {"semantics", "maction"}
cdef set TOKENS = set("mi mn mo mtext ms".split())
# The children of an element stand in braces; where it lacks some, they are empty.
cdef dict PATTERNS = {
    "mfrac": "\\frac{%s}{%s}", "mroot": "\\sqrt[%s]{%s}", "msub": "%s_{%s}", "msup": "%s^{%s}",
    "msubsup": "%s_{%s}^{%s}", "munder": "%s_{%s}", "mover": "%s^{%s}",
    "munderover": "%s_{%s}^{%s}",
}
cdef dict ACCENTS = {
    "\\hat{}": "\\hat", "ˆ": "\\hat", "¯": "\\overline", "‾": "\\overline", "→": "\\vec",
    "˙": "\\dot", "\\sim": "\\tilde", "˜": "\\tilde", "\\_": "\\underline", "⏞": "\\overbrace",
    "⏟": "\\underbrace",
}
cdef dict STYLES = {
    "bold": "\\mathbf{%s}", "double-struck": "\\mathbb{%s}", "script": "\\mathcal{%s}",
    "fraktur": "\\mathfrak{%s}",
}
cdef dict SIGNS = {
    **{c: "\\" + c for c in "{}%$#&_"}, "\\": "\\backslash ", "^": "\\hat{}", "~": "\\sim ",
    # Invisible: application, times, separator, plus.
    **dict.fromkeys("\u2061\u2062\u2063\u2064\u200b\ufeff", ""),
}
cdef dict TEXT_SIGNS = {**SIGNS, "\\": "\\textbackslash{}", "^": "\\^{}", "~": "\\~{}"}
cdef object FUNCTION = re.compile(
    "arc(?:cos|sin|tan)|a?r?g|(?:cos|sin|tan|cot)h?|csc|sec|deg|det|dim|exp|gcd|inf|ker|"
    "lim(?:inf|sup)?|ln|log|max|min|sup"
).fullmatch
# With blanks on both sides: arrows, relations, signs between two terms.
cdef object BETWEEN = re.compile("[-=<>+±×÷−∈-∍∓∗∧-∪∼-⋿←-⇿]+").fullmatch
# Takes a script without braces.
cdef object BASE = re.compile(r"\w+|\\?.|\\[A-Za-z]+(?:\{[^{}]*\})?", re.DOTALL).fullmatch
cdef object BLANKS = re.compile(r"\s+").sub


class NoLatex(Exception):
    """A tree that has no LaTeX."""


cdef class Converter:
    cdef int nodes, bytes_left

    def __init__(self):
        self.bytes_left = MAX_BYTES

    cdef str convert(self, xmlNode* node, int depth):
        cdef str name = (<const char*>node.name).decode("utf-8", "replace").lower()
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            raise NoLatex
        if name in TOKENS:
            return self.token(node, name)
        if name == "mspace":
            return " "
        self.refuse_text(node)
        cdef list parts = self.children(node, depth)
        if name in ROWS:
            return "".join(parts)
        if name in FIRST:
            return parts[0] if parts else ""
        if name == "msqrt":
            return "\\sqrt{" + "".join(parts).strip() + "}"
        if name == "mtable":
            return "\\begin{matrix}" + " \\\\ ".join(parts) + "\\end{matrix}"
        if name == "mtr" or name == "mlabeledtr":
            return " & ".join(part.strip() for part in parts)
        if name not in PATTERNS:
            raise NoLatex
        return fill(name, [part.strip() for part in parts])

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
        cdef bint only_first = is_named(node, b"semantics") or is_named(node, b"maction")
        while child and not (only_first and parts):
            parts.append(self.convert(child, depth + 1))
            child = next_element(child)
        return parts

    cdef str token(self, xmlNode* node, str name):
        cdef bytes content = text_of(node, self.bytes_left)
        cdef str text
        if content is None:
            raise NoLatex
        self.bytes_left -= <int>len(content)
        text = BLANKS(" ", content.decode("utf-8", "replace"))
        if name == "mtext" or name == "ms":
            text = "".join([TEXT_SIGNS.get(c, c) for c in text])
            return "\\text{" + text + "}" if text.strip() else " "
        text = text.strip()
        if FUNCTION(text):
            return "\\" + text + " "
        if name == "mo" and BETWEEN(text):
            return " " + text + " "
        if len(text) > 1 and text.isascii() and text.isalpha():
            return "\\mathrm{" + text + "}"
        text = "".join([SIGNS.get(c, c) for c in text])
        style = STYLES.get(attribute_of(node, b"mathvariant").decode("utf-8", "replace"))
        return style % text if style and text else text + " " if text == "," else text


cdef str fill(str name, list parts):
    """The LaTeX of a fraction, a root, or a base with scripts, limits or an accent."""
    cdef str pattern = PATTERNS[name]
    parts = (parts + [""] * 3)[:pattern.count("%")]
    if name == "mfrac":
        return pattern % tuple(parts)
    if name == "mroot":
        return pattern % (parts[1], parts[0])
    if len(parts) == 2 and name in ("munder", "mover") and parts[1] in ACCENTS:
        return ACCENTS[parts[1]] + "{" + parts[0] + "}"
    if not BASE(parts[0]):
        parts[0] = "{" + parts[0] + "}"
    return pattern % tuple(parts)


cdef str write_latex(xmlNode* math):
    """The LaTeX of a `math` element; `None` if it has none."""
    cdef Converter converter = Converter()
    try:
        return BLANKS(" ", converter.convert(math, 0)).strip()
    except NoLatex:
        return None
