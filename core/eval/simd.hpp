// Inner loops of the network: in plain C++ for the baseline, with intrinsics for WebAssembly's 128
// bits, AVX2 and AVX-512 with VNNI, chosen at run time. Integer sums don't depend on their order,
// so all agree.
#pragma once

#include "eval/network.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define SUMITO_AVX2 __attribute__((target("avx2")))
// Clang warns about prefer-vector-width, and uses 512 bits without it.
#ifdef __clang__
#define SUMITO_AVX512_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#define SUMITO_AVX512 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl")))
#else
#define SUMITO_AVX512_VNNI                                                                         \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,prefer-vector-width=512")))
#define SUMITO_AVX512                                                                              \
    __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
#endif
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace sumito {

inline constexpr int MAX_OUTPUT = 127; // times ONE still fits sixteen bits

inline constexpr int SQUARE_SHIFT = 9; // from ONE squared to SQUARE_ONE

namespace detail {

template <int H, int N>
SUMITO_INLINE void swap_rows(const std::int16_t* __restrict features,
                             const std::int16_t* __restrict before, std::int16_t* __restrict fresh,
                             const ModeNetwork::FeatureDelta& change) {
    std::array<const std::int16_t*, N> in;
    std::array<const std::int16_t*, N> out;
    for (int k = 0; k < N; ++k) {
        in[k] = features + change.added[k] * H;
        out[k] = features + change.removed[k] * H;
    }
    for (int i = 0; i < H; ++i) {
        int sum = before[i];
        for (int k = 0; k < N; ++k) sum += in[k][i] - out[k][i];
        fresh[i] = static_cast<std::int16_t>(sum);
    }
}

template <int H>
SUMITO_INLINE void update(const std::int16_t* __restrict features,
                          const ModeNetwork::Accumulator& old,
                          const ModeNetwork::FeatureDelta& change, ModeNetwork::Accumulator& made) {
    const std::int16_t* const before = old.at.data();
    std::int16_t* const fresh = made.at.data();
    if (change.added_count == change.removed_count) {
        if (change.added_count == 1) return swap_rows<H, 1>(features, before, fresh, change);
        if (change.added_count == 2) return swap_rows<H, 2>(features, before, fresh, change);
        if (change.added_count == 3) return swap_rows<H, 3>(features, before, fresh, change);
    }
    std::copy_n(before, H, fresh);
    int k = 0;
    for (; k + 4 <= change.added_count; k += 4) { // a full refresh: four rows at a time
        const std::int16_t* const a = features + change.added[k] * H;
        const std::int16_t* const b = features + change.added[k + 1] * H;
        const std::int16_t* const c = features + change.added[k + 2] * H;
        const std::int16_t* const d = features + change.added[k + 3] * H;
        for (int i = 0; i < H; ++i)
            fresh[i] = static_cast<std::int16_t>(fresh[i] + a[i] + b[i] + c[i] + d[i]);
    }
    for (; k < change.added_count; ++k) {
        const std::int16_t* __restrict row = features + change.added[k] * H;
        for (int i = 0; i < H; ++i) fresh[i] = static_cast<std::int16_t>(fresh[i] + row[i]);
    }
    for (k = 0; k < change.removed_count; ++k) {
        const std::int16_t* __restrict row = features + change.removed[k] * H;
        for (int i = 0; i < H; ++i) fresh[i] = static_cast<std::int16_t>(fresh[i] - row[i]);
    }
}

template <int H>
SUMITO_INLINE std::int32_t dot(const std::int16_t* __restrict half,
                               const std::int16_t* __restrict weights) {
    std::int32_t sum = 0;
    for (int i = 0; i < H; ++i) {
        const auto clipped =
            std::min<std::int16_t>(std::max<std::int16_t>(half[i], 0), ModeNetwork::ONE);
        const auto product = static_cast<std::int16_t>(clipped * weights[i]);
        sum += product * clipped;
    }
    return sum;
}

// Input of the second layer: hidden values clipped and squared.
template <int H>
SUMITO_INLINE void square(const std::int16_t* __restrict half, std::int16_t* __restrict squares) {
    for (int i = 0; i < H; ++i) {
        const int clipped =
            std::min<std::int16_t>(std::max<std::int16_t>(half[i], 0), ModeNetwork::ONE);
        squares[i] = static_cast<std::int16_t>(clipped * clipped >> SQUARE_SHIFT);
    }
}

// Output of the second layer: its neurons, clipped and squared, times their weights.
SUMITO_INLINE std::int32_t second_layer_dot(const std::int32_t* __restrict sums,
                                            const ModeNetwork::SecondLayer& layer) {
    constexpr int ONE = ModeNetwork::SECOND_OUT;
    const std::int32_t* const __restrict bias = layer.bias;
    const std::int16_t* const __restrict outputs = layer.outputs;
    std::int32_t sum = 0;
    for (int o = 0; o < ModeNetwork::SECOND; ++o) {
        const int neuron =
            (sums[o] + bias[o]) / (ModeNetwork::SQUARE_ONE * ModeNetwork::SECOND_ONE / ONE);
        const int clipped = std::min(std::max(neuron, 0), ONE);
        const int clamped = std::min(std::max(neuron, -ONE), ONE);
        sum += clipped * outputs[o] + clamped * clamped / ONE * outputs[ModeNetwork::SECOND + o];
    }
    return sum;
}

template <int H>
ModeNetwork::Outputs outputs_scalar(const ModeNetwork::Accumulator& us,
                                    const ModeNetwork::Accumulator& them, int perspectives,
                                    const std::int16_t* weights,
                                    const ModeNetwork::SecondLayer* layer) {
    ModeNetwork::Outputs outputs{dot<H>(us.at.data(), weights), 0};
    if (perspectives == 2) outputs.direct += dot<H>(them.at.data(), weights + H);
    if (!layer) return outputs;
    std::array<std::int32_t, ModeNetwork::SECOND> sums;
    alignas(64) std::array<std::int16_t, 2 * H> squares;
    square<H>(us.at.data(), squares.data());
    if (perspectives == 2) square<H>(them.at.data(), squares.data() + H);
    const int width = perspectives * H;
    for (int o = 0; o < ModeNetwork::SECOND; ++o) {
        const std::int8_t* __restrict row = layer->weights + o * width;
        std::int32_t sum = 0;
        for (int i = 0; i < width; ++i) sum += squares[i] * row[i];
        sums[o] = sum;
    }
    outputs.second = second_layer_dot(sums.data(), *layer);
    return outputs;
}

template <int H>
void update_scalar(const std::int16_t* features, const ModeNetwork::Accumulator& before,
                   const ModeNetwork::FeatureDelta& change, ModeNetwork::Accumulator& fresh) {
    update<H>(features, before, change, fresh);
}

#ifdef __wasm_simd128__
// Addresses are base plus constant in WebAssembly: unrolled, a loop counts once for many loads.
#define SUMITO_UNROLL _Pragma("clang loop unroll_count(8)")

inline v128_t clip_128(v128_t sums) {
    return wasm_i16x8_min(wasm_i16x8_max(sums, wasm_i16x8_const_splat(0)),
                          wasm_i16x8_const_splat(ModeNetwork::ONE));
}
template <int H, int N>
inline void swap_rows_128(const std::int16_t* features, const std::int16_t* before,
                          std::int16_t* fresh, const ModeNetwork::FeatureDelta& change) {
    const std::int16_t* in[N];
    const std::int16_t* out[N];
    for (int k = 0; k < N; ++k) {
        in[k] = features + change.added[k] * H;
        out[k] = features + change.removed[k] * H;
    }
    SUMITO_UNROLL
    for (int i = 0; i < H; i += 8) {
        v128_t sum = wasm_v128_load(before + i);
        for (int k = 0; k < N; ++k)
            sum = wasm_i16x8_add(
                sum, wasm_i16x8_sub(wasm_v128_load(in[k] + i), wasm_v128_load(out[k] + i)));
        wasm_v128_store(fresh + i, sum);
    }
}
template <int H>
void update_128(const std::int16_t* features, const ModeNetwork::Accumulator& old,
                const ModeNetwork::FeatureDelta& change, ModeNetwork::Accumulator& made) {
    const std::int16_t* const before = old.at.data();
    std::int16_t* const fresh = made.at.data();
    if (change.added_count == change.removed_count) {
        if (change.added_count == 1) return swap_rows_128<H, 1>(features, before, fresh, change);
        if (change.added_count == 2) return swap_rows_128<H, 2>(features, before, fresh, change);
        if (change.added_count == 3) return swap_rows_128<H, 3>(features, before, fresh, change);
    }
    update<H>(features, old, change, made);
}

inline std::int32_t add_lanes(v128_t sum) {
    return wasm_i32x4_extract_lane(sum, 0) + wasm_i32x4_extract_lane(sum, 1) +
           wasm_i32x4_extract_lane(sum, 2) + wasm_i32x4_extract_lane(sum, 3);
}

// As `second_layer_dot`, four neurons at a time.
inline std::int32_t second_layer_dot_128(const v128_t (&sums)[4],
                                         const ModeNetwork::SecondLayer& layer) {
    constexpr int ONE = ModeNetwork::SECOND_OUT;
    static_assert(ModeNetwork::SECOND == 16 && ONE == 127 << 3 &&
                  ModeNetwork::SQUARE_ONE * ModeNetwork::SECOND_ONE / ONE == 8);
    const v128_t one = wasm_i32x4_const_splat(ONE);
    v128_t clipped[4];
    v128_t clamped[4];
    for (int part = 0; part < 4; ++part) {
        const v128_t sum = wasm_i32x4_add(sums[part], wasm_v128_load(layer.bias + 4 * part));
        const v128_t most = wasm_i32x4_min(wasm_u32x4_shr(wasm_i32x4_abs(sum), 3), one);
        clipped[part] = wasm_v128_and(most, wasm_i32x4_gt(sum, wasm_i32x4_const_splat(0)));
        // A 127th, exactly: 1/127 is the sum of 1/128, its square, its cube, and so on.
        const v128_t x = wasm_u32x4_shr(wasm_i32x4_dot_i16x8(most, most), 3);
        const v128_t more = wasm_i32x4_add(wasm_u32x4_shr(x, 7), wasm_u32x4_shr(x, 14));
        clamped[part] =
            wasm_u32x4_shr(wasm_i32x4_add(wasm_i32x4_add(x, more), wasm_i32x4_const_splat(1)), 7);
    }
    v128_t sum = wasm_i32x4_const_splat(0);
    const auto dot = [&](v128_t low, v128_t high, const std::int16_t* weights) {
        sum = wasm_i32x4_add(
            sum, wasm_i32x4_dot_i16x8(wasm_i16x8_narrow_i32x4(low, high), wasm_v128_load(weights)));
    };
    dot(clipped[0], clipped[1], layer.outputs);
    dot(clipped[2], clipped[3], layer.outputs + 8);
    dot(clamped[0], clamped[1], layer.outputs + 16);
    dot(clamped[2], clamped[3], layer.outputs + 24);
    return add_lanes(sum);
}

// For each set of eight groups the numbers of those in it, in order.
struct NumbersOfSet {
    alignas(16) std::array<std::array<std::uint16_t, 8>, 256> numbers{};
    constexpr NumbersOfSet() {
        for (unsigned set = 0; set < 256; ++set) {
            unsigned count = 0;
            for (std::uint16_t group = 0; group < 8; ++group)
                if (set >> group & 1) numbers[set][count++] = group;
        }
    }
};
inline constexpr NumbersOfSet NUMBERS_OF_SET;

// Lists the groups of squares that aren't all zero. The list itself lies elsewhere: a member would
// keep the others in memory.
struct AwakeList {
    std::uint16_t* end; // there is room for eight more
    v128_t first = wasm_i16x8_const_splat(0);

    // The next eight groups, by a bit each.
    void add(std::uint32_t set) {
        wasm_v128_store(end, wasm_i16x8_add(first, wasm_v128_load(&NUMBERS_OF_SET.numbers[set])));
        end += std::popcount(set);
        first = wasm_i16x8_add(first, wasm_i16x8_const_splat(8));
    }
};

// Calls f<0>(group) and f<1>(group) in turns: more would not fit the registers.
template <class F>
inline void each_awake(const std::uint16_t* next, const std::uint16_t* end, F&& f) {
    for (; next + 2 <= end; next += 2) {
        f.template operator()<0>(next[0]);
        f.template operator()<1>(next[1]);
    }
    if (next < end) f.template operator()<0>(*next);
}

// The output weights' part of eight hidden sums is added to `direct`; their squares are returned.
inline v128_t weigh_and_square(const std::int16_t* half, const std::int16_t* weights,
                               v128_t& direct) {
    const v128_t clipped = clip_128(wasm_v128_load(half));
    const v128_t product = wasm_i16x8_mul(clipped, wasm_v128_load(weights));
    direct = wasm_i32x4_add(direct, wasm_i32x4_dot_i16x8(product, clipped));
    return wasm_u16x8_shr(wasm_i16x8_mul(clipped, clipped), SQUARE_SHIFT);
}

// Three quarters of the squares are zero: the groups of others are listed first, then each goes to
// every neuron, so that no sum lies across a register.
#ifdef __wasm_relaxed_simd__
inline constexpr int GROUP_128 = 4;
inline constexpr int WEIGHT_BYTES_128 = 1;

// Squares are at most 127 and weights no less than -127: whatever order the processor multiplies
// and adds in, no sum overflows, and all compute the same.
template <int H>
ModeNetwork::Outputs
outputs_128(const ModeNetwork::Accumulator& us, const ModeNetwork::Accumulator& them,
            int perspectives, const std::int16_t* weights, const ModeNetwork::SecondLayer* layer) {
    const v128_t zero = wasm_i32x4_const_splat(0);
    alignas(16) std::array<std::int8_t, 2 * H> squares;
    std::array<std::uint16_t, H / 2 + 8> groups;
    AwakeList awake{groups.data()};
    v128_t direct = zero;
    for (int view = 0; view < perspectives; ++view) {
        const std::int16_t* const half = (view == 0 ? us : them).at.data();
        SUMITO_UNROLL
        for (int i = 0; i < H; i += 32) {
            v128_t any[2];
            for (int k = 0; k < 2; ++k) {
                const int at = i + 16 * k;
                const std::int16_t* const of = weights + view * H + at;
                const v128_t low = weigh_and_square(half + at, of, direct);
                const v128_t high = weigh_and_square(half + at + 8, of + 8, direct);
                const v128_t bytes = wasm_i8x16_narrow_i16x8(low, high);
                wasm_v128_store(squares.data() + view * H + at, bytes);
                any[k] = wasm_i32x4_gt(bytes, zero);
            }
            awake.add(wasm_i16x8_bitmask(wasm_i16x8_narrow_i32x4(any[0], any[1])));
        }
    }
    if (!layer) return {add_lanes(direct), 0};
    v128_t sums[2][4] = {{zero, zero, zero, zero}, {zero, zero, zero, zero}};
    each_awake(groups.data(), awake.end, [&]<int Turn>(std::uint32_t group) {
        const v128_t four = wasm_v128_load32_splat(&squares[4 * group]);
        const std::int8_t* const at = layer->weights + 4 * ModeNetwork::SECOND * group;
        for (int part = 0; part < 4; ++part)
            sums[Turn][part] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(
                wasm_v128_load(at + 16 * part), four, sums[Turn][part]);
    });
    for (int part = 0; part < 4; ++part)
        sums[0][part] = wasm_i32x4_add(sums[0][part], sums[1][part]);
    return {add_lanes(direct), second_layer_dot_128(sums[0], *layer)};
}
#else
inline constexpr int GROUP_128 = 2;
inline constexpr int WEIGHT_BYTES_128 = 2;

template <int H>
ModeNetwork::Outputs
outputs_128(const ModeNetwork::Accumulator& us, const ModeNetwork::Accumulator& them,
            int perspectives, const std::int16_t* weights, const ModeNetwork::SecondLayer* layer) {
    const v128_t zero = wasm_i32x4_const_splat(0);
    alignas(16) std::array<std::int16_t, 2 * H> squares;
    std::array<std::uint16_t, H + 8> groups;
    AwakeList awake{groups.data()};
    v128_t direct = zero;
    for (int view = 0; view < perspectives; ++view) {
        const std::int16_t* const half = (view == 0 ? us : them).at.data();
        SUMITO_UNROLL
        for (int i = 0; i < H; i += 32) {
            v128_t pairs[2]; // positive or zero, and so in fewer bits
            for (int k = 0; k < 2; ++k) {
                const int at = i + 16 * k;
                const std::int16_t* const of = weights + view * H + at;
                const v128_t low = weigh_and_square(half + at, of, direct);
                const v128_t high = weigh_and_square(half + at + 8, of + 8, direct);
                wasm_v128_store(squares.data() + view * H + at, low);
                wasm_v128_store(squares.data() + view * H + at + 8, high);
                pairs[k] = wasm_i16x8_narrow_i32x4(low, high);
            }
            const v128_t any = wasm_i8x16_gt(wasm_i8x16_narrow_i16x8(pairs[0], pairs[1]), zero);
            const std::uint32_t set = wasm_i8x16_bitmask(any);
            awake.add(set & 255);
            awake.add(set >> 8);
        }
    }
    if (!layer) return {add_lanes(direct), 0};
    v128_t sums[4] = {zero, zero, zero, zero};
    const auto* const weights_of_pairs = reinterpret_cast<const std::int16_t*>(layer->weights);
    each_awake(groups.data(), awake.end, [&]<int Turn>(std::uint32_t group) {
        const v128_t pair = wasm_v128_load32_splat(&squares[2 * group]);
        const std::int16_t* const at = weights_of_pairs + 2 * ModeNetwork::SECOND * group;
        for (int part = 0; part < 4; ++part)
            sums[part] = wasm_i32x4_add(sums[part],
                                        wasm_i32x4_dot_i16x8(pair, wasm_v128_load(at + 8 * part)));
    });
    return {add_lanes(direct), second_layer_dot_128(sums, *layer)};
}
#endif
#undef SUMITO_UNROLL
#endif

#ifdef SUMITO_AVX2
template <int H>
SUMITO_AVX2 void update_avx2(const std::int16_t* features, const ModeNetwork::Accumulator& before,
                             const ModeNetwork::FeatureDelta& change,
                             ModeNetwork::Accumulator& fresh) {
    update<H>(features, before, change, fresh);
}
SUMITO_AVX2 inline __m256i load_avx2(const std::int16_t* at) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}
// With intrinsics: compilers widen the products too early, at half the speed.
template <int H>
SUMITO_AVX2 inline __m256i dot_avx2(const std::int16_t* half, const std::int16_t* weights) {
    const __m256i one = _mm256_set1_epi16(ModeNetwork::ONE);
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < H; i += 16) {
        const __m256i clipped =
            _mm256_min_epi16(_mm256_max_epi16(load_avx2(half + i), _mm256_setzero_si256()), one);
        const __m256i product = _mm256_mullo_epi16(clipped, load_avx2(weights + i));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(product, clipped));
    }
    return sum;
}
SUMITO_AVX2 inline std::int32_t add_lanes(__m256i sum) {
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1));
    return _mm_cvtsi128_si32(four);
}

