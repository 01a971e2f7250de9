// Bitboard position without its history, copied for each move. The mode is a template argument, so
// that games of two players pay nothing for partners.
#pragma once

#include "kernel/mode.hpp"
#include "kernel/move.hpp"
#include "kernel/rules.hpp"

#include <array>
#include <cstdint>

namespace sumito {

// Turn, eliminated players, marbles ejected, quiet plies and ply, packed in one word: a quiet move
// adds one constant, and the low part is what a hash key needs.
class Tally {
  public:
    static constexpr std::uint32_t MAX_PLIES = (1u << 20) - 1;

    int turn() const { return static_cast<int>(word & 3); }
    unsigned out() const { return static_cast<unsigned>(word >> OUT & 15); } // one bit a colour
    int captured(int side) const { return static_cast<int>(word >> (CAPTURED + 6 * side) & 63); }
    std::uint32_t quiet() const { return static_cast<std::uint32_t>(word >> QUIET & MAX_PLIES); }
    std::uint32_t ply() const { return static_cast<std::uint32_t>(word >> PLY); }

    void set_turn(int colour) { set(0, 3, static_cast<Bits>(colour)); }
    void set_out(unsigned colours) { set(OUT, 15, colours); }
    void set_captured(int side, int n) { set(CAPTURED + 6 * side, 63, static_cast<Bits>(n)); }
    void set_quiet(std::uint32_t plies) { set(QUIET, MAX_PLIES, plies); }
    void set_ply(std::uint32_t ply) { set(PLY, MAX_PLIES, ply); }

    void other_turn() { word ^= 1; } // of two players

    SUMITO_INLINE Tally after_quiet() const {
        return Tally(word + ((Bits{1} << QUIET) | (Bits{1} << PLY)));
    }
    SUMITO_INLINE Tally after_ejection(int side) const {
        const Bits counted = word + ((Bits{1} << PLY) | (Bits{1} << (CAPTURED + 6 * side)));
        return Tally(counted & ~(Bits{MAX_PLIES} << QUIET));
    }

    Bits turn_and_out() const { return word & ((Bits{1} << CAPTURED) - 1); }
    Bits without_plies() const { return word & ((Bits{1} << QUIET) - 1); }

    Tally() = default;
    friend bool operator==(const Tally&, const Tally&) = default;

  private:
    static constexpr int OUT = 2;
    static constexpr int CAPTURED = 6;
    static constexpr int QUIET = 24;
    static constexpr int PLY = 44;
    Bits word;

    explicit Tally(Bits w) : word(w) {}
    void set(int at, Bits mask, Bits value) {
        word = (word & ~(mask << at)) | (value & mask) << at;
    }
};

template <Mode M>
struct Board {
    static constexpr Mode MODE = M;
    static constexpr int COLOURS = colours(M);
    static constexpr int SIDES = sides(M);

    // No initialisers: boards are always written whole, as changed copies of others.
    std::array<Bits, COLOURS> marbles;
    Tally tally;

    int turn() const { return M == Mode::two ? tally.turn() & 1 : tally.turn(); }
    int side() const { return side_of(M, turn()); }
    bool is_out(int colour) const { return (tally.out() >> colour) & 1; }

    Bits occupied() const {
        Bits all = marbles[0];
        for (int c = 1; c < COLOURS; ++c) all |= marbles[c];
        return all;
    }

    // Whether marbles, player to move and eliminated players agree, as repetition requires.
    bool same_as(const Board& other) const {
        return marbles == other.marbles && tally.turn_and_out() == other.tally.turn_and_out();
    }
    friend bool operator==(const Board&, const Board&) = default;
};

// The board as seen by the player to move.
struct MoverView {
    Bits own;    // the rear marble of a row must be one of these
    Bits usable; // own and the partner's
    Bits opposing;
    Bits empty;
};

template <Mode M>
SUMITO_INLINE MoverView mover_view(const Board<M>& board, int colour) {
    const Bits own = board.marbles[colour];
    if constexpr (M == Mode::two) {
        const Bits opposing = board.marbles[colour ^ 1];
        return {own, own, opposing, FULL & ~(own | opposing)};
    } else {
        const Bits all = board.occupied();
        const Bits usable = in_teams(M) ? own | board.marbles[colour ^ 2] : own;
        return {own, usable, all & ~usable, FULL & ~all};
    }
}

namespace detail {

// Moves the marbles of the mover's side on `group` one cell.
template <Mode M>
SUMITO_INLINE void move_group(const Board<M>& board, Bits group, int direction, Board<M>& next) {
    for (int c = 0; c < Board<M>::COLOURS; ++c) {
        if (side_of(M, c) != board.side()) continue;
        const Bits moved = board.marbles[c] & group;
        next.marbles[c] = board.marbles[c] ^ moved ^ step(moved, direction);
    }
}

// Moves the opposing marbles on `row` one cell or off the board.
template <Mode M>
SUMITO_INLINE void push_row(const Board<M>& board, Bits row, int direction, Board<M>& next) {
    for (int c = 0; c < Board<M>::COLOURS; ++c) {
        if (side_of(M, c) == board.side()) continue;
        const Bits moved = board.marbles[c] & row;
        next.marbles[c] = board.marbles[c] ^ moved ^ step(moved, direction);
    }
}

} // namespace detail

// The board after an action. The turn is unchanged: whose it is next depends on the rules.
template <Mode M>
SUMITO_INLINE Board<M> after(const Board<M>& board, Action action) {
    Board<M> next;
    next.tally = board.tally.after_quiet();
    if (action.ejects()) next.tally = board.tally.after_ejection(board.side());
    if constexpr (M == Mode::two) { // only the ends of a row of one colour change
        const int us = board.turn();
        next.marbles[us] = board.marbles[us] ^ ACTION_TABLE.change[action.own - 1][action.index];
        Bits theirs = board.marbles[us ^ 1];
        if (action.force) [[unlikely]] {
            const MoveShape& shape = MOVE_TABLE.shape[action.index];
            const auto& ray = GEOMETRY.ray[shape.first][shape.direction];
            theirs ^= ray[action.own] ^ ray[action.own + action.pushed()];
        }
        next.marbles[us ^ 1] = theirs;
    } else {
        const MoveShape& shape = MOVE_TABLE.shape[action.index];
        Bits group = shape.from;
        Bits row = 0;
        if (action.in_line()) {
            const auto& ray = GEOMETRY.ray[shape.first][shape.direction];
            for (int k = 0; k < action.own; ++k) group |= ray[k];
            for (int k = 0; k < action.pushed(); ++k) row |= ray[action.own + k];
        }
        detail::move_group(board, group, shape.direction, next);
        detail::push_row(board, row, shape.direction, next);
    }
    return next;
}

} // namespace sumito
