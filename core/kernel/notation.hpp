// Three ways to write a move down. `aba_pro` names the rear cell and the next one, or the two ends
// of a side-step and where the first lands; `nacre` and `playstrategy` name an origin and a landing
// cell, which needs the board to be understood. Nothing guesses which one a text is in.
#pragma once

#include "kernel/effect.hpp"
#include "kernel/refusal.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sumito {

enum class Notation : std::uint8_t { aba_pro, nacre, playstrategy };

inline constexpr std::array<std::string_view, 3> NOTATION_NAMES = {"aba-pro", "nacre",
                                                                   "playstrategy"};

std::optional<Notation> notation_named(std::string_view text);

std::string write_move(const Effect& effect, Notation notation);

// A legal move by its text, or why the text names none here.
struct ReadMove {
    int index = NO_MOVE;
    Refusal refusal;
};
ReadMove read_move(const Position& position, std::string_view text, Notation notation);

} // namespace sumito
