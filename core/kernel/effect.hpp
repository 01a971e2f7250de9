// Effect of a move on a board, cell by cell, for display and notation.
#pragma once

#include "kernel/any_board.hpp"

#include <optional>
#include <string>

namespace sumito {

struct Effect {
    int index = 0;
    int direction = 0;
    Cells moved;          // of the player and a partner, from the rear or lower end
    Cells pushed;         // opposing marbles, nearest first
    int ejected = NOBODY; // colour of the marble on the last pushed cell, if it leaves the board
};

// The effect of a legal move; nothing for an illegal one.
std::optional<Effect> effect_of(const Position& position, int index);

// The effects of all legal moves, by ascending move number.
std::vector<Effect> effects_of(const Position& position);

// The move of these marbles in that direction, legal or not; NO_MOVE if the cells are not a row of
// one to three or the direction leads off the board.
int move_of(const Cells& cells, int direction);

} // namespace sumito
