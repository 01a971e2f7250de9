// Evaluation for the search: by the network if it has a part for the mode, else handcrafted. The
// network's accumulators are kept with each board and updated incrementally.
#pragma once

#include "eval/handcrafted.hpp"
#include "eval/network.hpp"

#include <cstdlib>

namespace sumito {

template <Mode M>
class Evaluator {
  public:
    // Uninitialised where no network is used: one is created per node.
    struct State {
        std::array<ModeNetwork::Accumulator, perspectives(M)> sums;
        State() {}
    };

    Evaluator() = default;
    // For searches from a board; with more than two players its player to move is the viewer.
    Evaluator(const Weights& weights, const Network* networks, const Board<M>& root)
        : handcrafted(weights), viewer(root.turn()),
          network(networks && is_from_full_start(root) ? networks->of(M) : nullptr) {
        const auto order = colour_order(M, viewer);
        for (int slot = 0; slot < Board<M>::COLOURS; ++slot)
            slots[static_cast<std::size_t>(order[static_cast<std::size_t>(slot)])] = slot;
    }

    // Networks are trained on games from full starts only, where marbles on the board and ejections
    // add up. Other positions (composed, handicaps) use the handcrafted evaluation. Moves don't
    // change the answer, so each search uses one evaluation.
    static bool is_from_full_start(const Board<M>& board) {
        const auto near = [](int marbles, int start) {
            return std::abs(marbles - start) <= TOLERANCE;
        };
        if constexpr (M == Mode::three) {
            int ejected = 0;
            for (int side = 0; side < 3; ++side) ejected += board.tally.captured(side);
            return near(std::popcount(board.occupied()) + ejected, START_MARBLES);
        } else {
            std::array<int, 2> marbles{};
            for (int c = 0; c < Board<M>::COLOURS; ++c)
                marbles[side_of(M, c)] += std::popcount(board.marbles[c]);
            return near(marbles[0] + board.tally.captured(1), START_MARBLES) &&
                   near(marbles[1] + board.tally.captured(0), START_MARBLES);
        }
    }

    State start(const Board<M>& board) const {
        State state;
        if (!network) return state;
        FeatureDeltas all;
        for (int colour = 0; colour < Board<M>::COLOURS; ++colour) {
            each(board.marbles[colour], [&](int cell) { add_feature(all, colour, cell); });
            count_captures(all, colour, 0, counted_captures(board, colour));
        }
        for (int view = 0; view < perspectives(M); ++view)
            network->refresh(all[view], state.sums[view]);
        return state;
    }

    SUMITO_INLINE State next(const State& state, const Board<M>& before,
                             const Board<M>& after) const {
        State fresh;
        if (!network) return fresh;
        FeatureDeltas deltas;
        for (int colour = 0; colour < Board<M>::COLOURS; ++colour) {
            const Bits old = before.marbles[colour];
            const Bits now = after.marbles[colour];
            each(now & ~old, [&](int cell) { add_feature(deltas, colour, cell); });
            each(old & ~now, [&](int cell) { remove_feature(deltas, colour, cell); });
            count_captures(deltas, colour, counted_captures(before, colour),
                           counted_captures(after, colour));
        }
        for (int view = 0; view < perspectives(M); ++view)
            network->update(state.sums[view], deltas[view], fresh.sums[view]);
        return fresh;
    }

    // The value for a side; in `three` for the viewer's.
    SUMITO_INLINE int value(const State& state, const Board<M>& board, int side) const {
        if (!network) return handcrafted.value({}, board, side);
        int lost = 0;
        for (int s = 0; s < Board<M>::SIDES; ++s) lost += board.tally.captured(s);
        int value;
        if constexpr (M == Mode::two) {
            value = network->value(state.sums[side], state.sums[side ^ 1], stage(M, lost));
        } else {
            const int bucket = turn_state(M, viewer, board.turn()) * STAGES + stage(M, lost);
            value = network->value(state.sums[0], bucket);
            if (side != side_of(M, viewer)) value = -value;
        }
        return std::clamp(value, -MAX_VALUE, MAX_VALUE);
    }

  private:
    // Marbles of a side at the start; in `three` of all together.
    static constexpr int START_MARBLES = M == Mode::two ? 14 : M == Mode::three ? 33 : 18;
    static constexpr int TOLERANCE = 2; // some layouts have more or fewer

    using FeatureDeltas = std::array<ModeNetwork::FeatureDelta, perspectives(M)>;

    HandcraftedEvaluator<M> handcrafted;
    int viewer = 0;
    std::array<int, 4> slots{}; // by colour: its group of 61 inputs of the viewer
    const ModeNetwork* network = nullptr;

    SUMITO_INLINE int slot_of(int view, int colour) const {
        return M == Mode::two ? view ^ colour : slots[static_cast<std::size_t>(colour)];
    }
    SUMITO_INLINE void add_feature(FeatureDeltas& deltas, int colour, int cell) const {
        for (int view = 0; view < perspectives(M); ++view)
            deltas[view].add(slot_of(view, colour) * CELLS + cell);
    }
    SUMITO_INLINE void remove_feature(FeatureDeltas& deltas, int colour, int cell) const {
        for (int view = 0; view < perspectives(M); ++view)
            deltas[view].remove(slot_of(view, colour) * CELLS + cell);
    }
    SUMITO_INLINE void count_captures(FeatureDeltas& deltas, int colour, int from, int to) const {
        if constexpr (M == Mode::three)
            for (int n = from; n < to; ++n) deltas[0].add(capture(slot_of(0, colour), n));
    }
    static int counted_captures(const Board<M>& board, int side) {
        return std::min(board.tally.captured(side), CAPTURE_INPUTS);
    }
    static int capture(int slot, int n) { return 3 * CELLS + slot * CAPTURE_INPUTS + n; }
};

} // namespace sumito
