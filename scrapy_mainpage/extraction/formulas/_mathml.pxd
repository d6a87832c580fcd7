from lxml.includes.tree cimport xmlNode


cdef str write_latex(xmlNode* math)
