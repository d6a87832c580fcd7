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


cdef inline int find_columns(const int32_t[:, ::1] table, Column* columns) noexcept:
    """Point *columns* to the rows of *table*; return their length."""
    cdef Py_ssize_t k
    for k in range(table.shape[0]):
        columns[k] = &table[k, 0] if table.shape[1] else NULL
    return <int>table.shape[1]


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
    return 0


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
