// Cells as a page knows them: numbered as people read them, a1 = 0 ... i9 = 60.
#pragma once

#include "kernel/any_board.hpp"
#include "wasm/border.hpp"

#include <array>

namespace sumito::border {

constexpr std::array<int, CELLS> numbers_by_reading() {
    std::array<int, CELLS> numbers{};
    for (int n = 0; n < CELLS; ++n) numbers[GEOMETRY.reading[n]] = n;
    return numbers;
}
inline constexpr std::array<int, CELLS> READING = numbers_by_reading();

inline void tell_cells(const Cells& cells) {
    tell(static_cast<double>(cells.size()));
    for (const int cell : cells) tell(READING[static_cast<std::size_t>(cell)]);
}

} // namespace sumito::border
