// Hash keys of positions, by multiplying and mixing the words of a board: so few that recomputing
// the key is cheaper than updating it.
#pragma once

#include "kernel/board.hpp"

namespace sumito {

using Key = std::uint64_t;

constexpr Key mix(Key x) {
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93ull;
    x ^= x >> 29;
    return x;
}

template <Mode M>
SUMITO_INLINE Key key_of(const Board<M>& board) {
    Key key = board.tally.without_plies() * 0x9E3779B97F4A7C15ull;
    for (const Bits word : board.marbles) key = mix((key ^ word) * 0xBF58476D1CE4E5B9ull);
    return key;
}

} // namespace sumito
