// Boards carried by symmetries, cell by cell.
#include "kernel/symmetry.hpp"

#include "kernel/effect.hpp"

#include <algorithm>
#include <array>

namespace sumito {

namespace {

constexpr int carried(int cell, int symmetry) {
    // Steps from the centre: x along E, y along NW.
    int x = GEOMETRY.digit[cell] - 5;
    int y = GEOMETRY.row[cell];
    if (symmetry >= 6) x = y - x;
    for (int turn = 0; turn < symmetry % 6; ++turn) {
        const int old = x;
        x = x - y;
        y = old;
    }
    return detail::cell_at(y, x + 5);
}

using Table = std::array<std::array<std::uint8_t, CELLS>, SYMMETRIES>;

constexpr Table carried_cells() {
    Table table{};
    for (int s = 0; s < SYMMETRIES; ++s)
        for (int cell = 0; cell < CELLS; ++cell)
            table[s][cell] = static_cast<std::uint8_t>(carried(cell, s));
    return table;
}
constexpr Table CARRIED = carried_cells();

using Words = std::array<Bits, 4>;

Words carry(const Words& marbles, int symmetry) {
    Words there{};
    for (std::size_t c = 0; c < marbles.size(); ++c)
        each(marbles[c], [&](int cell) { there[c] |= bit(CARRIED[symmetry][cell]); });
    return there;
}

constexpr int carried_direction(int direction, int symmetry) {
    const int mirrored = symmetry >= 6 ? 3 - direction + DIRECTIONS : direction;
    return (mirrored + symmetry) % DIRECTIONS;
}

using MoveTable = std::array<std::array<std::uint16_t, MOVES>, SYMMETRIES>;

MoveTable carried_moves() {
    MoveTable table{};
    for (int s = 0; s < SYMMETRIES; ++s)
        for (int index = 0; index < MOVES; ++index) {
            const MoveShape& shape = MOVE_TABLE.shape[index];
            Bits from = shape.length ? shape.from : bit(shape.first);
            Cells cells;
            each(from, [&](int cell) { cells.push_back(CARRIED[s][cell]); });
            const int there = move_of(cells, carried_direction(shape.direction, s));
            table[s][index] = static_cast<std::uint16_t>(there);
        }
    return table;
}

// The finaliser of splitmix64: every bit of the input reaches every bit of the key.
std::uint64_t scramble(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

} // namespace

CanonicalKey canonical_key(const Position& position) {
    const Marbles marbles(position);
    Words least = marbles.of;
    int symmetry = 0;
    for (int s = 1; s < SYMMETRIES; ++s)
        if (const Words there = carry(marbles.of, s); there < least) {
            least = there;
            symmetry = s;
        }
    const int game = static_cast<int>(marbles.mode) * 4 + marbles.turn;
    // Scrambled first: added to the words it could make up for a marble one cell on.
    std::uint64_t key = scramble(static_cast<std::uint64_t>(game) + 1);
    for (const Bits word : least) key = scramble((key ^ word) + 0x9e3779b97f4a7c15u);
    return {key, symmetry};
}

int carried_move(int index, int symmetry) {
    static const MoveTable table = carried_moves();
    return table[static_cast<std::size_t>(symmetry)][static_cast<std::size_t>(index)];
}

int canonical_move(const Position& position, int index) {
    const Marbles marbles(position);
    const Words least = carry(marbles.of, canonical_key(position).symmetry);
    int lowest = MOVES;
    for (int s = 0; s < SYMMETRIES; ++s)
        if (carry(marbles.of, s) == least) lowest = std::min(lowest, carried_move(index, s));
    return lowest;
}

} // namespace sumito
