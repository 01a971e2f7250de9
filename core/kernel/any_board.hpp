// Board of any mode as plain sets, for queries outside the search (effects, refusals, formations),
// whose code need not be compiled once per mode.
#pragma once

#include "kernel/position.hpp"

#include <array>
#include <vector>

namespace sumito {

struct AnyBoard {
    Mode mode = Mode::two;
    int turn = 0;
    std::array<Bits, 4> marbles{}; // by colour; empty for colours not in the mode

    explicit AnyBoard(const Position& position);

    Bits occupied() const { return marbles[0] | marbles[1] | marbles[2] | marbles[3]; }
    Bits empty() const { return FULL & ~occupied(); }
    // A colour's own marbles and a partner's.
    Bits friends(int colour) const {
        return in_teams(mode) ? marbles[colour] | marbles[colour ^ 2] : marbles[colour];
    }
    Bits opposing(int colour) const { return occupied() & ~friends(colour); }
    // The colour on a cell, or NOBODY.
    int colour_at(int cell) const;
};

using Cells = std::vector<int>;

// The cells of a set in reading order: a1, a2 ... i9.
Cells in_reading_order(Bits set);

// The neighbours of the cells of a set.
Bits neighbours(Bits set);

// The cells of `among` from `start` in that direction up to the first gap.
Cells run_from(int start, int direction, Bits among);

} // namespace sumito
