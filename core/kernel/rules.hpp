// The options of a rule set, and how a game can end.
#pragma once

#include "kernel/mode.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace sumito {

enum class PartnerSideStep : std::uint8_t { any, none };
// What happens to a player without a move; `by_mode` is `loses` for two players, else `passes`.
enum class Stuck : std::uint8_t { by_mode, loses, draws, passes };

struct Rules {
    int win_at = 6;
    int repetition = 0; // draw at this occurrence; 0 for never
    int ply_limit = 0;  // 0 for none
    PartnerSideStep partner_sidestep = PartnerSideStep::any;
    Stuck stuck = Stuck::by_mode;
};

constexpr Stuck stuck_rule(const Rules& rules, Mode mode) {
    if (rules.stuck != Stuck::by_mode) return rules.stuck;
    return mode == Mode::two ? Stuck::loses : Stuck::passes;
}

// Why a game ended; `resigned` occurs in matches only.
enum class Reason : std::uint8_t {
    none,
    ejected,
    last_in,
    no_move,
    repetition,
    ply_limit,
    resigned
};

inline constexpr std::array<std::string_view, 7> REASON_NAMES = {
    "", "ejected", "last-in", "no-move", "repetition", "ply-limit", "resigned"};

inline constexpr int NOBODY = -1;

struct Outcome {
    Reason reason = Reason::none;
    int winner = NOBODY; // a side

    constexpr explicit operator bool() const { return reason != Reason::none; }
    constexpr std::string_view reason_name() const {
        return REASON_NAMES[static_cast<int>(reason)];
    }
};

} // namespace sumito
