// The inner loops of the network, written once in plain C++ and compiled twice: for the registers
// every machine of a kind has, and where a compiler can, for AVX2, chosen at run time. Sums of
// whole numbers don't depend on their order, so both give the same.
#pragma once

#include "eval/network.hpp"

#include <algorithm>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define SUMITO_WIDE __attribute__((target("avx2")))
#endif

namespace sumito {

inline constexpr int MOST_OUTPUT = 127;   // times ONE still fits sixteen bits
inline constexpr int MOST_FEATURE = 2000; // so that no sum over the marbles of a board overflows

enum class Registers { plain, widest };

namespace detail {

// Rows of weights to add and to take away.
struct Rows {
    std::array<const std::int16_t*, 2 * CELLS> rows;
    int count = 0;
    SUMITO_INLINE void add(const std::int16_t* row) {
        rows[static_cast<std::size_t>(count++)] = row;
    }
};

template <int H, int N>
SUMITO_INLINE void swap_rows(const std::int16_t* __restrict before, std::int16_t* __restrict fresh,
                             const Rows& come, const Rows& gone) {
    std::array<const std::int16_t*, N> in;
    std::array<const std::int16_t*, N> out;
    for (int k = 0; k < N; ++k) in[k] = come.rows[k], out[k] = gone.rows[k];
    for (int i = 0; i < H; ++i) {
        int sum = before[i];
        for (int k = 0; k < N; ++k) sum += in[k][i] - out[k][i];
        fresh[i] = static_cast<std::int16_t>(sum);
    }
}

template <int H>
SUMITO_INLINE void change_rows(const std::int16_t* __restrict before,
                               std::int16_t* __restrict fresh, const Rows& come, const Rows& gone) {
    if (come.count == 1 && gone.count == 1) return swap_rows<H, 1>(before, fresh, come, gone);
    if (come.count == 2 && gone.count == 2) return swap_rows<H, 2>(before, fresh, come, gone);
    if (come.count == 3 && gone.count == 3) return swap_rows<H, 3>(before, fresh, come, gone);
    std::copy_n(before, H, fresh);
    int k = 0;
    for (; k + 4 <= come.count; k += 4) { // a whole board: four rows for each time through memory
        const std::int16_t* const a = come.rows[k];
        const std::int16_t* const b = come.rows[k + 1];
        const std::int16_t* const c = come.rows[k + 2];
        const std::int16_t* const d = come.rows[k + 3];
        for (int i = 0; i < H; ++i)
            fresh[i] = static_cast<std::int16_t>(fresh[i] + a[i] + b[i] + c[i] + d[i]);
    }
    for (; k < come.count; ++k) {
        const std::int16_t* __restrict row = come.rows[k];
        for (int i = 0; i < H; ++i) fresh[i] = static_cast<std::int16_t>(fresh[i] + row[i]);
    }
    for (k = 0; k < gone.count; ++k) {
        const std::int16_t* __restrict row = gone.rows[k];
        for (int i = 0; i < H; ++i) fresh[i] = static_cast<std::int16_t>(fresh[i] - row[i]);
    }
}

template <int H>
SUMITO_INLINE void update(const Network& network, const Network::Accumulator& before,
                          const Network::Change& change, Network::Accumulator& fresh) {
    const std::int16_t* const first = network.row(0);
    for (int side = 0; side < 2; ++side) {
        Rows come;
        Rows gone;
        for (int owner = 0; owner < 2; ++owner) {
            const std::int16_t* const rows = owner == side ? first : first + CELLS * H;
            each(change.come[owner], [&](int cell) { come.add(rows + cell * H); });
            each(change.gone[owner], [&](int cell) { gone.add(rows + cell * H); });
        }
        change_rows<H>(before.half[side].data(), fresh.half[side].data(), come, gone);
    }
}

template <int H>
SUMITO_INLINE std::int32_t weigh(const std::int16_t* __restrict half,
                                 const std::int16_t* __restrict weights) {
    std::int32_t sum = 0;
    for (int i = 0; i < H; ++i) {
        const auto clipped =
            std::min<std::int16_t>(std::max<std::int16_t>(half[i], 0), Network::ONE);
        const auto product = static_cast<std::int16_t>(clipped * weights[i]);
        sum += product * clipped;
    }
    return sum;
}

template <int H>
SUMITO_INLINE std::int32_t output(const std::int16_t* us, const std::int16_t* them,
                                  const std::int16_t* weights) {
    return weigh<H>(us, weights) + weigh<H>(them, weights + H);
}

template <int H>
void update_plain(const Network& network, const Network::Accumulator& before,
                  const Network::Change& change, Network::Accumulator& fresh) {
    update<H>(network, before, change, fresh);
}
template <int H>
std::int32_t output_plain(const std::int16_t* us, const std::int16_t* them,
                          const std::int16_t* weights) {
    return output<H>(us, them, weights);
}

#ifdef SUMITO_WIDE
template <int H>
SUMITO_WIDE void update_wide(const Network& network, const Network::Accumulator& before,
                             const Network::Change& change, Network::Accumulator& fresh) {
    update<H>(network, before, change, fresh);
}
SUMITO_WIDE inline __m256i load_wide(const std::int16_t* at) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}
// By hand, since compilers widen the products before they need to: half the speed.
template <int H>
SUMITO_WIDE inline __m256i weigh_wide(const std::int16_t* half, const std::int16_t* weights) {
    const __m256i one = _mm256_set1_epi16(Network::ONE);
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < H; i += 16) {
        const __m256i clipped =
            _mm256_min_epi16(_mm256_max_epi16(load_wide(half + i), _mm256_setzero_si256()), one);
        const __m256i product = _mm256_mullo_epi16(clipped, load_wide(weights + i));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(product, clipped));
    }
    return sum;
}
template <int H>
SUMITO_WIDE std::int32_t output_wide(const std::int16_t* us, const std::int16_t* them,
                                     const std::int16_t* weights) {
    const __m256i sum =
        _mm256_add_epi32(weigh_wide<H>(us, weights), weigh_wide<H>(them, weights + H));
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1));
    return _mm_cvtsi128_si32(four);
}

inline bool has_wide() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}
#endif

template <int H>
const Network::Kernels* kernels(Registers registers) {
    static constexpr Network::Kernels PLAIN{update_plain<H>, output_plain<H>};
#ifdef SUMITO_WIDE
    static constexpr Network::Kernels WIDE{update_wide<H>, output_wide<H>};
    static const bool wide = has_wide();
    if (registers == Registers::widest && wide) return &WIDE;
#else
    static_cast<void>(registers);
#endif
    return &PLAIN;
}

} // namespace detail

inline const Network::Kernels* kernels_for(int hidden, Registers registers) {
    switch (hidden) {
    case 64:
        return detail::kernels<64>(registers);
    case 128:
        return detail::kernels<128>(registers);
    default:
        return detail::kernels<256>(registers);
    }
}

} // namespace sumito
