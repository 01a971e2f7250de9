// The evaluation the search asks: the network where one is given that knows the mode, else the
// hand-made one. The network's hidden sums travel with each board and are changed, not computed.
#pragma once

#include "eval/hand.hpp"
#include "eval/network.hpp"

#include <cstdlib>

namespace sumito {

template <Mode M>
class Evaluator {
  public:
    // Unset where no network is used: states are made by the million.
    struct State {
        std::array<Layers::Sums, views(M)> sums;
        State() {}
    };

    Evaluator() = default;
    // For searches from a board; with more than two players its player to move is who looks.
    Evaluator(const Weights& weights, const Network* network, const Board<M>& root)
        : hand(weights), viewer(root.turn()),
          layers(network && suits(root) ? network->of(M) : nullptr) {
        const auto seen = seen_by(M, viewer);
        for (int slot = 0; slot < Board<M>::COLOURS; ++slot)
            slots[static_cast<std::size_t>(seen[static_cast<std::size_t>(slot)])] = slot;
    }

    // The network has only seen games from whole starts, where the marbles on the board tell which
    // are gone. Composed positions and handicaps, where they don't, are judged by hand. No move
    // changes the answer, so that one search has one judge.
    static bool suits(const Board<M>& board) {
        const auto near = [](int marbles, int whole) { return std::abs(marbles - whole) <= FEW; };
        if constexpr (M == Mode::three) {
            int ejected = 0;
            for (int side = 0; side < 3; ++side) ejected += board.tally.captured(side);
            return near(std::popcount(board.occupied()) + ejected, WHOLE);
        } else {
            std::array<int, 2> marbles{};
            for (int c = 0; c < Board<M>::COLOURS; ++c)
                marbles[side_of(M, c)] += std::popcount(board.marbles[c]);
            return near(marbles[0] + board.tally.captured(1), WHOLE) &&
                   near(marbles[1] + board.tally.captured(0), WHOLE);
        }
    }

    State start(const Board<M>& board) const {
        State state;
        if (!layers) return state;
        Changes all;
        for (int colour = 0; colour < Board<M>::COLOURS; ++colour) {
            each(board.marbles[colour], [&](int cell) { come(all, colour, cell); });
            count_captures(all, colour, 0, counted(board, colour));
        }
        for (int view = 0; view < views(M); ++view) layers->refresh(all[view], state.sums[view]);
        return state;
    }

    SUMITO_INLINE State next(const State& state, const Board<M>& before,
                             const Board<M>& after) const {
        State fresh;
        if (!layers) return fresh;
        Changes changes;
        for (int colour = 0; colour < Board<M>::COLOURS; ++colour) {
            const Bits old = before.marbles[colour];
            const Bits now = after.marbles[colour];
            each(now & ~old, [&](int cell) { come(changes, colour, cell); });
            each(old & ~now, [&](int cell) { go(changes, colour, cell); });
            count_captures(changes, colour, counted(before, colour), counted(after, colour));
        }
        for (int view = 0; view < views(M); ++view)
            layers->update(state.sums[view], changes[view], fresh.sums[view]);
        return fresh;
    }

    // For a side; in `three` for that of the one who looks.
    SUMITO_INLINE int value(const State& state, const Board<M>& board, int side) const {
        if (!layers) return hand.value({}, board, side);
        int lost = 0;
        for (int s = 0; s < Board<M>::SIDES; ++s) lost += board.tally.captured(s);
        int value;
        if constexpr (M == Mode::two) {
            value = layers->value(state.sums[side], state.sums[side ^ 1], stage(M, lost));
        } else {
            const int bucket = turn_state(M, viewer, board.turn()) * STAGES + stage(M, lost);
            value = layers->value(state.sums[0], bucket);
            if (side != side_of(M, viewer)) value = -value;
        }
        return std::clamp(value, -MOST_VALUE, MOST_VALUE);
    }

  private:
    // Marbles of a side at the start; of all three where they are counted together.
    static constexpr int WHOLE = M == Mode::two ? 14 : M == Mode::three ? 33 : 18;
    static constexpr int FEW = 2; // more or fewer of them in some layouts

    using Changes = std::array<Layers::Change, views(M)>;

    HandEvaluator<M> hand;
    int viewer = 0;
    std::array<int, 4> slots{}; // by colour: which 61 inputs of the viewer are its
    const Layers* layers = nullptr;

    SUMITO_INLINE int slot_of(int view, int colour) const {
        return M == Mode::two ? view ^ colour : slots[static_cast<std::size_t>(colour)];
    }
    SUMITO_INLINE void come(Changes& changes, int colour, int cell) const {
        for (int view = 0; view < views(M); ++view)
            changes[view].add(slot_of(view, colour) * CELLS + cell);
    }
    SUMITO_INLINE void go(Changes& changes, int colour, int cell) const {
        for (int view = 0; view < views(M); ++view)
            changes[view].drop(slot_of(view, colour) * CELLS + cell);
    }
    SUMITO_INLINE void count_captures(Changes& changes, int colour, int from, int to) const {
        if constexpr (M == Mode::three)
            for (int n = from; n < to; ++n) changes[0].add(capture(slot_of(0, colour), n));
    }
    static int counted(const Board<M>& board, int side) {
        return std::min(board.tally.captured(side), CAPTURE_INPUTS);
    }
    static int capture(int slot, int n) { return 3 * CELLS + slot * CAPTURE_INPUTS + n; }
};

} // namespace sumito
