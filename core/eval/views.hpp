// What a network sees in each mode. For two players both sides look, each at its own marbles and
// the other's; the halves stand side by side. With more players only the one at the root of a
// search looks: at itself, its partner if there is one, and the others in the order of their turns.
#pragma once

#include "kernel/bits.hpp"
#include "kernel/mode.hpp"

#include <array>

namespace sumito {

inline constexpr int STAGES = 6;         // by marbles lost so far
inline constexpr int CAPTURE_INPUTS = 6; // for each player of three: one for every marble ejected

constexpr int views(Mode mode) { return mode == Mode::two ? 2 : 1; }

// Among three the marbles on the board don't tell who ejected the others.
constexpr int inputs(Mode mode) {
    return CELLS * colours(mode) + (mode == Mode::three ? 3 * CAPTURE_INPUTS : 0);
}

// Turns from one player to another.
constexpr int steps(Mode mode, int from, int to) {
    int n = 0;
    for (; from != to; from = next_colour(mode, from)) ++n;
    return n;
}

// How many ways there are for the turn to stand to the one who looks. When partners move one after
// the other it matters too which of them begins.
constexpr int turn_states(Mode mode) {
    return mode == Mode::two ? 1 : mode == Mode::teams_double ? 8 : colours(mode);
}
constexpr int turn_state(Mode mode, int viewer, int turn) {
    if (mode == Mode::two) return 0;
    const int wait = steps(mode, viewer, turn);
    return mode == Mode::teams_double ? 2 * wait + (viewer >= 2) : wait;
}

// Whether the one to move in such a state is of the viewer's side.
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

// Sets of output weights.
constexpr int outputs(Mode mode) { return STAGES * turn_states(mode); }

// Whose marbles fill the first 61 inputs of a viewer, whose the second, and so on.
constexpr std::array<int, 4> seen_by(Mode mode, int viewer) {
    std::array<int, 4> seen{};
    int n = 0;
    seen[static_cast<std::size_t>(n++)] = viewer;
    if (in_teams(mode)) seen[static_cast<std::size_t>(n++)] = viewer ^ 2;
    for (int c = next_colour(mode, viewer); c != viewer; c = next_colour(mode, c))
        if (side_of(mode, c) != side_of(mode, viewer)) seen[static_cast<std::size_t>(n++)] = c;
    return seen;
}

} // namespace sumito
