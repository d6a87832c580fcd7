"""Elements, attributes and texts of a tree of libxml2, without objects for them."""

from libc.string cimport strcmp, strlen
from lxml.includes cimport tree
from lxml.includes.tree cimport xmlAttr, xmlNode


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


cdef bytes attribute_of(xmlNode* node, const char* name):
    """The value of an attribute; empty without it."""
    cdef xmlAttr* attribute = node.properties
    while attribute:
        if strcmp(<const char*>attribute.name, name) == 0:
            if attribute.children and attribute.children.content:
                return <bytes>(<const char*>attribute.children.content)
            return b""
        attribute = attribute.next
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
