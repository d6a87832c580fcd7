"""The compiled part of the output: runs of the main content, events, Markdown, HTML.

One module of several parts. `_signs.pxi` and the four parts before it find signs in the
text that are no words of it, `_text.pxi` writes plain text. `_main_tree.pxi` finds the parts of the tree that belong
to the main content, `_events.pxi` reads them as a balanced stream of events, `_html.pxi`
and `_markdown.pxi` write that stream.
"""

import re
from bisect import bisect_left
from unicodedata import category

import numpy as np

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_ISALPHA
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy, memset, strcmp, strlen, strstr

from ..document._schema cimport HEADING_SHIFT, Column, Tables, find_columns, read_tables

from ..document.tags import ATTRIBUTE_CODES, CODES, TAGS

cdef int ALT = ATTRIBUTE_CODES["alt"], TITLE = ATTRIBUTE_CODES["title"]
cdef int LANG = ATTRIBUTE_CODES["lang"], START = ATTRIBUTE_CODES["start"]
cdef int COLSPAN = ATTRIBUTE_CODES["colspan"], ROWSPAN = ATTRIBUTE_CODES["rowspan"]
cdef int DATETIME = ATTRIBUTE_CODES["datetime"]

include "_buffer.pxi"
include "_attributes.pxi"
include "_columns.pxi"
include "_link_signs.pxi"
include "_code_signs.pxi"
include "_tab_signs.pxi"
include "_signs.pxi"
include "_tables.pxi"
include "_text.pxi"
include "_main_tree.pxi"
include "_events.pxi"
include "_html.pxi"
include "_marks.pxi"
include "_escaping.pxi"
include "_paragraph.pxi"
include "_markdown.pxi"
