// History heuristic: a score per colour and move, raised by cut-offs and decaying towards zero.
#pragma once

#include "kernel/move.hpp"

#include <cstdlib>
#include <cstring>

namespace sumito {

class History {
  public:
    static constexpr int MAX_SCORE = 8192;

    History() { clear(); }

    void clear() { std::memset(table, 0, sizeof table); }

    const std::int16_t* scores(int colour) const { return table[colour]; }

    void update(int colour, int move, int bonus) {
        std::int16_t& h = table[colour][move];
        h = static_cast<std::int16_t>(h + bonus - h * std::abs(bonus) / MAX_SCORE);
    }

  private:
    std::int16_t table[4][MOVES];
};

} // namespace sumito
