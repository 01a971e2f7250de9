// The four modes: colours, sides and turn orders, known at compile time.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace sumito {

enum class Mode { two, three, teams, teams_double };

inline constexpr std::array<Mode, 4> MODES = {Mode::two, Mode::three, Mode::teams,
                                              Mode::teams_double};
inline constexpr std::array<std::string_view, 4> MODE_NAMES = {"two", "three", "teams",
                                                               "teams-double"};
inline constexpr std::string_view LETTERS = "bwru";
inline constexpr std::array<std::string_view, 4> COLOUR_NAMES = {"black", "white", "red", "blue"};

constexpr std::string_view name(Mode mode) { return MODE_NAMES[static_cast<int>(mode)]; }

constexpr bool in_teams(Mode mode) { return mode == Mode::teams || mode == Mode::teams_double; }
constexpr int colours(Mode mode) { return mode == Mode::two ? 2 : mode == Mode::three ? 3 : 4; }
constexpr int sides(Mode mode) { return mode == Mode::three ? 3 : 2; }
constexpr int side_of(Mode mode, int colour) { return in_teams(mode) ? colour & 1 : colour; }

// Upper bounds on the marbles of one colour; one of the community's layouts for two has 15.
inline constexpr int LARGEST_START = 15;
constexpr int max_marbles(Mode mode) {
    return mode == Mode::two ? 14 : mode == Mode::three ? 11 : 9;
}

constexpr int next_colour(Mode mode, int colour) {
    if (mode == Mode::teams_double) {
        constexpr std::array<int, 4> after = {2, 3, 1, 0}; // black red white blue
        return after[colour];
    }
    return (colour + 1) % colours(mode);
}

constexpr std::optional<Mode> mode_named(std::string_view text) {
    for (const Mode mode : MODES)
        if (name(mode) == text) return mode;
    return std::nullopt;
}

} // namespace sumito
