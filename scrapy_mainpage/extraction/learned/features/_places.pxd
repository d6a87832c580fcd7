from ._view cimport View

cdef int number_tokens(View view) except -1
cdef int read_keys(View view) except -1
cdef int number_texts(View view) except -1
cdef int fill_repetition(View view, float* out) except -1
cdef int fill_groups(View view, float* out) except -1
cdef int fill_body(View view, float* out) except -1
