// What moves did in this search so far: how often each cut a branch, and which answered which.
#pragma once

#include "kernel/move.hpp"
#include "search/limits.hpp"

#include <array>
#include <cstdlib>
#include <cstring>

namespace sumito {

class History {
  public:
    static constexpr int MOST = 8192;

    History() { clear(); }

    void clear() {
        std::memset(cuts, 0, sizeof cuts);
        for (auto& colour : counter)
            for (auto& move : colour) move = NO_MOVE;
        forget_killers();
    }
    void forget_killers() {
        for (auto& pair : killer) pair = {NO_MOVE, NO_MOVE};
    }

    const std::int16_t* scores(int colour) const { return cuts[colour]; }
    const std::uint16_t* killers(int ply) const { return killer[ply].data(); }

    void reward(int colour, int move, int bonus) {
        std::int16_t& h = cuts[colour][move];
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
    std::int16_t cuts[4][MOVES];
    std::uint16_t counter[4][MOVES];
    std::array<std::array<std::uint16_t, 2>, MOST_PLY + 8> killer;
};

} // namespace sumito
