// What moves did in this search so far: how often each cut a branch.
#pragma once

#include "kernel/move.hpp"

#include <cstdlib>
#include <cstring>

namespace sumito {

class History {
  public:
    static constexpr int MOST = 8192;

    History() { clear(); }

    void clear() { std::memset(cuts, 0, sizeof cuts); }

    const std::int16_t* scores(int colour) const { return cuts[colour]; }

    void reward(int colour, int move, int bonus) {
        std::int16_t& h = cuts[colour][move];
        h = static_cast<std::int16_t>(h + bonus - h * std::abs(bonus) / MOST);
    }

  private:
    std::int16_t cuts[4][MOVES];
};

} // namespace sumito
