from lxml.includes.tree cimport xmlNode

# What an element with formulas is, by its tag or class.
cdef enum:
    NO_FORMULA
    HOLDS_MATH      # math, or an element around it
    IS_RENDERING    # MathJax 2: a script with LaTeX stands behind it
    IS_PICTURE      # LaTeX is the text of an image
    SAYS_LATEX      # in an attribute
    INLINE_NOTE     # of LaTeXML: a note inside of its sentence
    NOTE_MARK       # its mark, which is no word


cdef int formula_class(const unsigned char* s, int size) noexcept
cdef bytes read_formula(xmlNode* node, int kind)
cdef bytes read_script(xmlNode* node, bytes type)
