"""Whether a text has tags of HTML."""

from cpython.unicode cimport Py_UNICODE_ISSPACE

cdef frozenset NAMES = frozenset(
    "p div br h1 h2 h3 h4 h5 h6 ul ol li dl dt dd a b i u strong em span table tr td "
    "section article blockquote pre code img figure hr sup sub small font center".split()
)

cdef enum:
    LONGEST_NAME = 10


def is_html(str text not None):
    """Whether *text* has a tag that texts are written with."""
    cdef Py_ssize_t place = text.find("<")
    while place >= 0:
        if is_tag(text, place + 1):
            return True
        place = text.find("<", place + 1)
    return False


cdef bint is_tag(str text, Py_ssize_t start):
    """Whether a tag's name and its end follow at *start*."""
    cdef Py_ssize_t size = len(text), end
    if start < size and text[start] == "/":
        start += 1
    end = start
    while end < size and end - start <= LONGEST_NAME and text[end].isalnum():
        end += 1
    if end == size or text[start:end].lower() not in NAMES:
        return False
    if Py_UNICODE_ISSPACE(text[end]):
        while end < size and text[end] != "<" and text[end] != ">":
            end += 1
        return end < size and text[end] == ">"
    if text[end] == "/":
        end += 1
    return end < size and text[end] == ">"
