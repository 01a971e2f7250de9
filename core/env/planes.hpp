// A position as learners see it: a byte for each place of some planes of nine by nine, and a byte
// for each of the 1,272 moves. `sumito.env.abalone_v0` says what every plane means; the Python
// there is the specification.
//
// A byte is one bit of a few words, so a register that can pick any byte of a small table writes 64
// of them at once: AVX-512 VBMI, chosen at run time. Elsewhere the bits are walked through.
#pragma once

#include "env/sets.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define SUMITO_PICK __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi")))
#endif

namespace sumito {

inline constexpr int PLANE = 81;
inline constexpr int MOST_TOLD = 255;
inline constexpr int SCALAR_PLANES = 3;

constexpr int planes_of(Mode mode, int history) {
    return history * colours(mode) + sides(mode) + SCALAR_PLANES;
}

// The colours as a player sees them: own, the partner's, then the opponents' in order of turns.
template <Mode M>
constexpr std::array<std::array<int, colours(M)>, colours(M)> colours_seen() {
    std::array<std::array<int, colours(M)>, colours(M)> seen{};
    for (int c = 0; c < colours(M); ++c) {
        int n = 0;
        seen[c][n++] = c;
        if (in_teams(M)) seen[c][n++] = c ^ 2;
        for (int o = next_colour(M, c); o != c; o = next_colour(M, o))
            if (side_of(M, o) != side_of(M, c)) seen[c][n++] = o;
    }
    return seen;
}

namespace detail {

constexpr int place_of(int cell) { return 9 * (GEOMETRY.row[cell] + 4) + GEOMETRY.digit[cell] - 1; }

inline constexpr auto HEXAGON = [] {
    std::array<std::uint8_t, PLANE> plane{};
    for (int cell = 0; cell < CELLS; ++cell) plane[place_of(cell)] = 1;
    return plane;
}();

inline void write_mask_plain(const MoveSets& sets, std::uint8_t* out) {
    std::memset(out, 0, MOVES);
    for (int k = 0; k < MOVE_SETS; ++k)
        each(sets.of[k], [&](int cell) { out[SET_TABLE.move[k][cell]] = 1; });
}

inline void write_cells_plain(const Bits* sets, int number, std::uint8_t* out) {
    std::memset(out, 0, static_cast<std::size_t>(number) * PLANE);
    for (int k = 0; k < number; ++k, out += PLANE)
        each(sets[k], [&](int cell) { out[place_of(cell)] = 1; });
}

#ifdef SUMITO_PICK

// From which byte of the words each byte written comes, and which bit of it.
template <int Size>
struct Sources {
    alignas(64) std::array<std::uint8_t, Size> byte{};
    alignas(64) std::array<std::uint8_t, Size> bit{};
    constexpr void set(int at, int word, int cell) {
        byte[at] = static_cast<std::uint8_t>(8 * word + cell / 8);
        bit[at] = static_cast<std::uint8_t>(1 << cell % 8);
    }
};

inline constexpr auto MASK_SOURCES = [] {
    Sources<1280> sources{};
    for (int i = 0; i < MOVES; ++i) sources.set(i, SET_TABLE.set[i], SET_TABLE.cell[i]);
    return sources;
}();

inline constexpr auto PLANE_SOURCES = [] {
    Sources<128> sources{};
    for (int cell = 0; cell < CELLS; ++cell) sources.set(place_of(cell), 0, cell);
    return sources;
}();

SUMITO_PICK inline void write_mask_wide(const MoveSets& sets, std::uint8_t* out) {
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

SUMITO_PICK inline void write_cells_wide(const Bits* sets, int number, std::uint8_t* out) {
    const __m512i one = _mm512_set1_epi8(1);
    const __m512i from0 = _mm512_load_si512(PLANE_SOURCES.byte.data());
    const __m512i from1 = _mm512_load_si512(PLANE_SOURCES.byte.data() + 64);
    const __m512i bit0 = _mm512_load_si512(PLANE_SOURCES.bit.data());
    const __m512i bit1 = _mm512_load_si512(PLANE_SOURCES.bit.data() + 64);
    constexpr __mmask64 ALL = ~__mmask64{0}; // without a mask GCC 12 warns of its own header
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

inline bool can_pick() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}

#endif

} // namespace detail

// How bytes are written: the widest way that the processor has, or the plain one to compare.
class Pen {
  public:
    explicit Pen(bool plain = false) : wide(!plain && has_wide()) {}

    static bool has_wide() {
#ifdef SUMITO_PICK
        static const bool found = detail::can_pick();
        return found;
#else
        return false;
#endif
    }

    void mask(const MoveSets& sets, std::uint8_t* out) const {
#ifdef SUMITO_PICK
        if (wide) return detail::write_mask_wide(sets, out);
#endif
        detail::write_mask_plain(sets, out);
    }

    // A plane for each set of cells.
    void cells(const Bits* sets, int number, std::uint8_t* out) const {
#ifdef SUMITO_PICK
        if (wide) return detail::write_cells_wide(sets, number, out);
#endif
        detail::write_cells_plain(sets, number, out);
    }

  private:
    bool wide;
};

// What an observation tells besides the marbles of the board itself.
template <Mode M>
struct Glimpse {
    int history = 1;
    const std::array<Bits, colours(M)>* past = nullptr; // `history` - 1 boards, the last one first
    int repeats = 0;
    std::uint32_t plies_left = MOST_TOLD;
};

template <Mode M>
inline void write_planes(const Pen& pen, const Board<M>& board, const Glimpse<M>& glimpse,
                         std::uint8_t* out) {
    static constexpr auto SEEN = colours_seen<M>();
    constexpr int C = colours(M);
    const auto& seen = SEEN[board.turn()];
    const auto write = [&](const std::array<Bits, C>& marbles) {
        std::array<Bits, C> ordered;
        for (int k = 0; k < C; ++k) ordered[k] = marbles[seen[k]];
        pen.cells(ordered.data(), C, out);
        out += C * PLANE;
    };
    write(board.marbles);
    for (int k = 0; k + 1 < glimpse.history; ++k) write(glimpse.past[k]);
    const auto fill = [&](std::uint32_t value) {
        std::memset(out, static_cast<int>(std::min<std::uint32_t>(value, MOST_TOLD)), PLANE);
        out += PLANE;
    };
    for (int k = 0; k < sides(M); ++k)
        fill(static_cast<std::uint32_t>(board.tally.captured((board.side() + k) % sides(M))));
    fill(static_cast<std::uint32_t>(glimpse.repeats));
    fill(glimpse.plies_left);
    std::memcpy(out, detail::HEXAGON.data(), PLANE);
}

} // namespace sumito
