// Observations: planes of 9 x 9 bytes and a mask of 1,272 moves. The planes are specified by the
// Python of `sumito.env.abalone_v0`.
//
// Each byte is one bit of a few words, so AVX-512 VBMI, which picks any bytes of a small table,
// writes 64 at once; it is chosen at run time. Elsewhere the bits are visited one by one.
#pragma once

#include "env/legal_sets.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define SUMITO_VBMI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi")))
#endif

namespace sumito {

inline constexpr int PLANE = 81;
inline constexpr int MAX_SCALAR = 255;
inline constexpr int SCALAR_PLANES = 3;

constexpr int planes_of(Mode mode, int history) {
    return history * colours(mode) + sides(mode) + SCALAR_PLANES;
}

// The colours in each player's order: own, the partner's, then the opponents' in turn order.
template <Mode M>
constexpr std::array<std::array<int, colours(M)>, colours(M)> colour_orders() {
    std::array<std::array<int, colours(M)>, colours(M)> order{};
    for (int c = 0; c < colours(M); ++c) {
        int n = 0;
        order[c][n++] = c;
        if (in_teams(M)) order[c][n++] = c ^ 2;
        for (int o = next_colour(M, c); o != c; o = next_colour(M, o))
            if (side_of(M, o) != side_of(M, c)) order[c][n++] = o;
    }
    return order;
}

namespace detail {

constexpr int plane_index(int cell) {
    return 9 * (GEOMETRY.row[cell] + 4) + GEOMETRY.digit[cell] - 1;
}

inline constexpr auto HEXAGON = [] {
    std::array<std::uint8_t, PLANE> plane{};
    for (int cell = 0; cell < CELLS; ++cell) plane[plane_index(cell)] = 1;
    return plane;
}();

inline void write_mask_scalar(const LegalMoveSets& sets, std::uint8_t* out) {
    std::memset(out, 0, MOVES);
    for (int k = 0; k < MOVE_SETS; ++k)
        each(sets.of[k], [&](int cell) { out[SET_TABLE.move[k][cell]] = 1; });
}

inline void write_cells_scalar(const Bits* sets, int number, std::uint8_t* out) {
    std::memset(out, 0, static_cast<std::size_t>(number) * PLANE);
    for (int k = 0; k < number; ++k, out += PLANE)
        each(sets[k], [&](int cell) { out[plane_index(cell)] = 1; });
}

#ifdef SUMITO_VBMI

// The source of each byte written: a byte of the words, and a bit of it.
template <int Size>
struct ByteSources {
    alignas(64) std::array<std::uint8_t, Size> byte{};
    alignas(64) std::array<std::uint8_t, Size> bit{};
    constexpr void set(int at, int word, int cell) {
        byte[at] = static_cast<std::uint8_t>(8 * word + cell / 8);
        bit[at] = static_cast<std::uint8_t>(1 << cell % 8);
    }
};

inline constexpr auto MASK_SOURCES = [] {
    ByteSources<1280> sources{};
    for (int i = 0; i < MOVES; ++i) sources.set(i, SET_TABLE.set[i], SET_TABLE.cell[i]);
    return sources;
}();

inline constexpr auto PLANE_SOURCES = [] {
    ByteSources<128> sources{};
    for (int cell = 0; cell < CELLS; ++cell) sources.set(plane_index(cell), 0, cell);
    return sources;
}();

SUMITO_VBMI inline void write_mask_vbmi(const LegalMoveSets& sets, std::uint8_t* out) {
    const auto* const words = reinterpret_cast<const std::uint8_t*>(sets.of.data());
    const __m512i a = _mm512_load_si512(words), b = _mm512_load_si512(words + 64);
    const __m512i c = _mm512_load_si512(words + 128), d = _mm512_load_si512(words + 192);
    const __m512i one = _mm512_set1_epi8(1);
    for (int at = 0; at < MOVES; at += 64) {
        const __m512i from = _mm512_load_si512(MASK_SOURCES.byte.data() + at);
        const __m512i bit = _mm512_load_si512(MASK_SOURCES.bit.data() + at);
        const __m512i low = _mm512_permutex2var_epi8(a, from, b);
        const __m512i high = _mm512_permutex2var_epi8(c, from, d);
        const __m512i bytes = _mm512_mask_blend_epi8(_mm512_movepi8_mask(from), low, high);
        const __mmask64 legal = _mm512_test_epi8_mask(bytes, bit);
        const __m512i flags = _mm512_maskz_mov_epi8(legal, one);
        if (at + 64 <= MOVES)
            _mm512_storeu_si512(out + at, flags);
        else
            _mm512_mask_storeu_epi8(out + at, (__mmask64{1} << MOVES % 64) - 1, flags);
    }
}

SUMITO_VBMI inline void write_cells_vbmi(const Bits* sets, int number, std::uint8_t* out) {
    const __m512i one = _mm512_set1_epi8(1);
    const __m512i from0 = _mm512_load_si512(PLANE_SOURCES.byte.data());
    const __m512i from1 = _mm512_load_si512(PLANE_SOURCES.byte.data() + 64);
    const __m512i bit0 = _mm512_load_si512(PLANE_SOURCES.bit.data());
    const __m512i bit1 = _mm512_load_si512(PLANE_SOURCES.bit.data() + 64);
    constexpr __mmask64 ALL = ~__mmask64{0}; // without a mask, GCC 12 warns about its own header
    constexpr __mmask64 REST = (__mmask64{1} << (PLANE - 64)) - 1;
    for (int k = 0; k < number; ++k, out += PLANE) {
        const __m512i word = _mm512_set1_epi64(static_cast<long long>(sets[k]));
        const __mmask64 first =
            _mm512_test_epi8_mask(_mm512_maskz_permutexvar_epi8(ALL, from0, word), bit0);
        const __mmask64 rest =
            _mm512_test_epi8_mask(_mm512_maskz_permutexvar_epi8(ALL, from1, word), bit1);
        _mm512_storeu_si512(out, _mm512_maskz_mov_epi8(first, one));
        _mm512_mask_storeu_epi8(out + 64, REST, _mm512_maskz_mov_epi8(rest, one));
    }
}

inline bool has_vbmi() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}

#endif

} // namespace detail

