// How long to think: a soft limit after which no new depth is begun, and a hard one that is never
// passed. The margin covers the delay between our decision and the move's arrival.
#pragma once

#include "search/limits.hpp"

#include <algorithm>
#include <chrono>

namespace sumito {

class Timer {
  public:
    using Time = std::chrono::steady_clock;

    explicit Timer(const Limits& limits) : start(Time::now()) {
        planned = limits.clock.has_value();
        limited = planned || limits.movetime_ms > 0;
        if (planned) plan(*limits.clock);
        if (limits.movetime_ms > 0) hard_us = std::min(hard_us, 1000 * limits.movetime_ms);
    }

    std::int64_t us() const {
        return std::chrono::duration_cast<std::chrono::microseconds>(Time::now() - start).count();
    }
    std::int64_t ms() const { return us() / 1000; }
    bool is_limited() const { return limited; }
    bool hard_over() const { return limited && us() >= hard_us; }
    // `share` of the soft limit, in hundredths: more when the best move keeps changing.
    bool soft_over(int share) const { return planned && us() >= soft_us * share / 100; }

  private:
    Time::time_point start;
    bool planned; // by a clock: a fixed time is used up, a clock's is husbanded
    bool limited;
    std::int64_t soft_us = NEVER;
    std::int64_t hard_us = NEVER;

    static constexpr std::int64_t NEVER = std::int64_t{1} << 50;
    static constexpr std::int64_t RESERVE_MS = 60; // for a machine that has other things to do
    static constexpr int USUAL_MOVES = 50;         // even engines' games are mostly over by then

    void plan(const Clock& clock) {
        const std::int64_t reserve = std::min(RESERVE_MS, clock.remaining_ms / 2);
        const std::int64_t usable = std::max<std::int64_t>(0, clock.remaining_ms - reserve);
        const int moves =
            clock.moves_to_go > 0 ? std::min(clock.moves_to_go, USUAL_MOVES) : USUAL_MOVES;
        const std::int64_t share = 1000 * usable / moves + 750 * clock.increment_ms;
        const std::int64_t most = 1000 * usable * (moves == 1 ? 9 : 5) / 10;
        // Never more than a good part of what is left, so that a slow machine can't lose on time.
        soft_us = std::min(share, most);
        hard_us = std::min(share * 4, most);
    }
};

} // namespace sumito
