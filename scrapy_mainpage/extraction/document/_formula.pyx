"""The LaTeX of a formula: what the page says it is, else what its MathML is.

A page has each formula several times: as LaTeX (in an annotation, a script, or the text of
a picture), as MathML, and as elements that draw it. A bounded number of elements around a
``math`` element is looked at, so that all formulas of a page take linear time.
"""

import re

from libc.string cimport memcmp, strlen
from lxml.includes cimport tree
from lxml.includes.tree cimport xmlNode

from ._nodes cimport attribute_of, first_element, is_named, next_element, text_of

cdef enum:
    MAX_LATEX_BYTES = 8192      # a longer one is no formula
    # Children that are looked at; elements from the outermost of a formula to its math, and from
    # MathJax's output to its script.
    MAX_NEAR = 4
    # Of MathML: each node is visited once, and recursion has an end.
    MAX_NODES = 4000
    MAX_DEPTH = 60

cdef object COMMENT = re.compile(rb"(?<!\\)((?:\\\\)*)%[^\n]*\n?").sub
cdef object BLANKS = re.compile(rb"\s+").sub
cdef object DOLLAR = re.compile(rb"(\\.)|\$").sub
cdef object DELIMITED = re.compile(rb"(\$\$?|\\[(\[])(.+)(?:\$\$?|\\[)\]])", re.DOTALL).fullmatch
# As MediaWiki wraps a formula.
cdef object STYLED = re.compile(rb"\{\\(?:displaystyle|textstyle)\s+(.*)\}", re.DOTALL).fullmatch
LATEX_ATTRIBUTES = ("data-latex", "data-tex", "data-math", "data-formula")


cdef inline bint begins(const unsigned char* s, int size, const char* word) noexcept:
    cdef size_t length = strlen(word)
    return <size_t>size >= length and memcmp(s, word, length) == 0


cdef inline bint equals(const unsigned char* s, int size, const char* word) noexcept:
    return <size_t>size == strlen(word) and memcmp(s, word, size) == 0


cdef int formula_class(const unsigned char* s, int size) noexcept:
    """What the token of a class says."""
    if begins(s, size, b"ltx_note_outer"):
        return INLINE_NOTE
    if begins(s, size, b"ltx_note_mark") or begins(s, size, b"ltx_tag_note"):
        return NOTE_MARK
    if begins(s, size, b"MathJax") or begins(s, size, b"MJXc-display"):
        return IS_RENDERING
    if begins(s, size, b"mwe-math-fallback") or equals(s, size, b"latex") or equals(s, size, b"tex"):
        return IS_PICTURE
    return HOLDS_MATH if begins(s, size, b"mwe-math-") or equals(s, size, b"katex") else NO_FORMULA


cdef bytes read_formula(xmlNode* node, int kind):
    """The formula of an element in dollars; empty if another element has it; or `None`."""
    cdef xmlNode* math
    names = attribute_of(node, b"class")
    if kind == IS_PICTURE:
        return in_dollars(attribute_of(node, b"alt"), b"display" in names)
    if kind == SAYS_LATEX:
        latex = max([attribute_of(node, name.encode()).strip() for name in LATEX_ATTRIBUTES])
        if latex.isalnum() and len(latex) > 1 or latex.isdigit() or latex.startswith((b"=", b"[")):
            return None  # a setting; a spreadsheet's, and data
        return in_dollars(latex, is_named(node, b"div") or b"display" in names or b"block" in names)
    if kind == IS_RENDERING and has_script(node):
        return b""
    math = find_math(node, 0)
    if not math:
        return None
    display = attribute_of(math, b"display") == b"block" or attribute_of(node, b"display") == b"true"
    return in_dollars(latex_of(math), display)


cdef bytes read_script(xmlNode* node, bytes type):
    """The formula of a script of MathJax 2, whose *type* is ``math/tex``."""
    return in_dollars(text_of(node, MAX_LATEX_BYTES), b"display" in type)


cdef bint has_script(xmlNode* node):
    for _ in range(MAX_NEAR):
        node = next_element(node)
        if not node:
            return False
        if is_named(node, b"script"):
            return attribute_of(node, b"type").startswith(b"math/tex")
    return False


cdef xmlNode* find_math(xmlNode* node, int level) noexcept:
    cdef xmlNode* found
    cdef int seen = 0
    if is_named(node, b"math"):
        return node
    if level == MAX_NEAR:
        return NULL
    node = first_element(node)
    while node and seen < MAX_NEAR:
        found = find_math(node, level + 1)
        if found:
            return found
        node = next_element(node)
        seen += 1
    return NULL


cdef bytes latex_of(xmlNode* math):
    """The LaTeX that a `math` element says, or that its MathML is."""
    cdef xmlNode* child = first_element(math)
    cdef int seen = 0
    cdef str written
    if child and is_named(child, b"semantics"):
        child = first_element(child)
        while child and seen < MAX_NEAR:
            if is_named(child, b"annotation") and attribute_of(child, b"encoding").lower().endswith(b"tex"):
                return text_of(child, MAX_LATEX_BYTES)
            child = next_element(child)
            seen += 1
    latex = attribute_of(math, b"alttext")
    # Others say in words what the formula is.
    if b"\\" in latex or b"^" in latex or b"_" in latex:
        return latex
    written = write_latex(math)
    return None if written is None else written.encode()


cdef bytes in_dollars(bytes latex, bint display):
    """The LaTeX in one line, between dollars that are none of its own; `None` if it is empty."""
    if latex is None or len(latex) > MAX_LATEX_BYTES:
        return None
    latex = BLANKS(b" ", COMMENT(rb"\1 ", latex)).strip()
    delimited = DELIMITED(latex)
    if delimited is not None:
        latex = delimited[2].strip()
        display = display or delimited[1] in (b"$$", b"\\[")
    styled = STYLED(latex)
    if styled is not None and is_one_group(latex):
        latex = styled[1].strip()
    # A formula in the text of a formula loses its own dollars.
    latex = DOLLAR(rb"\1", latex)
    # A backslash before the dollar would take it.
    while (len(latex) - len(latex.rstrip(b"\\"))) % 2:
        latex = latex[:len(latex) - 1].rstrip()
    if not latex:
        return None
    return b"$$" + latex + b"$$" if display else b"$" + latex + b"$"


cdef bint is_one_group(bytes latex):
    """Whether the brace at the end closes the one at the beginning."""
    cdef int level = 0, k = 0, n = <int>len(latex)
    cdef const unsigned char* s = latex
    while k < n:
        level += (s[k] == b"{") - (s[k] == b"}")
        if not level and k < n - 1:
            return False
        k += 2 if s[k] == b"\\" else 1
    return level == 0


# Presentation MathML to LaTeX, for formulas whose page does not say their LaTeX. Letters and signs
# stay the characters that they are, which KaTeX, MathJax and unicode-math read. What is not MathML,
# or too large, has no LaTeX: then its text stays the page's.

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
cdef object SPACES = re.compile(r"\s+").sub


class NoLatex(Exception):
    """A tree that has no LaTeX."""


cdef class Converter:
    cdef int nodes, bytes_left

    def __init__(self):
        self.bytes_left = MAX_LATEX_BYTES

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
        text = SPACES(" ", content.decode("utf-8", "replace"))
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
        return SPACES(" ", converter.convert(math, 0)).strip()
    except NoLatex:
        return None
