// Feature layout of the networks. For two players there are two perspectives, each of its own and
// the other's marbles. With more players there is one, of the player at the root of the search: its
// own marbles, its partner's if there is one, and the others' in turn order.
#pragma once

#include "kernel/bits.hpp"
#include "kernel/mode.hpp"

#include <array>

namespace sumito {

inline constexpr int STAGES = 6;         // output buckets by marbles lost so far
inline constexpr int CAPTURE_INPUTS = 6; // per player of `three`: one for each marble ejected

constexpr int perspectives(Mode mode) { return mode == Mode::two ? 2 : 1; }

// In `three` the marbles on the board don't show who ejected the others.
constexpr int inputs(Mode mode) {
    return CELLS * colours(mode) + (mode == Mode::three ? 3 * CAPTURE_INPUTS : 0);
}

// The number of turns from one player to another.
constexpr int turns_between(Mode mode, int from, int to) {
    int n = 0;
    for (; from != to; from = next_colour(mode, from)) ++n;
    return n;
}

// The number of turn states relative to the viewer. Where partners move one after the other, it
// also matters which of them is first.
constexpr int turn_states(Mode mode) {
    return mode == Mode::two ? 1 : mode == Mode::teams_double ? 8 : colours(mode);
}
constexpr int turn_state(Mode mode, int viewer, int turn) {
    if (mode == Mode::two) return 0;
    const int wait = turns_between(mode, viewer, turn);
    return mode == Mode::teams_double ? 2 * wait + (viewer >= 2) : wait;
}

// Whether the player to move in a turn state is of the viewer's side.
constexpr bool moves_for_viewer(Mode mode, int state) {
    const int viewer = mode == Mode::teams_double && state % 2 ? 2 : 0;
    int turn = viewer;
    for (int k = mode == Mode::teams_double ? state / 2 : state; k > 0; --k)
        turn = next_colour(mode, turn);
    return side_of(mode, turn) == side_of(mode, viewer);
}

constexpr int stage(Mode mode, int lost) {
    const int at = mode == Mode::three ? (lost + 2) / 3 : (lost + 1) / 2;
    return at < STAGES ? at : STAGES - 1;
}

// The number of output buckets.
constexpr int outputs(Mode mode) { return STAGES * turn_states(mode); }

// The colours whose marbles are a viewer's first 61 inputs, the second, and so on.
constexpr std::array<int, 4> colour_order(Mode mode, int viewer) {
    std::array<int, 4> order{};
    int n = 0;
    order[static_cast<std::size_t>(n++)] = viewer;
    if (in_teams(mode)) order[static_cast<std::size_t>(n++)] = viewer ^ 2;
    for (int c = next_colour(mode, viewer); c != viewer; c = next_colour(mode, c))
        if (side_of(mode, c) != side_of(mode, viewer)) order[static_cast<std::size_t>(n++)] = c;
    return order;
}

} // namespace sumito
