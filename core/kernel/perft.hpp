// Counting the leaves of the game tree, the yardstick of a move generator: right figures first,
// then leaves per second. Repetition, which needs the past, is left to `Game::perft`.
#pragma once

#include "kernel/board.hpp"

namespace sumito {

enum class Leaves { counted, made };

template <Mode M>
std::uint64_t perft(const Board<M>& board, const Rules& rules, int depth, Leaves leaves);

} // namespace sumito
