// Geometry of the board: 61 cells and six directions. A cell's bit is (digit - 1 + 13 * row) mod 61
// with row a = -4 and i = +4: a bijection under which each step to a neighbour is one rotation of
// the whole board.
//
//         i5 . . . i9        NW  NE
//        h4 . . . . h9         \ /
//      e1 . . . e5 . . e9   W - * - E
//        b1 . . . . b6         / \.
//         a1 . . . a5        SW  SE
#pragma once

#include "kernel/bits.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sumito {

inline constexpr int DIRECTIONS = 6; // E, NE, NW, W, SW, SE
inline constexpr int AXES = 3;       // E, NE, NW: those that rise in reading order
inline constexpr int NOWHERE = -1;

constexpr int back(int direction) { return (direction + 3) % DIRECTIONS; }

namespace detail {

inline constexpr std::array<int, 6> ROW_STEP = {0, 1, 1, 0, -1, -1};
inline constexpr std::array<int, 6> DIGIT_STEP = {1, 1, 0, -1, -1, 0};
inline constexpr std::array<int, 6> ROTATION = {1, 14, 13, 60, 47, 48};

constexpr int lowest_digit(int row) { return row > 0 ? row + 1 : 1; }
constexpr int highest_digit(int row) { return row < 0 ? row + 9 : 9; }
constexpr bool on_board(int row, int digit) {
    return row >= -4 && row <= 4 && digit >= lowest_digit(row) && digit <= highest_digit(row);
}
constexpr int cell_at(int row, int digit) {
    return on_board(row, digit) ? (digit - 1 + 13 * row + 2 * CELLS) % CELLS : NOWHERE;
}

// Lookup tables of the geometry.
struct Geometry {
    std::array<int, CELLS> reading{};             // n-th cell in reading order
    std::array<int, CELLS> row{};                 // -4 .. 4
    std::array<int, CELLS> digit{};               // 1 .. 9
    std::array<int, CELLS> ring{};                // steps from the centre, 0 .. 4
    std::array<std::array<int, 6>, CELLS> next{}; // the neighbour, or NOWHERE
    std::array<Bits, 6> reached{};                // cells that a step in a direction can end on
    std::array<Bits, 6> rim{};                    // cells whose neighbour there is the rim
    std::array<Bits, 5> rings{};                  // cells of each ring
    std::array<std::array<std::array<Bits, 6>, 6>, CELLS>
        ray{}; // the cell and those beyond; 0: off the board

    constexpr Geometry() {
        int n = 0;
        for (int r = -4; r <= 4; ++r)
            for (int g = lowest_digit(r); g <= highest_digit(r); ++g) {
                const int cell = cell_at(r, g);
                reading[n++] = cell;
                row[cell] = r;
                digit[cell] = g;
                ring[cell] = distance_from_centre(r, g - 5);
                rings[ring[cell]] |= bit(cell);
                for (int d = 0; d < 6; ++d) {
                    next[cell][d] = cell_at(r + ROW_STEP[d], g + DIGIT_STEP[d]);
                    if (next[cell][d] == NOWHERE)
                        rim[d] |= bit(cell);
                    else
                        reached[d] |= bit(next[cell][d]);
                    for (int k = 0; k < 6; ++k) {
                        const int there = cell_at(r + k * ROW_STEP[d], g + k * DIGIT_STEP[d]);
                        ray[cell][d][k] = there == NOWHERE ? 0 : bit(there);
                    }
                }
            }
    }

    static constexpr int distance_from_centre(int r, int g) {
        const auto size = [](int x) { return x < 0 ? -x : x; };
        const int longest = size(r) > size(g) ? size(r) : size(g);
        return size(g - r) > longest ? size(g - r) : longest;
    }
};

} // namespace detail

inline constexpr detail::Geometry GEOMETRY{};

// A step that wraps round the board at its edges; bits above the 61st are undefined.
template <int D>
constexpr Bits wrap(Bits x) {
    constexpr int by = detail::ROTATION[D];
    return (x << by) | (x >> (CELLS - by));
}

// Moves every marble of the set one cell in direction D; those that leave the board are dropped.
template <int D>
constexpr Bits step(Bits x) {
    return wrap<D>(x) & GEOMETRY.reached[D];
}

constexpr Bits step(Bits x, int direction) {
    return rotate(x, detail::ROTATION[direction]) & GEOMETRY.reached[direction];
}

inline std::string cell_name(int cell) {
    return {static_cast<char>('e' + GEOMETRY.row[cell]),
            static_cast<char>('0' + GEOMETRY.digit[cell])};
}

} // namespace sumito
