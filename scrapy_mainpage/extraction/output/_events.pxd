from libc.stdint cimport int32_t, int64_t
from libc.string cimport strlen
cimport cython

from ._signs cimport Signs


@cython.final
cdef class Buffer:
    """A growing text in UTF-8."""

    cdef unsigned char* bytes
    cdef Py_ssize_t size, room

    cdef int reserve(self, Py_ssize_t more) except -1
    cdef int put_bytes(self, const unsigned char* s, Py_ssize_t size) except -1
    cdef int put_repeated(self, unsigned char c, Py_ssize_t count) except -1
    cdef int put_number(self, int number) except -1
    cdef Py_ssize_t count(self, unsigned char c) noexcept
    cdef Py_ssize_t longest_run(self, unsigned char c) noexcept
    cdef str text(self)

    cdef inline int put_byte(self, unsigned char byte) except -1:
        if self.size == self.room:
            self.reserve(1)
        self.bytes[self.size] = byte
        self.size += 1

    cdef inline int put(self, const char* s) except -1:
        return self.put_bytes(<const unsigned char*>s, strlen(s))

    cdef inline int put_object(self, bytes s) except -1:
        return self.put_bytes(s, len(s))


# Kinds of elements: containers of blocks, containers of text, the paragraph (K_TIGHT: text
# without a tag of its own), marks inside the text.
cdef enum:
    K_NONE
    K_BLOCKQUOTE, K_UL, K_OL, K_LI, K_DL, K_DD, K_TABLE, K_TR, K_TD, K_TH
    K_FIGURE, K_FIGCAPTION, K_DETAILS
    K_H1, K_H2, K_H3, K_H4, K_H5, K_H6, K_PRE, K_DT, K_SUMMARY, K_CAPTION
    K_P, K_TIGHT
    K_A, K_STRONG, K_B, K_EM, K_I, K_U, K_S, K_DEL, K_INS, K_SUB, K_SUP, K_MARK
    K_SMALL, K_Q, K_CITE, K_ABBR, K_KBD, K_SAMP, K_VAR, K_TIME, K_CODE
    N_KINDS

cdef enum Operation:
    OPEN, CLOSE, TEXT, BREAK, IMAGE, MEDIA, RULE, BLANK, FORMULA


cdef struct Event:
    int32_t operation, kind
    # OPEN: the element (-1: none), and whether it is a header row. TEXT: the bytes' start
    # and end; its kind is the role of the run. IMAGE and MEDIA: the element.
    # FORMULA: the run.
    int32_t first, second


cdef dict MEDIA_NAMES


cdef class Events:
    """A stream of events. Every OPEN has its CLOSE, and they nest."""

    cdef Signs signs
    cdef Event* items
    cdef int size, room

    cdef int add(self, int operation, int kind, int first, int second) except -1


cdef class EventWriter:
    """Base of the writers of event streams: the document's columns and the loop.

    `links` and `sources` give elements their addresses as UTF-8, `languages` give `pre`
    elements the language of their code.
    """

    cdef Events events
    cdef Signs d
    cdef const unsigned char* text
    cdef dict links, sources, languages
    cdef int place              # the event that is written
    cdef int newest_mark        # the last element that was opened as a mark
    cdef int64_t budget         # bytes that repetitions may still take
    cdef Buffer out

    cdef bint affords_mark(self, int element, Py_ssize_t size) noexcept
    cdef int next_element(self) noexcept
    cdef str write(self)
    cdef int open(self, int kind, int element, int is_head) except -1
    cdef int close(self, int kind) except -1
    cdef int add_text(self, int start, int end, int role) except -1
    cdef int add(self, int operation, int element) except -1
