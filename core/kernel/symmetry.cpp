// Boards carried by symmetries, cell by cell.
#include "kernel/symmetry.hpp"

#include "kernel/marbles.hpp"

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
    std::uint64_t key =
        static_cast<std::uint64_t>(marbles.mode) * 4 + static_cast<std::uint64_t>(marbles.turn);
    for (const Bits word : least) key = scramble(key + 0x9e3779b97f4a7c15u + word);
    return {key, symmetry};
}

} // namespace sumito
