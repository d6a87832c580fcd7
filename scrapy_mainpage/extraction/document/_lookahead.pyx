"""What stands behind an element or in it, before the walk is there."""

from libc.string cimport strspn
from lxml.includes cimport tree
from lxml.includes.tree cimport xmlNode

from ._buffers cimport Names, look_up

from .tags import BLOCK_TAGS


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
