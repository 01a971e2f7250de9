// Refusals: why a move or text is not allowed, as a code and the values of its message. The codes
// are those of Python's `sumito.errors`; the interface formats the message in the user's language.
#pragma once

#include "kernel/any_board.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sumito {

struct Refusal {
    struct Value {
        std::string_view name;
        std::variant<int, std::string> is;
    };

    std::string_view code; // empty if there is no refusal
    std::vector<Value> values;

    explicit operator bool() const { return !code.empty(); }
};

// Why a move is illegal; empty if it is legal.
Refusal why_illegal(const Position& position, int index);

} // namespace sumito
