// Board of any mode as plain sets, and set helpers.
#include "kernel/any_board.hpp"

namespace sumito {

AnyBoard::AnyBoard(const Position& position) : mode(position.mode()), turn(position.turn()) {
    std::visit(
        [&](const auto& game) {
            for (std::size_t c = 0; c < game.board.marbles.size(); ++c)
                marbles[c] = game.board.marbles[c];
        },
        position.any);
}

int AnyBoard::colour_at(int cell) const {
    for (int c = 0; c < colours(mode); ++c)
        if (marbles[static_cast<std::size_t>(c)] & bit(cell)) return c;
    return NOBODY;
}

Cells in_reading_order(Bits set) {
    Cells cells;
    for (const int cell : GEOMETRY.reading)
        if (set & bit(cell)) cells.push_back(cell);
    return cells;
}

Bits neighbours(Bits set) {
    Bits near = 0;
    for (int d = 0; d < DIRECTIONS; ++d) near |= step(set, d);
    return near;
}

Cells run_from(int start, int direction, Bits among) {
    Cells cells;
    for (int at = start; at != NOWHERE && (among & bit(at)); at = GEOMETRY.next[at][direction])
        cells.push_back(at);
    return cells;
}

} // namespace sumito
