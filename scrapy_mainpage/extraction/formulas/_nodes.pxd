from lxml.includes.tree cimport xmlNode


cdef bint is_named(xmlNode* node, const char* name) noexcept
cdef xmlNode* first_element(xmlNode* node) noexcept
cdef xmlNode* next_element(xmlNode* node) noexcept
cdef bytes attribute_of(xmlNode* node, const char* name)
cdef bytes text_of(xmlNode* node, Py_ssize_t most)
