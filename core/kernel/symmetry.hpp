// The twelve ways to turn and mirror the board, and one name for positions that differ by no more.
// Numbered as in Python's `sumito.symmetry`: turns of 60 degrees counter-clockwise, then, from six
// on, the same after mirroring across the vertical axis.
#pragma once

#include "kernel/position.hpp"

namespace sumito {

inline constexpr int SYMMETRIES = 12;

struct CanonicalKey {
    std::uint64_t key; // of marbles, player to move and mode; the same on every machine, for good
    int symmetry;      // that carries the position to the one the key is of
};

CanonicalKey canonical_key(const Position& position);

// A move carried by a symmetry.
int carried_move(int index, int symmetry);

// The name of a move on the board that the key is of: the lowest of those that are the same there,
// since some boards can be turned onto themselves.
int canonical_move(const Position& position, int index);

} // namespace sumito
