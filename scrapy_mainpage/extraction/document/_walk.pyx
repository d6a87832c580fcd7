"""One read-only pass over an lxml tree's C nodes, giving a document's flat arrays.

The walk is iterative (no depth overflows a stack), creates no Python object per node,
and never writes to the tree. :mod:`scrapy_mainpage.extraction.document.schema` names the
arrays, :mod:`scrapy_mainpage.extraction.document.tags` the vocabulary.
"""

from os import urandom

import numpy as np

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Realloc
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcmp, memcpy, memset, strlen, strncmp, strspn, strstr
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from ...text._chars cimport (
    C_CAPITAL, C_CJK, C_CJK_SENTENCE, C_CLOSING, C_COMMA, C_DIGIT, C_DROP, C_END,
    C_LETTER, C_SENTENCE, C_SPACE, C_UNSPACED, UNSPACED_LETTERS, classify, classify_ascii,
    decode, is_ascii_blank, length_of,
)
from ...text._hashing cimport bytes_hash
from ._schema cimport (
    ARTICLE, ASIDE, CAPTION, CODE, DIALOG, FOOTER, FORM, HEADER, HEADING_SHIFT, HIDDEN,
    LIST, MAIN, NAVIGATION, NOSCRIPT, PRE, QUOTE, STRONG, TABLE, WORDLESS,
    RUN_BREAK, RUN_HEAD, RUN_IMAGE, RUN_MEDIA, RUN_RULE, RUN_TEXT,
    Attribute, Block, Element, Line, Run, Token,
)

from .tags import (
    ATTRIBUTE_CODES, BLOCK_TAGS, CODES, OPAQUE_TAGS, TAGS, VOID_TAGS, WORDLESS_TAGS,
)

include "_buffers.pxi"
include "_tag_actions.pxi"
include "_text.pxi"
include "_paths.pxi"

cdef extern from "libxml/xmlversion.h":
    const char* LIBXML_DOTTED_VERSION

cdef extern from "lxml-version.h":
    const char* LXML_VERSION_STRING

BUILT_FOR_LXML = (<bytes>LXML_VERSION_STRING).decode()
BUILT_FOR_LIBXML = (<bytes>LIBXML_DOTTED_VERSION).decode()

cdef int N_TAGS = len(TAGS)
cdef int TAG_A = CODES["a"], TAG_TITLE = CODES["title"]
cdef int ATTR_CLASS = ATTRIBUTE_CODES["class"], ATTR_ID = ATTRIBUTE_CODES["id"]
cdef int ATTR_ROLE = ATTRIBUTE_CODES["role"], ATTR_HREF = ATTRIBUTE_CODES["href"]
cdef int ATTR_TYPE = ATTRIBUTE_CODES["type"], ATTR_STAMP = ATTRIBUTE_CODES["data-mainpage"]
cdef int ATTR_VALUE = ATTRIBUTE_CODES["value"], TAG_LI = CODES["li"], TAG_IMG = CODES["img"]
cdef int ATTR_WIDTH = ATTRIBUTE_CODES["width"], ATTR_HEIGHT = ATTRIBUTE_CODES["height"]
# Evaluated, but not kept.
cdef int TAG_OBJECT = CODES["object"], TAG_SVG = CODES["svg"], TAG_DIV = CODES["div"], TAG_BUTTON = CODES["button"]
cdef int ATTR_DATA = ATTRIBUTE_CODES["data"]
cdef int ATTR_OTHER = ATTRIBUTE_CODES["*"]
cdef int ATTR_STYLE = len(ATTRIBUTE_CODES), ATTR_HIDDEN = len(ATTRIBUTE_CODES) + 1
ATTRIBUTE_NAMES = {**ATTRIBUTE_CODES, "style": ATTR_STYLE, "hidden": ATTR_HIDDEN}

cdef enum:
    # Longer attribute values (data: URLs, inlined states) are not kept.
    MAX_VALUE_BYTES = 8192


cdef inline bint is_kept(int name, int tag) noexcept:
    """Whether an attribute of the vocabulary is kept for elements with a tag."""
    if name == ATTR_VALUE:
        return tag == TAG_LI
    return (name != ATTR_WIDTH and name != ATTR_HEIGHT) or tag == TAG_IMG


