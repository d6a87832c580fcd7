"""Formulas in Markdown: LaTeX without escapes, which cannot become anything else.

Renderers without formulas read what stands between the dollars as Markdown. Blanks, which
mean nothing in LaTeX, keep ``<`` from beginning a tag and brackets from being a link. A
formula that would still do something there, or in a renderer of LaTeX, is text.
"""

import re

from ...text._chars cimport is_ascii_blank, is_letter_or_digit
from ._escaping cimport IN_CELL, IN_HEAD, is_active_code, looks_like_entity, put_text
from ._events cimport Buffer

# Commands that lead or load somewhere, or set attributes (MathJax, KaTeX).
cdef object ACTIVE = re.compile(
    rb"\\(?:href|url|style|class|cssId|data|html[A-Za-z]*|includegraphics|mmlToken|require)(?![A-Za-z])"
).search
cdef object ENVIRONMENT = re.compile(rb"\\begin(\{[A-Za-z]+\*?\})").match

cdef enum:
    NO_PARENTHESIS = 1 << 0     # what was found not to be closed in the rest of a text
    NO_BRACKET = 1 << 1
    NO_DOLLAR = 1 << 2
    NO_DOLLARS = 1 << 3
    NO_ENVIRONMENT = 1 << 4


cdef int put_formula(
    Buffer out, const unsigned char* s, int start, int end, int context, bint in_link,
) except -1:
    """Write a formula with its delimiters."""
    cdef Buffer plain = Buffer()
    cdef int k, dollars = 0
    cdef bint is_text = False
    for k in range(start, end):
        if is_ascii_blank(s[k]) or s[k] < 32:
            plain.put_byte(b" ")
            continue
        is_text = is_text or s[k] == b"`" or (in_link and (s[k] == b"[" or s[k] == b"]"))
        is_text = is_text or (k + 1 < end and (s[k:k + 2] == b"](" or s[k:k + 2] == b"!["))
        is_text = is_text or (s[k] == b'"' and context == IN_HEAD)  # an attribute's end
        if s[k] == b"|" and context >= IN_CELL:
            plain.put_byte(b"\\")
        plain.put_byte(s[k])
        if k + 1 < end and (
            (s[k] == b"<" and (is_letter_or_digit(s[k + 1]) or s[k + 1] in b"/!?"))
            or (s[k] == b"]" and s[k + 1] in b"[:")
            or (s[k] == b"&" and looks_like_entity(s, k, end))
        ):
            plain.put_byte(b" ")
    if not (is_text or is_active_code(plain.bytes, plain.size) or ACTIVE(s[start:end]) is not None):
        return out.put_bytes(plain.bytes, plain.size)
    while 2 * dollars < end - start and s[start + dollars] == b"$":
        dollars += 1
    out.put_object(b"\\$" * dollars)
    put_text(out, s, start + dollars, end - dollars, context, in_link, False, False)
    out.put_object(b"\\$" * dollars)


cdef int put_text_with_formulas(
    Buffer out, bytes text, int start, int end, int context, bint line_start, bint is_last,
) except -1:
    """Write the text of a page whose formulas stand between delimiters."""
    cdef const unsigned char* s = text
    cdef int k = start, stop, missing = 0
    while k < end:
        if s[k] != b"$" and s[k] != b"\\":
            k += 1
            continue
        stop = formula_end(text, k, end, &missing)
        if stop < 0:
            k = -stop
            continue
        if k > start:
            put_text(out, s, start, k, context, False, line_start, False)
        put_formula(out, s, k, stop, context, False)
        line_start = False
        start = k = stop
    if start < end:
        put_text(out, s, start, end, context, False, line_start, is_last)


cdef int formula_end(bytes text, int k, int end, int* missing) except 0:
    """The end of the formula that begins at *k*; else minus the place to go on from."""
    cdef const unsigned char* s = text
    cdef unsigned char after = s[k + 1] if k + 1 < end else b" "
    if s[k] == b"$" and after != b"$":
        return dollar_end(text, k, end, missing)
    if s[k] == b"$":
        return closed_by(text, k, end, b"$$", NO_DOLLARS, missing)
    if after == b"(":
        return closed_by(text, k, end, b"\\)", NO_PARENTHESIS, missing)
    if after == b"[":
        return closed_by(text, k, end, b"\\]", NO_BRACKET, missing)
    found = ENVIRONMENT(text, k, end) if after == b"b" else None
    if found is not None:
        return closed_by(text, k, end, b"\\end" + found[1], NO_ENVIRONMENT, missing)
    return -(k + 2)


cdef int closed_by(bytes text, int k, int end, bytes closing, int bit, int* missing) except 0:
    cdef Py_ssize_t found = -1
    if not missing[0] & bit:
        found = text.find(closing, k + 2, end)
    if found < 0:
        missing[0] |= bit
        return -(k + 2)
    return <int>(found + len(closing))


cdef int dollar_end(bytes text, int k, int end, int* missing) except 0:
    """The end of a formula between single dollars: no blank inside of them, no digit behind."""
    cdef const unsigned char* s = text
    cdef int stop = k + 1
    if missing[0] & NO_DOLLAR or stop >= end or is_ascii_blank(s[stop]):
        return -(k + 1)
    while stop < end and s[stop] != b"$":
        stop += 2 if s[stop] == b"\\" else 1
    if stop >= end:
        missing[0] |= NO_DOLLAR
        return -(k + 1)
    if is_ascii_blank(s[stop - 1]) or (
        stop + 1 < end and (48 <= s[stop + 1] <= 57 or s[stop + 1] == b"$")
    ):
        return -stop
    return stop + 1
