// The inner loops of training, written once in plain C++ and compiled for the registers every
// machine of a kind has, and where a compiler can, for AVX2 and for x86-64-v4, chosen at run time.
// Sums are taken in one order and products are never fused with them (`-ffp-contract=off`), so all
// give the same numbers to the last bit, and a network doesn't depend on who trained it.
#pragma once

#include "eval/network.hpp"
#include "eval/simd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sumito {

struct TrainerLoops {
    void (*sum_rows)(const float* weights, const float* bias, const int* rows, int count,
                     int hidden, float* sums);
    void (*square)(const float* sums, float* squares, int hidden);
    float (*weigh)(const float* squares, const float* weights, int width);
    // One neuron's way back: its weights learn, and what it asks of the squares is added up.
    void (*weigh_back)(const float* squares, const float* weights, float* gradient, float* asked,
                       float slope, int width);
    // From what is asked of the squares to what is asked of the sums, in their place.
    void (*square_back)(float* sums, const float* asked, int hidden);
    void (*add_rows)(float* gradient, const float* sums, const int* rows, int count, int hidden);
    void (*adam)(float* parameters, float* mean, float* spread, const float* gradient,
                 std::size_t count, float share, float rate, float most);
};

namespace detail {

SUMITO_INLINE float clip(float x) { return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }

SUMITO_INLINE void sum_rows(const float* __restrict weights, const float* __restrict bias,
                            const int* rows, int count, int hidden, float* __restrict sums) {
    for (int i = 0; i < hidden; ++i) sums[i] = bias[i];
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        const float* a = weights + rows[k] * hidden;
        const float* b = weights + rows[k + 1] * hidden;
        const float* c = weights + rows[k + 2] * hidden;
        const float* d = weights + rows[k + 3] * hidden;
        for (int i = 0; i < hidden; ++i) sums[i] += (a[i] + b[i]) + (c[i] + d[i]);
    }
    for (; k < count; ++k) {
        const float* a = weights + rows[k] * hidden;
        for (int i = 0; i < hidden; ++i) sums[i] += a[i];
    }
}

SUMITO_INLINE void square(const float* __restrict sums, float* __restrict squares, int hidden) {
    for (int i = 0; i < hidden; ++i) {
        const float x = clip(sums[i]);
        squares[i] = x * x;
    }
}

SUMITO_INLINE float weigh(const float* squares, const float* weights, int width) {
    std::array<float, 16> parts{};
    for (int i = 0; i < width; i += 16)
        for (int k = 0; k < 16; ++k) parts[k] += squares[i + k] * weights[i + k];
    float sum = 0;
    for (const float part : parts) sum += part;
    return sum;
}

SUMITO_INLINE void weigh_back(const float* __restrict squares, const float* __restrict weights,
                              float* __restrict gradient, float* __restrict asked, float slope,
                              int width) {
    for (int i = 0; i < width; ++i) {
        gradient[i] += slope * squares[i];
        asked[i] += slope * weights[i];
    }
}

SUMITO_INLINE void square_back(float* __restrict sums, const float* __restrict asked, int hidden) {
    for (int i = 0; i < hidden; ++i) {
        const float x = clip(sums[i]);
        sums[i] = (x < 1.0f ? 2.0f * x : 0.0f) * asked[i];
    }
}

SUMITO_INLINE void add_rows(float* gradient, const float* sums, const int* rows, int count,
                            int hidden) {
    for (int k = 0; k < count; ++k) {
        float* __restrict row = gradient + rows[k] * hidden;
        for (int i = 0; i < hidden; ++i) row[i] += sums[i];
    }
}

SUMITO_INLINE void adam(float* __restrict parameters, float* __restrict mean,
                        float* __restrict spread, const float* __restrict gradient,
                        std::size_t count, float share, float rate, float most) {
    for (std::size_t i = 0; i < count; ++i) {
        const float g = gradient[i] * share;
        mean[i] = 0.9f * mean[i] + 0.1f * g;
        spread[i] = 0.999f * spread[i] + 0.001f * g * g;
        const float moved = parameters[i] - rate * mean[i] / (std::sqrt(spread[i]) + 1e-8f);
        parameters[i] = std::min(std::max(moved, -most), most);
    }
}

} // namespace detail

// The same loops compiled for other registers, as a function `NAME` that gives them. Lambdas would
// not inherit the target, so each loop is a static function of a class.
#define SUMITO_TRAINER_LOOPS(NAME, TARGET)                                                         \
    namespace detail {                                                                             \
    struct NAME {                                                                                  \
        TARGET static void sum_rows(const float* weights, const float* bias, const int* rows,      \
                                    int count, int hidden, float* sums) {                          \
            detail::sum_rows(weights, bias, rows, count, hidden, sums);                            \
        }                                                                                          \
        TARGET static void square(const float* sums, float* squares, int hidden) {                 \
            detail::square(sums, squares, hidden);                                                 \
        }                                                                                          \
        TARGET static float weigh(const float* squares, const float* weights, int width) {         \
            return detail::weigh(squares, weights, width);                                         \
        }                                                                                          \
        TARGET static void weigh_back(const float* squares, const float* weights, float* gradient, \
                                      float* asked, float slope, int width) {                      \
            detail::weigh_back(squares, weights, gradient, asked, slope, width);                   \
        }                                                                                          \
        TARGET static void square_back(float* sums, const float* asked, int hidden) {              \
            detail::square_back(sums, asked, hidden);                                              \
        }                                                                                          \
        TARGET static void add_rows(float* gradient, const float* sums, const int* rows,           \
                                    int count, int hidden) {                                       \
            detail::add_rows(gradient, sums, rows, count, hidden);                                 \
        }                                                                                          \
        TARGET static void adam(float* parameters, float* mean, float* spread,                     \
                                const float* gradient, std::size_t count, float share, float rate, \
                                float most) {                                                      \
            detail::adam(parameters, mean, spread, gradient, count, share, rate, most);            \
        }                                                                                          \
        static constexpr TrainerLoops LOOPS{sum_rows,    square,   weigh, weigh_back,              \
                                            square_back, add_rows, adam};                          \
    };                                                                                             \
    }

SUMITO_TRAINER_LOOPS(PlainLoops, )
#ifdef SUMITO_WIDE
SUMITO_TRAINER_LOOPS(WideLoops, SUMITO_WIDE)
SUMITO_TRAINER_LOOPS(WidestLoops, SUMITO_V4)
#endif
#undef SUMITO_TRAINER_LOOPS

// With such registers or the widest below them that the machine has.
inline const TrainerLoops& trainer_loops(Registers registers) {
#ifdef SUMITO_WIDE
    if (registers == Registers::widest && detail::has_v4()) return detail::WidestLoops::LOOPS;
    if (registers != Registers::plain && detail::has_wide()) return detail::WideLoops::LOOPS;
#else
    static_cast<void>(registers);
#endif
    return detail::PlainLoops::LOOPS;
}

} // namespace sumito
