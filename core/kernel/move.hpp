// The 1,272 moves by number (stable: records and networks depend on it), and Action: a move with
// what it moves and pushes in one position.
#pragma once

#include "kernel/cells.hpp"

#include <array>
#include <cstdint>

namespace sumito {

inline constexpr int MOVES = 1272;
inline constexpr int IN_LINE_MOVES =
    312; // numbered first, by rear cell and direction; then the side-steps
inline constexpr std::uint16_t NO_MOVE = 0xFFFF;

// What is fixed about a move by its number alone.
struct MoveShape {
    std::uint8_t first = 0; // rear cell in line; lower end of a side-step
    std::uint8_t direction = 0;
    std::uint8_t axis = 0;   // of a side-step
    std::uint8_t length = 0; // of a side-step; 0 in line
    Bits from = 0;           // of a side-step: the group before
    Bits to = 0;             // and after
};

namespace detail {

struct MoveTable {
    std::array<MoveShape, MOVES> shape{};

    constexpr MoveTable() {
        int n = 0;
        for (const int cell : GEOMETRY.reading)
            for (int d = 0; d < DIRECTIONS; ++d) {
                if (GEOMETRY.next[cell][d] == NOWHERE) continue;
                shape[n].first = static_cast<std::uint8_t>(cell);
                shape[n++].direction = static_cast<std::uint8_t>(d);
            }
        for (const int cell : GEOMETRY.reading)
            for (int axis = 0; axis < AXES; ++axis)
                for (int length = 2; length <= 3; ++length)
                    for (int d = 0; d < DIRECTIONS; ++d) number_side_step(n, cell, axis, length, d);
    }

    constexpr void number_side_step(int& n, int cell, int axis, int length, int d) {
        if (d % AXES == axis) return;
        Bits from = 0;
        Bits to = 0;
        for (int k = 0; k < length; ++k) {
            const Bits here = GEOMETRY.ray[cell][axis][k];
            if (!here || !step(here, d)) return;
            from |= here;
            to |= step(here, d);
        }
        shape[n++] = {static_cast<std::uint8_t>(cell),
                      static_cast<std::uint8_t>(d),
                      static_cast<std::uint8_t>(axis),
                      static_cast<std::uint8_t>(length),
                      from,
                      to};
    }
};

} // namespace detail

inline constexpr detail::MoveTable MOVE_TABLE{};

// A move in one position: `own` marbles move, opposing ones may be pushed and the last of them
// ejected. Four bytes without initialisers, so that lists of them cost nothing to create.
struct Action {
    std::uint16_t index;
    std::uint8_t own;
    std::uint8_t force; // marbles pushed, plus EJECTS; 0 for moves that push nothing

    static constexpr std::uint8_t EJECTS = 4;

    constexpr int pushed() const { return force & 3; }
    constexpr bool ejects() const { return force & EJECTS; }
    constexpr bool in_line() const { return index < IN_LINE_MOVES; }
    constexpr explicit operator bool() const { return index != NO_MOVE; }
    friend constexpr bool operator==(Action a, Action b) { return a.index == b.index; }
};

inline constexpr Action NO_ACTION{NO_MOVE, 0, 0};

// Enough for any board: 18 usable marbles have at most 54 pairs and 54 threes with four ways each,
// and nine of them at most six ways in line.
inline constexpr int MAX_MOVES = 512;

struct ActionList {
    std::array<Action, MAX_MOVES> actions;
    int size = 0;

    ActionList() {} // leaves the actions uninitialised on purpose
    void add(Action action) { actions[size++] = action; }
    const Action* begin() const { return actions.data(); }
    const Action* end() const { return actions.data() + size; }
};

namespace detail {

// Tables that turn a bit of a generated set into an Action, and an Action into changed cells.
struct ActionTable {
    // One cell more than the board has, for the generator's unconditional writes.
    using Cells = std::array<Action, CELLS + 1>;
    std::array<std::array<Cells, 3>, 6> row{}; // direction, length - 1, head
    std::array<std::array<std::array<Cells, 2>, AXES>, 6>
        side{};                                      // direction, axis, length - 2, first
    std::array<std::array<Bits, MOVES>, 3> change{}; // own marbles - 1, move: cells toggled

    constexpr ActionTable() {
        for (int i = 0; i < IN_LINE_MOVES; ++i) add_rows(i);
        for (int i = IN_LINE_MOVES; i < MOVES; ++i) {
            const MoveShape& s = MOVE_TABLE.shape[i];
            side[s.direction][s.axis][s.length - 2][s.first] = {static_cast<std::uint16_t>(i),
                                                                s.length, 0};
            change[s.length - 1][i] = s.from | s.to;
        }
    }

    constexpr void add_rows(int i) {
        const MoveShape& s = MOVE_TABLE.shape[i];
        const auto& ray = GEOMETRY.ray[s.first][s.direction];
        for (std::uint8_t own = 1; own <= 3; ++own) {
            if (!ray[own - 1]) return;
            row[s.direction][own - 1][lowest(ray[own - 1])] = {static_cast<std::uint16_t>(i), own,
                                                               0};
            change[own - 1][i] = ray[0] ^ ray[own];
        }
    }
};

} // namespace detail

inline constexpr detail::ActionTable ACTION_TABLE{};

inline std::string move_name(int index) {
    const MoveShape& s = MOVE_TABLE.shape[index];
    if (index < IN_LINE_MOVES)
        return cell_name(s.first) + cell_name(GEOMETRY.next[s.first][s.direction]);
    const int last = lowest(GEOMETRY.ray[s.first][s.axis][s.length - 1]);
    return cell_name(s.first) + cell_name(last) + cell_name(GEOMETRY.next[s.first][s.direction]);
}

} // namespace sumito
