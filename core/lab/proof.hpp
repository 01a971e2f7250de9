// Exact proofs about the next moves, without any pruning: can a side eject a marble, or win, within
// so many moves of its own, whatever the others do? For puzzles, whose solutions must be the only
// ones.
#pragma once

#include "kernel/position.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sumito {

enum class Aim : std::uint8_t {
    eject, // the next ejection of the game; one by another side first fails
    win    // enough ejections to win, before another side has enough
};

// The moves with which the side to move reaches its aim within `moves` moves of its own (a
// partner's count), this one included; ascending. Nothing at all if more than `nodes` positions
// would have to be looked at.
std::optional<std::vector<int>> forcing_moves(const Position& position, Aim aim, int moves,
                                              std::uint64_t nodes);

// The moves after which no other side can force the next ejection within `moves` moves of its own.
std::optional<std::vector<int>> safe_moves(const Position& position, int moves,
                                           std::uint64_t nodes);

} // namespace sumito
