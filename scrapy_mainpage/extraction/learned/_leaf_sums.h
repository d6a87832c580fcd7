/* Inner loops of _forest.pyx: thresholds counted and leaves summed for 32 rows at once. */

#ifndef MAINPAGE_LEAF_SUMS_H
#define MAINPAGE_LEAF_SUMS_H

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define MAINPAGE_AVX2 1
#include <immintrin.h>
#endif

#define LANES 32
#define LEAVES 8
#define VECTOR 16

typedef struct {
    /* Per node: the feature, the rank of its threshold, and the leaves that a value above
       crosses out. Per tree: its first node, with one more entry for the end; its values. */
    const int32_t *feature, *first;
    const uint8_t *rank, *crossed;
    const int16_t *value;
    int n_trees;
} mainpage_trees;

/* How many of the thresholds each of 32 values is above. */
static inline void mainpage_count_lanes(
    const float* __restrict x, const float* __restrict threshold, int count,
    uint8_t* __restrict above
) {
    int32_t sums[LANES];
    for (int j = 0; j < LANES; j++) sums[j] = x[j] > threshold[0];
    for (int k = 1; k < count; k++) {
        const float least = threshold[k];
        for (int j = 0; j < LANES; j++) sums[j] += x[j] > least;
    }
    for (int j = 0; j < LANES; j++) above[j] = (uint8_t)sums[j];
}

/* The same for n values. */
static void mainpage_count_thresholds(
    const float* __restrict x, int n, const float* __restrict threshold, int count,
    uint8_t* __restrict above
) {
    float rest[LANES];
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        mainpage_count_lanes(x + i, threshold, count, above + i);
    if (i == n) return;
    for (int j = 0; j < LANES; j++) rest[j] = x[i + j < n ? i + j : n - 1];
    mainpage_count_lanes(rest, threshold, count, above + i);
}

/* The leaf of a tree that each of 32 rows ends in, as a bit; counts of a feature begin
   *stride* bytes after those of the one before. Arithmetic instead of branches, so that
   compilers vectorise the loops. */
static inline void mainpage_find_leaves(
    const mainpage_trees* trees, int tree, const uint8_t* __restrict above, size_t stride,
    int16_t* __restrict lowest
) {
    uint8_t leaves[LANES], low[LANES];
    memset(leaves, 0xFF, LANES);
    for (int k = trees->first[tree]; k < trees->first[tree + 1]; k++) {
        const uint8_t* a = above + trees->feature[k] * stride;
        const uint8_t rank = trees->rank[k], rest = (uint8_t)~trees->crossed[k];
        for (int j = 0; j < LANES; j++) leaves[j] &= rest | (uint8_t)-(a[j] <= rank);
    }
    /* Bits and numbers in loops of their own: GCC vectorises no mixed ones. */
    for (int j = 0; j < LANES; j++) low[j] = leaves[j] & (uint8_t)-leaves[j];
    for (int j = 0; j < LANES; j++) lowest[j] = low[j];
}

/* The sums of all trees for 32 rows. */
static void mainpage_sum_plain(
    const mainpage_trees* trees, const uint8_t* __restrict above, size_t stride,
    int32_t* __restrict sums
) {
    const int16_t* value = trees->value;
    memset(sums, 0, LANES * sizeof(int32_t));
    for (int tree = 0; tree < trees->n_trees; tree++, value += LEAVES) {
        int16_t lowest[LANES], chosen[LANES] = {0};
        mainpage_find_leaves(trees, tree, above, stride, lowest);
        for (int k = 0; k < LEAVES; k++) {
            const int16_t bit = (int16_t)(1 << k), v = value[k];
            for (int j = 0; j < LANES; j++) chosen[j] += lowest[j] == bit ? v : 0;
        }
        for (int j = 0; j < LANES; j++) sums[j] += chosen[j];
    }
}

/* The number of that leaf, for all trees. */
static void mainpage_number_plain(
    const mainpage_trees* trees, const uint8_t* above, size_t stride, uint8_t* places
) {
    for (int tree = 0; tree < trees->n_trees; tree++, places += LANES) {
        int16_t lowest[LANES];
        mainpage_find_leaves(trees, tree, above, stride, lowest);
        memset(places, 0, LANES);
        for (int k = 0; k < LEAVES - 1; k++)
            for (int j = 0; j < LANES; j++) places[j] += lowest[j] > 1 << k;
    }
}

#ifdef MAINPAGE_AVX2
/* The same by hand: a table look-up finds the leaf. It is worth about a fifth of bytes to
   text: 0.25 instead of 2.1 ms a page, of 8.5 ms (CPU, wcxb-dev); the labels of
   200 blocks take 0.13 instead of 0.41 ms. */
