cdef str GENFRAC


cdef str join(list parts)
cdef list join_fences(list parts)
cdef bint encloses(list parts)
cdef str braced(str text)
cdef str base_of(str text)
cdef str script(str sign, str text)
cdef str letter(str c)
cdef str beside(str base, str below, str above)
