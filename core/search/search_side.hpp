// The two sides of a search: those of the game, or in `three` the player at the root (0) against
// the two others (1). A value changes its sign only where the side to move changes.
#pragma once

#include "kernel/board.hpp"

namespace sumito {

template <Mode M>
SUMITO_INLINE int search_side(const Board<M>& board, int root_turn) {
    if constexpr (M == Mode::three)
        return board.turn() == root_turn ? 0 : 1;
    else
        return board.side();
}

} // namespace sumito
