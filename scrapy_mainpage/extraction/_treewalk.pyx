"""One read-only pass over an lxml tree's C nodes, giving a document's flat arrays.

The walk is iterative (no depth can overflow a stack), creates no Python object per
node, and never writes to the tree. :mod:`scrapy_mainpage.extraction.document` gives
the arrays their names; :mod:`scrapy_mainpage.extraction.tags` the vocabulary.
"""

import numpy as np

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_ISUPPER
from libc.stdint cimport int32_t, uint32_t, uintptr_t
from libc.string cimport memcpy, memset, strlen, strncmp, strstr
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from .tags import ATTRIBUTE_CODES, BLOCK_TAGS, CODES, OPAQUE_TAGS, TAGS, WORDLESS_TAGS

cdef extern from "libxml/xmlversion.h":
    const char* LIBXML_DOTTED_VERSION

cdef extern from "lxml-version.h":
    const char* LXML_VERSION_STRING

BUILT_FOR_LXML = (<bytes>LXML_VERSION_STRING).decode()
BUILT_FOR_LIBXML = (<bytes>LIBXML_DOTTED_VERSION).decode()

# The order of the fields is that of the named tuples in document.py.
cdef enum:
    E_TAG, E_PARENT, E_DEPTH, E_END, E_FLAGS, E_OWNER, E_LINK, E_ITEM, E_CELL
    E_FIRST_BLOCK, E_END_BLOCK, E_FIRST_RUN, E_END_RUN, E_CODE
    E_FIRST_ATTRIBUTE, E_FIRST_TOKEN, E_FIELDS

cdef enum:
    B_ELEMENT, B_FIRST_RUN, B_END_RUN, B_START, B_END, B_FLAGS, B_ITEM, B_CELL
    B_CHARS, B_WORDS, B_CJK, B_LINKED_CHARS, B_LINKED_WORDS, B_STRONG_WORDS
    B_SENTENCES, B_COMMAS, B_DIGITS, B_CAPITALS, B_LINE, B_PLACE, B_END_PLACE, B_FIELDS

cdef enum:
    R_KIND, R_ELEMENT, R_BLOCK, R_START, R_END, R_WORDS, R_PLACE, R_FIELDS

cdef enum:
    A_NAME, A_ELEMENT, A_START, A_END, A_FIELDS

cdef enum:
    T_ATTRIBUTE, T_ELEMENT, T_START, T_END, T_FIELDS

cdef enum:
    L_TEXT, L_CODE, L_FIELDS

cdef enum:
    RUN_TEXT, RUN_BREAK, RUN_IMAGE, RUN_MEDIA, RUN_RULE, RUN_HEAD

# Context that elements inherit; document.py names the same bits. The heading level
# (1 to 6) stands above them.
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
    HEADING_SHIFT = 20

cdef enum:
    INLINE, BLOCK, OPAQUE

TAG_FLAGS = {
    "pre": PRE, "listing": PRE, "xmp": PRE, "blockquote": QUOTE,
    "figcaption": CAPTION, "caption": CAPTION,
    "code": CODE, "kbd": CODE, "samp": CODE, "tt": CODE,
    "b": STRONG, "strong": STRONG, "ul": LIST, "ol": LIST, "dl": LIST, "menu": LIST,
    "table": TABLE, "nav": NAVIGATION, "header": HEADER, "footer": FOOTER,
    "aside": ASIDE, "main": MAIN, "article": ARTICLE, "form": FORM, "search": FORM,
    "button": FORM, "dialog": DIALOG,
    **{name: WORDLESS for name in WORDLESS_TAGS},
    **{f"h{level}": level << HEADING_SHIFT for level in range(1, 7)},
}
ROLE_FLAGS = {
    b"navigation": NAVIGATION, b"banner": HEADER, b"contentinfo": FOOTER,
    b"complementary": ASIDE, b"main": MAIN, b"article": ARTICLE, b"form": FORM,
    b"search": FORM, b"dialog": DIALOG, b"alertdialog": DIALOG,
    b"list": LIST, b"table": TABLE,
}
VOID_TAGS = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param "
    "source track wbr".split()
)