template <int H>
SUMITO_AVX2 inline void square_avx2(const std::int16_t* half, std::uint8_t* squares) {
    const __m256i one = _mm256_set1_epi16(ModeNetwork::ONE);
    const auto part = [&](int i) SUMITO_AVX2 {
        const __m256i clipped =
            _mm256_min_epi16(_mm256_max_epi16(load_avx2(half + i), _mm256_setzero_si256()), one);
        return _mm256_srli_epi16(_mm256_mullo_epi16(clipped, clipped), SQUARE_SHIFT);
    };
    for (int i = 0; i < H; i += 32) {
        const __m256i bytes = _mm256_packus_epi16(part(i), part(i + 16));
        _mm256_store_si256(reinterpret_cast<__m256i*>(squares + i),
                           _mm256_permute4x64_epi64(bytes, 0xD8)); // packed lane by lane
    }
}
SUMITO_AVX2 inline int four_at(const std::uint8_t* squares) {
    int four;
    std::memcpy(&four, squares, sizeof four);
    return four;
}
SUMITO_AVX2 inline __m256i add_fours(__m256i sum, __m256i squares, const std::int8_t* weights) {
    const __m256i pairs = _mm256_maddubs_epi16(
        squares, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights)));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}
// Four squares at a time go to every neuron, so that no sum lies across a register. Two products of
// squares and weights just fit sixteen bits.
template <int H>
SUMITO_AVX2 inline std::int32_t second_avx2(const ModeNetwork::Accumulator& us,
                                            const ModeNetwork::Accumulator& them, int perspectives,
                                            const ModeNetwork::SecondLayer& layer) {
    alignas(64) std::array<std::uint8_t, 2 * H> squares;
    square_avx2<H>(us.at.data(), squares.data());
    if (perspectives == 2) square_avx2<H>(them.at.data(), squares.data() + H);
    __m256i low = _mm256_setzero_si256();
    __m256i high = low;
    for (int i = 0; i < perspectives * H; i += 4) {
        const __m256i four = _mm256_set1_epi32(four_at(squares.data() + i));
        const std::int8_t* const at = layer.weights + i * ModeNetwork::SECOND;
        low = add_fours(low, four, at);
        high = add_fours(high, four, at + 32);
    }
    alignas(64) std::array<std::int32_t, ModeNetwork::SECOND> sums;
    _mm256_store_si256(reinterpret_cast<__m256i*>(sums.data()), low);
    _mm256_store_si256(reinterpret_cast<__m256i*>(sums.data() + 8), high);
    return second_layer_dot(sums.data(), layer);
}
template <int H>
SUMITO_AVX2 ModeNetwork::Outputs
outputs_avx2(const ModeNetwork::Accumulator& us, const ModeNetwork::Accumulator& them,
             int perspectives, const std::int16_t* weights, const ModeNetwork::SecondLayer* layer) {
    __m256i direct = dot_avx2<H>(us.at.data(), weights);
    if (perspectives == 2)
        direct = _mm256_add_epi32(direct, dot_avx2<H>(them.at.data(), weights + H));
    return {add_lanes(direct), layer ? second_avx2<H>(us, them, perspectives, *layer) : 0};
}

