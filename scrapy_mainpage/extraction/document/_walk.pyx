"""One read-only pass over an lxml tree's C nodes, giving a document's flat arrays.

The walk is iterative (no depth overflows a stack), creates no Python object per node,
and never writes to the tree. :mod:`scrapy_mainpage.extraction.document.schema` names the
arrays, :mod:`scrapy_mainpage.extraction.document.tags` the vocabulary.
"""

from libc.stdint cimport uintptr_t
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlNode

from ._formula cimport HOLDS_MATH, INLINE_NOTE, NOTE_MARK, read_formula, read_script
from ._attributes cimport AttributeReader
from ._buffers cimport Name, Names, find_slot, look_up, reserve_rows
from ._nodes cimport BlockFinder, attribute_of, has_attribute, has_next
from ._schema cimport (
    FORMULA_SHIFT, HEADING_SHIFT, IS_FORMULA, RUN_HEAD, RUN_IMAGE, RUN_MEDIA, RUN_RULE, WORDLESS,
    Block, Element, Run,
)
from ._text cimport TextFlow, element_at, last_line

from .tags import BLOCK_TAGS, CODES, OPAQUE_TAGS, TAG_CONTEXTS, TAGS, VOID_TAGS

cdef extern from "libxml/xmlversion.h":
    const char* LIBXML_DOTTED_VERSION

cdef extern from "lxml-version.h":
    const char* LXML_VERSION_STRING

BUILT_FOR_LXML = (<bytes>LXML_VERSION_STRING).decode()
BUILT_FOR_LIBXML = (<bytes>LIBXML_DOTTED_VERSION).decode()

cdef int N_TAGS = len(TAGS), TAG_TITLE = CODES["title"], TAG_MATH = CODES["math"]
cdef int TAG_RT = CODES["rt"], TAG_SVG = CODES["svg"], TAG_DIV = CODES["div"], TAG_BUTTON = CODES["button"]

# Effects of a tag, as bits.
cdef enum:
    IS_BLOCK = 1 << 0       # owns text blocks, breaks before and after it
    IS_OPAQUE = 1 << 1      # its descendants are not read
    IS_VOID = 1 << 2        # has no end tag
    IS_ITEM = 1 << 3
    IS_CELL = 1 << 4
    IS_SILENT = 1 << 5      # is left out of the lines
    IS_HEADING = 1 << 6
    # Additions to the text.
    ADDS_BREAK = 1 << 7
    ADDS_RULE = 1 << 8
    ADDS_IMAGE = 1 << 9
    ADDS_MEDIA = 1 << 10
    ADDS_TITLE = 1 << 11
    ADDS_SCRIPT = 1 << 12
    ADDS_READING = 1 << 13      # of a ruby annotation, in brackets
    ADDS_CONTROL = 1 << 14      # a box between two words
    ADDS_OBJECT = ADDS_RULE | ADDS_IMAGE | ADDS_MEDIA
    ADDS = ADDS_BREAK | ADDS_OBJECT | ADDS_TITLE | ADDS_SCRIPT | ADDS_READING | ADDS_CONTROL

cdef int[256] ACTIONS_OF, FLAGS_OF  # by a tag's code

ACTIONS = (
    (BLOCK_TAGS, IS_BLOCK), (OPAQUE_TAGS, IS_OPAQUE), (VOID_TAGS, IS_VOID),
    (("li", "dt", "dd"), IS_ITEM), (("td", "th"), IS_CELL),
    (("script", "style"), IS_SILENT), ([f"h{level}" for level in range(1, 7)], IS_HEADING),
    (("br",), ADDS_BREAK), (("hr",), ADDS_RULE), (("img",), ADDS_IMAGE),
    ("iframe embed video audio object".split(), ADDS_MEDIA),
    (("title",), ADDS_TITLE), (("script",), ADDS_SCRIPT),
    (("rt",), ADDS_READING), (("input", "select", "textarea"), ADDS_CONTROL),
)

for _name, _code in CODES.items():
    FLAGS_OF[_code] = TAG_CONTEXTS.get(_name, 0)
    ACTIONS_OF[_code] = sum(bit for names, bit in ACTIONS if _name in names)


