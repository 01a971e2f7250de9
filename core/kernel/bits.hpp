// Words of 61 bits, one bit a cell, and what a machine can do with them at once.
// The popcount instruction is used where the processor has it, found out once at start, so that one
// binary runs on every x86-64.
#pragma once

#include <bit>
#include <cstdint>

#if defined(_MSC_VER)
#include <intrin.h>
#define SUMITO_INLINE __forceinline
#define SUMITO_NOINLINE __declspec(noinline)
#else
#define SUMITO_INLINE inline __attribute__((always_inline))
#define SUMITO_NOINLINE __attribute__((noinline))
#endif

#if (defined(__x86_64__) && !defined(__POPCNT__)) || defined(_M_X64)
#define SUMITO_DISPATCH_POPCOUNT 1
#endif

namespace sumito {

using Bits = std::uint64_t;

inline constexpr int CELLS = 61;
inline constexpr Bits FULL = (Bits{1} << CELLS) - 1;

constexpr Bits bit(int cell) { return Bits{1} << cell; }
constexpr int lowest(Bits x) { return std::countr_zero(x); }

constexpr Bits rotate(Bits x, int by) { return ((x << by) | (x >> (CELLS - by))) & FULL; }

// Calls f(cell) for every cell of the set.
template <class F>
SUMITO_INLINE void each(Bits set, F&& f) {
    for (; set; set &= set - 1) f(lowest(set));
}

// How to count bits: a hot function is compiled once for either and chosen at its door.
enum class Popcount { plain, instruction };

#ifdef SUMITO_DISPATCH_POPCOUNT
inline bool detect_popcount() {
#ifdef _MSC_VER
    int info[4];
    __cpuid(info, 1);
    return (info[2] >> 23) & 1;
#else
    // Static initialisers may run before the compiler's own probe of the processor.
    __builtin_cpu_init();
    return __builtin_cpu_supports("popcnt");
#endif
}
inline const bool HAS_POPCOUNT = detect_popcount();
#else
inline constexpr bool HAS_POPCOUNT = false;
#endif

template <Popcount P>
SUMITO_INLINE int count(Bits x) {
#ifdef SUMITO_DISPATCH_POPCOUNT
    if constexpr (P == Popcount::instruction) {
#ifdef _MSC_VER
        return static_cast<int>(__popcnt64(x));
#else
        // Inline assembly, since an intrinsic would need the whole file built for newer machines.
        Bits n;
        __asm__("popcntq %1, %0" : "=r"(n) : "rm"(x) : "cc");
        return static_cast<int>(n);
#endif
    }
#endif
    return std::popcount(x);
}

// Runs f with the better of the two ways to count.
template <class F>
SUMITO_INLINE auto with_popcount(F&& f) {
    if (HAS_POPCOUNT) return f.template operator()<Popcount::instruction>();
    return f.template operator()<Popcount::plain>();
}

} // namespace sumito
