// Centre gain of moves: steps towards the centre, summed over the mover's marbles, for move
// ordering.
#pragma once

#include "kernel/move.hpp"

#include <algorithm>

namespace sumito {

namespace detail {

struct CentreGainTable {
    std::array<std::array<std::int8_t, MOVES>, 3> own{}; // by own marbles - 1 and move

    constexpr CentreGainTable() {
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

inline constexpr detail::CentreGainTable CENTRE_GAIN_TABLE{};

constexpr int centre_gain(Action action) {
    return CENTRE_GAIN_TABLE.own[action.own - 1][action.index];
}

// Sorts moves before anything is known of them: ejections, then pushes (each pushed marble counts
// as `push_weight` steps), then by steps towards the centre. Equal ones keep their order.
template <class Iterator>
void sort_statically(Iterator begin, Iterator end, int push_weight) {
    const auto score = [&](Action action) {
        return 100 * action.ejects() + push_weight * action.pushed() + centre_gain(action);
    };
    std::stable_sort(begin, end, [&](Action a, Action b) { return score(a) > score(b); });
}

} // namespace sumito
