from lxml.includes.tree cimport xmlNode

from ._buffers cimport Names


cdef bint has_next(xmlNode* node) noexcept


cdef class BlockFinder:
    """Finds block-level elements in others."""

    cdef Names names

    cdef bint has_block(self, xmlNode* top) except -1
