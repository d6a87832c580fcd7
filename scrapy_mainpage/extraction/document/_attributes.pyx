"""Reading attributes: what is kept of them, and their effect on an element."""

from libc.string cimport strlen, strncmp, strstr
from lxml.includes cimport tree
from lxml.includes.tree cimport xmlAttr, xmlNode

from ...text._chars cimport is_ascii_blank, length_of
from ._buffers cimport (
    Buffer, Known, KnownValues, Name, Names, Table, look_up, reserve_bytes, reserve_rows,
)
from ._formula cimport SAYS_LATEX, formula_class
from ._schema cimport FORMULA_SHIFT, HIDDEN, PRE, WORDLESS, Attribute, Element, Token

from ._formula import LATEX_ATTRIBUTES
from .tags import ATTRIBUTE_CODES, CODES, ROLE_CONTEXTS

cdef int TAG_A = CODES["a"], TAG_LI = CODES["li"], TAG_IMG = CODES["img"], TAG_OBJECT = CODES["object"]
cdef int TAG_INPUT = CODES["input"]
cdef int ATTR_CLASS = ATTRIBUTE_CODES["class"], ATTR_ID = ATTRIBUTE_CODES["id"]
cdef int ATTR_ROLE = ATTRIBUTE_CODES["role"], ATTR_HREF = ATTRIBUTE_CODES["href"]
cdef int ATTR_TYPE = ATTRIBUTE_CODES["type"], ATTR_STAMP = ATTRIBUTE_CODES["data-mainpage"]
cdef int ATTR_VALUE = ATTRIBUTE_CODES["value"], ATTR_DATA = ATTRIBUTE_CODES["data"]
cdef int ATTR_WIDTH = ATTRIBUTE_CODES["width"], ATTR_HEIGHT = ATTRIBUTE_CODES["height"]
cdef int ATTR_OTHER = ATTRIBUTE_CODES["*"]
# Evaluated, but not kept.
cdef int ATTR_STYLE = len(ATTRIBUTE_CODES), ATTR_HIDDEN = len(ATTRIBUTE_CODES) + 1
cdef int ATTR_LATEX = len(ATTRIBUTE_CODES) + 2
# Where scripts that load images late keep their addresses.
LAZY_SOURCES = "data-lazy-src data-original data-lazy data-lazyload nitro-lazy-src data-orig-src".split()
LAZY_SETS = "data-srcset data-lazy-srcset".split()
ATTRIBUTE_NAMES = {
    **dict.fromkeys(LAZY_SOURCES, ATTRIBUTE_CODES["data-src"]),
    **dict.fromkeys(LAZY_SETS, ATTRIBUTE_CODES["srcset"]),
    **ATTRIBUTE_CODES, **dict.fromkeys(LATEX_ATTRIBUTES, ATTR_LATEX),
    "style": ATTR_STYLE, "hidden": ATTR_HIDDEN,
}

cdef enum:
    # Longer attribute values (data: URLs, inlined states) are not kept.
    MAX_VALUE_BYTES = 8192
    # Bytes of an inline style that are read, blanks left out.
    MAX_STYLE_BYTES = 1024


cdef inline bint is_kept(int name, int tag) noexcept:
    """Whether an attribute of the vocabulary is kept for elements with a tag."""
    if name == ATTR_VALUE:
        return tag == TAG_LI or tag == TAG_INPUT
    return (name != ATTR_WIDTH and name != ATTR_HEIGHT) or tag == TAG_IMG


cdef int flags_of_roles(bytes roles) except -1:
    """The context of the first known role, as browsers choose it."""
    for role in roles.lower().split():
        if role in ROLE_CONTEXTS:
            return ROLE_CONTEXTS[role]


cdef int flags_of_style(const unsigned char* style, int context) noexcept:
    """The flag of an inline style that hides the element, or numbers lines of code."""
    cdef char[MAX_STYLE_BYTES + 1] plain
    cdef int n = 0
    while style[0] and n < MAX_STYLE_BYTES:
        if not is_ascii_blank(style[0]):
            plain[n] = style[0] | 0x20 if b"A" <= style[0] <= b"Z" else style[0]
            n += 1
        style += 1
    plain[n] = 0
    if strstr(plain, b"display:none") or strstr(plain, b"visibility:hidden"):
        return HIDDEN
    return WORDLESS if context & PRE and strstr(plain, b"user-select:none") else 0


