# Kinds of runs, flags of elements, and the attributes of elements.

# In the order of RunKind.
cdef enum:
    RUN_TEXT, RUN_BREAK, RUN_IMAGE, RUN_MEDIA, RUN_RULE, RUN_HEAD

# Of Context.
cdef enum:
    HIDDEN = 1 << 0
    PRE_FLAG = 1 << 1

cdef int REVERSED = ATTRIBUTE_CODES["reversed"], VALUE = ATTRIBUTE_CODES["value"]
cdef int TYPE = ATTRIBUTE_CODES["type"]


cdef class Attributes:
    cdef object document    # it keeps the columns
    cdef Column names, starts, ends, first
    cdef int n_elements, n_attributes
    cdef bytes values_object
    cdef const unsigned char* values

    def __init__(self, document):
        cdef Tables t
        read_tables(document, &t)
        self.document = document
        self.n_elements, self.n_attributes = t.n_elements, t.n_attributes
        self.names, self.starts, self.ends = t.attributes.name, t.attributes.start, t.attributes.end
        self.first = t.elements.first_attribute
        self.values_object = document.values
        self.values = self.values_object

    cdef int find(self, int element, int name) noexcept:
        """The index of the attribute `name` of `element`, or -1."""
        cdef int k, end = self.n_attributes
        if element < 0:
            return -1
        if element + 1 < self.n_elements:
            end = self.first[element + 1]
        for k in range(self.first[element], end):
            if self.names[k] == name:
                return k
        return -1

    cdef int number(self, int element, int name, int default) noexcept:
        """The number that an attribute gives; `default` for anything but 1 to 9 digits."""
        cdef int k = self.find(element, name), value = 0, place
        if k < 0 or not 0 < self.ends[k] - self.starts[k] < 10:
            return default
        for place in range(self.starts[k], self.ends[k]):
            if not 48 <= self.values[place] <= 57:
                return default
            value = value * 10 + self.values[place] - 48
        return value

    cdef bytes value(self, int element, int name):
        """The value of an attribute; empty without it."""
        cdef int k = self.find(element, name)
        return self.values[self.starts[k]:self.ends[k]] if k >= 0 else b""