cdef int N_TAGS = len(TAGS)
cdef int[256] CATEGORY
cdef int[256] FLAGS_OF
cdef int[256] VOID
cdef int[256] CHARACTER
cdef int TAG_A = CODES["a"], TAG_BR = CODES["br"], TAG_HR = CODES["hr"]
cdef int TAG_IMG = CODES["img"], TAG_IFRAME = CODES["iframe"], TAG_EMBED = CODES["embed"]
cdef int TAG_VIDEO = CODES["video"], TAG_AUDIO = CODES["audio"]
cdef int TAG_OBJECT = CODES["object"], TAG_TITLE = CODES["title"]
cdef int TAG_SCRIPT = CODES["script"], TAG_LI = CODES["li"], TAG_DT = CODES["dt"]
cdef int TAG_DD = CODES["dd"], TAG_TD = CODES["td"], TAG_TH = CODES["th"]
cdef int ATTR_CLASS = ATTRIBUTE_CODES["class"], ATTR_ID = ATTRIBUTE_CODES["id"]
cdef int ATTR_ROLE = ATTRIBUTE_CODES["role"], ATTR_HREF = ATTRIBUTE_CODES["href"]
cdef int ATTR_TYPE = ATTRIBUTE_CODES["type"]
cdef int ATTR_STYLE = len(ATTRIBUTE_CODES), ATTR_HIDDEN = len(ATTRIBUTE_CODES) + 1
ATTRIBUTE_NAMES = {**ATTRIBUTE_CODES, "style": ATTR_STYLE, "hidden": ATTR_HIDDEN}

# An attribute value longer than this (a data: URL, an inlined state) is not kept.
cdef size_t LONGEST_VALUE = 8192
cdef int LONGEST_STYLE = 1024

cdef enum:
    C_OTHER, C_SPACE, C_LETTER, C_CAPITAL, C_DIGIT, C_SENTENCE, C_COMMA, C_CLOSING, C_DROP
    C_CJK, C_CJK_SENTENCE


cdef void _fill_tables():
    cdef int code
    for name, code in CODES.items():
        CATEGORY[code] = (
            BLOCK if name in BLOCK_TAGS else OPAQUE if name in OPAQUE_TAGS else INLINE
        )
        FLAGS_OF[code] = TAG_FLAGS.get(name, 0)
        VOID[code] = name in VOID_TAGS
    for code in range(256):
        character = chr(code)
        CHARACTER[code] = (
            C_SPACE if character in "\t\n\f\r " else
            C_DROP if code < 32 or code == 127 else
            C_CAPITAL if "A" <= character <= "Z" else
            C_LETTER if "a" <= character <= "z" or character == "_" else
            C_DIGIT if "0" <= character <= "9" else
            C_SENTENCE if character in ".!?" else
            C_COMMA if character == "," else
            C_CLOSING if character in "\"')]" else
            C_OTHER
        )


_fill_tables()


cdef inline int _classify(uint32_t c) noexcept:
    """The class of a character beyond ASCII."""
    if c < 0x3000:
        if c == 0xA0 or c == 0x85 or c == 0x1680 or 0x2000 <= c <= 0x200A:
            return C_SPACE
        if c == 0x2028 or c == 0x2029 or c == 0x202F or c == 0x205F:
            return C_SPACE
        if c == 0xAD or c < 0xA0:
            return C_DROP
        if c == 0x2026 or c == 0x061F or c == 0x06D4 or 0x203C == c or 0x2047 <= c <= 0x2049:
            return C_SENTENCE
        if c == 0x0964 or c == 0x0965 or c == 0x0589 or c == 0x1362:
            return C_SENTENCE
        if c == 0x060C:
            return C_COMMA
        if c == 0xBB or c == 0x2019 or c == 0x201D or c == 0x203A:
            return C_CLOSING
        if 0x1100 <= c <= 0x11FF:
            return C_CJK
    else:
        if c == 0x3000:
            return C_SPACE
        if c == 0xFEFF:
            return C_DROP
        if c == 0x3002 or c == 0xFF01 or c == 0xFF1F or c == 0xFF0E or c == 0xFF61:
            return C_CJK_SENTENCE
        if c == 0x3001 or c == 0xFF0C:
            return C_COMMA
        if c == 0x300D or c == 0x300F or c == 0xFF09:
            return C_CLOSING
        if is_cjk(c):
            return C_CJK
    if Py_UNICODE_ISALNUM(c):
        return C_CAPITAL if Py_UNICODE_ISUPPER(c) else C_LETTER
    return C_OTHER


cdef inline bint is_cjk(uint32_t c) noexcept:
    """Whether *c* (beyond U+3000) is a Chinese, Japanese or Korean word character."""
    return (
        0x3400 <= c <= 0x4DBF or 0x4E00 <= c <= 0x9FFF or 0xAC00 <= c <= 0xD7A3
        or 0x3041 <= c <= 0x3096 or 0x30A1 <= c <= 0x30FA or 0x30FC <= c <= 0x30FE
        or 0x31F0 <= c <= 0x31FF or 0x3131 <= c <= 0x318E or 0xF900 <= c <= 0xFAFF
        or 0x3005 <= c <= 0x3007 or 0xFF66 <= c <= 0xFF9D or 0x20000 <= c <= 0x3FFFD
    )


