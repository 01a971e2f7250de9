// Move notations. `aba_pro` names the rear cell and the next one, or the two ends of a side-step
// and where the first lands; `nacre` and `playstrategy` name an origin and a landing cell and can
// only be read with the board. The notation of a text is never guessed.
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

// A legal move read from its text, or the reason why the text names none.
struct ReadMove {
    int index = NO_MOVE;
    Refusal refusal;
};
ReadMove read_move(const Position& position, std::string_view text, Notation notation);

} // namespace sumito
