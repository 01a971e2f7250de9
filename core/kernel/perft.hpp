// Perft: the number of leaves of the game tree, to verify and time the move generator. Repetition,
// which needs the history, is handled by `Game::perft`.
#pragma once

#include "kernel/board.hpp"

namespace sumito {

// `bulk` counts the moves of the last ply, `full` plays them.
enum class PerftMode { bulk, full };

template <Mode M>
std::uint64_t perft(const Board<M>& board, const Rules& rules, int depth, PerftMode mode);

} // namespace sumito
