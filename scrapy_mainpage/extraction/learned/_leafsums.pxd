"""The inner loops of ``_quickforest.pyx``, also in the wider vectors that most have.

Both ways add whole numbers, so that they come to the same sums.
"""

from libc.stdint cimport int16_t, int32_t, uint8_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    #define MAINPAGE_AVX2 1
    #include <immintrin.h>
    #endif

    // Rows that are worked on together; leaves of a tree.
    #define MAINPAGE_ROWS 32
    #define MAINPAGE_LEAVES 8

    typedef struct {
        // Per node: the feature, its rank among the feature's thresholds, and the
        // leaves that a value above it crosses out. Per tree: its first node (and, as
        // the last one, where they end), and its values.
        const int32_t *feature, *first;
        const uint8_t *rank, *crossed;
        const int16_t *value;
        int n_trees;
    } mainpage_trees;

    static void mainpage_ranks_plain(
        const float* x, int n, const float* threshold, int count, uint8_t* above
    ) {
        for (int k = 0; k < count; k++) {
            const float least = threshold[k];
            for (int i = 0; i < n; i++) above[i] += x[i] > least;
        }
    }

    static void mainpage_sums_plain(
        const mainpage_trees* trees, const uint8_t* above, size_t wide, int32_t* sums
    ) {
        uint8_t leaves[MAINPAGE_ROWS];
        memset(sums, 0, MAINPAGE_ROWS * sizeof(int32_t));
        for (int tree = 0; tree < trees->n_trees; tree++) {
            const int16_t* value = trees->value + MAINPAGE_LEAVES * tree;
            memset(leaves, 0xFF, MAINPAGE_ROWS);
            for (int k = trees->first[tree]; k < trees->first[tree + 1]; k++) {
                const uint8_t* a = above + trees->feature[k] * wide;
                const uint8_t rank = trees->rank[k];
                const uint8_t rest = (uint8_t)~trees->crossed[k];
                for (int i = 0; i < MAINPAGE_ROWS; i++)
                    leaves[i] &= a[i] > rank ? rest : 0xFF;
            }
            for (int i = 0; i < MAINPAGE_ROWS; i++) {
                int leaf = 0;
                while (!(leaves[i] >> leaf & 1)) leaf++;
                sums[i] += value[leaf];
            }
        }
    }

    #ifdef MAINPAGE_AVX2
    __attribute__((target("avx2")))
    static void mainpage_ranks_avx2(
        const float* x, int n, const float* threshold, int count, uint8_t* above
    ) {
        int i = 0;
        for (; i + MAINPAGE_ROWS <= n; i += MAINPAGE_ROWS) {
            const __m256 a = _mm256_loadu_ps(x + i), b = _mm256_loadu_ps(x + i + 8);
            const __m256 c = _mm256_loadu_ps(x + i + 16), d = _mm256_loadu_ps(x + i + 24);
            __m256i p = _mm256_setzero_si256(), q = p, r = p, s = p;
            for (int k = 0; k < count; k++) {
                const __m256 t = _mm256_broadcast_ss(threshold + k);
                p = _mm256_sub_epi32(p, _mm256_castps_si256(_mm256_cmp_ps(a, t, _CMP_GT_OQ)));
                q = _mm256_sub_epi32(q, _mm256_castps_si256(_mm256_cmp_ps(b, t, _CMP_GT_OQ)));
                r = _mm256_sub_epi32(r, _mm256_castps_si256(_mm256_cmp_ps(c, t, _CMP_GT_OQ)));
                s = _mm256_sub_epi32(s, _mm256_castps_si256(_mm256_cmp_ps(d, t, _CMP_GT_OQ)));
            }
            p = _mm256_packus_epi16(_mm256_packs_epi32(p, q), _mm256_packs_epi32(r, s));
            p = _mm256_permutevar8x32_epi32(p, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
            _mm256_storeu_si256((__m256i*)(above + i), p);
        }
        mainpage_ranks_plain(x + i, n - i, threshold, count, above + i);
    }

    __attribute__((target("avx2")))
    static void mainpage_sums_avx2(
        const mainpage_trees* trees, const uint8_t* above, size_t wide, int32_t* sums
    ) {
        // The place of the lowest bit, by the half of a byte that has it.
        const __m256i low = _mm256_setr_epi8(
            0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0);
        const __m256i high = _mm256_setr_epi8(
            0, 4, 5, 0, 6, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0,
            0, 4, 5, 0, 6, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0);
        const __m256i half = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
        // A value is two bytes: those with even places are the lower ones.
        const __m256i upper = _mm256_set1_epi8(1);
        __m256i p = zero, q = zero, r = zero, s = zero;
        for (int tree = 0; tree < trees->n_trees; tree++) {
            const __m256i value = _mm256_broadcastsi128_si256(
                _mm_loadu_si128((const __m128i*)(trees->value + MAINPAGE_LEAVES * tree)));
            __m256i leaves = _mm256_set1_epi8(-1);
            for (int k = trees->first[tree]; k < trees->first[tree + 1]; k++) {
                const __m256i a = _mm256_loadu_si256(
                    (const __m256i*)(above + trees->feature[k] * wide));
                const __m256i least = _mm256_set1_epi8((char)(trees->rank[k] + 1));
                const __m256i crossed = _mm256_set1_epi8((char)trees->crossed[k]);
                const __m256i is_above = _mm256_cmpeq_epi8(_mm256_max_epu8(a, least), a);
                leaves = _mm256_andnot_si256(_mm256_and_si256(is_above, crossed), leaves);
            }
            leaves = _mm256_and_si256(leaves, _mm256_sub_epi8(zero, leaves));
            __m256i place = _mm256_or_si256(
                _mm256_shuffle_epi8(low, _mm256_and_si256(leaves, half)),
                _mm256_shuffle_epi8(
                    high, _mm256_and_si256(_mm256_srli_epi16(leaves, 4), half)));
            place = _mm256_add_epi8(place, place);
            const __m256i first = _mm256_shuffle_epi8(value, place);
            const __m256i second = _mm256_shuffle_epi8(value, _mm256_or_si256(place, upper));
            const __m256i a = _mm256_unpacklo_epi8(first, second);
            const __m256i b = _mm256_unpackhi_epi8(first, second);
            p = _mm256_add_epi32(p, _mm256_cvtepi16_epi32(_mm256_castsi256_si128(a)));
            q = _mm256_add_epi32(q, _mm256_cvtepi16_epi32(_mm256_castsi256_si128(b)));
            r = _mm256_add_epi32(r, _mm256_cvtepi16_epi32(_mm256_extracti128_si256(a, 1)));
            s = _mm256_add_epi32(s, _mm256_cvtepi16_epi32(_mm256_extracti128_si256(b, 1)));
        }
        _mm256_storeu_si256((__m256i*)sums, p);
        _mm256_storeu_si256((__m256i*)(sums + 8), q);
        _mm256_storeu_si256((__m256i*)(sums + 16), r);
        _mm256_storeu_si256((__m256i*)(sums + 24), s);
    }
    #endif

    static int mainpage_is_wide(void) {
    #ifdef MAINPAGE_AVX2
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") != 0;
    #else
        return 0;
    #endif
    }

    static void mainpage_ranks(
        const float* x, int n, const float* threshold, int count, uint8_t* above,
        int is_wide
    ) {
    #ifdef MAINPAGE_AVX2
        if (is_wide) {
            mainpage_ranks_avx2(x, n, threshold, count, above);
            return;
        }
    #endif
        mainpage_ranks_plain(x, n, threshold, count, above);
    }

    static void mainpage_sums(
        const mainpage_trees* trees, const uint8_t* above, size_t wide, int32_t* sums,
        int is_wide
    ) {
    #ifdef MAINPAGE_AVX2
        if (is_wide) {
            mainpage_sums_avx2(trees, above, wide, sums);
            return;
        }
    #endif
        mainpage_sums_plain(trees, above, wide, sums);
    }
    """
    ctypedef struct Trees "mainpage_trees":
        const int32_t *feature
        const int32_t *first
        const uint8_t *rank
        const uint8_t *crossed
        const int16_t *value
        int n_trees
    bint is_wide "mainpage_is_wide"() noexcept
    # How many of the thresholds each of *n* values is above; *above* was all 0.
    void ranks "mainpage_ranks"(
        const float* x, int n, const float* threshold, int count, uint8_t* above, bint wide
    ) noexcept
    # The sums of all trees for ROWS rows; a feature's ranks begin *wide* bytes after
    # those of the one before.
    void leaf_sums "mainpage_sums"(
        const Trees* trees, const uint8_t* above, size_t wide, int32_t* sums, bint vectors
    ) noexcept

cdef enum:
    ROWS = 32
    MOST_LEAVES = 8
