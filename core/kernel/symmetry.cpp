// Symmetries of boards and moves.
#include "kernel/symmetry.hpp"

#include "kernel/effect.hpp"

#include <algorithm>
#include <array>

namespace sumito {

namespace {

using Words = std::array<Bits, 4>;

Words transform(const Words& marbles, int symmetry) {
    Words image{};
    for (std::size_t c = 0; c < marbles.size(); ++c)
        each(marbles[c], [&](int cell) { image[c] |= bit(CELL_MAPS[symmetry][cell]); });
    return image;
}

constexpr int transform_direction(int direction, int symmetry) {
    const int mirrored = symmetry >= 6 ? 3 - direction + DIRECTIONS : direction;
    return (mirrored + symmetry) % DIRECTIONS;
}

using MoveMaps = std::array<std::array<std::uint16_t, MOVES>, SYMMETRIES>;

MoveMaps move_maps() {
    MoveMaps table{};
    for (int s = 0; s < SYMMETRIES; ++s)
        for (int index = 0; index < MOVES; ++index) {
            const MoveShape& shape = MOVE_TABLE.shape[index];
            Bits from = shape.length ? shape.from : bit(shape.first);
            Cells cells;
            each(from, [&](int cell) { cells.push_back(CELL_MAPS[s][cell]); });
            const int image = move_of(cells, transform_direction(shape.direction, s));
            table[s][index] = static_cast<std::uint16_t>(image);
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
    const AnyBoard board(position);
    Words least = board.marbles;
    int symmetry = 0;
    for (int s = 1; s < SYMMETRIES; ++s)
        if (const Words image = transform(board.marbles, s); image < least) {
            least = image;
            symmetry = s;
        }
    const int game = static_cast<int>(board.mode) * 4 + board.turn;
    // Scrambled first: xored plainly, it could cancel a difference in the marbles.
    std::uint64_t key = scramble(static_cast<std::uint64_t>(game) + 1);
    for (const Bits word : least) key = scramble((key ^ word) + 0x9e3779b97f4a7c15u);
    return {key, symmetry};
}

int transform_move(int index, int symmetry) {
    static const MoveMaps table = move_maps();
    return table[static_cast<std::size_t>(symmetry)][static_cast<std::size_t>(index)];
}

int canonical_move(const Position& position, int index) {
    const AnyBoard board(position);
    const Words least = transform(board.marbles, canonical_key(position).symmetry);
    int lowest = MOVES;
    for (int s = 0; s < SYMMETRIES; ++s)
        if (transform(board.marbles, s) == least)
            lowest = std::min(lowest, transform_move(index, s));
    return lowest;
}

} // namespace sumito
