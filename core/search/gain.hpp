// Steps towards the centre that a move gains for the mover: the plainest guess at its worth.
#pragma once

#include "kernel/move.hpp"

namespace sumito {

namespace detail {

struct GainTable {
    std::array<std::array<std::int8_t, MOVES>, 3> own{}; // by own marbles - 1 and move

    constexpr GainTable() {
        for (int i = 0; i < MOVES; ++i) {
            const MoveShape& s = MOVE_TABLE.shape[i];
            for (int n = 1; n <= 3; ++n) {
                if (s.length && n != s.length) continue;
                int gain = 0;
                if (s.length) {
                    gain = rings(s.from) - rings(s.to);
                } else {
                    const auto& ray = GEOMETRY.ray[s.first][s.direction];
                    if (ray[n]) gain = rings(ray[0]) - rings(ray[n]);
                }
                own[n - 1][i] = static_cast<std::int8_t>(gain);
            }
        }
    }
    static constexpr int rings(Bits set) {
        int sum = 0;
        for (; set; set &= set - 1) sum += GEOMETRY.ring[lowest(set)];
        return sum;
    }
};

} // namespace detail

inline constexpr detail::GainTable GAIN_TABLE{};

constexpr int gain_of(Action action) { return GAIN_TABLE.own[action.own - 1][action.index]; }

} // namespace sumito
