// Move ordering: ejections, pushes, then quiet moves by history and centre gain. Mostly few moves
// are needed, so the list is not sorted but searched for its best each time.
#pragma once

#include "kernel/movegen.hpp"
#include "search/centre_gain.hpp"
#include "search/history.hpp"
#include "search/tuning.hpp"

#include <algorithm>
#include <memory>

namespace sumito {

// Storage for the moves of every ply. In the stack frames of the search they would take four
// kilobytes each, and threads have as little as half a megabyte.
class MoveStack {
  public:
    static constexpr int LANES = 8; // keys beyond the last move, so that whole vectors are read

    MoveStack() : actions(new Action[ROOM]), keys(new int[ROOM]) {}

    std::unique_ptr<Action[]> actions;
    std::unique_ptr<int[]> keys;
    int top = 0;

  private:
    // At most two lists per ply, none of them full.
    static constexpr std::size_t ROOM = std::size_t{2} * (MAX_PLY + 8) * (MAX_MOVES + LANES);
};

// Yields the moves of a position, best first. The move from the table comes before any is
// generated: often it is the only one needed.
template <Mode M>
class MovePicker {
  public:
    MovePicker(const Board<M>& board, const Rules& rules, const History& history,
               const Tuning& tuning, MoveStack& stack, int hash_move)
        : board(board), rules(rules), history(history), tuning(tuning), stack(stack),
          base(stack.top),
          hash_action(hash_move == NO_MOVE ? NO_ACTION : resolve(board, rules, hash_move)) {}
    ~MovePicker() { stack.top = base; }
    MovePicker(const MovePicker&) = delete;
    MovePicker& operator=(const MovePicker&) = delete;

    Action next() {
        if (!generated) {
            if (hash_action && !hash_action_done) {
                hash_action_done = true;
                return hash_action;
            }
            generated = true;
            fill();
        }
        const int best = best_key();
        if (best == NONE) return NO_ACTION;
        const int at = best & (MAX_MOVES - 1);
        keys[at] = NONE;
        return actions[at];
    }

  private:
    static constexpr int NONE = -(1 << 30);
    static constexpr int EJECTION = 1 << 18;
    static constexpr int LANES = MoveStack::LANES;

    const Board<M>& board;
    const Rules& rules;
    const History& history;
    const Tuning& tuning;
    MoveStack& stack;
    int base; // index of the first move in the stack
    int size = 0;
    Action hash_action;
    bool hash_action_done = false; // it has been returned
    bool generated = false;
    const Action* actions = nullptr;
    // Score and index in one number, so that the best is a maximum, which vectorises.
    int* keys = nullptr;

    void fill() {
        Action* const list = &stack.actions[static_cast<std::size_t>(base)];
        keys = &stack.keys[static_cast<std::size_t>(base)];
        actions = list;
        size = static_cast<int>(generate(board, rules, list) - list);
        stack.top = base + size + LANES;
        const std::int16_t* const scores = history.scores(board.turn());
        for (int i = 0; i < size; ++i) {
            const Action a = list[i];
            int s = tuning.order_centre_gain * centre_gain(a) + scores[a.index];
            if (a.force) s += a.ejects() ? EJECTION : tuning.order_push;
            keys[i] = a.index == hash_action.index ? NONE : s * MAX_MOVES + i;
        }
        for (int i = 0; i < LANES; ++i) keys[size + i] = NONE;
    }

    int best_key() const {
        std::array<int, LANES> best;
        best.fill(NONE);
        for (int i = 0; i < size; i += LANES)
            for (int k = 0; k < LANES; ++k) best[k] = std::max(best[k], keys[i + k]);
        return *std::max_element(best.begin(), best.end());
    }
};

} // namespace sumito
