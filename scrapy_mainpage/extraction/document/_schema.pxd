"""The records of a document; schema.py names the same fields in the same order."""

from libc.stdint cimport int32_t


cdef struct Element:
    int32_t tag, parent, depth, end, flags, owner, link, item, cell
    int32_t first_block, end_block, first_run, end_run, code
    int32_t first_attribute, first_token


cdef struct Block:
    int32_t element, first_run, end_run, start, end, flags, item, cell
    int32_t chars, words, cjk, linked_chars, linked_words, strong_words
    int32_t sentences, commas, digits, capitals, line, place, end_place


cdef struct Run:
    int32_t kind, element, block, start, end, words, place


cdef struct Attribute:
    int32_t name, element, start, end


cdef struct Token:
    int32_t attribute, element, start, end


cdef struct Line:
    int32_t text, code


cdef enum RunKind:
    RUN_TEXT, RUN_BREAK, RUN_IMAGE, RUN_MEDIA, RUN_RULE, RUN_HEAD


# Context that elements inherit. The heading level (1 to 6) is in the bits above.
cdef enum:
    HIDDEN = 1 << 0
    PRE = 1 << 1
    QUOTE = 1 << 2
    CAPTION = 1 << 3
    CODE = 1 << 4
    STRONG = 1 << 5
    LIST = 1 << 6
    TABLE = 1 << 7
    NAVIGATION = 1 << 8
    HEADER = 1 << 9
    FOOTER = 1 << 10
    ASIDE = 1 << 11
    MAIN = 1 << 12
    ARTICLE = 1 << 13
    FORM = 1 << 14
    DIALOG = 1 << 15
    WORDLESS = 1 << 16
    NOSCRIPT = 1 << 17
    HEADING_SHIFT = 20
