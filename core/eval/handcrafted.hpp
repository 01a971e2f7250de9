// Handcrafted evaluation by material, distance from the centre and cohesion; a marble is worth
// `Weights::marble`. The interface is that of `Evaluator`; its `State` is empty.
//
// The weights were set by matches of 200 games at 1,200 nodes per move: marble 280 lost 443 Elo and
// 600 lost 158, other ring weights lost 87, adjacency 16 gained 78 +- 40 over 8.
#pragma once

#include "kernel/board.hpp"

#include <algorithm>

namespace sumito {

// Evaluations stay below this; wins lie beyond.
inline constexpr int MAX_VALUE = 20000;

struct Weights {
    int marble = 400;
    std::array<int, 5> ring = {0, 40, 80, 120, 160}; // cost of a marble by distance from the centre
    int adjacency = 16;                              // per pair of neighbours
};

template <Mode M>
class HandcraftedEvaluator {
  public:
    struct State {};

    explicit HandcraftedEvaluator(const Weights& weights = {}) : weights(weights) {}

    State start(const Board<M>&) const { return {}; }
    State next(const State&, const Board<M>&, const Board<M>&) const { return {}; }

    // The value for a side; in `three` against the mean of the two others.
    int value(const State&, const Board<M>& board, int side) const {
        if constexpr (Board<M>::SIDES == 2) {
            const int score = score_of(board, side) - score_of(board, side ^ 1);
            return std::clamp(score, -MAX_VALUE, MAX_VALUE);
        } else {
            const int others = score_of(board, (side + 1) % 3) + score_of(board, (side + 2) % 3);
            return std::clamp(score_of(board, side) - others / 2, -MAX_VALUE, MAX_VALUE);
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

    SUMITO_INLINE int score_of(const Board<M>& board, int side) const {
        const Bits x = marbles_of(board, side);
        int score = weights.marble * board.tally.captured(side);
        // A marble lost to a third player does not count as the opponent's, but still weakens.
        if constexpr (M == Mode::three) score += weights.marble / 2 * count(x);
        for (int r = 1; r < 5; ++r) score -= weights.ring[r] * count(x & GEOMETRY.rings[r]);
        const int pairs = count(x & step<0>(x), x & step<1>(x), x & step<2>(x));
        return score + weights.adjacency * pairs;
    }
};

} // namespace sumito
