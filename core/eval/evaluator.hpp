// The evaluation the search asks: the network where one is given, else the hand-made one. The
// network knows two sides. Partners count as one side; in `three` a player is judged against each
// of the two others in turn, as if the third were not there.
#pragma once

#include "eval/hand.hpp"
#include "eval/network.hpp"

#include <type_traits>
#include <variant>

namespace sumito {

template <Mode M>
class Evaluator {
  public:
    // Unset where no network is used: states are made by the million.
    struct State {
        std::conditional_t<Board<M>::SIDES == 2, Network::Accumulator, std::monostate> sums;
        State() {}
    };

    Evaluator() = default;
    // For searches from a board.
    Evaluator(const Weights& weights, const Network* network, const Board<M>& root)
        : hand(weights), marble(weights.marble), network(suits(root) ? network : nullptr) {}

    // The network has only seen games from whole starts, where the marbles on the board tell which
    // are gone. Composed positions and handicaps, where they don't, are judged by hand. No move
    // changes the answer, so that one search has one judge.
    static bool suits(const Board<M>& board) {
        const auto near = [](int marbles, int whole) { return std::abs(marbles - whole) <= FEW; };
        if constexpr (CARRIES) {
            const auto sides = sides_of(board);
            return near(std::popcount(sides[0]) + board.tally.captured(1), WHOLE) &&
                   near(std::popcount(sides[1]) + board.tally.captured(0), WHOLE);
        } else {
            int ejected = 0;
            for (int side = 0; side < 3; ++side) ejected += board.tally.captured(side);
            return near(std::popcount(board.occupied()) + ejected, WHOLE);
        }
    }

    State start(const Board<M>& board) const {
        State state;
        if constexpr (CARRIES)
            if (network) network->refresh(sides_of(board), state.sums);
        return state;
    }

    SUMITO_INLINE State next(const State& state, const Board<M>& before,
                             const Board<M>& after) const {
        State fresh;
        if constexpr (CARRIES) {
            if (network) {
                const auto old = sides_of(before);
                const auto now = sides_of(after);
                const Network::Change change{{old[0] & ~now[0], old[1] & ~now[1]},
                                             {now[0] & ~old[0], now[1] & ~old[1]}};
                network->update(state.sums, change, fresh.sums);
            }
        }
        return fresh;
    }

    SUMITO_INLINE int value(const State& state, const Board<M>& board, int side) const {
        if (!network) return hand.value({}, board, side);
        int value;
        if constexpr (CARRIES) {
            const int lost = board.tally.captured(0) + board.tally.captured(1);
            value = network->value(state.sums, side, lost);
        } else {
            value = among_three(board, side);
        }
        return std::clamp(value, -MOST_VALUE, MOST_VALUE);
    }

  private:
    static constexpr bool CARRIES = Board<M>::SIDES == 2;
    // Marbles of a side at the start; of all three where they are counted together.
    static constexpr int WHOLE = M == Mode::two ? 14 : M == Mode::three ? 33 : 18;
    static constexpr int FEW = 2; // more or fewer of them in some layouts

    HandEvaluator<M> hand;
    int marble = 0;
    const Network* network = nullptr;

    // What the network can't see there is who ejected the marbles that are gone.
    int among_three(const Board<M>& board, int side) const {
        int value = marble * board.tally.captured(side);
        const int lost =
            board.tally.captured(0) + board.tally.captured(1) + board.tally.captured(2);
        for (const int other : {(side + 1) % 3, (side + 2) % 3}) {
            Network::Accumulator sums;
            network->refresh({board.marbles[side], board.marbles[other]}, sums);
            value += (network->value(sums, 0, lost) - marble * board.tally.captured(other)) / 2;
        }
        return value;
    }

    static std::array<Bits, 2> sides_of(const Board<M>& board) {
        if constexpr (in_teams(M))
            return {board.marbles[0] | board.marbles[2], board.marbles[1] | board.marbles[3]};
        else
            return {board.marbles[0], board.marbles[1]};
    }
};

} // namespace sumito
