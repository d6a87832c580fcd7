"""How the C library takes small memory back."""

cdef extern from *:
    """
    #include <stdlib.h>
    #if defined(__GLIBC__)
    #include <malloc.h>
    static void mainpage_set_fast_bins(int used) {
        /* The largest size in fast bins: what glibc begins with, or none. */
        mallopt(M_MXFAST, used ? 64 * (int)sizeof(size_t) / 4 : 0);
    }
    #else
    static void mainpage_set_fast_bins(int used) { (void)used; }
    #endif
    """
    void mainpage_set_fast_bins(int used) noexcept


def set_fast_bins(bint used):
    """Whether glibc puts off joining small memory that is freed with what is around."""
    mainpage_set_fast_bins(used)