cdef inline bint has_next(xmlNode* node) noexcept:
    """Whether an element stands behind another one, with nothing but blanks between."""
    node = node.next
    while node and node.type != tree.XML_ELEMENT_NODE:
        if node.type == tree.XML_TEXT_NODE and node.content and node.content[strspn(<char*>node.content, b" \t\r\n\f")]:
            return False
        node = node.next
    return node != NULL


cdef class _Walk(TextFlow):
    cdef Names tags, attribute_names
    cdef Table attributes, tokens
    cdef Buffer values          # attribute values and the head's texts, UTF-8
    cdef KnownValues classes    # most of them occur many times
    cdef bint namespaces        # whether an element has one
    cdef int max_depth
    cdef int title_start, title_end     # of the first title, in the values
    cdef bint has_title
    cdef bint all_attributes    # whether to keep those outside of the vocabulary
    cdef Names block_names      # once there is a drawing
    cdef int drawing            # the svg element around HTML that is read, or -1

    def __init__(self, bint all_attributes):
        TextFlow.__init__(self)
        self.tags = Names(dict(CODES), True)
        self.attribute_names = Names(ATTRIBUTE_NAMES, False)
        self.attributes = Table(sizeof(Attribute) // sizeof(int), 512)
        self.tokens = Table(sizeof(Token) // sizeof(int), 512)
        self.values = Buffer(8192)
        self.classes = KnownValues()
        self.all_attributes = all_attributes
        self.drawing = -1

    cdef int walk(self, xmlNode* root) except -1:
        cdef xmlNode* node = root
        cdef int element = -1
        self.new_line()
        while node:
            if node.type == tree.XML_ELEMENT_NODE:
                if self.enter(node, element) and node.children:
                    element = self.elements.rows - 1
                    node = node.children
                    continue
                self.leave(node, self.elements.rows - 1)
            elif node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE:
                if node.content:
                    self.add_text(node.content, element)
            elif node.type == tree.XML_ENTITY_REF_NODE:
                self.add_entity(node.name, element)
            while node != root and not node.next:
                node = node.parent
                self.leave(node, element)
                element = element_at(self, element).parent
            node = NULL if node == root else node.next
        self.close_block()
        return 0

    cdef int add_entity(self, const unsigned char* name, int element) except -1:
        """Add an unresolved entity as its source, ``&name;``."""
        text = b"&" + <bytes>(<const char*>name) + b";"
        return self.add_text(text, element)

    # Elements

    cdef bint enter(self, xmlNode* node, int parent) except -1:
        """Record an element, and return whether to walk its children."""
        cdef const Name* known = look_up(self.tags, node.name)
        cdef int i = self.elements.rows, tag = known.code
        cdef int actions = ACTIONS_OF[tag] if tag < N_TAGS else 0
        cdef int flags = FLAGS_OF[tag] if tag < N_TAGS else 0
        cdef Element* e
        if actions & IS_BLOCK:
            self.close_block()
            self.new_line()
            self.line_ended = False
        reserve_rows(self.elements, 1)
        self.elements.rows += 1
        self.place += 1
        self.namespaces |= node.ns != NULL
        e = element_at(self, i)
        self._inherit(e, i, parent, actions)
        e.tag = tag
        e.code = 2 + known.length
        if node.properties:
            self._read_attributes(node.properties, i, e, &flags)
        if actions & IS_HEADING or (actions & IS_BLOCK and self._ends_heading(node, tag, parent)):
            e.flags &= (1 << HEADING_SHIFT) - 1
        e.flags |= flags
        if not actions & IS_SILENT:
            last_line(self).code += e.code
        if actions & ADDS and not (self.drawing >= 0 and tag == TAG_TITLE):
            self._stand_in_text(node, i, actions)
        if self.drawing >= 0 and actions & IS_BLOCK:
            e.flags &= ~WORDLESS
        if tag == TAG_SVG:
            return self._enter_drawing(node, i, e)
        return not actions & IS_OPAQUE

    cdef bint _enter_drawing(self, xmlNode* node, int i, Element* e) except -1:
        """Whether to walk an svg element: for HTML blocks, which browsers show."""
        if self.drawing < 0:
            if not self._holds_block(node):
                return False
            self.drawing = i
        e.flags |= WORDLESS
        return True

    cdef bint _holds_block(self, xmlNode* top) except -1:
        cdef xmlNode* node = top.children
        if node and self.block_names is None:
            self.block_names = Names(dict.fromkeys(BLOCK_TAGS, 0), False)
        while node:
            if node.type == tree.XML_ELEMENT_NODE:
                if look_up(self.block_names, node.name).code == 0:
                    return True
                if node.children:
                    node = node.children
                    continue
            while node != top and not node.next:
                node = node.parent
            node = NULL if node == top else node.next
        return False

    cdef inline void _inherit(self, Element* e, int i, int parent, int actions) noexcept:
        cdef Element* above
        if parent >= 0:
            above = element_at(self, parent)
            e[0] = above[0]
            e.depth += 1
            self.max_depth = max(self.max_depth, e.depth)
        else:
            e.depth = e.flags = 0
            e.link = e.item = e.cell = -1
        e.parent = parent
        e.first_block = self.blocks.rows
        e.first_run = self.runs.rows
        e.first_attribute = self.attributes.rows
        e.first_token = self.tokens.rows
        if parent < 0 or actions & IS_BLOCK:
            e.owner = i
        if actions & IS_ITEM:
            e.item = i
        elif actions & IS_CELL:
            e.cell = i

    cdef bint _ends_heading(self, xmlNode* node, int tag, int parent) except -1:
        """Whether a block stands behind the text of the heading around it, and is no part of it.

        For libxml2 a heading goes on that the end tag of another level closes. A line of
        its own at the end, as in a heading with a subtitle, is part of it.
        """
        cdef int i
        cdef Block* block
        if parent < 0 or not element_at(self, parent).flags >> HEADING_SHIFT:
            return False
        i = element_at(self, parent).owner
        if element_at(self, i).first_block >= self.blocks.rows:
            return False
        block = <Block*>self.blocks.data + element_at(self, i).first_block
        if block.element != i:
            return False
        block = <Block*>self.blocks.data + self.blocks.rows - 1  # the last one
        return (
            (tag != TAG_DIV and tag != TAG_BUTTON) or not block.flags >> HEADING_SHIFT
            or has_next(node) or self._holds_block(node)
        )

    cdef int _stand_in_text(self, xmlNode* node, int i, int actions) except -1:
        if actions & ADDS_BREAK:
            self.add_break(i)
        elif actions & ADDS_IMAGE:
            self.add_run(RUN_IMAGE, i, self.text.used)
        elif actions & ADDS_RULE:
            self.add_run(RUN_RULE, i, self.text.used)
        elif actions & ADDS_MEDIA:
            self.add_run(RUN_MEDIA, i, self.text.used)
        elif actions & ADDS_TITLE or self._is_json_ld(i):
            self._add_head_text(node, i)
        return 0

    cdef void leave(self, xmlNode* node, int i) noexcept:
        cdef Element* e = element_at(self, i)
        cdef int actions = ACTIONS_OF[e.tag] if e.tag < N_TAGS else 0
        cdef int code
        if actions & IS_BLOCK:
            self.close_block()
            self.line_ended = True
        if not actions & IS_VOID:
            self.place += 1
            code = 3 + find_slot(self.tags, <uintptr_t>node.name).length
            e.code += code
            if not actions & IS_SILENT:
                last_line(self).code += code
        if i == self.drawing:
            self.drawing = -1
        e.end = self.elements.rows
        e.end_block = self.blocks.rows
        e.end_run = self.runs.rows

    # Attributes

    cdef int _read_attributes(self, xmlAttr* attribute, int i, Element* e, int* flags) except -1:
        """Keep the attributes of the vocabulary, and count the characters of all."""
        cdef const unsigned char* value
        cdef const Name* known
        cdef size_t size
        cdef int name
        while attribute:
            value = attribute.children.content if attribute.children else NULL
            size = strlen(<char*>value) if value else 0
            known = look_up(self.attribute_names, attribute.name)
            name = known.code
            if name != ATTR_STAMP:  # set by the layout script, not by the page
                e.code += 1 + known.length
                if size:
                    e.code += 3 + length_of(value, size)
            if name == ATTR_HIDDEN:
                if not value or strncmp(<char*>value, b"until-found", 11) != 0:
                    flags[0] |= HIDDEN
            elif name == ATTR_STYLE:
                if value and hides(value):
                    flags[0] |= HIDDEN
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
        return 0

    cdef int _keep_attribute(
        self, int name, int i, const unsigned char* value, size_t size, int* flags
    ) except -1:
        cdef int start = self.values.used
        if name == ATTR_CLASS and size:
            return self._keep_class(i, value, size)
        reserve_bytes(self.values, size)
        if size:
            self.values.append(value, size)
        self._add_attribute(name, i, start, self.values.used)
        if name == ATTR_CLASS or name == ATTR_ID or name == ATTR_ROLE:
            self._split_tokens(name, i, start)
            if name == ATTR_ROLE and size:
                flags[0] |= flags_of_roles((<const char*>value)[:size])
        return 0

    cdef int _keep_class(self, int i, const unsigned char* value, size_t size) except -1:
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
        else:
            reserve_rows(self.tokens, known.count)
            token = <Token*>self.tokens.data + self.tokens.rows
            for k in range(known.count):
                token[k] = (<Token*>self.tokens.data)[known.first + k]
                token[k].element = i
            self.tokens.rows += known.count
        return self._add_attribute(ATTR_CLASS, i, known.start, known.end)

    cdef int _add_attribute(self, int name, int i, int start, int end) except -1:
        reserve_rows(self.attributes, 1)
        (<Attribute*>self.attributes.data)[self.attributes.rows] = Attribute(
            name, i, start, end
        )
        self.attributes.rows += 1
        return 0

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

    cdef bint _is_json_ld(self, int i) except -1:
        cdef Attribute* a
        cdef int k
        for k in range(element_at(self, i).first_attribute, self.attributes.rows):
            a = <Attribute*>self.attributes.data + k
            if a.name == ATTR_TYPE:
                value = self.values.data[a.start:a.end]
                return value.strip().lower().startswith(b"application/ld+json")
        return False

    cdef int _add_head_text(self, xmlNode* node, int i) except -1:
        """Keep the text of a title or script outside of the text blocks."""
        cdef int start = self.values.used
        cdef xmlNode* child = node.children
        cdef size_t size
        while child:
            if (child.type == tree.XML_TEXT_NODE or child.type == tree.XML_CDATA_SECTION_NODE) and child.content:
                size = strlen(<char*>child.content)
                reserve_bytes(self.values, size)
                self.values.append(child.content, size)
            child = child.next
        run = self.add_run(RUN_HEAD, i, start)
        run.end = self.values.used
        run.block = -1
        if element_at(self, i).tag == TAG_TITLE and not self.has_title:
            self.has_title = True
            self.title_start, self.title_end = start, self.values.used
        return 0


def walk(_Element root not None, bint all_attributes=False):
    """Read the tree below *root* once, with attributes of the vocabulary or with all.

    Returns the arrays of elements, blocks, runs, attributes, tokens and lines (int32,
    one row a field) as a tuple, the blocks' text and the values' text (UTF-8), the codes of all
    tags, the names of those that only this document knows, whether all names are
    written as the document names them, without namespaces, the
    largest depth, and the range of the first title in the values' text.
    """
    if not root._c_node or root._c_node.type != tree.XML_ELEMENT_NODE:
        raise ValueError(f"not an element: {type(root).__name__}")
    cdef _Walk w = _Walk(all_attributes)
    w.walk(root._c_node)
    return (
        (
            w.elements.columns(),
            w.blocks.columns(),
            w.runs.columns(),
            w.attributes.columns(),
            w.tokens.columns(),
            w.lines.columns(),
        ),
        w.text.contents(),
        w.values.contents(),
        w.tags.codes(),
        tuple(w.tags.known)[N_TAGS:],
        w.tags.plain and not w.namespaces,
        w.max_depth,
        (w.title_start, w.title_end),
    )


def element_size():
    """The size in bytes of lxml's element object that this build expects."""
    return sizeof(_Element)


# --- Loops over the blocks of a document that has been read ---

ctypedef const int32_t[::1] Ints


def find_headings(Ints flags):
    """The blocks of headings by their *flags*, each with its level."""
    cdef int i
    cdef list found = []
    for i in range(flags.shape[0]):
        if flags[i] >> HEADING_SHIFT:
            found.append((i, flags[i] >> HEADING_SHIFT))
    return found
