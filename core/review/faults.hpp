// Why a move was a mistake, as facts: what it missed or allowed, by the lines of an engine, and
// what it left worse than the better move does, by the formations before and after. A fault is a
// code with values; the sentences are made at the door, in the reader's language.
#pragma once

#include "kernel/marbles.hpp"

#include <array>
#include <string_view>

namespace sumito {

// In the order of how much they tell.
enum class FaultKind : std::uint8_t {
    missed_win,
    allowed_win,
    missed_ejection,
    allowed_ejection,
    unsupported,
    exposed,
    gave_up_pac,
    left_det,
    broke_group,
    left_centre
};

inline constexpr std::array<std::string_view, 10> FAULT_NAMES = {
    "missed-win", "allowed-win", "missed-ejection", "allowed-ejection", "unsupported",
    "exposed",    "gave-up-pac", "left-det",        "broke-group",      "left-centre"};

struct Fault {
    FaultKind kind;
    // Of wins and ejections: with which move of the side that gains. Of a pac: how many stood
    // against each other; of a group: its marbles; of the centre: steps away from it, all together.
    // Else: how many marbles.
    int count;
    // The marbles it is about, in reading order: opposing ones where they stand before the move,
    // the player's own where they stand after it.
    Cells cells;
};

// What was wrong about `played`, the most telling first; empty if no rule here knows. `better` is
// the line to be preferred, from this position; `punishment` the play expected after `played`, or
// empty. All moves are legal in turn.
std::vector<Fault> find_faults(const Position& position, int played, const std::vector<int>& better,
                               const std::vector<int>& punishment);

} // namespace sumito
