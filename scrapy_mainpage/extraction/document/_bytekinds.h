/* The kinds of 64 bytes at a time, and the first bit of a number. */

#ifndef MAINPAGE_BYTEKINDS_H
#define MAINPAGE_BYTEKINDS_H

#include <stddef.h>
#include <stdint.h>
#if defined(_MSC_VER)
#include <intrin.h>
static inline int mainpage_first_bit(unsigned long long bits) {
    unsigned long place;
    #if defined(_M_X64) || defined(_M_ARM64)
    _BitScanForward64(&place, bits);
    #else
    if (!_BitScanForward(&place, (unsigned long)bits)) {
        _BitScanForward(&place, (unsigned long)(bits >> 32));
        place += 32;
    }
    #endif
    return (int)place;
}
#else
#define mainpage_first_bit __builtin_ctzll
#endif

typedef struct {
    // In a word; a blank or control; from 0xE3 on; not the first of a character.
    uint64_t *word, *blank, *high, *more;
} mainpage_kinds;

// One bit for each of 64 bytes that are 0 or 1. The product has the bits of eight
// bytes in its highest byte, the first byte's lowest.
static inline uint64_t mainpage_pack_bits(const unsigned char* flags) {
    uint64_t bits = 0, eight;
    int k, j;
    for (k = 0; k < 64; k += 8) {
        eight = 0;
        for (j = 0; j < 8; j++)  // compilers make it one load
            eight |= (uint64_t)flags[k + j] << 8 * j;
        bits |= (eight * 0x0102040810204080ull >> 56) << k;
    }
    return bits;
}

// All 64 bits of place *at*, of the bytes from *s* on. Compilers vectorise the loop.
static inline void mainpage_read_kinds(
    const unsigned char* s, mainpage_kinds* kinds, size_t at
) {
    unsigned char word[64], blank[64], high[64], more[64];
    int k;
    for (k = 0; k < 64; k++) {
        const unsigned char c = s[k];
        word[k] = (c >= 0x80) | ((unsigned char)((c | 0x20) - 'a') < 26)
            | ((unsigned char)(c - '0') < 10);
        blank[k] = c <= 32;
        high[k] = c >= 0xE3;
        more[k] = (c & 0xC0) == 0x80;
    }
    kinds->word[at] = mainpage_pack_bits(word);
    kinds->blank[at] = mainpage_pack_bits(blank);
    kinds->high[at] = mainpage_pack_bits(high);
    kinds->more[at] = mainpage_pack_bits(more);
}

#endif