cdef inline int _decode(const unsigned char* s, uint32_t* c) noexcept:
    """Decode the character at *s* (a byte >= 0x80); its length, or 0 if malformed."""
    if s[0] >= 0xF0:
        if s[0] < 0xF5 and s[1] & 0xC0 == 0x80 and s[2] & 0xC0 == 0x80 and s[3] & 0xC0 == 0x80:
            c[0] = (s[0] & 0x07) << 18 | (s[1] & 0x3F) << 12 | (s[2] & 0x3F) << 6 | (s[3] & 0x3F)
            return 4 if 0x10000 <= c[0] <= 0x10FFFF else 0
    elif s[0] >= 0xE0:
        if s[1] & 0xC0 == 0x80 and s[2] & 0xC0 == 0x80:
            c[0] = (s[0] & 0x0F) << 12 | (s[1] & 0x3F) << 6 | (s[2] & 0x3F)
            return 3 if c[0] >= 0x800 and not 0xD800 <= c[0] <= 0xDFFF else 0
    elif s[0] >= 0xC2:
        if s[1] & 0xC0 == 0x80:
            c[0] = (s[0] & 0x1F) << 6 | (s[1] & 0x3F)
            return 2
    return 0


cdef inline int _length(const unsigned char* s) noexcept:
    """The number of UTF-8 characters of *s*."""
    cdef int count = 0
    while s[0]:
        count += s[0] & 0xC0 != 0x80
        s += 1
    return count


cdef class _Names:
    """Codes of names, found by the address of the name.

    A document's names are interned by the parser, so that one address stands for one
    name; the first sight of an address asks a dictionary.
    """

    cdef uintptr_t* keys
    cdef int* codes
    cdef int size, used
    cdef dict known
    cdef bint adds

    def __cinit__(self, dict known, bint adds):
        self.known = known
        self.adds = adds
        self.keys = NULL
        self.codes = NULL
        self._allocate(256)

    def __dealloc__(self):
        PyMem_Free(self.keys)
        PyMem_Free(self.codes)

    cdef int _allocate(self, int size) except -1:
        self.keys = <uintptr_t*>PyMem_Malloc(size * sizeof(uintptr_t))
        self.codes = <int*>PyMem_Malloc(size * sizeof(int))
        if not self.keys or not self.codes:
            raise MemoryError
        memset(self.keys, 0, size * sizeof(uintptr_t))
        self.size = size
        self.used = 0
        return 0

    cdef int _grow(self) except -1:
        cdef uintptr_t* keys = self.keys
        cdef int* codes = self.codes
        cdef int size = self.size, i
        try:
            self._allocate(size * 2)
            for i in range(size):
                if keys[i]:
                    self._put(keys[i], codes[i])
        finally:
            PyMem_Free(keys)
            PyMem_Free(codes)
        return 0

    cdef inline int _slot(self, uintptr_t key) noexcept:
        cdef int slot = <int>((key >> 3) * 2654435761u >> 15) & (self.size - 1)
        while self.keys[slot] and self.keys[slot] != key:
            slot = (slot + 1) & (self.size - 1)
        return slot

    cdef void _put(self, uintptr_t key, int code) noexcept:
        cdef int slot = self._slot(key)
        self.keys[slot] = key
        self.codes[slot] = code
        self.used += 1

    cdef int find(self, const unsigned char* name) except -2:
        """The code of *name*; an unknown one gets the next code, or -1."""
        cdef int slot = self._slot(<uintptr_t>name)
        if self.keys[slot]:
            return self.codes[slot]
        text = (<const char*>name).decode("utf-8", "replace")
        code = self.known.get(text)
        if code is None:
            code = self.known.get(text.lower(), -1)
        if code == -1 and self.adds:
            code = self.known[text] = len(self.known)
        if self.used * 2 >= self.size:
            self._grow()
        self._put(<uintptr_t>name, code)
        return code


cdef object _table(int fields, int rows):
    return np.empty((fields, rows), np.int32)


cdef object _grown(table):
    """A copy of *table* with twice the room."""
    fields, rows = table.shape
    if rows > 1 << 29:
        raise ValueError("the tree is too large")
    larger = _table(fields, 2 * rows)
    larger[:, :rows] = table
    return larger


