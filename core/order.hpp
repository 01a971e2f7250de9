// Which move first: ejections, pushes, moves that refuted before, moves that gain ground. One
// stands out in most positions, so the list is never sorted, only searched for its best as often as
// needed.
#pragma once

#include "tt.hpp"
#include "tuning.hpp"

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

    int score(int colour, int move) const { return history[colour][move]; }

    void reward(int colour, int move, int bonus) {
        int& h = history[colour][move];
        h += bonus - h * std::abs(bonus) / MOST;
    }
    void refuted(int ply, int colour, int previous, int move) {
        if (killer[ply][0] != move)
            killer[ply] = {static_cast<std::uint16_t>(move), killer[ply][0]};
        if (previous != NO_MOVE) counter[colour][previous] = static_cast<std::uint16_t>(move);
    }
    bool is_killer(int ply, int move) const {
        return killer[ply][0] == move || killer[ply][1] == move;
    }
    int counter_to(int colour, int previous) const {
        return previous == NO_MOVE ? NO_MOVE : counter[colour][previous];
    }

  private:
    int history[4][MOVES];
    std::uint16_t counter[4][MOVES];
    std::array<std::array<std::uint16_t, 2>, LONGEST_LINE + 8> killer;
};

// Moves with their scores, handed out best first.
class Picker {
  public:
    ActionList list;

    template <Mode M>
    void score(const Board<M>& board, const Memory& memory, const Tuning& tuning, int ply,
               int previous, int first) {
        const int colour = board.turn();
        const int counter = tuning.counters ? memory.counter_to(colour, previous) : NO_MOVE;
        for (int i = 0; i < list.size; ++i) {
            const Action a = list.actions[i];
            int s = tuning.gain * GAIN_TABLE.own[a.own - 1][a.index];
            if (tuning.history) s += memory.score(colour, a.index);
            if (a.force) s += a.ejects() ? EJECTION : PUSH;
            if (a.index == counter) s += COUNTER;
            if (tuning.killers && memory.is_killer(ply, a.index)) s += KILLER;
            if (a.index == first) s = FIRST;
            scores[i] = s;
        }
        at = 0;
    }

    Action next() {
        if (at == list.size) return NO_ACTION;
        int best = at;
        for (int i = at + 1; i < list.size; ++i)
            if (scores[i] > scores[best]) best = i;
        std::swap(scores[at], scores[best]);
        std::swap(list.actions[at], list.actions[best]);
        return list.actions[at++];
    }

    static constexpr int FIRST = 1 << 24;
    static constexpr int EJECTION = 1 << 20;
    static constexpr int KILLER = 6000;
    static constexpr int COUNTER = 3000;
    static constexpr int PUSH = 2000;

  private:
    std::array<int, MOST_MOVES> scores;
    int at = 0;

  public:
    Picker() {} // leaves the scores unset on purpose
};

} // namespace sumito
