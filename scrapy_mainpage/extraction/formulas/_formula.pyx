"""The LaTeX of a formula, as KaTeX, MathJax, MediaWiki and MathML write one in a page.

A page has each formula several times: as LaTeX (in an annotation, a script, or the text of
a picture), as MathML, and as elements that draw it. A bounded number of elements around a
``math`` element is looked at, so that all formulas of a page take linear time.
"""

import re

from libc.string cimport memcmp, strlen
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlNode

from ._mathml cimport write_latex
from ..document._nodes cimport attribute_of, first_element, is_named, next_element, text_of

cdef enum:
    MAX_LATEX_BYTES = 8192      # a longer one is no formula
    MAX_CHILDREN = 4            # that are looked at
    MAX_LEVELS = 3              # from the outermost element of a formula to its math
    MAX_SIBLINGS = 3            # from MathJax's output to its script

cdef object IS_LATEX = re.compile(rb"(?:.*[/-])?(?:la)?tex", re.IGNORECASE).fullmatch
cdef object IS_SCRIPT = re.compile(rb"\s*math/tex\s*(?:;|$)", re.IGNORECASE).match
cdef object COMMENT = re.compile(rb"(?<!\\)((?:\\\\)*)%[^\n]*\n?").sub
cdef object BLANKS = re.compile(rb"\s+").sub
cdef object DOLLAR = re.compile(rb"(\\.)|\$").sub
# As MediaWiki and some authors wrap a formula.
cdef object STYLED = re.compile(rb"\{\\(?:displaystyle|textstyle)\s+(.*)\}", re.DOTALL).fullmatch
cdef list DELIMITERS = [(b"$$", b"$$"), (b"$", b"$"), (b"\\(", b"\\)"), (b"\\[", b"\\]")]


cdef inline bint begins(const unsigned char* s, int size, const char* word) noexcept:
    cdef size_t length = strlen(word)
    return <size_t>size >= length and memcmp(s, word, length) == 0


cdef int formula_class(const unsigned char* s, int size) noexcept:
    """What the token of a class says."""
    if size == 5 and (begins(s, size, b"katex") or begins(s, size, b"latex")):
        return HOLDS_MATH if s[0] == b"k" else IS_PICTURE
    if begins(s, size, b"MathJax") or begins(s, size, b"MJXc-display"):
        return IS_RENDERING
    if begins(s, size, b"mwe-math-"):
        return IS_PICTURE if begins(s, size, b"mwe-math-fallback") else HOLDS_MATH
    return IS_PICTURE if size == 3 and begins(s, size, b"tex") else NO_FORMULA


cdef bytes read_formula(xmlNode* node, int kind):
    """The formula of an element in dollars; empty if another element has it; or `None`."""
    cdef xmlNode* math
    if kind == IS_PICTURE:
        if not is_named(node, b"img"):
            return None
        display = b"display" in attribute_of(node, b"class")
        return in_dollars(attribute_of(node, b"alt"), display)
    if kind == IS_RENDERING and has_script(node):
        return b""
    math = find_math(node, 0)
    if not math:
        return None
    latex = latex_of(math)
    display = attribute_of(math, b"display") == b"block" or attribute_of(node, b"display") == b"true"
    return in_dollars(latex, display) if latex is not None else None


cdef bytes read_script(xmlNode* node, bytes type):
    """The formula of a script of MathJax 2; `None` for other scripts."""
    if IS_SCRIPT(type) is None:
        return None
    return in_dollars(text_of(node, MAX_LATEX_BYTES), b"display" in type)


cdef bint has_script(xmlNode* node):
    for _ in range(MAX_SIBLINGS):
        node = next_element(node)
        if not node:
            return False
        if is_named(node, b"script"):
            return IS_SCRIPT(attribute_of(node, b"type")) is not None
    return False


cdef xmlNode* find_math(xmlNode* node, int level) noexcept:
    cdef xmlNode* found
    cdef int seen = 0
    if is_named(node, b"math"):
        return node
    if level == MAX_LEVELS:
        return NULL
    node = first_element(node)
    while node and seen < MAX_CHILDREN:
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
        while child and seen < MAX_CHILDREN:
            if is_named(child, b"annotation") and IS_LATEX(attribute_of(child, b"encoding")) is not None:
                return text_of(child, MAX_LATEX_BYTES)
            child = next_element(child)
            seen += 1
    latex = attribute_of(math, b"data-latex")
    if latex:
        return latex
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
    for opening, closing in DELIMITERS:
        if latex.startswith(opening) and latex.endswith(closing) and len(latex) > 2 * len(opening):
            latex = latex[len(opening):len(latex) - len(closing)].strip()
            display = display or opening in (b"$$", b"\\[")
            break
    styled = STYLED(latex)
    if styled is not None and is_one_group(latex):
        latex = styled[1].strip()
    latex = inner_dollars(latex)
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


cdef bytes inner_dollars(bytes latex):
    """Formulas in a formula's text between other delimiters."""
    cdef list pair = [b"\\)"]
    if b"$" not in latex:
        return latex

    def replace(match):
        if match[1] is not None:
            return match[1]
        pair.append(b"\\(" if pair[len(pair) - 1] == b"\\)" else b"\\)")
        return pair[len(pair) - 1]

    latex = DOLLAR(replace, latex)
    return latex if pair[len(pair) - 1] == b"\\)" else latex + b"\\)"


def formula_of(_Element element not None, str name):
    """The formula of an element with the class *name*, or of a ``math`` or ``script``.

    Empty if a script has it, ``None`` if it is none. For the tests' twin of the walk.
    """
    cdef bytes token = name.encode()
    if is_named(element._c_node, b"script"):
        return read_script(element._c_node, attribute_of(element._c_node, b"type").strip().lower())
    kind = formula_class(token, <int>len(token))
    if kind == NO_FORMULA and is_named(element._c_node, b"math"):
        kind = HOLDS_MATH
    return read_formula(element._c_node, kind) if kind else None