// Writes masks and planes with AVX-512 where the processor has it and it is not disabled.
class PlaneWriter {
  public:
    explicit PlaneWriter(bool disable_simd = false) : wide(!disable_simd && has_simd()) {}

    static bool has_simd() {
#ifdef SUMITO_VBMI
        static const bool found = detail::has_vbmi();
        return found;
#else
        return false;
#endif
    }

    void mask(const LegalMoveSets& sets, std::uint8_t* out) const {
#ifdef SUMITO_VBMI
        if (wide) return detail::write_mask_vbmi(sets, out);
#endif
        detail::write_mask_scalar(sets, out);
    }

    // A plane for each set of cells.
    void cells(const Bits* sets, int number, std::uint8_t* out) const {
#ifdef SUMITO_VBMI
        if (wide) return detail::write_cells_vbmi(sets, number, out);
#endif
        detail::write_cells_scalar(sets, number, out);
    }

  private:
    bool wide;
};

// What an observation shows besides the current marbles.
template <Mode M>
struct ObservationContext {
    int history = 1;
    const std::array<Bits, colours(M)>* past = nullptr; // `history` - 1 boards, the last one first
    int repeats = 0;
    std::uint32_t plies_left = MAX_SCALAR;
};

template <Mode M>
inline void write_planes(const PlaneWriter& writer, const Board<M>& board,
                         const ObservationContext<M>& context, std::uint8_t* out) {
    static constexpr auto ORDERS = colour_orders<M>();
    constexpr int C = colours(M);
    const auto& order = ORDERS[board.turn()];
    const auto write = [&](const std::array<Bits, C>& marbles) {
        std::array<Bits, C> ordered;
        for (int k = 0; k < C; ++k) ordered[k] = marbles[order[k]];
        writer.cells(ordered.data(), C, out);
        out += C * PLANE;
    };
    write(board.marbles);
    for (int k = 0; k + 1 < context.history; ++k) write(context.past[k]);
    const auto fill = [&](std::uint32_t value) {
        std::memset(out, static_cast<int>(std::min<std::uint32_t>(value, MAX_SCALAR)), PLANE);
        out += PLANE;
    };
    for (int k = 0; k < sides(M); ++k)
        fill(static_cast<std::uint32_t>(board.tally.captured((board.side() + k) % sides(M))));
    fill(static_cast<std::uint32_t>(context.repeats));
    fill(context.plies_left);
    std::memcpy(out, detail::HEXAGON.data(), PLANE);
}

} // namespace sumito
