// Positions as text: `<rows> <turn> <captured> <quiet> <ply> [mode] [out:letters]`, rows i down to
// a. Reading is strict; an error says what is wrong and in which column.
#pragma once

#include "kernel/board.hpp"

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

AnyBoard parse_board(std::string_view text);

template <Mode M>
std::string board_text(const Board<M>& board);

} // namespace sumito
