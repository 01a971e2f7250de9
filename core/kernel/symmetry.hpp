// The twelve symmetries of the board, and canonical keys of positions. Numbered as in Python's
// `sumito.symmetry`: 0 to 5 are rotations by 60 degrees counter-clockwise, 6 to 11 the same after
// mirroring across the vertical axis.
#pragma once

#include "kernel/position.hpp"

namespace sumito {

inline constexpr int SYMMETRIES = 12;

namespace detail {

constexpr int transform_cell(int cell, int symmetry) {
    // Steps from the centre: x along E, y along NW.
    int x = GEOMETRY.digit[cell] - 5;
    int y = GEOMETRY.row[cell];
    if (symmetry >= 6) x = y - x;
    for (int turn = 0; turn < symmetry % 6; ++turn) {
        const int old = x;
        x = x - y;
        y = old;
    }
    return cell_at(y, x + 5);
}

} // namespace detail

// Where a symmetry puts each cell.
using CellMap = std::array<std::uint8_t, CELLS>;

inline constexpr std::array<CellMap, SYMMETRIES> CELL_MAPS = [] {
    std::array<CellMap, SYMMETRIES> maps{};
    for (int s = 0; s < SYMMETRIES; ++s)
        for (int cell = 0; cell < CELLS; ++cell)
            maps[s][cell] = static_cast<std::uint8_t>(detail::transform_cell(cell, s));
    return maps;
}();

struct CanonicalKey {
    std::uint64_t key; // of marbles, player to move and mode; stable across machines and versions
    int symmetry;      // that maps the position to the canonical one
};

CanonicalKey canonical_key(const Position& position);

// A move mapped by a symmetry.
int transform_move(int index, int symmetry);

// A move on the canonical board: the lowest of its images, since some boards are symmetric.
int canonical_move(const Position& position, int index);

} // namespace sumito
