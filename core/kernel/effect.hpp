// What a move does on a board, cell by cell, for those who show it or write it down.
#pragma once

#include "kernel/marbles.hpp"

#include <optional>
#include <string>

namespace sumito {

struct Effect {
    int index = 0;
    int direction = 0;
    Cells moved;  // the player's and a partner's, the rear or lower end first
    Cells pushed; // the opposing ones, the nearest first
    int ejected =
        NOBODY; // the colour of the marble on the last pushed cell, if it leaves the board
};

// What a legal move does here; nothing for an illegal one.
std::optional<Effect> effect_of(const Position& position, int index);

// All legal moves, in the order of their numbers.
std::vector<Effect> effects_of(const Position& position);

// The move of a player who takes these marbles and goes that way, legal or not; NO_MOVE if the
// cells are no row of one to three or the way leads off the board.
int move_of(const Cells& cells, int direction);

} // namespace sumito
