// Time management: a soft limit after which no new depth is started, and a hard limit that is never
// exceeded. The shares are set by hand; alternatives showed no gain over 240 games.
#pragma once

#include "search/limits.hpp"

#include <algorithm>
#include <chrono>

namespace sumito {

class Timer {
  public:
    using Time = std::chrono::steady_clock;

    explicit Timer(const Limits& limits) : start(Time::now()) {
        has_clock = limits.clock.has_value();
        has_limit = has_clock || limits.movetime_ms > 0;
        if (has_clock) plan(*limits.clock);
        if (limits.movetime_ms > 0) hard_us = std::min(hard_us, 1000 * limits.movetime_ms);
    }

    std::int64_t us() const {
        return std::chrono::duration_cast<std::chrono::microseconds>(Time::now() - start).count();
    }
    std::int64_t ms() const { return us() / 1000; }
    bool has_time_limit() const { return has_limit; }
    bool is_past_hard_limit() const { return has_limit && us() >= hard_us; }
    // `share` of the soft limit, in per cent: more when the best move keeps changing.
    bool is_past_soft_limit(int share) const { return has_clock && us() >= soft_us * share / 100; }

  private:
    Time::time_point start;
    bool has_clock; // a fixed time per move is used up, a clock's is shared out
    bool has_limit;
    std::int64_t soft_us = NEVER;
    std::int64_t hard_us = NEVER;

    static constexpr std::int64_t NEVER = std::int64_t{1} << 50;
    static constexpr std::int64_t RESERVE_MS =
        60; // for the delay until the move arrives, on a busy machine
    static constexpr int DEFAULT_MOVES_TO_GO = 50; // games of equal engines are mostly over by then

    void plan(const Clock& clock) {
        const std::int64_t reserve = std::min(RESERVE_MS, clock.remaining_ms / 2);
        const std::int64_t usable = std::max<std::int64_t>(0, clock.remaining_ms - reserve);
        const int moves = clock.moves_to_go > 0 ? std::min(clock.moves_to_go, DEFAULT_MOVES_TO_GO)
                                                : DEFAULT_MOVES_TO_GO;
        const std::int64_t share = 1000 * usable / moves + 750 * clock.increment_ms;
        const std::int64_t most = 1000 * usable * (moves == 1 ? 9 : 5) / 10;
        // At most half of what is left, so that a slow machine does not lose on time.
        soft_us = std::min(share, most);
        hard_us = std::min(share * 4, most);
    }
};

} // namespace sumito
