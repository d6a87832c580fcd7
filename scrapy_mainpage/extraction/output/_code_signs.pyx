"""Line numbers of code, and what stands beside code: buttons, the name of the language."""

from libc.stdint cimport int32_t
from libc.string cimport memchr, memcmp

from ...text._chars cimport is_ascii_blank
from ..document._schema cimport PRE, RUN_TEXT
from ._columns cimport CODE_TABLE, MAX_LEVELS_UP, SILENT, Columns, integers

from ..document.tags import ATTRIBUTE_CODES, CODES

cdef int HREF = ATTRIBUTE_CODES["href"]
cdef int TAG_PRE = CODES["pre"], TAG_TABLE = CODES["table"]
cdef int TAG_BUTTON = CODES["button"], TAG_BODY = CODES["body"]

cdef enum:
    MAX_LANGUAGE_BYTES = 24
    MAX_FRAME_LEVELS = 3     # around a code block
    MAX_FRAME_BLOCKS = 3     # beside the code
    MAX_NUMBER_BYTES = 12

cdef list NUMBER_NAMES = [b"lineno", b"linenum", b"gutter", b"blobnum", b"crayonnum", b"hljsln"]
cdef list NUMBER_TOKENS = [b"ln", b"lnt"]
cdef list CODE_NAMES = [b"code", b"source"]
cdef list LANGUAGE_NAMES = [b"language", b"codelang"]
cdef list LANGUAGE_TOKENS = [b"lang"]
cdef list COPY_NAMES = [b"clipboard", b"copybtn", b"copybutton", b"copycode", b"codecopy", b"btncopy"]
cdef list BUTTON_TOKENS = [b"btn", b"button", b"copy"]


cdef bytearray find_code(Columns d):
    """Silence what stands beside code.

    Returns per element the outermost element of the code that it stands in, or -1; nothing
    for a page without code.
    """
    cdef bint has_code = False
    cdef bytearray memory
    cdef int32_t* code
    cdef int i, k
    for i in range(d.n_elements):
        if d.elements.tag[i] == TAG_PRE:
            has_code = True
            if d.elements.parent[i] < 0 or not d.elements.flags[d.elements.parent[i]] & PRE:
                read_lines(d, i)
    for k in range(d.n_blocks):
        if d.blocks.cell[k] >= 0 and 48 <= d.text[d.blocks.start[k]] <= 57 and read_gutter(d, k):
            has_code = True
    if not has_code:
        return None
    memory = bytearray(4 * d.n_elements)
    code = integers(memory)
    for i in range(d.n_elements):
        k = d.elements.parent[i]
        code[i] = code[k] if k >= 0 else -1
        if code[i] < 0 and (d.elements.tag[i] == TAG_PRE or d.markup[i] == CODE_TABLE):
            code[i] = i
            read_frame(d, i)
    return memory


cdef int read_lines(Columns d, int pre) except -1:
    """Silence the numbers of lines inside of preformatted code."""
    cdef int k
    for k in range(d.elements.first_run[pre], d.elements.end_run[pre]):
        if d.runs.kind[k] == RUN_TEXT and is_number(d, d.runs.start[k], d.runs.end[k]):
            if d.is_named(d.runs.element[k], pre, NUMBER_NAMES, NUMBER_TOKENS):
                d.role[k] = SILENT
    for k in range(pre + 1, d.elements.end[pre]):
        if d.elements.tag[k] == TAG_BUTTON:
            d.silence(k)
            read_toolbar(d, d.elements.parent[k], pre)


cdef int read_toolbar(Columns d, int bar, int pre) noexcept:
    """Silence a short word that shares a box with a button inside of code: its language."""
    cdef int k, first = d.elements.first_block[bar], end = d.elements.end_block[bar]
    cdef int all_blocks = d.elements.end_block[pre] - d.elements.first_block[pre]
    if end - first > MAX_FRAME_BLOCKS or end - first >= all_blocks:
        return 0
    for k in range(first, end):
        if d.blocks.end[k] - d.blocks.start[k] <= MAX_LANGUAGE_BYTES and not memchr(
            d.text + d.blocks.start[k], b" ", d.blocks.end[k] - d.blocks.start[k]
        ):
            d.silence_block(k)


cdef bint is_number(Columns d, int start, int end) noexcept:
    """Whether a text is one number, with blanks around it."""
    cdef int k, digits = 0
    if end - start > MAX_NUMBER_BYTES:
        return False
    for k in range(start, end):
        if 48 <= d.text[k] <= 57:
            digits += 1
        elif not is_ascii_blank(d.text[k]):
            return False
    return digits > 0


