// Why something is not allowed, as data: a code, and the values its sentence names. The codes are
// those of Python's `sumito.errors`; the sentences are made at the door, in the reader's language.
#pragma once

#include "kernel/marbles.hpp"

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

    std::string_view code; // empty: nothing is wrong
    std::vector<Value> values;

    explicit operator bool() const { return !code.empty(); }
};

// Why a move can't be played here; empty if it can.
Refusal why_illegal(const Position& position, int index);

} // namespace sumito
