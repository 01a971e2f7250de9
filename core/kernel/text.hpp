// Positions as text: `<rows> <turn> <captured> <quiet> <ply> [mode [out:letters]]`, rows i down to
// a. A text that is read is the text that is written; an error says what is wrong and in which
// column. The Python rules take and refuse the same texts.
#pragma once

#include "kernel/board.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace sumito {

using AnyBoard = std::variant<Board<Mode::two>, Board<Mode::three>, Board<Mode::teams>,
                              Board<Mode::teams_double>>;

struct PositionError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// No game is longer, and no text may say that it is.
inline constexpr std::uint32_t MOST_PLIES_TOLD = 1'000'000;

// Nothing, and `why`, if the text is no position.
std::optional<AnyBoard> parse_board(std::string_view text, std::string& why);

template <Mode M>
std::string board_text(const Board<M>& board);

} // namespace sumito
