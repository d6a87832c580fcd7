"""What a system can do for a program that takes much memory at once."""

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    /* Large memory comes in large pages where the system has some: to touch it for the
       first time takes a few hundredths of the faults. */
    static inline void mainpage_use_large_pages(void* memory, size_t size) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (size >= (size_t)1 << 22) {
            const uintptr_t skipped = 4096 - (uintptr_t)memory % 4096;
            (void)madvise((char*)memory + skipped, size - skipped, MADV_HUGEPAGE);
        }
    #else
        (void)memory;
        (void)size;
    #endif
    }
    """
    void use_large_pages "mainpage_use_large_pages"(void* memory, size_t size) noexcept nogil