cdef unsigned char* _resized(unsigned char* memory, size_t size) except NULL:
    cdef unsigned char* larger
    if size > 0xFFFFFFF0u:
        raise ValueError("the tree holds more than 2 GiB of text")
    larger = <unsigned char*>PyMem_Realloc(memory, size)
    if not larger:
        raise MemoryError
    return larger


cdef class _Walk:
    cdef _Names tags, attributes
    cdef object e_array, b_array, r_array, a_array, t_array, l_array
    cdef int32_t[:, ::1] e, b, r, a, t, l
    cdef unsigned char* text     # the text blocks, one after another, UTF-8
    cdef unsigned char* values   # attribute values and the head's texts, UTF-8
    cdef int n_text, n_values, n_e, n_b, n_r, n_a, n_t, n_l
    cdef int block               # the open block, or -1
    cdef size_t text_room, values_room
    cdef int indent              # blanks kept for a preformatted block not open yet
    cdef int place               # tags and texts so far
    cdef bint in_word, ended, line_ended
    cdef int sentence            # a sentence mark waits for what follows it

    def __cinit__(self):
        self.text = NULL
        self.values = NULL

    def __dealloc__(self):
        PyMem_Free(self.text)
        PyMem_Free(self.values)

    def __init__(self):
        self.tags = _Names(dict(CODES), True)
        self.attributes = _Names(ATTRIBUTE_NAMES, False)
        self.block = -1
        self.e_array, self.b_array = _table(E_FIELDS, 1024), _table(B_FIELDS, 256)
        self.r_array, self.a_array = _table(R_FIELDS, 512), _table(A_FIELDS, 1024)
        self.t_array, self.l_array = _table(T_FIELDS, 1024), _table(L_FIELDS, 512)
        self.e, self.b, self.r = self.e_array, self.b_array, self.r_array
        self.a, self.t, self.l = self.a_array, self.t_array, self.l_array
        self.reserve_text(16384)
        self.reserve_value(16384)

    cdef int reserve_nodes(self) except -1:
        """Make room for one more of everything that one node can add."""
        if self.n_e == self.e.shape[1]:
            self.e_array = _grown(self.e_array)
            self.e = self.e_array
        if self.n_b == self.b.shape[1]:
            self.b_array = _grown(self.b_array)
            self.b = self.b_array
        if self.n_r == self.r.shape[1]:
            self.r_array = _grown(self.r_array)
            self.r = self.r_array
        if self.n_l + 1 >= self.l.shape[1]:
            self.l_array = _grown(self.l_array)
            self.l = self.l_array
        return 0

    cdef int reserve_text(self, size_t length) except -1:
        """Make room for *length* bytes of text, a line break and a look-ahead."""
        if self.n_text + self.indent + length + 8 > self.text_room:
            self.text_room = 2 * (self.n_text + self.indent + length + 8)
            self.text = _resized(self.text, self.text_room)
        return 0

    cdef int reserve_value(self, size_t length) except -1:
        """Make room for an attribute of *length* bytes, or a head text."""
        if self.n_values + length + 8 > self.values_room:
            self.values_room = 2 * (self.n_values + length + 8)
            self.values = _resized(self.values, self.values_room)
        if self.n_a == self.a.shape[1]:
            self.a_array = _grown(self.a_array)
            self.a = self.a_array
        while self.n_t + <int>(length // 2) + 1 > self.t.shape[1]:
            self.t_array = _grown(self.t_array)
            self.t = self.t_array
        return 0

    cdef int walk(self, xmlNode* root) except -1:
        cdef xmlNode* node = root
        cdef int element = -1
        cdef bint descend
        self._new_line()
        while node:
            self.reserve_nodes()
            descend = False
            if node.type == tree.XML_ELEMENT_NODE:
                descend = self.enter(node, element)
                if descend and node.children:
                    element = self.n_e - 1
                    node = node.children
                    continue
                self.leave(node, self.n_e - 1)
            elif node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE:
                if node.content:
                    self.add_text(node.content, element)
            elif node.type == tree.XML_ENTITY_REF_NODE:
                self.add_entity(node.name, element)
            while node != root and not node.next:
                node = node.parent
                self.leave(node, element)
                element = self.e[E_PARENT, element]
            node = NULL if node == root else node.next
        self.close_block()
        return 0

    # Elements

    cdef bint enter(self, xmlNode* node, int parent) except -1:
        """Record an element; whether its children are to be walked."""
        cdef int i = self.n_e, tag = self.tags.find(node.name)
        cdef int category = CATEGORY[tag] if tag < N_TAGS else INLINE
        cdef int flags = FLAGS_OF[tag] if tag < N_TAGS else 0
        self.n_e += 1
        self.place += 1
        self.e[E_TAG, i] = tag
        self.e[E_PARENT, i] = parent
        self.e[E_FIRST_ATTRIBUTE, i] = self.n_a
        self.e[E_FIRST_TOKEN, i] = self.n_t
        self._inherit(i, parent, tag, category)
        self.e[E_CODE, i] = 2 + _length(node.name) + self._read_attributes(node, i, &flags)
        if category == BLOCK or tag == TAG_HR:
            self.close_block()
            self._new_line()
            self.line_ended = False
        if flags >> HEADING_SHIFT:
            self.e[E_FLAGS, i] &= (1 << HEADING_SHIFT) - 1
        self.e[E_FLAGS, i] |= flags
        self.e[E_FIRST_BLOCK, i] = self.n_b
        self.e[E_FIRST_RUN, i] = self.n_r
        if tag != TAG_SCRIPT:
            self.l[L_CODE, self.n_l - 1] += self.e[E_CODE, i]
        if tag == TAG_BR:
            self._break_line(i)
        elif tag == TAG_IMG:
            self._add_run(RUN_IMAGE, i, self.n_text)
        elif tag == TAG_HR:
            self._add_run(RUN_RULE, i, self.n_text)
        elif tag == TAG_IFRAME or tag == TAG_EMBED or tag == TAG_VIDEO or tag == TAG_AUDIO or tag == TAG_OBJECT:
            self._add_run(RUN_MEDIA, i, self.n_text)
        elif tag == TAG_TITLE or (tag == TAG_SCRIPT and self._is_json_ld(i)):
            self._add_head_text(node, i)
        return category != OPAQUE

    cdef void _inherit(self, int i, int parent, int tag, int category) noexcept:
        cdef bint root = parent < 0
        self.e[E_DEPTH, i] = 0 if root else self.e[E_DEPTH, parent] + 1
        self.e[E_FLAGS, i] = 0 if root else self.e[E_FLAGS, parent]
        self.e[E_LINK, i] = -1 if root else self.e[E_LINK, parent]
        self.e[E_OWNER, i] = i if root or category == BLOCK else self.e[E_OWNER, parent]
        if tag == TAG_LI or tag == TAG_DT or tag == TAG_DD:
            self.e[E_ITEM, i] = i
        else:
            self.e[E_ITEM, i] = -1 if root else self.e[E_ITEM, parent]
        if tag == TAG_TD or tag == TAG_TH:
            self.e[E_CELL, i] = i
        else:
            self.e[E_CELL, i] = -1 if root else self.e[E_CELL, parent]

    cdef void leave(self, xmlNode* node, int i) noexcept:
        cdef int tag = self.e[E_TAG, i], code
        cdef int category = CATEGORY[tag] if tag < N_TAGS else INLINE
        if category == BLOCK:
            self.close_block()
            self.line_ended = True
        if tag >= N_TAGS or not VOID[tag]:
            self.place += 1
            code = 3 + _length(node.name)
            self.e[E_CODE, i] += code
            if tag != TAG_SCRIPT:
                self.l[L_CODE, self.n_l - 1] += code
        self.e[E_END, i] = self.n_e
        self.e[E_END_BLOCK, i] = self.n_b
        self.e[E_END_RUN, i] = self.n_r

    cdef int _read_attributes(self, xmlNode* node, int i, int* flags) except -1:
        """Keep the attributes of the vocabulary; the characters all of them take."""
        cdef xmlAttr* attribute = node.properties
        cdef const unsigned char* value
        cdef int name, total = 0
        while attribute:
            value = NULL
            if attribute.children and attribute.children.content:
                value = attribute.children.content
            total += 1 + <int>strlen(<char*>attribute.name)
            if value:
                total += 3 + _length(value)
            name = self.attributes.find(attribute.name)
            if name == ATTR_HIDDEN:
                if not value or strncmp(<char*>value, b"until-found", 11) != 0:
                    flags[0] |= HIDDEN
            elif name == ATTR_STYLE:
                if value and _hides(value):
                    flags[0] |= HIDDEN
            elif name >= 0:
                self._keep_attribute(name, i, value, flags)
            attribute = attribute.next
        return total

    cdef int _keep_attribute(self, int name, int i, const unsigned char* value, int* flags) except -1:
        cdef int start = self.n_values
        cdef size_t length = strlen(<char*>value) if value else 0
        if length > LONGEST_VALUE:
            return 0
        self.reserve_value(length)
        self._copy_value(value, length)
        self.a[A_NAME, self.n_a] = name
        self.a[A_ELEMENT, self.n_a] = i
        self.a[A_START, self.n_a] = start
        self.a[A_END, self.n_a] = self.n_values
        self.n_a += 1
        if name == ATTR_HREF and self.e[E_TAG, i] == TAG_A:
            self.e[E_LINK, i] = i
        elif name == ATTR_CLASS or name == ATTR_ID or name == ATTR_ROLE:
            self._split_tokens(name, i, start)
            if name == ATTR_ROLE and self.n_t > self.e[E_FIRST_TOKEN, i]:
                # The first role that is known counts; authors rarely give two.
                flags[0] |= ROLE_FLAGS.get((<const char*>value)[:length].strip().lower(), 0)
        return 0

    cdef void _copy_value(self, const unsigned char* value, size_t length) noexcept:
        memcpy(self.values + self.n_values, value, length)
        self.n_values += <int>length

    cdef void _split_tokens(self, int name, int i, int start) noexcept:
        cdef int k = start, end = self.n_values
        while k < end:
            while k < end and CHARACTER[self.values[k]] == C_SPACE:
                k += 1
            if k == end:
                return
            self.t[T_ATTRIBUTE, self.n_t] = name
            self.t[T_ELEMENT, self.n_t] = i
            self.t[T_START, self.n_t] = k
            while k < end and CHARACTER[self.values[k]] != C_SPACE:
                k += 1
            self.t[T_END, self.n_t] = k
            self.n_t += 1

    cdef bint _is_json_ld(self, int i) except -1:
        cdef int k
        for k in range(self.e[E_FIRST_ATTRIBUTE, i], self.n_a):
            if self.a[A_NAME, k] == ATTR_TYPE:
                value = self.values[self.a[A_START, k]:self.a[A_END, k]]
                return value.strip().lower().startswith(b"application/ld+json")
        return False

    cdef int _add_head_text(self, xmlNode* node, int i) except -1:
        """Keep a title's or a script's text; it is no part of the text blocks."""
        cdef int start = self.n_values
        cdef xmlNode* child = node.children
        cdef size_t length
        while child:
            if (child.type == tree.XML_TEXT_NODE or child.type == tree.XML_CDATA_SECTION_NODE) and child.content:
                length = strlen(<char*>child.content)
                self.reserve_value(length)
                self._copy_value(child.content, length)
            child = child.next
        self._add_run(RUN_HEAD, i, start)
        self.r[R_END, self.n_r - 1] = self.n_values
        self.r[R_BLOCK, self.n_r - 1] = -1
        return 0

    # Runs, lines, blocks

    cdef void _add_run(self, int kind, int element, int start) noexcept:
        self.r[R_KIND, self.n_r] = kind
        self.r[R_ELEMENT, self.n_r] = element
        self.r[R_BLOCK, self.n_r] = self.block
        self.r[R_START, self.n_r] = start
        self.r[R_END, self.n_r] = start
        self.r[R_WORDS, self.n_r] = 0
        self.r[R_PLACE, self.n_r] = self.place
        self.n_r += 1

    cdef void _new_line(self) noexcept:
        if self.n_l and not self.l[L_TEXT, self.n_l - 1] and not self.l[L_CODE, self.n_l - 1]:
            return
        self.l[L_TEXT, self.n_l] = 0
        self.l[L_CODE, self.n_l] = 0
        self.n_l += 1

    cdef void open_block(self, int element) noexcept:
        cdef int i = self.n_b, field
        if self.line_ended:
            self._new_line()
            self.line_ended = False
        for field in range(B_FIELDS):
            self.b[field, i] = 0
        self.b[B_ELEMENT, i] = self.e[E_OWNER, element]
        self.b[B_FLAGS, i] = self.e[E_FLAGS, element]
        self.b[B_ITEM, i] = self.e[E_ITEM, element]
        self.b[B_CELL, i] = self.e[E_CELL, element]
        self.b[B_FIRST_RUN, i] = self.n_r
        self.b[B_START, i] = self.n_text
        self.b[B_LINE, i] = self.n_l - 1
        self.b[B_PLACE, i] = self.place + 1
        self.block = i
        self.n_b += 1
        self.in_word = False
        self.sentence = 0

    cdef void close_block(self) noexcept:
        """End the open block: trailing blanks go, counts are made final."""
        cdef int i = self.block, last = self.n_r - 1
        self.indent = 0
        if i < 0:
            return
        if self.sentence:
            self.b[B_SENTENCES, i] += 1
            self.sentence = 0
        while CHARACTER[self.text[self.n_text - 1]] == C_SPACE:
            self.n_text -= 1
            self.b[B_CHARS, i] -= 1
            while not self._holds(last, self.n_text):
                last -= 1
            if self.r[R_KIND, last] == RUN_TEXT and self.e[E_LINK, self.r[R_ELEMENT, last]] >= 0:
                self.b[B_LINKED_CHARS, i] -= 1
        self._clamp_runs(last)
        self.b[B_END, i] = self.n_text
        self.b[B_END_RUN, i] = self.n_r
        self.l[L_TEXT, self.b[B_LINE, i]] += self.b[B_CHARS, i]
        self.block = -1

    cdef void _break_line(self, int element) noexcept:
        """Write a `br`; more than two in a row look the same as two."""
        cdef int i = self.block
        self.indent = 0
        if i < 0:
            return
        self._end_word()
        self._drop_blank()
        if self.n_text >= 2 and self.text[self.n_text - 1] == b"\n" and self.text[self.n_text - 2] == b"\n":
            return
        self._add_run(RUN_BREAK, element, self.n_text)
        self.text[self.n_text] = b"\n"
        self.n_text += 1
        self.r[R_END, self.n_r - 1] = self.n_text
        self.b[B_CHARS, i] += 1

    cdef void _drop_blank(self) noexcept:
        """Take back the one blank that was written before a line break."""
        cdef int last = self.n_r - 1
        if self.text[self.n_text - 1] != b" " or self.b[B_FLAGS, self.block] & PRE:
            return
        self.n_text -= 1
        while not self._holds(last, self.n_text):
            last -= 1
        self.b[B_CHARS, self.block] -= 1
        if self.e[E_LINK, self.r[R_ELEMENT, last]] >= 0:
            self.b[B_LINKED_CHARS, self.block] -= 1
        self._clamp_runs(last)

    cdef inline bint _holds(self, int run, int position) noexcept:
        """Whether the text at *position* belongs to *run*."""
        return (
            self.r[R_KIND, run] <= RUN_BREAK
            and self.r[R_START, run] <= position < self.r[R_END, run]
        )

    cdef void _clamp_runs(self, int first) noexcept:
        """Let no run from *first* on reach beyond the text."""
        cdef int run
        for run in range(first, self.n_r):
            if self.r[R_KIND, run] != RUN_HEAD:
                self.r[R_START, run] = min(self.r[R_START, run], self.n_text)
                self.r[R_END, run] = min(self.r[R_END, run], self.n_text)

    cdef inline void _end_word(self) noexcept:
        self.in_word = False
        if self.sentence:
            self.b[B_SENTENCES, self.block] += 1
            self.sentence = 0

    # Text

    cdef int add_entity(self, const unsigned char* name, int element) except -1:
        """An unresolved entity stands for itself, as ``&name;``."""
        text = b"&" + <bytes>(<const char*>name) + b";"
        return self.add_text(text, element)

    cdef int add_text(self, const unsigned char* s, int element) except -1:
        cdef int flags = self.e[E_FLAGS, element]
        cdef bint linked = self.e[E_LINK, element] >= 0
        cdef bint run = False
        cdef uint32_t c
        cdef int kind, length, k
        if flags & WORDLESS:
            return 0
        self.reserve_text(strlen(<char*>s))
        while s[0]:
            c = s[0]
            length = 1
            if c < 0x80:
                kind = CHARACTER[c]
            else:
                length = _decode(s, &c)
                kind = _classify(c) if length else C_DROP
                length = max(length, 1)
            if kind == C_DROP:
                s += length
                continue
            if self.block < 0:
                if kind == C_SPACE:
                    self._keep_indent(c, flags)
                    s += length
                    continue
                self.open_block(element)
            if not run:
                if kind == C_SPACE and not flags & PRE and self._after_blank():
                    s += length
                    continue
                run = True
                self.place += 1
                self._add_run(RUN_TEXT, element, self.n_text)
                if self.indent:
                    self.n_text += self.indent
                    self.b[B_CHARS, self.block] += self.indent
                    self.b[B_LINKED_CHARS, self.block] += self.indent if linked else 0
                    self.indent = 0
            if kind == C_SPACE:
                self._end_word()
                self._write_blank(c, flags, linked)
            else:
                self._count(kind, flags, linked, c)
                for k in range(length):
                    self.text[self.n_text + k] = s[k]
                self.n_text += length
                self.b[B_CHARS, self.block] += 1
                self.b[B_LINKED_CHARS, self.block] += linked
            s += length
            if self.in_word:
                s += self._copy_letters(s, linked)
        if run:
            self.r[R_END, self.n_r - 1] = self.n_text
            self.b[B_END_PLACE, self.block] = self.place
        return 0

    cdef inline int _copy_letters(self, const unsigned char* s, bint linked) noexcept:
        """Copy the plain letters that go on a word; how many there were."""
        cdef unsigned char* text = self.text + self.n_text
        cdef int n = 0
        while CHARACTER[s[n]] == C_LETTER:
            text[n] = s[n]
            n += 1
        self.n_text += n
        self.b[B_CHARS, self.block] += n
        self.b[B_LINKED_CHARS, self.block] += n if linked else 0
        if n:
            self.sentence = 0
        return n

    cdef inline bint _after_blank(self) noexcept:
        return CHARACTER[self.text[self.n_text - 1]] == C_SPACE

    cdef inline void _keep_indent(self, uint32_t c, int flags) noexcept:
        """Before the first character of a preformatted block: keep its indentation."""
        if not flags & PRE or c == b"\n" or c == b"\r":
            self.indent = 0
        else:
            self.text[self.n_text + self.indent] = b"\t" if c == b"\t" else b" "
            self.indent += 1

    cdef inline void _write_blank(self, uint32_t c, int flags, bint linked) noexcept:
        cdef unsigned char blank = b" "
        if flags & PRE:
            if c == b"\r":
                return
            if c == b"\n" or c == b"\t":
                blank = <unsigned char>c
        elif self._after_blank():
            return
        self.text[self.n_text] = blank
        self.n_text += 1
        self.b[B_CHARS, self.block] += 1
        self.b[B_LINKED_CHARS, self.block] += linked

    cdef inline void _count(self, int kind, int flags, bint linked, uint32_t c) noexcept:
        """Count words and marks; `kind` is any class but a blank."""
        cdef int i = self.block
        if kind == C_LETTER or kind == C_CAPITAL or kind == C_DIGIT:
            self.sentence = 0
            if not self.in_word:
                self.in_word = True
                self._count_word(i, flags, linked)
            self.b[B_CAPITALS, i] += kind == C_CAPITAL
            self.b[B_DIGITS, i] += kind == C_DIGIT
        elif kind == C_CJK:
            self.sentence = 0
            self.in_word = False
            self.b[B_CJK, i] += 1
            self._count_word(i, flags, linked)
        elif kind == C_SENTENCE:
            self.sentence = 1
        elif kind == C_CJK_SENTENCE:
            if not self.sentence:
                self.b[B_SENTENCES, i] += 1
            self.in_word = False
            self.sentence = 0
        elif kind != C_CLOSING:
            self.b[B_COMMAS, i] += kind == C_COMMA
            self.sentence = 0

    cdef inline void _count_word(self, int i, int flags, bint linked) noexcept:
        self.b[B_WORDS, i] += 1
        self.r[R_WORDS, self.n_r - 1] += 1
        self.b[B_LINKED_WORDS, i] += linked
        self.b[B_STRONG_WORDS, i] += flags & STRONG != 0


cdef bint _hides(const unsigned char* style) noexcept:
    """Whether an inline style takes the element out of sight."""
    cdef char[1032] plain
    cdef int n = 0, k = 0
    while style[k] and n < LONGEST_STYLE:
        if CHARACTER[style[k]] != C_SPACE:
            plain[n] = style[k] | 0x20 if CHARACTER[style[k]] == C_CAPITAL else style[k]
            n += 1
        k += 1
    plain[n] = 0
    return strstr(plain, b"display:none") != NULL or strstr(plain, b"visibility:hidden") != NULL


def walk(_Element root not None):
    """Read the tree below *root* once.

    Returns the arrays of elements, blocks, runs, attributes, tokens and lines (int32,
    one row a field), the blocks' text and the values' text (UTF-8), and the names of
    the tags that only this document knows.
    """
    if root._c_node.type != tree.XML_ELEMENT_NODE:
        raise ValueError("not an element: %r" % root)
    cdef _Walk w = _Walk()
    w.walk(root._c_node)
    return (
        w.e_array[:, :w.n_e].copy(),
        w.b_array[:, :w.n_b].copy(),
        w.r_array[:, :w.n_r].copy(),
        w.a_array[:, :w.n_a].copy(),
        w.t_array[:, :w.n_t].copy(),
        w.l_array[:, :w.n_l].copy(),
        PyBytes_FromStringAndSize(<char*>w.text, w.n_text),
        PyBytes_FromStringAndSize(<char*>w.values, w.n_values),
        tuple(w.tags.known)[N_TAGS:],
    )


def element_size():
    """The size in bytes of lxml's element object that this build expects."""
    return sizeof(_Element)
