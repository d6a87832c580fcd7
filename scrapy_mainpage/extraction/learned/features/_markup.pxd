from ._view cimport View

cdef int fill_markup(View view, const float* weights, float* out) except -1
cdef object slots_of_page(View view)
