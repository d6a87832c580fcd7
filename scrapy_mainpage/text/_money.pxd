"""Amounts of money in UTF-8: a number beside a currency's sign or code."""

cdef enum:
    # Bytes of a blank between both: none, an ordinary or a no-break one.
    MAX_BLANK = 2


cdef inline bint has_amount(const unsigned char* text, int start, int stop) noexcept:
    """Whether a text has an amount of money."""
    cdef int k = start, size
    while k < stop:
        size = _sign_size(text, k, start, stop)
        if size and (_digit_before(text, k, start) or _digit_after(text, k + size, stop)):
            return True
        k += size if size else 1
    return False


cdef inline int _sign_size(const unsigned char* s, int k, int start, int stop) noexcept:
    """The bytes of the sign or code at a place; 0 for none."""
    cdef int left = stop - k
    if s[k] == b"$":
        return 1
    if s[k] == 0xC2:  # pound, yen
        return 2 if left > 1 and (s[k + 1] == 0xA3 or s[k + 1] == 0xA5) else 0
    if s[k] == 0xE2:  # the currency signs from U+20A0
        return 3 if left > 2 and s[k + 1] == 0x82 and s[k + 2] >= 0xA0 else 0
    if s[k] == 0xEF:  # full-width yen
        return 3 if left > 2 and s[k + 1] == 0xBF and s[k + 2] == 0xA5 else 0
    if s[k] == 0xE5:  # yen and yuan, behind their number
        return 3 if left > 2 and (
            s[k + 1] == 0x86 and s[k + 2] == 0x86 or s[k + 1] == 0x85 and s[k + 2] == 0x83
        ) else 0
    if k > start and _is_letter(s[k - 1]):
        return 0
    return _code_size(s + k, left)


cdef inline int _code_size(const unsigned char* s, int left) noexcept:
    cdef int size = 0
    while size < left and _is_letter(s[size]):
        size += 1
        if size > 6:
            return 0
    if size == 3 and _is_code(s):
        return 3
    if size == 2 and s[0] == b"k" and s[1] == b"r":  # krona, krone
        return 2
    if size == 3 and s[0] == b"z" and s[1] == 0xC5 and s[2] == 0x82:  # zloty
        return 3
    if size == 3 and s[0] == b"K" and s[1] == 0xC4 and s[2] == 0x8D:  # koruna
        return 3
    # rouble
    return size if size == 6 and s[0] == 0xD1 and s[1] == 0x80 and s[2] == 0xD1 and s[3] == 0x83 else 0


cdef inline bint _is_code(const unsigned char* s) noexcept:
    """Whether three letters are the code of a currency that prices are often in."""
    cdef unsigned int code = s[0] << 16 | s[1] << 8 | s[2]
    return (
        code == 0x455552 or code == 0x555344 or code == 0x474250 or code == 0x434846  # EUR USD GBP CHF
        or code == 0x504C4E or code == 0x435A4B or code == 0x53454B or code == 0x4E4F4B  # PLN CZK SEK NOK
        or code == 0x444B4B or code == 0x4A5059 or code == 0x434E59 or code == 0x494E52  # DKK JPY CNY INR
        or code == 0x415544 or code == 0x434144 or code == 0x42524C or code == 0x525542  # AUD CAD BRL RUB
    )


cdef inline bint _is_letter(unsigned char c) noexcept:
    return c >= 0x80 or <unsigned char>((c | 0x20) - 97) < 26


cdef inline bint _digit_before(const unsigned char* s, int k, int start) noexcept:
    cdef int i = k - 1, blank = 0
    while i > start and blank < MAX_BLANK and (s[i] == b" " or s[i] == 0xA0 or s[i] == 0xC2 or s[i] == b"-"):
        i -= 1
        blank += 1
    return i >= start and <unsigned char>(s[i] - 48) < 10


cdef inline bint _digit_after(const unsigned char* s, int k, int stop) noexcept:
    cdef int blank = 0
    while k < stop and blank < MAX_BLANK and (s[k] == b" " or s[k] == 0xA0 or s[k] == 0xC2):
        k += 1
        blank += 1
    return k < stop and <unsigned char>(s[k] - 48) < 10
