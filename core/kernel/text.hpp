// Position texts: `<rows> <turn> <captured> <quiet> <ply> [mode [out:letters]]`, rows i down to a.
// Only the text that would be written is accepted; errors name the problem and its column. The
// Python rules accept and reject the same texts.
#pragma once

#include "kernel/board.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace sumito {

using BoardVariant = std::variant<Board<Mode::two>, Board<Mode::three>, Board<Mode::teams>,
                                  Board<Mode::teams_double>>;

struct PositionError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// Limit on the plies that a text may state.
inline constexpr std::uint32_t MAX_PLIES_IN_TEXT = 1'000'000;

// The board, or nothing and the error in `why`.
std::optional<BoardVariant> parse_board(std::string_view text, std::string& why);

template <Mode M>
std::string board_text(const Board<M>& board);

} // namespace sumito
