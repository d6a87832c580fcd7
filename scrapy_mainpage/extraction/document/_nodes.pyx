"""Nodes of a tree of libxml2, without objects for them: names, texts, what stands behind."""

from libc.string cimport strcmp, strlen, strspn
from lxml.includes cimport tree
from lxml.includes.tree cimport xmlAttr, xmlNode

from ._buffers cimport Names, look_up

from .tags import BLOCK_TAGS


cdef bint is_named(xmlNode* node, const char* name) noexcept:
    return strcmp(<const char*>node.name, name) == 0


cdef xmlNode* first_element(xmlNode* node) noexcept:
    node = node.children
    while node and node.type != tree.XML_ELEMENT_NODE:
        node = node.next
    return node


cdef xmlNode* next_element(xmlNode* node) noexcept:
    node = node.next
    while node and node.type != tree.XML_ELEMENT_NODE:
        node = node.next
    return node


cdef xmlAttr* find_attribute(xmlNode* node, const char* name) noexcept:
    cdef xmlAttr* attribute = node.properties
    while attribute and strcmp(<const char*>attribute.name, name) != 0:
        attribute = attribute.next
    return attribute


cdef bint has_attribute(xmlNode* node, const char* name) noexcept:
    return find_attribute(node, name) != NULL


cdef bytes attribute_of(xmlNode* node, const char* name):
    """The value of an attribute; empty without it."""
    cdef xmlAttr* attribute = find_attribute(node, name)
    if attribute and attribute.children and attribute.children.content:
        return <bytes>(<const char*>attribute.children.content)
    return b""


cdef bytes text_of(xmlNode* node, Py_ssize_t most):
    """The texts that are children of *node*; `None` beyond *most* bytes, or with elements."""
    cdef bytes text = b""
    cdef xmlNode* child = node.children
    while child:
        if child.type == tree.XML_ELEMENT_NODE:
            return None
        if child.content and (
            child.type == tree.XML_TEXT_NODE or child.type == tree.XML_CDATA_SECTION_NODE
        ):
            if len(text) + <Py_ssize_t>strlen(<const char*>child.content) > most:
                return None
            text += <bytes>(<const char*>child.content)
        child = child.next
    return text


cdef bint has_next(xmlNode* node) noexcept:
    """Whether an element stands behind another one, with nothing but blanks between."""
    node = node.next
    while node and node.type != tree.XML_ELEMENT_NODE:
        if node.type == tree.XML_TEXT_NODE and node.content:
            if node.content[strspn(<char*>node.content, b" \t\r\n\f")]:
                return False
        node = node.next
    return node != NULL


cdef class BlockFinder:
    cdef bint has_block(self, xmlNode* top) except -1:
        cdef xmlNode* node = top.children
        if node and self.names is None:
            self.names = Names(dict.fromkeys(BLOCK_TAGS, 0), False)
        while node:
            if node.type == tree.XML_ELEMENT_NODE:
                if look_up(self.names, node.name).code == 0:
                    return True
                if node.children:
                    node = node.children
                    continue
            while node != top and not node.next:
                node = node.parent
            node = NULL if node == top else node.next
        return False
