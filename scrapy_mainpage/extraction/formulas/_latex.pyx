"""Pieces of LaTeX: rows, arguments, scripts, accents, and the fences of matrices."""

import re
from unicodedata import name as name_of, normalize

from .names import (
    ABOVE, BELOW, BINARY, CLOSING, LARGE, LETTER_STYLES, MATRICES, OPENING, SYMBOLS, WIDE,
)

# One character, or one command without arguments: needs no braces.
cdef object SINGLE = re.compile(r"\\?[^\\{}]|\\[A-Za-z]+").fullmatch
# A base that takes a script without braces.
cdef object BASE = re.compile(r"\\?[^\\{}]|[0-9.]+|\\[A-Za-z]+(?:\{[^{}]*\})?").fullmatch
cdef object NEEDS_BLANK = re.compile(r"(?:\\[A-Za-z]+|[_^]\w)$").search

cdef enum:
    MAX_COMMAND = 24

cdef str MATRIX = "\\begin{matrix}"
cdef str GENFRAC = "\\genfrac{}{}{0pt}{}"


cdef str join(list parts):
    """The *parts* of a row, with a blank between a command or a script and a letter."""
    cdef str text = "", part
    for part in parts:
        if not text and part.strip() in BINARY:
            part = part.strip()
        if part and part[0].isalnum() and NEEDS_BLANK(text[max(0, len(text) - MAX_COMMAND):]):
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
