"""The kinds of main content, by the form and the place of a block."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint64_t

from ...text._chars cimport has_amount
from ..document._schema cimport HEADING_SHIFT, Column, Tables, last_character, read_tables

from ...label import Label
from ..document.schema import Context
from ..document.tags import CODES
from . import CODE
from . import CAPTION, PICTURE

cdef enum:
    # A list item of more blocks is a container: a post, a card.
    MAX_ITEM_BLOCKS = 3
    # A table cell with more words, or with more blocks than one, lays out the page.
    MAX_CELL_WORDS = 50
    MAX_CAPTION_WORDS = 60
    # A button in the main content with no more words opens the text below it.
    MAX_BUTTON_WORDS = 15
    # A price with no more words; a fact, and its label before the colon.
    MAX_PRICE_WORDS = 8
    MAX_FACT_WORDS = 15
    MAX_FACT_LABEL_WORDS = 4

cdef uint8_t HEADING = CODE[Label.HEADING], CODE_BLOCK = CODE[Label.CODE]
cdef uint8_t CAPTIONED = CODE[Label.CAPTION], CELL = CODE[Label.TABLE], ITEM = CODE[Label.LIST]
cdef uint8_t PRICED = CODE[Label.PRICE], FACT = CODE[Label.FACT]
cdef uint8_t QUOTED = CODE[Label.QUOTE], PARAGRAPH = CODE[Label.PARAGRAPH]
cdef int IN_PRE = int(Context.PRE), IN_CAPTION = int(Context.CAPTION), IN_QUOTE = int(Context.QUOTE)
cdef int TAG_BUTTON = CODES["button"]
cdef uint64_t NAMES_CAPTION = 1 << CAPTION, NAMES_PICTURE = 1 << PICTURE


def find_kinds(document, const uint64_t[::1] names not None):
    """The code of each block's kind (uint8); the first condition that holds wins.

    *names* has the bits of the names of each element, as :func:`name_bits` gives them.
    """
    cdef Tables t
    cdef int i, flags, words, item, cell
    read_tables(document, &t)
    if names.shape[0] != t.n_elements:
        raise ValueError("bits for each element")
    result = np.empty(t.n_blocks, np.uint8)
    # Of each element the blocks that it is the list item or the cell of.
    held = np.zeros((2, t.n_elements), np.int32)
    cdef const unsigned char* text = document.text
    cdef uint8_t[::1] kind = result
    cdef int32_t[:, ::1] blocks = held
    for i in range(t.n_blocks):
        if t.blocks.item[i] >= 0:
            blocks[0, t.blocks.item[i]] += 1
        if t.blocks.cell[i] >= 0:
            blocks[1, t.blocks.cell[i]] += 1
    for i in range(t.n_blocks):
        flags, words = t.blocks.flags[i], t.blocks.words[i]
        item, cell = t.blocks.item[i], t.blocks.cell[i]
        if flags >> HEADING_SHIFT:
            kind[i] = HEADING
        elif flags & IN_PRE:
            kind[i] = CODE_BLOCK
        elif flags & IN_CAPTION or (
            words <= MAX_CAPTION_WORDS
            and names_caption(&names[0], t.elements.parent, t.blocks.element[i])
        ):
            kind[i] = CAPTIONED
        elif cell >= 0 and blocks[1, cell] == 1 and words <= MAX_CELL_WORDS:
            kind[i] = CELL
        elif words <= MAX_PRICE_WORDS and has_amount(text, t.blocks.start[i], t.blocks.end[i]):
            kind[i] = PRICED
        elif item >= 0 and blocks[0, item] <= MAX_ITEM_BLOCKS:
            kind[i] = ITEM
        elif flags & IN_QUOTE:
            kind[i] = QUOTED
        elif words <= MAX_FACT_WORDS and _is_fact(text, t.blocks.start[i], t.blocks.end[i]):
            kind[i] = FACT
        elif t.elements.tag[t.blocks.element[i]] == TAG_BUTTON and words <= MAX_BUTTON_WORDS:
            kind[i] = HEADING
        else:
            kind[i] = PARAGRAPH
    return result


cdef inline bint names_caption(const uint64_t* names, Column parent, int i) noexcept:
    """Whether an element or its parent names itself a caption, or one more a picture."""
    cdef int above = max(parent[i], 0)
    cdef uint64_t own = names[i] | names[above]
    cdef uint64_t around = own | names[max(parent[above], 0)]
    return own & NAMES_CAPTION or around & NAMES_PICTURE


cdef bint _is_fact(const unsigned char* text, int k, int stop) noexcept:
    """Whether a short text is a label, a colon and a value: opening hours, a condition."""
    cdef int words = 1
    if last_character(text, k, stop):
        return False  # a sentence, or the line above a list
    while k < stop and words <= MAX_FACT_LABEL_WORDS:
        if text[k] == b":":
            # A blank or line break, and then more: no clock, address or verse.
            return k + 2 < stop and text[k + 1] <= 32
        if text[k] == 0xEF and k + 3 < stop and text[k + 1] == 0xBC and text[k + 2] == 0x9A:
            return True  # full-width
        if text[k] == b"." or text[k] == b"?" or text[k] == b"!":
            return False
        words += text[k] <= 32
        k += 1
    return False
