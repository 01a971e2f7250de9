// Legal moves as thirty sets of cells, one bit per move, so that a whole move mask can be written
// at once.
#pragma once

#include "kernel/movegen.hpp"

#include <array>

namespace sumito {

// First the six directions in line, by the cell of the rear marble; then for each direction the
// side-steps of two and of three along either other axis, by their lower end.
inline constexpr int MOVE_SETS = DIRECTIONS + 4 * DIRECTIONS;

constexpr int side_step_set(int direction, int axis, int length) {
    const int other = (axis - direction % AXES + AXES) % AXES - 1; // of the two other axes
    return DIRECTIONS + 4 * direction + 2 * other + length - 2;
}

struct alignas(64) LegalMoveSets {
    std::array<Bits, 32> of; // two more than are used, to be read in whole registers
};

template <Mode M>
SUMITO_INLINE LegalMoveSets legal_move_sets(const Board<M>& board, const Rules& rules) {
    LegalMoveSets sets;
    const MoverView mover = mover_view(board, board.turn());
    detail::each_direction([&]<int D>() {
        constexpr int B = back(D);
        const Bits free = step<B>(mover.empty);
        const Bits one = step<B>(mover.opposing & (free | GEOMETRY.rim[D]));
        const Bits two = step<B>(mover.opposing & one);
        const Bits front = free | one;
        const Bits second = step<B>(mover.usable & (front | two));
        sets.of[D] =
            mover.own & (free | step<B>(mover.usable & front) | step<B>(mover.usable & second));
        detail::each_side_step_group<M, D>(mover, free, rules.partner_sidestep,
                                           [&]<int A>(const SideStepGroups<A>& groups) {
                                               sets.of[side_step_set(D, A, 2)] = groups.two;
                                               sets.of[side_step_set(D, A, 3)] = groups.three;
                                           });
    });
    return sets;
}

namespace detail {

// The move of each bit of a set, and the set and bit of each move.
struct SetTable {
    std::array<std::array<std::uint16_t, CELLS>, MOVE_SETS> move{};
    std::array<std::uint8_t, MOVES> set{};
    std::array<std::uint8_t, MOVES> cell{};

    constexpr SetTable() {
        for (int i = 0; i < MOVES; ++i) {
            const MoveShape& s = MOVE_TABLE.shape[i];
            const int number =
                s.length ? side_step_set(s.direction, s.axis, s.length) : s.direction;
            move[number][s.first] = static_cast<std::uint16_t>(i);
            set[i] = static_cast<std::uint8_t>(number);
            cell[i] = s.first;
        }
    }
};

} // namespace detail

inline constexpr detail::SetTable SET_TABLE{};

inline int count_moves(const LegalMoveSets& sets) {
    int total = 0;
    for (int k = 0; k < MOVE_SETS; ++k) total += count(sets.of[k]);
    return total;
}

// The n-th move of the sets.
inline int nth_move(const LegalMoveSets& sets, int n) {
    for (int k = 0; k < MOVE_SETS; ++k) {
        Bits set = sets.of[k];
        const int size = count(set);
        if (n >= size) {
            n -= size;
            continue;
        }
        for (; n > 0; --n) set &= set - 1;
        return SET_TABLE.move[k][lowest(set)];
    }
    return NO_MOVE;
}

} // namespace sumito
