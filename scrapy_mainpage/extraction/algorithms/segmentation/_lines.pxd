"""Word counts of text wrapped at a line width."""

from ...document._bytekinds cimport Kinds

cdef enum:
    # Characters; the width at which text is wrapped to count the words per line.
    LINE_WIDTH = 80


cdef struct Wrapped:
    int words, lines, last_words


cdef Wrapped wrap(const unsigned char* text, int k, int stop, int width) noexcept
cdef Wrapped wrap_kinds(
    const unsigned char* text, const Kinds* kinds, int k, int stop, int width
) noexcept
