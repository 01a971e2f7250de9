// Cell numbers of the page: in reading order, a1 = 0 ... i9 = 60.
#pragma once

#include "kernel/any_board.hpp"
#include "wasm/abi.hpp"

#include <array>

namespace sumito::abi {

constexpr std::array<int, CELLS> numbers_by_reading() {
    std::array<int, CELLS> numbers{};
    for (int n = 0; n < CELLS; ++n) numbers[GEOMETRY.reading[n]] = n;
    return numbers;
}
inline constexpr std::array<int, CELLS> READING = numbers_by_reading();

inline void put_cells(const Cells& cells) {
    put_number(static_cast<double>(cells.size()));
    for (const int cell : cells) put_number(READING[static_cast<std::size_t>(cell)]);
}

} // namespace sumito::abi
