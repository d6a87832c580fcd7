"""The records of a document; schema.py names the same fields in the same order."""

from cpython.buffer cimport PyBUF_STRIDED_RO, PyBuffer_Release, PyObject_GetBuffer
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


# The columns of a document's tables, in the order of the records' fields.

ctypedef const int32_t* Column


cdef struct ElementColumns:
    Column tag, parent, depth, end, flags, owner, link, item, cell
    Column first_block, end_block, first_run, end_run, code
    Column first_attribute, first_token


cdef struct BlockColumns:
    Column element, first_run, end_run, start, end, flags, item, cell
    Column chars, words, cjk, linked_chars, linked_words, strong_words
    Column sentences, commas, digits, capitals, line, place, end_place


cdef struct RunColumns:
    Column kind, element, block, start, end, words, place


cdef struct AttributeColumns:
    Column name, element, start, end


cdef struct TokenColumns:
    Column attribute, element, start, end


cdef struct LineColumns:
    Column text, code


cdef struct Tables:
    ElementColumns elements
    BlockColumns blocks
    RunColumns runs
    AttributeColumns attributes
    TokenColumns tokens
    LineColumns lines
    int n_elements, n_blocks, n_runs, n_attributes, n_tokens, n_lines


cdef inline int find_columns(object table, Column* columns) except -1:
    """Point *columns* to the rows of *table*, a matrix of int32; return their length.

    By the buffer protocol: a typed memoryview adds 130 kB of code to each module.
    """
    cdef Py_buffer view
    cdef Py_ssize_t k
    cdef int length
    PyObject_GetBuffer(table, &view, PyBUF_STRIDED_RO)
    if view.ndim != 2 or view.itemsize != sizeof(int32_t):
        PyBuffer_Release(&view)
        raise ValueError("columns of int32 expected")
    length = <int>view.shape[1]
    for k in range(view.shape[0]):
        columns[k] = <Column>(<const char*>view.buf + k * view.strides[0]) if length else NULL
    PyBuffer_Release(&view)
    return length


cdef inline int read_tables(object document, Tables* tables) except -1:
    """The columns of *document*, which must outlive them.

    One buffer a table: one for each of the 54 columns took a fifth of a small page's time.
    """
    elements, blocks, runs, attributes, tokens, lines = document.tables
    tables.n_elements = find_columns(elements, <Column*>&tables.elements)
    tables.n_blocks = find_columns(blocks, <Column*>&tables.blocks)
    tables.n_runs = find_columns(runs, <Column*>&tables.runs)
    tables.n_attributes = find_columns(attributes, <Column*>&tables.attributes)
    tables.n_tokens = find_columns(tokens, <Column*>&tables.tokens)
    tables.n_lines = find_columns(lines, <Column*>&tables.lines)


cdef enum RunKind:
    RUN_TEXT, RUN_BREAK, RUN_IMAGE, RUN_MEDIA, RUN_RULE, RUN_HEAD


# Of the bits of ``flags`` those that compiled modules read.
cdef enum:
    HIDDEN = 1 << 0
    PRE = 1 << 1
    CODE = 1 << 4
    STRONG = 1 << 5
    WORDLESS = 1 << 16
    IS_FORMULA = 1 << 18
    HEADING_SHIFT = 20
    FORMULA_SHIFT = 28  # of what a class says of formulas, until the element is read


cdef inline void find_larger(
    Column parent, Column first_block, Column end_block, int n, int32_t* larger
) noexcept:
    """The nearest ancestor of each element that has more blocks; -1 for none."""
    cdef int i, p
    for i in range(n):
        larger[i] = p = parent[i]
        if p >= 0 and first_block[p] == first_block[i] and end_block[p] == end_block[i]:
            larger[i] = larger[p]


cdef inline int last_character(const unsigned char* text, int start, int stop) noexcept:
    """The end of a block: 1 a sentence mark, 2 a colon, 3 an ellipsis, else 0.

    Closing quotation marks and brackets are skipped.
    """
    cdef int k = stop - 1
    cdef unsigned char c
    while k > start and text[k] in (b'"', b")", b"'", b"]"):
        k -= 1
    # Closing quotation marks of three bytes.
    if k - 2 > start and text[k - 2] == 0xE2 and text[k - 1] == 0x80 and text[k] in (0x99, 0x9D):
        k -= 3
    c = text[k]
    if c == b"." or c == b"!" or c == b"?":
        return 3 if k > start and text[k - 1] == b"." and c == b"." else 1
    if c == b":":
        return 2
    if k > start and (text[k - 1] == 0xD8 and c == 0x9F or text[k - 1] == 0xDB and c == 0x94):
        return 1
    if k - 2 < start:
        return 0
    if text[k - 2] == 0xE2 and text[k - 1] == 0x80 and c == 0xA6:
        return 3
    if text[k - 2] == 0xE3 and text[k - 1] == 0x80 and c == 0x82:
        return 1
    if text[k - 2] == 0xEF and text[k - 1] == 0xBC:
        return 1 if c == 0x81 or c == 0x9F else 2 if c == 0x9A else 0
