// Final rewards: zero-sum, from each side's share of the win. `sumito.env.rewards` is the Python
// specification.
#pragma once

#include "kernel/turn.hpp"

#include <array>

namespace sumito {

template <Mode M>
inline std::array<float, sides(M)> final_rewards(const Board<M>& board, const Outcome& outcome) {
    constexpr int S = sides(M);
    std::array<float, S> shares{};
    if (outcome.winner != NOBODY) {
        shares[outcome.winner] = 1;
    } else {
        std::array<bool, S> in{};
        for (int c = 0; c < colours(M); ++c)
            if (!board.is_out(c)) in[side_of(M, c)] = true;
        int count = 0;
        for (const bool one : in) count += one;
        for (int s = 0; s < S; ++s) shares[s] = in[s] ? 1.0f / static_cast<float>(count) : 0.0f;
    }
    std::array<float, S> rewards;
    for (int s = 0; s < S; ++s)
        rewards[s] = (static_cast<float>(S) * shares[s] - 1.0f) / static_cast<float>(S - 1);
    return rewards;
}

} // namespace sumito