cdef int count_up(Columns d, int block) noexcept:
    """The count of a block's numbers, if each is the one before plus one; else 0."""
    cdef int k = d.blocks.start[block], end = d.blocks.end[block]
    cdef int number, last = -1, count = 0
    while k < end:
        if not 48 <= d.text[k] <= 57:
            return 0
        number = 0
        while k < end and 48 <= d.text[k] <= 57 and number < 100000000:
            number = 10 * number + d.text[k] - 48
            k += 1
        if (last >= 0 and number != last + 1) or (k < end and not is_ascii_blank(d.text[k])):
            return 0
        last = number
        count += 1
        while k < end and is_ascii_blank(d.text[k]):
            k += 1
    return count


cdef int read_gutter(Columns d, int block) except -1:
    """Silence a cell of numbers that count the lines of code in the next cell.

    Returns whether their table is now one of code.
    """
    cdef int count = count_up(d, block), cell = d.blocks.cell[block], k
    cdef int row = d.elements.parent[cell], table = row
    cdef bint named
    if not count or row < 0 or d.elements.end[cell] >= d.elements.end[row]:
        return 0
    named = d.is_named(d.runs.element[d.blocks.first_run[block]], cell, NUMBER_NAMES, NUMBER_TOKENS)
    k = d.elements.end_block[cell]
    if k >= d.elements.end_block[row] or (count < 2 and not named):
        return 0
    if d.elements.flags[d.blocks.element[k]] & PRE or (
        named and d.is_named(d.blocks.element[k], d.blocks.cell[k], CODE_NAMES, [])
    ):
        d.silence_block(block)
        while table >= 0 and d.elements.tag[table] != TAG_TABLE:
            table = d.elements.parent[table]
        if table >= 0:
            d.markup[table] = CODE_TABLE
            return True


cdef int read_frame(Columns d, int code) except -1:
    """Silence buttons, line numbers and the language's name beside code."""
    cdef int inside = code, around, k = d.elements.first_block[code] - 1
    if k >= 0 and d.blocks.end[k] - d.blocks.start[k] <= MAX_LANGUAGE_BYTES:
        around = d.runs.element[d.blocks.first_run[k]]
        if not leads_on(d, around) and d.is_named(around, d.elements.parent[around], COPY_NAMES, []):
            d.silence_block(k)  # wherever it stands
    for _ in range(MAX_FRAME_LEVELS):
        around = d.elements.parent[inside]
        if around < 0 or d.elements.tag[around] == TAG_BODY or (
            d.elements.end_block[around] - d.elements.first_block[around]
            - d.elements.end_block[code] + d.elements.first_block[code] > MAX_FRAME_BLOCKS
        ):
            return 0
        for k in range(d.elements.first_block[around], d.elements.end_block[around]):
            if not d.elements.first_block[inside] <= k < d.elements.end_block[inside]:
                read_beside(d, k, around)
        inside = around


cdef bint leads_on(Columns d, int i) noexcept:
    """Whether an element is in a link to a page, not to a script."""
    cdef int k = d.find(d.elements.link[i], HREF), start = d.attributes.start[k] if k >= 0 else 0
    return k >= 0 and d.attributes.end[k] > start and d.values[start] != b"#" and not (
        d.attributes.end[k] - start > 10 and memcmp(d.values + start, b"javascript", 10) == 0
    )


cdef int read_beside(Columns d, int block, int frame) except -1:
    cdef int i = d.runs.element[d.blocks.first_run[block]]
    cdef int size = d.blocks.end[block] - d.blocks.start[block]
    cdef int below = i
    for _ in range(MAX_LEVELS_UP):
        if below < 0 or d.elements.parent[below] == frame or below == frame:
            break
        if d.elements.tag[below] == TAG_BUTTON:
            break
        below = d.elements.parent[below]
    if below < 0 or below == frame:
        return 0
    if (
        d.elements.tag[below] == TAG_BUTTON
        or count_up(d, block) > 1
        or (count_up(d, block) and d.is_named(i, below, NUMBER_NAMES, NUMBER_TOKENS))
        or (
            size <= MAX_LANGUAGE_BYTES and not leads_on(d, i)
            and d.is_named(i, below, COPY_NAMES, BUTTON_TOKENS)
        )
        or (
            size <= MAX_LANGUAGE_BYTES
            and not memchr(d.text + d.blocks.start[block], b" ", size)
            and d.is_named(i, below, LANGUAGE_NAMES, LANGUAGE_TOKENS)
        )
    ):
        d.silence_block(block)
