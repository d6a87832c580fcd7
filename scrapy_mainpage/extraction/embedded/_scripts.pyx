"""What scripts hold, and whether a tree has attributes: read off a tree's C nodes."""

from libc.string cimport strncmp
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode


cdef inline bint is_text(const xmlNode* node) noexcept:
    return (
        node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE
    ) and node.content != NULL


def content_of(_Element element not None):
    """The text at the beginning of *element*, in UTF-8."""
    cdef xmlNode* child = element._c_node.children
    if not child or not is_text(child):
        return b""
    if not child.next:
        return <bytes>child.content
    parts = []
    while child and is_text(child):
        parts.append(<bytes>child.content)
        child = child.next
    return b"".join(parts)


def has_data_attribute(_Element root not None, *names):
    """Whether an element of the tree has an attribute ``data-`` with one of *names*."""
    cdef xmlNode* top = root._c_node
    cdef xmlNode* node = top
    while True:
        if node.type == tree.XML_ELEMENT_NODE:
            if node.properties and has_one(node.properties, names):
                return True
            if node.children:
                node = node.children
                continue
        while node is not top and not node.next:
            node = node.parent
        if node is top:
            return False
        node = node.next


cdef inline bint has_one(const xmlAttr* attribute, tuple names):
    """Whether *attribute* or one after it is called so."""
    cdef const char* name
    while attribute:
        name = <const char*>attribute.name
        if name[0] == b"d" and strncmp(name, "data-", 5) == 0:
            if (<bytes>(name + 5)) in names:
                return True
        attribute = attribute.next
    return False