template <int H>
SUMITO_AVX512_VNNI void
update_avx512(const std::int16_t* features, const ModeNetwork::Accumulator& before,
              const ModeNetwork::FeatureDelta& change, ModeNetwork::Accumulator& fresh) {
    update<H>(features, before, change, fresh);
}
SUMITO_AVX512_VNNI inline __m512i load_avx512(const std::int16_t* at) {
    return _mm512_loadu_si512(at);
}
SUMITO_AVX512_VNNI inline __m512i clip_avx512(const std::int16_t* at) {
    return _mm512_min_epi16(_mm512_max_epi16(load_avx512(at), _mm512_setzero_si512()),
                            _mm512_set1_epi16(ModeNetwork::ONE));
}
template <int H>
SUMITO_AVX512_VNNI inline __m512i dot_avx512(const std::int16_t* half,
                                             const std::int16_t* weights) {
    __m512i sum = _mm512_setzero_si512();
    for (int i = 0; i < H; i += 32) {
        const __m512i clipped = clip_avx512(half + i);
        sum = _mm512_dpwssd_epi32(sum, _mm512_mullo_epi16(clipped, load_avx512(weights + i)),
                                  clipped);
    }
    return sum;
}
// Through memory, since GCC 12 warns about its own intrinsic for a half.
SUMITO_AVX512_VNNI inline __m256i fold(__m512i x) {
    alignas(64) __m256i halves[2];
    _mm512_store_si512(halves, x);
    return _mm256_add_epi32(halves[0], halves[1]);
}
template <int H>
SUMITO_AVX512_VNNI inline void square_avx512(const std::int16_t* half, std::uint8_t* squares) {
    for (int i = 0; i < H; i += 32) {
        const __m512i clipped = clip_avx512(half + i);
        const __m512i square =
            _mm512_srli_epi16(_mm512_mullo_epi16(clipped, clipped), SQUARE_SHIFT);
        _mm256_store_si256(reinterpret_cast<__m256i*>(squares + i), _mm512_cvtepi16_epi8(square));
    }
}
template <int H>
SUMITO_AVX512_VNNI inline std::int32_t
second_avx512(const ModeNetwork::Accumulator& us, const ModeNetwork::Accumulator& them,
              int perspectives, const ModeNetwork::SecondLayer& layer) {
    alignas(64) std::array<std::uint8_t, 2 * H> squares;
    square_avx512<H>(us.at.data(), squares.data());
    if (perspectives == 2) square_avx512<H>(them.at.data(), squares.data() + H);
    constexpr int AT_ONCE = 4; // independent sums, to hide the latency of additions
    __m512i parts[AT_ONCE] = {_mm512_setzero_si512(), _mm512_setzero_si512(),
                              _mm512_setzero_si512(), _mm512_setzero_si512()};
    for (int i = 0; i < perspectives * H; i += 4 * AT_ONCE)
        for (int k = 0; k < AT_ONCE; ++k)
            parts[k] = _mm512_dpbusd_epi32(
                parts[k], _mm512_set1_epi32(four_at(squares.data() + i + 4 * k)),
                _mm512_loadu_si512(layer.weights + (i + 4 * k) * ModeNetwork::SECOND));
    alignas(64) std::array<std::int32_t, ModeNetwork::SECOND> sums;
    _mm512_store_si512(sums.data(), _mm512_add_epi32(_mm512_add_epi32(parts[0], parts[1]),
                                                     _mm512_add_epi32(parts[2], parts[3])));
    return second_layer_dot(sums.data(), layer);
}
template <int H>
SUMITO_AVX512_VNNI ModeNetwork::Outputs
outputs_avx512(const ModeNetwork::Accumulator& us, const ModeNetwork::Accumulator& them,
               int perspectives, const std::int16_t* weights,
               const ModeNetwork::SecondLayer* layer) {
    __m512i direct = dot_avx512<H>(us.at.data(), weights);
    if (perspectives == 2)
        direct = _mm512_add_epi32(direct, dot_avx512<H>(them.at.data(), weights + H));
    return {add_lanes(fold(direct)), layer ? second_avx512<H>(us, them, perspectives, *layer) : 0};
}

