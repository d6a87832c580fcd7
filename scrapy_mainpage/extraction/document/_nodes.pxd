from lxml.includes.tree cimport xmlNode

from ._buffers cimport Names


cdef bint is_named(xmlNode* node, const char* name) noexcept
cdef xmlNode* first_element(xmlNode* node) noexcept
cdef xmlNode* next_element(xmlNode* node) noexcept
cdef bint has_attribute(xmlNode* node, const char* name) noexcept
cdef bytes attribute_of(xmlNode* node, const char* name)
cdef bytes text_of(xmlNode* node, Py_ssize_t most)
cdef bint has_next(xmlNode* node) noexcept


cdef class BlockFinder:
    """Finds block-level elements in others."""

    cdef Names names

    cdef bint has_block(self, xmlNode* top) except -1