__attribute__((target("avx2")))
static inline __m256i mainpage_find_avx2(
    const mainpage_trees* trees, int tree, const uint8_t* above, size_t stride
) {
    /* The place of the lowest bit, by the half of a byte that has it. */
    const __m256i low = _mm256_setr_epi8(
        0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0);
    const __m256i high = _mm256_setr_epi8(
        0, 4, 5, 0, 6, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0,
        0, 4, 5, 0, 6, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0);
    const __m256i half = _mm256_set1_epi8(15);
    __m256i leaves = _mm256_set1_epi8(-1);
    for (int k = trees->first[tree]; k < trees->first[tree + 1]; k++) {
        const __m256i a = _mm256_loadu_si256(
            (const __m256i*)(above + trees->feature[k] * stride));
        const __m256i least = _mm256_set1_epi8((char)(trees->rank[k] + 1));
        const __m256i crossed = _mm256_set1_epi8((char)trees->crossed[k]);
        const __m256i is_above = _mm256_cmpeq_epi8(_mm256_max_epu8(a, least), a);
        leaves = _mm256_andnot_si256(_mm256_and_si256(is_above, crossed), leaves);
    }
    leaves = _mm256_and_si256(leaves, _mm256_sub_epi8(_mm256_setzero_si256(), leaves));
    return _mm256_or_si256(
        _mm256_shuffle_epi8(low, _mm256_and_si256(leaves, half)),
        _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(leaves, 4), half)));
}

__attribute__((target("avx2")))
static void mainpage_number_avx2(
    const mainpage_trees* trees, const uint8_t* above, size_t stride, uint8_t* places
) {
    for (int tree = 0; tree < trees->n_trees; tree++)
        _mm256_storeu_si256((__m256i*)(places + (size_t)LANES * tree),
            mainpage_find_avx2(trees, tree, above, stride));
}

__attribute__((target("avx2")))
static void mainpage_sum_avx2(
    const mainpage_trees* trees, const uint8_t* above, size_t stride, int32_t* sums
) {
    const __m256i zero = _mm256_setzero_si256();
    /* A value is two bytes: those with even places are the lower ones. */
    const __m256i upper = _mm256_set1_epi8(1);
    __m256i p = zero, q = zero, r = zero, s = zero;
    for (int tree = 0; tree < trees->n_trees; tree++) {
        const __m256i value = _mm256_broadcastsi128_si256(
            _mm_loadu_si128((const __m128i*)(trees->value + LEAVES * tree)));
        __m256i place = mainpage_find_avx2(trees, tree, above, stride);
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

static int mainpage_has_avx2(void) {
#ifdef MAINPAGE_AVX2
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

static void mainpage_sum_leaves(
    const mainpage_trees* trees, const uint8_t* above, size_t stride, int32_t* sums,
    int use_avx2
) {
#ifdef MAINPAGE_AVX2
    if (use_avx2) {
        mainpage_sum_avx2(trees, above, stride, sums);
        return;
    }
#endif
    (void)use_avx2;
    mainpage_sum_plain(trees, above, stride, sums);
}

static void mainpage_number_leaves(
    const mainpage_trees* trees, const uint8_t* above, size_t stride, uint8_t* places,
    int use_avx2
) {
#ifdef MAINPAGE_AVX2
    if (use_avx2) {
        mainpage_number_avx2(trees, above, stride, places);
        return;
    }
#endif
    (void)use_avx2;
    mainpage_number_plain(trees, above, stride, places);
}

/* The sums over all trees of the vectors of the leaves that 32 rows end in. Some trees at
   a time, whose vectors stay near. */
static void mainpage_sum_vectors(
    const int16_t* vectors, int n_trees, const uint8_t* places, int16_t* sums
) {
    memset(sums, 0, LANES * VECTOR * sizeof(int16_t));
    for (int from = 0; from < n_trees; from += LANES) {
        const int n = n_trees - from < LANES ? n_trees - from : LANES;
        for (int row = 0; row < LANES; row++) {
            uint16_t total[VECTOR];
            memcpy(total, sums + VECTOR * row, sizeof(total));
            for (int tree = 0; tree < n; tree++) {
                const int16_t* value =
                    vectors + VECTOR * (LEAVES * tree + places[LANES * tree + row]);
                for (int j = 0; j < VECTOR; j++) total[j] += (uint16_t)value[j];
            }
            memcpy(sums + VECTOR * row, total, sizeof(total));
        }
        vectors += LANES * LEAVES * VECTOR;
        places += LANES * LANES;
    }
}

#endif
