// Which move first: ejections, pushes, moves that refuted before, moves that gain ground. One
// stands out in most positions, so the list is never sorted, only searched for its best as often as
// needed.
#pragma once

#include "kernel/movegen.hpp"
#include "search/table.hpp"
#include "search/tuning.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace sumito {

namespace detail {

// Steps towards the centre that a move gains for the mover, by own marbles - 1 and move.
struct GainTable {
    std::array<std::array<std::int8_t, MOVES>, 3> own{};

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

// What moves did in this search so far: how often each cut a branch, and which answered which.
class Memory {
  public:
    static constexpr int MOST = 8192;

    void clear() {
        std::memset(history, 0, sizeof history);
        for (auto& colour : counter)
            for (auto& move : colour) move = NO_MOVE;
        forget_killers();
    }
    void forget_killers() {
        for (auto& pair : killer) pair = {NO_MOVE, NO_MOVE};
    }

    const std::int16_t* scores(int colour) const { return history[colour]; }
    const std::uint16_t* killers(int ply) const { return killer[ply].data(); }

    void reward(int colour, int move, int bonus) {
        std::int16_t& h = history[colour][move];
        h = static_cast<std::int16_t>(h + bonus - h * std::abs(bonus) / MOST);
    }
    void refuted(int ply, int colour, int previous, int move) {
        if (killer[ply][0] != move)
            killer[ply] = {static_cast<std::uint16_t>(move), killer[ply][0]};
        if (previous != NO_MOVE) counter[colour][previous] = static_cast<std::uint16_t>(move);
    }
    int counter_to(int colour, int previous) const {
        return previous == NO_MOVE ? NO_MOVE : counter[colour][previous];
    }

  private:
    std::int16_t history[4][MOVES];
    std::uint16_t counter[4][MOVES];
    std::array<std::array<std::uint16_t, 2>, LONGEST_LINE + 8> killer;
};

// Hands out the moves of a position, best first. The move from the table comes before anything is
// generated: it often is the only one needed.
template <Mode M>
class Picker {
  public:
    Picker(const Board<M>& board, const Rules& rules, const Memory& memory, const Tuning& tuning,
           int ply, int previous, int hash_move)
        : board(board), rules(rules), memory(memory), tuning(tuning), ply(ply), previous(previous),
          first(hash_move == NO_MOVE ? NO_ACTION : resolve(board, rules, hash_move)) {}

    Action next() {
        if (!generated) {
            generated = true;
            if (first) {
                started = true;
                return first;
            }
            begin();
        } else if (started) {
            started = false;
            begin();
        }
        const int best = best_key();
        if (best == NONE) return NO_ACTION;
        const int at = best & (MOST_MOVES - 1);
        keys[at] = NONE;
        return list.actions[at];
    }

  private:
    static constexpr int NONE = -(1 << 30);
    static constexpr int EJECTION = 1 << 18;
    static constexpr int LANES = 8;

    const Board<M>& board;
    const Rules& rules;
    const Memory& memory;
    const Tuning& tuning;
    int ply;
    int previous;
    Action first;
    bool generated = false;
    bool started = false; // the first move is out, the others not yet generated
    ActionList list;
    // Score and place in one number, so that the best is a plain maximum, which vectorises.
    std::array<int, MOST_MOVES + LANES> keys;

    void begin() {
        generate(board, rules, list);
        const int colour = board.turn();
        const std::uint16_t* const killer = memory.killers(ply);
        const int counter = memory.counter_to(colour, previous);
        const std::int16_t* const history = memory.scores(colour);
        for (int i = 0; i < list.size; ++i) {
            const Action a = list.actions[i];
            int s = tuning.gain * GAIN_TABLE.own[a.own - 1][a.index] + history[a.index];
            s += (a.index == killer[0] || a.index == killer[1]) ? tuning.killer : 0;
            s += a.index == counter ? tuning.counter : 0;
            if (a.force) s += a.ejects() ? EJECTION : tuning.push;
            keys[i] = a.index == first.index ? NONE : s * MOST_MOVES + i;
        }
        for (int i = 0; i < LANES; ++i) keys[list.size + i] = NONE;
    }

    int best_key() const {
        std::array<int, LANES> best;
        best.fill(NONE);
        for (int i = 0; i < list.size; i += LANES)
            for (int k = 0; k < LANES; ++k) best[k] = std::max(best[k], keys[i + k]);
        return *std::max_element(best.begin(), best.end());
    }
};

} // namespace sumito
