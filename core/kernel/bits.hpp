// Bitboards of 61 bits, one bit per cell, and their basic operations.
#pragma once

#include <bit>
#include <cstdint>

#if defined(_MSC_VER)
#define SUMITO_INLINE __forceinline
#define SUMITO_NOINLINE __declspec(noinline)
#else
#define SUMITO_INLINE inline __attribute__((always_inline))
#define SUMITO_NOINLINE __attribute__((noinline))
#endif

#if defined(__x86_64__) && !defined(__POPCNT__) && defined(__GNUC__)
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

#ifdef SUMITO_DISPATCH_POPCOUNT
inline bool detect_popcount() {
    // Static initialisers may run before the compiler's own probe of the processor.
    __builtin_cpu_init();
    return __builtin_cpu_supports("popcnt");
}
inline const bool HAS_POPCOUNT = detect_popcount();

// Inline assembly: an intrinsic would need the whole file built for newer processors.
SUMITO_INLINE int popcount_instruction(Bits x) {
    Bits n;
    __asm__("popcntq %1, %0" : "=r"(n) : "rm"(x) : "cc");
    return static_cast<int>(n);
}
#endif

// Number of cells in the sets together, by the processor's instruction where it has one: one binary
// runs on every x86-64. One check serves all sets. (MSVC's std::popcount probes the processor
// itself, and other architectures always have the instruction.)
template <class... Sets>
SUMITO_INLINE int count(Sets... sets) {
#ifdef SUMITO_DISPATCH_POPCOUNT
    if (HAS_POPCOUNT) [[likely]]
        return (popcount_instruction(sets) + ...);
#endif
    return (std::popcount(sets) + ...);
}

} // namespace sumito