cdef class _Walk(TextFlow):
    cdef Names tags
    cdef AttributeReader attributes
    cdef bint namespaces        # whether an element has one
    cdef int max_depth
    cdef int title_start, title_end     # of the first title, in the values
    cdef bint has_title
    cdef BlockFinder blocks_inside
    cdef int drawing            # the svg element around HTML that is read, or -1
    cdef int formula            # the element in which no formula is looked for, or -1
    cdef int note               # the note inside of a sentence, which is in brackets, or -1

    def __init__(self, bint all_attributes):
        TextFlow.__init__(self)
        self.tags = Names(dict(CODES), True)
        self.attributes = AttributeReader(all_attributes)
        self.blocks_inside = BlockFinder()
        self.drawing = self.formula = self.note = -1

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
                # An unresolved entity is its source.
                self.add_text(b"&" + <bytes>(<const char*>node.name) + b";", element)
            while node != root and not node.next:
                node = node.parent
                self.leave(node, element)
                element = element_at(self, element).parent
            node = NULL if node == root else node.next
        self.close_block()

    cdef bint enter(self, xmlNode* node, int parent) except -1:
        """Record an element, and return whether to walk its children."""
        cdef const Name* known = look_up(self.tags, node.name)
        cdef int i = self.elements.rows, tag = known.code
        cdef int actions = ACTIONS_OF[tag] if tag < N_TAGS else 0
        cdef int flags = FLAGS_OF[tag] if tag < N_TAGS else 0, formula = HOLDS_MATH * (tag == TAG_MATH)
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
            self.attributes.read(node.properties, i, e, &flags)
            if flags >> FORMULA_SHIFT:
                formula = flags >> FORMULA_SHIFT
                flags &= (1 << FORMULA_SHIFT) - 1
        if actions & IS_HEADING or (actions & IS_BLOCK and self._ends_heading(node, tag, parent)):
            e.flags &= (1 << HEADING_SHIFT) - 1
        e.flags |= flags
        if not actions & IS_SILENT:
            last_line(self).code += e.code
        if self.drawing >= 0 and actions & IS_BLOCK:
            e.flags &= ~WORDLESS
        if formula >= INLINE_NOTE:
            self._enter_note(i, formula)
        elif formula and self.formula < 0 and not actions & IS_OPAQUE:
            self._enter_formula(node, i, formula)
        if actions & ADDS and not (self.drawing >= 0 and tag == TAG_TITLE or e.flags & IS_FORMULA):
            self._stand_in_text(node, i, actions)
        if tag != TAG_SVG:
            return not actions & IS_OPAQUE
        if self.drawing < 0:
            # Browsers show the HTML blocks of a drawing.
            if not self.blocks_inside.has_block(node):
                return False
            self.drawing = i
        e.flags |= WORDLESS
        return True

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
        e.first_attribute = self.attributes.attributes.rows
        e.first_token = self.attributes.tokens.rows
        if parent < 0 or actions & IS_BLOCK:
            e.owner = i
        if actions & IS_ITEM:
            e.item = i
        elif actions & IS_CELL:
            e.cell = i

    cdef bint _ends_heading(self, xmlNode* node, int tag, int parent) except -1:
        """Whether a block stands behind the text of the heading around it, and is not a part of it.

        For libxml2 a heading goes on that the end tag of another level closes. A line of
        its own at the end, as in a heading with a subtitle, is part of it.
        """
        cdef int i
        cdef Block* block
        if parent < 0 or not element_at(self, parent).flags >> HEADING_SHIFT:
            return False
        i = element_at(self, parent).owner
        block = <Block*>self.blocks.data + element_at(self, i).first_block
        if element_at(self, i).first_block >= self.blocks.rows or block.element != i:
            return False
        block = <Block*>self.blocks.data + self.blocks.rows - 1  # the last one
        return (
            (tag != TAG_DIV and tag != TAG_BUTTON) or not block.flags >> HEADING_SHIFT
            or has_next(node) or self.blocks_inside.has_block(node)
        )

    cdef int _stand_in_text(self, xmlNode* node, int i, int actions) except -1:
        if actions & ADDS_BREAK:
            self.add_break(i)
        elif actions & ADDS_OBJECT:
            self.add_run(
                RUN_IMAGE if actions & ADDS_IMAGE else RUN_RULE if actions & ADDS_RULE else RUN_MEDIA,
                i, self.text.used,
            )
        elif actions & ADDS_TITLE:
            self._add_head_text(node, i)
        elif actions & ADDS_READING:
            self.add_text(b"(", i)
        elif actions & ADDS_CONTROL:
            self._add_control(node, i)
        else:
            type = self.attributes.type_of(element_at(self, i).first_attribute)
            if type.startswith(b"application/ld+json"):
                self._add_head_text(node, i)
            elif type.startswith(b"math/tex"):
                self._add_formula(i, read_script(node, type))

    cdef int _add_control(self, xmlNode* node, int i) except -1:
        """Write the mark of a task, ``[x]``, for a box that begins a list item.

        One that a form sends, or that a label or script names, is a control of the page.
        """
        cdef Element* e = element_at(self, i)
        if self.block >= 0:
            return self.add_text(b" ", e.parent)
        if e.item < 0 or element_at(self, e.item).first_block < self.blocks.rows:
            return 0
        if attribute_of(node, b"type").lower() == b"checkbox" and (
            has_attribute(node, b"disabled")
            or not (attribute_of(node, b"name") or attribute_of(node, b"id"))
        ):
            self.add_text(b"[x] " if has_attribute(node, b"checked") else b"[ ] ", e.parent)

    cdef int _enter_note(self, int i, int kind) except -1:
        if kind == NOTE_MARK:
            element_at(self, i).flags |= WORDLESS
        elif self.note < 0:
            self.note = i
            self.add_text(b" (", i)

    cdef int _enter_formula(self, xmlNode* node, int i, int kind) except -1:
        """Write the LaTeX of a formula in place of all that is in its element."""
        cdef bytes latex = read_formula(node, kind)
        if latex is None and element_at(self, i).tag != TAG_MATH:
            return 0
        self.formula = i
        # An element around text that its author did not close is no formula.
        if latex is not None and not self.blocks_inside.has_block(node):
            self._add_formula(i, latex)

    cdef int _add_formula(self, int i, bytes latex) except -1:
        cdef Element* e = element_at(self, i)
        if latex is None:
            return 0
        if latex[:2] == b"$$" and e.owner != i:  # blanks around a display
            self.add_text(b" ", e.parent)
            self.add_text(latex, i)
            self.add_text(b" ", e.parent)
        elif latex:
            self.add_text(latex, i)
        self.text_place = -1
        e.flags |= WORDLESS | IS_FORMULA

    cdef int leave(self, xmlNode* node, int i) except -1:
        cdef Element* e = element_at(self, i)
        cdef int code, actions = ACTIONS_OF[e.tag] if e.tag < N_TAGS else 0
        if actions & IS_BLOCK:
            self.close_block()
            self.line_ended = True
        elif e.tag == TAG_RT or i == self.note:
            self.add_text(b")", i)
            e = element_at(self, i)
        if not actions & IS_VOID:
            self.place += 1
            code = 3 + find_slot(self.tags, <uintptr_t>node.name).length
            e.code += code
            if not actions & IS_SILENT:
                last_line(self).code += code
        if i == self.drawing:
            self.drawing = -1
        if i == self.formula:
            self.formula = -1
        if i == self.note:
            self.note = -1
        e.end = self.elements.rows
        e.end_block = self.blocks.rows
        e.end_run = self.runs.rows

    cdef int _add_head_text(self, xmlNode* node, int i) except -1:
        """Keep the text of a title or script outside of the text blocks."""
        cdef int start = self.attributes.values.used
        cdef Run* run
        self.attributes.add_texts(node)
        run = self.add_run(RUN_HEAD, i, start)
        run.end, run.block = self.attributes.values.used, -1
        if element_at(self, i).tag == TAG_TITLE and not self.has_title:
            self.has_title = True
            self.title_start, self.title_end = start, run.end


def walk(_Element root not None, bint all_attributes=False):
    """Read the tree below *root* once, with attributes of the vocabulary or with all.

    Returns the arrays of elements, blocks, runs, attributes, tokens and lines (int32,
    one row a field) as a tuple, the blocks' text and the values' text (UTF-8), the codes
    of all tags, the names of those outside of the vocabulary, whether all names are
    written as the document names them, without namespaces, the largest depth, and the
    range of the first title in the values' text.
    """
    if not root._c_node or root._c_node.type != tree.XML_ELEMENT_NODE:
        raise ValueError(f"not an element: {type(root).__name__}")
    cdef _Walk w = _Walk(all_attributes)
    w.walk(root._c_node)
    return (
        (
            w.elements.columns(), w.blocks.columns(), w.runs.columns(),
            w.attributes.attributes.columns(), w.attributes.tokens.columns(), w.lines.columns(),
        ),
        w.text.contents(),
        w.attributes.values.contents(),
        w.tags.codes(),
        tuple(w.tags.known)[N_TAGS:],
        w.tags.plain and not w.namespaces,
        w.max_depth,
        (w.title_start, w.title_end),
    )


def element_size():
    """The size in bytes of lxml's element object that this build expects."""
    return sizeof(_Element)
