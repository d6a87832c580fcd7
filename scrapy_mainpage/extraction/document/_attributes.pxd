from lxml.includes.tree cimport xmlAttr, xmlNode

from ._buffers cimport Buffer, KnownValues, Names, Table
from ._schema cimport Element


cdef class AttributeReader:
    cdef Names names
    cdef Table attributes, tokens
    cdef Buffer values          # attribute values and the head's texts, UTF-8
    cdef KnownValues classes    # most of them occur many times
    cdef bint all_attributes    # whether to keep those outside of the vocabulary

    cdef int read(self, xmlAttr* attribute, int i, Element* e, int* flags) except -1
    cdef int _keep_attribute(
        self, int name, int i, const unsigned char* value, size_t size, int* flags
    ) except -1
    cdef int _keep_class(
        self, int i, const unsigned char* value, size_t size, int* flags
    ) except -1
    cdef int _add_attribute(self, int name, int i, int start, int end) except -1
    cdef int _split_tokens(self, int name, int i, int start) except -1
    cdef bytes type_of(self, int first)
    cdef int add_texts(self, xmlNode* node) except -1
