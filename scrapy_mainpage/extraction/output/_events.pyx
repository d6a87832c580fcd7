"""A stream of events, as which the main content is written, and its writers' text."""

import numpy as np

from cpython.mem cimport PyMem_Free
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from ..document._buffers cimport resize
from ._signs cimport Signs

from ..document.tags import CODES


cdef class Buffer:
    def __dealloc__(self):
        PyMem_Free(self.bytes)

    cdef int reserve(self, Py_ssize_t more) except -1:
        cdef Py_ssize_t room = 2 * (self.size + more) + 64
        if self.size + more > self.room:
            self.bytes = <unsigned char*>resize(self.bytes, room)
            self.room = room

    cdef int put_bytes(self, const unsigned char* s, Py_ssize_t size) except -1:
        if size:  # both pointers may be NULL otherwise
            self.reserve(size)
            memcpy(self.bytes + self.size, s, size)
            self.size += size

    cdef int put_repeated(self, unsigned char c, Py_ssize_t count) except -1:
        for _ in range(count):
            self.put_byte(c)

    cdef int put_number(self, int number) except -1:
        return self.put_object(b"%d" % number)

    cdef Py_ssize_t count(self, unsigned char c) noexcept:
        cdef Py_ssize_t k, found = 0
        for k in range(self.size):
            found += self.bytes[k] == c
        return found

    cdef Py_ssize_t longest_run(self, unsigned char c) noexcept:
        cdef Py_ssize_t k, run = 0, longest = 0
        for k in range(self.size):
            run = run + 1 if self.bytes[k] == c else 0
            longest = max(longest, run)
        return longest

    cdef str text(self):
        return self.bytes[:self.size].decode("utf-8", "replace")


# The tag of each kind, in the order of the kinds.
NAMES = (
    "", "blockquote", "ul", "ol", "li", "dl", "dd", "table", "tr", "td", "th",
    "figure", "figcaption", "details",
    "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dt", "summary", "caption",
    "p", "",
    "a", "strong", "b", "em", "i", "u", "s", "del", "ins", "sub", "sup", "mark",
    "small", "q", "cite", "abbr", "kbd", "samp", "var", "time", "code",
)


cdef class Events:
    def __init__(self, Signs signs):
        self.signs = signs

    def __dealloc__(self):
        PyMem_Free(self.items)

    cdef int add(self, int operation, int kind, int first, int second) except -1:
        if self.size == self.room:
            self.items = <Event*>resize(self.items, (2 * self.room + 256) * sizeof(Event))
            self.room = 2 * self.room + 256
        self.items[self.size] = Event(operation, kind, first, second)
        self.size += 1

    def elements(self, *names):
        """The elements that are opened as one of the tags *names*, in the stream's order."""
        cdef int64_t kinds = 0
        cdef Event* event
        cdef int k
        cdef list found = []
        for name in names:
            kinds |= 1ll << <int>NAMES.index(name)
        for k in range(self.size):
            event = &self.items[k]
            if event.operation == OPEN and kinds >> event.kind & 1 and event.first >= 0:
                found.append(event.first)
        return np.array(found, np.int32)


# Of those without a title.
cdef dict MEDIA_NAMES = {CODES["video"]: b"Video", CODES["audio"]: b"Audio"}


cdef class EventWriter:
    def __init__(self, Events events, dict links, dict sources, dict languages):
        self.events, self.d, self.text = events, events.signs, events.signs.text
        self.links, self.sources, self.languages = links, sources, languages
        self.newest_mark, self.budget = -1, self.d.output_budget
        self.out = Buffer()

    cdef bint affords_mark(self, int element, Py_ssize_t size) noexcept:
        """Whether the attributes of a mark may be written: those of a mark around
        several blocks come with each of them."""
        if element <= self.newest_mark:
            self.budget -= size
            return self.budget >= 0
        self.newest_mark = element
        return True

    cdef str write(self):
        cdef Event* event
        for self.place in range(self.events.size):
            event = &self.events.items[self.place]
            if event.operation == OPEN:
                self.open(event.kind, event.first, event.second)
            elif event.operation == CLOSE:
                self.close(event.kind)
            elif event.operation == TEXT:
                self.add_text(event.first, event.second, event.kind)
            else:
                self.add(event.operation, event.first)
        return self.out.text()

    cdef int next_element(self) noexcept:
        """The element that the next event opens, or -1."""
        cdef Event* event = &self.events.items[self.place + 1]
        return event.first if self.place + 1 < self.events.size and event.operation == OPEN else -1

    cdef int open(self, int kind, int element, int is_head) except -1:
        raise NotImplementedError

    cdef int close(self, int kind) except -1:
        raise NotImplementedError

    cdef int add_text(self, int start, int end, int role) except -1:
        raise NotImplementedError

    cdef int add(self, int operation, int element) except -1:
        raise NotImplementedError
