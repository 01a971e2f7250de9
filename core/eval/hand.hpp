// What a position is worth to a side, made by hand; a marble is `Weights::marble`. The interface is
// `Evaluator`'s: `State` travels with each board through the search, and this evaluation is so
// cheap that it keeps nothing there.
#pragma once

#include "kernel/board.hpp"

#include <algorithm>

namespace sumito {

// Scores stay below this; wins lie beyond.
inline constexpr int MOST_VALUE = 20000;

struct Weights {
    int marble = 400;
    std::array<int, 5> ring = {0, 40, 80, 120, 160}; // cost of a marble so far from the centre
    int adjacency = 16;                              // for each pair of neighbours
};

template <Mode M>
class HandEvaluator {
  public:
    struct State {};

    explicit HandEvaluator(const Weights& weights = {}) : weights(weights) {}

    State start(const Board<M>&) const { return {}; }
    State next(const State&, const Board<M>&, const Board<M>&) const { return {}; }

    // From the side's point of view; in `three` against the mean of the two others.
    int value(const State&, const Board<M>& board, int side) const {
        if constexpr (Board<M>::SIDES == 2) {
            const int score = worth(board, side) - worth(board, side ^ 1);
            return std::clamp(score, -MOST_VALUE, MOST_VALUE);
        } else {
            const int others = worth(board, (side + 1) % 3) + worth(board, (side + 2) % 3);
            return std::clamp(worth(board, side) - others / 2, -MOST_VALUE, MOST_VALUE);
        }
    }

  private:
    Weights weights;

    static Bits marbles_of(const Board<M>& board, int side) {
        if constexpr (in_teams(M))
            return board.marbles[side] | board.marbles[side + 2];
        else
            return board.marbles[side];
    }

    SUMITO_INLINE int worth(const Board<M>& board, int side) const {
        const Bits x = marbles_of(board, side);
        int score = weights.marble * board.tally.captured(side);
        // A marble lost to a third player wins nothing for oneself but weakens all the same.
        if constexpr (M == Mode::three) score += weights.marble / 2 * count(x);
        for (int r = 1; r < 5; ++r) score -= weights.ring[r] * count(x & GEOMETRY.rings[r]);
        const int pairs = count(x & step<0>(x), x & step<1>(x), x & step<2>(x));
        return score + weights.adjacency * pairs;
    }
};

} // namespace sumito
