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

inline constexpr int MOST_OUTPUT = 127; // times ONE still fits sixteen bits

enum class Registers { plain, widest };

namespace detail {

template <int H, int N>
SUMITO_INLINE void swap_rows(const std::int16_t* __restrict features,
                             const std::int16_t* __restrict before, std::int16_t* __restrict fresh,
                             const Layers::Change& change) {
    std::array<const std::int16_t*, N> in;
    std::array<const std::int16_t*, N> out;
    for (int k = 0; k < N; ++k) {
        in[k] = features + change.come[k] * H;
        out[k] = features + change.gone[k] * H;
    }
    for (int i = 0; i < H; ++i) {
        int sum = before[i];
        for (int k = 0; k < N; ++k) sum += in[k][i] - out[k][i];
        fresh[i] = static_cast<std::int16_t>(sum);
    }
}

template <int H>
SUMITO_INLINE void update(const std::int16_t* __restrict features, const Layers::Sums& old,
                          const Layers::Change& change, Layers::Sums& made) {
    const std::int16_t* const before = old.at.data();
    std::int16_t* const fresh = made.at.data();
    if (change.comes == change.goes) {
        if (change.comes == 1) return swap_rows<H, 1>(features, before, fresh, change);
        if (change.comes == 2) return swap_rows<H, 2>(features, before, fresh, change);
        if (change.comes == 3) return swap_rows<H, 3>(features, before, fresh, change);
    }
    std::copy_n(before, H, fresh);
    int k = 0;
    for (; k + 4 <= change.comes; k += 4) { // a whole board: four rows a time through memory
        const std::int16_t* const a = features + change.come[k] * H;
        const std::int16_t* const b = features + change.come[k + 1] * H;
        const std::int16_t* const c = features + change.come[k + 2] * H;
        const std::int16_t* const d = features + change.come[k + 3] * H;
        for (int i = 0; i < H; ++i)
            fresh[i] = static_cast<std::int16_t>(fresh[i] + a[i] + b[i] + c[i] + d[i]);
    }
    for (; k < change.comes; ++k) {
        const std::int16_t* __restrict row = features + change.come[k] * H;
        for (int i = 0; i < H; ++i) fresh[i] = static_cast<std::int16_t>(fresh[i] + row[i]);
    }
    for (k = 0; k < change.goes; ++k) {
        const std::int16_t* __restrict row = features + change.gone[k] * H;
        for (int i = 0; i < H; ++i) fresh[i] = static_cast<std::int16_t>(fresh[i] - row[i]);
    }
}

template <int H>
SUMITO_INLINE std::int32_t weigh(const std::int16_t* __restrict half,
                                 const std::int16_t* __restrict weights) {
    std::int32_t sum = 0;
    for (int i = 0; i < H; ++i) {
        const auto clipped =
            std::min<std::int16_t>(std::max<std::int16_t>(half[i], 0), Layers::ONE);
        const auto product = static_cast<std::int16_t>(clipped * weights[i]);
        sum += product * clipped;
    }
    return sum;
}

template <int H>
void update_plain(const std::int16_t* features, const Layers::Sums& before,
                  const Layers::Change& change, Layers::Sums& fresh) {
    update<H>(features, before, change, fresh);
}
template <int H>
std::int32_t one_plain(const Layers::Sums& view, const std::int16_t* weights) {
    return weigh<H>(view.at.data(), weights);
}
template <int H>
std::int32_t both_plain(const Layers::Sums& us, const Layers::Sums& them,
                        const std::int16_t* weights) {
    return weigh<H>(us.at.data(), weights) + weigh<H>(them.at.data(), weights + H);
}

#ifdef SUMITO_WIDE
template <int H>
SUMITO_WIDE void update_wide(const std::int16_t* features, const Layers::Sums& before,
                             const Layers::Change& change, Layers::Sums& fresh) {
    update<H>(features, before, change, fresh);
}
SUMITO_WIDE inline __m256i load_wide(const std::int16_t* at) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}
// By hand, since compilers widen the products before they need to: half the speed.
template <int H>
SUMITO_WIDE inline __m256i weigh_wide(const std::int16_t* half, const std::int16_t* weights) {
    const __m256i one = _mm256_set1_epi16(Layers::ONE);
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < H; i += 16) {
        const __m256i clipped =
            _mm256_min_epi16(_mm256_max_epi16(load_wide(half + i), _mm256_setzero_si256()), one);
        const __m256i product = _mm256_mullo_epi16(clipped, load_wide(weights + i));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(product, clipped));
    }
    return sum;
}
SUMITO_WIDE inline std::int32_t add_lanes(__m256i sum) {
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1));
    return _mm_cvtsi128_si32(four);
}
template <int H>
SUMITO_WIDE std::int32_t one_wide(const Layers::Sums& view, const std::int16_t* weights) {
    return add_lanes(weigh_wide<H>(view.at.data(), weights));
}
template <int H>
SUMITO_WIDE std::int32_t both_wide(const Layers::Sums& us, const Layers::Sums& them,
                                   const std::int16_t* weights) {
    return add_lanes(_mm256_add_epi32(weigh_wide<H>(us.at.data(), weights),
                                      weigh_wide<H>(them.at.data(), weights + H)));
}

inline bool has_wide() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}
#endif

template <int H>
const Layers::Kernels* kernels(Registers registers) {
    static constexpr Layers::Kernels PLAIN{update_plain<H>, one_plain<H>, both_plain<H>};
#ifdef SUMITO_WIDE
    static constexpr Layers::Kernels WIDE{update_wide<H>, one_wide<H>, both_wide<H>};
    static const bool wide = has_wide();
    if (registers == Registers::widest && wide) return &WIDE;
#else
    static_cast<void>(registers);
#endif
    return &PLAIN;
}

} // namespace detail

inline const Layers::Kernels* kernels_for(int hidden, Registers registers) {
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
