// Inner loops of training, written once in plain C++ and compiled for the baseline and, where the
// compiler can, for AVX2 and x86-64-v4, chosen at run time. The order of sums is fixed and products
// are not fused with them (`-ffp-contract=off`), so all give bit-identical results.
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
    float (*dot)(const float* squares, const float* weights, int width);
    // Backward pass of one neuron: adds to its weights' gradient and to that of its inputs.
    void (*dot_backward)(const float* squares, const float* weights, float* gradient,
                         float* input_gradient, float slope, int width);
    // Replaces the sums by their gradient, given that of the squares.
    void (*square_backward)(float* sums, const float* input_gradient, int hidden);
    void (*add_rows)(float* gradient, const float* sums, const int* rows, int count, int hidden);
    void (*adam)(float* parameters, float* first_moment, float* second_moment,
                 const float* gradient, std::size_t count, float share, float rate, float most);
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

SUMITO_INLINE float dot(const float* squares, const float* weights, int width) {
    std::array<float, 16> parts{};
    for (int i = 0; i < width; i += 16)
        for (int k = 0; k < 16; ++k) parts[k] += squares[i + k] * weights[i + k];
    float sum = 0;
    for (const float part : parts) sum += part;
    return sum;
}

SUMITO_INLINE void dot_backward(const float* __restrict squares, const float* __restrict weights,
                                float* __restrict gradient, float* __restrict input_gradient,
                                float slope, int width) {
    for (int i = 0; i < width; ++i) {
        gradient[i] += slope * squares[i];
        input_gradient[i] += slope * weights[i];
    }
}

SUMITO_INLINE void square_backward(float* __restrict sums, const float* __restrict input_gradient,
                                   int hidden) {
    for (int i = 0; i < hidden; ++i) {
        const float x = clip(sums[i]);
        sums[i] = (x < 1.0f ? 2.0f * x : 0.0f) * input_gradient[i];
    }
}

SUMITO_INLINE void add_rows(float* gradient, const float* sums, const int* rows, int count,
                            int hidden) {
    for (int k = 0; k < count; ++k) {
        float* __restrict row = gradient + rows[k] * hidden;
        for (int i = 0; i < hidden; ++i) row[i] += sums[i];
    }
}

SUMITO_INLINE void adam(float* __restrict parameters, float* __restrict first_moment,
                        float* __restrict second_moment, const float* __restrict gradient,
                        std::size_t count, float share, float rate, float most) {
    for (std::size_t i = 0; i < count; ++i) {
        const float g = gradient[i] * share;
        first_moment[i] = 0.9f * first_moment[i] + 0.1f * g;
        second_moment[i] = 0.999f * second_moment[i] + 0.001f * g * g;
        const float moved =
            parameters[i] - rate * first_moment[i] / (std::sqrt(second_moment[i]) + 1e-8f);
        parameters[i] = std::min(std::max(moved, -most), most);
    }
}

} // namespace detail

// The loops compiled for a target, as a class `NAME`. Lambdas would not inherit the target, so each
// loop is a static function.
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
        TARGET static float dot(const float* squares, const float* weights, int width) {           \
            return detail::dot(squares, weights, width);                                           \
        }                                                                                          \
        TARGET static void dot_backward(const float* squares, const float* weights,                \
                                        float* gradient, float* input_gradient, float slope,       \
                                        int width) {                                               \
            detail::dot_backward(squares, weights, gradient, input_gradient, slope, width);        \
        }                                                                                          \
        TARGET static void square_backward(float* sums, const float* input_gradient, int hidden) { \
            detail::square_backward(sums, input_gradient, hidden);                                 \
        }                                                                                          \
        TARGET static void add_rows(float* gradient, const float* sums, const int* rows,           \
                                    int count, int hidden) {                                       \
            detail::add_rows(gradient, sums, rows, count, hidden);                                 \
        }                                                                                          \
        TARGET static void adam(float* parameters, float* first_moment, float* second_moment,      \
                                const float* gradient, std::size_t count, float share, float rate, \
                                float most) {                                                      \
            detail::adam(parameters, first_moment, second_moment, gradient, count, share, rate,    \
                         most);                                                                    \
        }                                                                                          \
        static constexpr TrainerLoops LOOPS{sum_rows,        square,   dot, dot_backward,          \
                                            square_backward, add_rows, adam};                      \
    };                                                                                             \
    }

SUMITO_TRAINER_LOOPS(ScalarLoops, )
#ifdef SUMITO_AVX2
SUMITO_TRAINER_LOOPS(Avx2Loops, SUMITO_AVX2)
SUMITO_TRAINER_LOOPS(Avx512Loops, SUMITO_AVX512)
#endif
#undef SUMITO_TRAINER_LOOPS

// The loops for these registers, or the widest that the machine has below them.
inline const TrainerLoops& trainer_loops(Simd simd) {
#ifdef SUMITO_AVX2
    if (simd == Simd::avx512 && detail::has_avx512()) return detail::Avx512Loops::LOOPS;
    if (simd != Simd::scalar && detail::has_avx2()) return detail::Avx2Loops::LOOPS;
#else
    static_cast<void>(simd);
#endif
    return detail::ScalarLoops::LOOPS;
}

} // namespace sumito
