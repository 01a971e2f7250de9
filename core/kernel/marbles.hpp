// The board of any mode as plain sets, for questions asked once a move and not once a node: what a
// move does, why one is illegal, which formations stand there. One copy of the code for all modes.
#pragma once

#include "kernel/position.hpp"

#include <array>
#include <vector>

namespace sumito {

struct Marbles {
    Mode mode = Mode::two;
    int turn = 0;
    std::array<Bits, 4> of{}; // by colour; none of colours that don't play

    explicit Marbles(const Position& position);

    Bits occupied() const { return of[0] | of[1] | of[2] | of[3]; }
    Bits empty() const { return FULL & ~occupied(); }
    // A colour's own marbles and a partner's.
    Bits friends(int colour) const {
        return in_teams(mode) ? of[colour] | of[colour ^ 2] : of[colour];
    }
    Bits opposing(int colour) const { return occupied() & ~friends(colour); }
    // The colour on a cell, or NOBODY.
    int colour_at(int cell) const;
};

using Cells = std::vector<int>;

// The cells of a set as people read them: a1, a2 ... i9.
Cells in_reading_order(Bits set);

// The neighbours of the cells of a set.
Bits beside(Bits set);

// The cells of a set from `start` on without a gap.
Cells run_of(int start, int direction, Bits among);

} // namespace sumito
