// AND-OR proof search without pruning: whether a side can force an ejection, or a win, within a
// number of moves of its own. For puzzles, whose solutions must be unique.
#pragma once

#include "kernel/position.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sumito {

enum class Aim : std::uint8_t {
    eject, // the next ejection of the game, before one by another side
    win    // enough ejections to win, before another side has them
};

// The moves with which the side to move reaches its aim within `moves` moves of its own (a
// partner's count), this one included; ascending. Nothing if a move takes more than `nodes`
// positions.
std::optional<std::vector<int>> forcing_moves(const Position& position, Aim aim, int moves,
                                              std::uint64_t nodes);

// The moves after which no other side can force the next ejection within `moves` moves of its own.
std::optional<std::vector<int>> safe_moves(const Position& position, int moves,
                                           std::uint64_t nodes);

} // namespace sumito