inline bool has_avx2() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}
inline bool has_avx512_vnni() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}
// x86-64-v4, which lacks VNNI.
inline bool has_avx512() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

template <int H>
const ModeNetwork::Kernels* kernels(Simd simd) {
    static constexpr ModeNetwork::Kernels SCALAR{update_scalar<H>, outputs_scalar<H>, 1, false, 1};
#ifdef SUMITO_AVX2
    static constexpr ModeNetwork::Kernels AVX2{update_avx2<H>, outputs_avx2<H>, 4, false, 1};
    static constexpr ModeNetwork::Kernels AVX512{update_avx512<H>, outputs_avx512<H>, 4, false, 1};
    static const bool avx2 = has_avx2();
    static const bool avx512 = has_avx512_vnni();
    if (simd == Simd::avx512 && avx512) return &AVX512;
    if (simd != Simd::scalar && avx2) return &AVX2;
#elif defined(__wasm_simd128__)
    static constexpr ModeNetwork::Kernels WASM{update_128<H>, outputs_128<H>, GROUP_128, true,
                                               WEIGHT_BYTES_128};
    if (simd != Simd::scalar) return &WASM;
#else
    static_cast<void>(simd);
#endif
    return &SCALAR;
}

} // namespace detail

inline const ModeNetwork::Kernels* kernels_for(int hidden, Simd simd) {
    switch (hidden) {
    case 64:
        return detail::kernels<64>(simd);
    case 128:
        return detail::kernels<128>(simd);
    default:
        return detail::kernels<256>(simd);
    }
}

} // namespace sumito
