// Which move first: ejections, pushes, moves that cut before, moves that gain ground. One
// stands out in most positions, so the list is never sorted, only searched for its best as often as
// needed.
#pragma once

#include "kernel/movegen.hpp"
#include "search/gain.hpp"
#include "search/history.hpp"
#include "search/tuning.hpp"

#include <algorithm>
#include <memory>

namespace sumito {

// Room for the moves of every ply of a line: within the frames of the search they would take four
// kilobytes of stack each, and threads have as little as half a megabyte.
class MoveStack {
  public:
    static constexpr int LANES = 8; // keys beyond the last move, so that whole vectors are read

    MoveStack() : actions(new Action[ROOM]), keys(new int[ROOM]) {}

    std::unique_ptr<Action[]> actions;
    std::unique_ptr<int[]> keys;
    int top = 0;

  private:
    // A line holds two lists of a ply at most, and a list is never full.
    static constexpr std::size_t ROOM = std::size_t{2} * (MOST_PLY + 8) * (MOST_MOVES + LANES);
};

// Hands out the moves of a position, best first. The move from the table comes before anything is
// generated: it often is the only one needed.
template <Mode M>
class Picker {
  public:
    Picker(const Board<M>& board, const Rules& rules, const History& history, const Tuning& tuning,
           MoveStack& stack, int hash_move)
        : board(board), rules(rules), history(history), tuning(tuning), stack(stack),
          base(stack.top),
          first(hash_move == NO_MOVE ? NO_ACTION : resolve(board, rules, hash_move)) {}
    ~Picker() { stack.top = base; }
    Picker(const Picker&) = delete;
    Picker& operator=(const Picker&) = delete;

    Action next() {
        if (!generated) {
            if (first && !started) {
                started = true;
                return first;
            }
            generated = true;
            begin();
        }
        const int best = best_key();
        if (best == NONE) return NO_ACTION;
        const int at = best & (MOST_MOVES - 1);
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
    int base; // of our moves in the stack
    int size = 0;
    Action first;
    bool started = false; // the first move is out
    bool generated = false;
    const Action* actions = nullptr;
    // Score and place in one number, so that the best is a plain maximum, which vectorises.
    int* keys = nullptr;

    void begin() {
        Action* const list = &stack.actions[static_cast<std::size_t>(base)];
        keys = &stack.keys[static_cast<std::size_t>(base)];
        actions = list;
        size = static_cast<int>(generate(board, rules, list) - list);
        stack.top = base + size + LANES;
        const std::int16_t* const cuts = history.scores(board.turn());
        for (int i = 0; i < size; ++i) {
            const Action a = list[i];
            int s = tuning.gain * gain_of(a) + cuts[a.index];
            if (a.force) s += a.ejects() ? EJECTION : tuning.push;
            keys[i] = a.index == first.index ? NONE : s * MOST_MOVES + i;
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
