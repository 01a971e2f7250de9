// Reasons why a move was a mistake: what it missed or allowed, by an engine's variations, and what
// it left worse than the better move, by the formations before and after. A reason is a code with
// values; the interface formats it in the user's language.
#pragma once

#include "kernel/any_board.hpp"

#include <array>
#include <string_view>

namespace sumito {

// Most important first.
enum class MistakeKind : std::uint8_t {
    missed_win,
    allowed_win,
    missed_ejection,
    allowed_ejection,
    unsupported,
    exposed,
    gave_up_pac,
    broke_group,
    left_centre
};

inline constexpr std::array<std::string_view, 9> MISTAKE_NAMES = {
    "missed-win", "allowed-win", "missed-ejection", "allowed-ejection", "unsupported",
    "exposed",    "gave-up-pac", "broke-group",     "left-centre"};

struct MistakeReason {
    MistakeKind kind;
    // Of wins and ejections: the number of the move, of the side that gains. Of a pac: marbles on
    // each side; of a group: its marbles; of the centre: the sum of steps away from it. Else: the
    // number of marbles.
    int count;
    // The marbles concerned, in reading order: opposing ones where they stand before the move, the
    // player's own where they stand after it.
    Cells cells;
};

// The reasons against `played`, most important first; may be empty. `better` is the preferred
// variation from this position; `punishment` the play expected after `played`, or empty. All moves
// must be legal in turn.
std::vector<MistakeReason> find_mistake_reasons(const Position& position, int played,
                                                const std::vector<int>& better,
                                                const std::vector<int>& punishment);

} // namespace sumito