cdef class AttributeReader:

    def __init__(self, bint all_attributes):
        self.names = Names(ATTRIBUTE_NAMES, False)
        self.attributes = Table(sizeof(Attribute) // sizeof(int), 512)
        self.tokens = Table(sizeof(Token) // sizeof(int), 512)
        self.values = Buffer(8192)
        self.classes = KnownValues()
        self.all_attributes = all_attributes

    cdef int read(self, xmlAttr* attribute, int i, Element* e, int* flags) except -1:
        """Keep the attributes of the vocabulary, and count the characters of all."""
        cdef const unsigned char* value
        cdef const Name* known
        cdef size_t size
        cdef int name
        while attribute:
            value = attribute.children.content if attribute.children else NULL
            size = strlen(<char*>value) if value else 0
            known = look_up(self.names, attribute.name)
            name = known.code
            if name != ATTR_STAMP:  # set by the layout script, not by the page
                e.code += 1 + known.length
                if size:
                    e.code += 3 + length_of(value, size)
            if name == ATTR_HIDDEN:
                if not value or strncmp(<char*>value, b"until-found", 11) != 0:
                    flags[0] |= HIDDEN
            elif name == ATTR_STYLE:
                if value:
                    flags[0] |= flags_of_style(value, e.flags)
            elif name == ATTR_LATEX:
                # Instead of what a class says.
                flags[0] = flags[0] & ((1 << FORMULA_SHIFT) - 1) | SAYS_LATEX << FORMULA_SHIFT
            elif name >= 0:
                if name == ATTR_HREF and e.tag == TAG_A:
                    e.link = i
                elif name == ATTR_DATA and e.tag == TAG_OBJECT and size:
                    flags[0] |= WORDLESS
                if size <= MAX_VALUE_BYTES and is_kept(name, e.tag):
                    self._keep_attribute(name, i, value, size, flags)
            if self.all_attributes and size and size <= MAX_VALUE_BYTES and (
                name < 0 or name >= ATTR_STYLE or not is_kept(name, e.tag)
            ):
                self._keep_attribute(ATTR_OTHER, i, value, size, flags)
            attribute = attribute.next

    cdef int _keep_attribute(
        self, int name, int i, const unsigned char* value, size_t size, int* flags
    ) except -1:
        cdef int start = self.values.used
        if name == ATTR_CLASS and size:
            return self._keep_class(i, value, size, flags)
        reserve_bytes(self.values, size)
        if size:
            self.values.append(value, size)
        self._add_attribute(name, i, start, self.values.used)
        if name == ATTR_CLASS or name == ATTR_ID or name == ATTR_ROLE:
            self._split_tokens(name, i, start)
            if name == ATTR_ROLE and size:
                flags[0] |= flags_of_roles((<const char*>value)[:size])

    cdef int _keep_class(
        self, int i, const unsigned char* value, size_t size, int* flags
    ) except -1:
        """Keep a class attribute's value once, and repeat its tokens."""
        cdef Known* known = self.classes.entry(self.values, value, size)
        cdef Token* token
        cdef int k
        if known.start == known.end:
            known.start = self.values.used
            reserve_bytes(self.values, size)
            self.values.append(value, size)
            known.end = self.values.used
            known.first = self.tokens.rows
            self._split_tokens(ATTR_CLASS, i, known.start)
            known.count = self.tokens.rows - known.first
            known.formula = 0
            for k in range(known.first, self.tokens.rows):
                token = <Token*>self.tokens.data + k
                if not known.formula:
                    known.formula = formula_class(self.values.data + token.start, token.end - token.start)
        else:
            reserve_rows(self.tokens, known.count)
            token = <Token*>self.tokens.data + self.tokens.rows
            for k in range(known.count):
                token[k] = (<Token*>self.tokens.data)[known.first + k]
                token[k].element = i
            self.tokens.rows += known.count
        if not flags[0] >> FORMULA_SHIFT:
            flags[0] |= known.formula << FORMULA_SHIFT
        return self._add_attribute(ATTR_CLASS, i, known.start, known.end)

    cdef int _add_attribute(self, int name, int i, int start, int end) except -1:
        reserve_rows(self.attributes, 1)
        (<Attribute*>self.attributes.data)[self.attributes.rows] = Attribute(
            name, i, start, end
        )
        self.attributes.rows += 1

    cdef int _split_tokens(self, int name, int i, int start) except -1:
        cdef const unsigned char* values = self.values.data
        cdef int k = start, end = self.values.used
        while True:
            while k < end and is_ascii_blank(values[k]):
                k += 1
            if k == end:
                return 0
            start = k
            while k < end and not is_ascii_blank(values[k]):
                k += 1
            reserve_rows(self.tokens, 1)
            (<Token*>self.tokens.data)[self.tokens.rows] = Token(name, i, start, k)
            self.tokens.rows += 1

    # The head

    cdef bytes type_of(self, int first):
        """The type among the attributes from *first* on, in lower case; or empty."""
        cdef Attribute* a
        cdef int k
        for k in range(first, self.attributes.rows):
            a = <Attribute*>self.attributes.data + k
            if a.name == ATTR_TYPE:
                return self.values.data[a.start:a.end].strip().lower()
        return b""

    cdef int add_texts(self, xmlNode* node) except -1:
        """Keep the texts in a title or script, outside of the text blocks."""
        cdef xmlNode* child = node.children
        cdef size_t size
        while child:
            if child.content and (
                child.type == tree.XML_TEXT_NODE or child.type == tree.XML_CDATA_SECTION_NODE
            ):
                size = strlen(<char*>child.content)
                reserve_bytes(self.values, size)
                self.values.append(child.content, size)
            child = child.next
