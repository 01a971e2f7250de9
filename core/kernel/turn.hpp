// Turn order and game end, as far as they follow from one position.
#pragma once

#include "kernel/movegen.hpp"

namespace sumito {

// Whether the turn passes from a player without a move. In `three`, players who lose by it are
// eliminated and passed over.
template <Mode M>
inline bool turn_passes(const Board<M>& board, Stuck stuck) {
    if (stuck == Stuck::loses) return M == Mode::three && std::popcount(board.tally.out()) < 2;
    return stuck == Stuck::passes;
}

// Gives the turn to that colour, or to the next that is not eliminated and can move.
template <Mode M>
inline void settle_turn(Board<M>& board, int colour, const Rules& rules) {
    const Stuck stuck = stuck_rule(rules, M);
    while (board.is_out(colour)) colour = next_colour(M, colour);
    board.tally.set_turn(colour);
    for (int tries = 0; tries < Board<M>::COLOURS; ++tries, colour = next_colour(M, colour)) {
        if (board.is_out(colour)) continue;
        if (can_move(board, colour, rules) || !turn_passes(board, stuck)) {
            board.tally.set_turn(colour);
            return;
        }
        if (stuck == Stuck::loses) board.tally.set_out(board.tally.out() | 1u << colour);
    }
}

// Passes the turn after a move.
template <Mode M>
SUMITO_INLINE void pass_turn(Board<M>& board, const Rules& rules) {
    if constexpr (M == Mode::two) {
        if (rules.stuck != Stuck::passes) {
            board.tally.other_turn();
            return;
        }
    }
    settle_turn(board, next_colour(M, board.turn()), rules);
}

template <Mode M>
SUMITO_INLINE Board<M> play(const Board<M>& board, Action action, const Rules& rules) {
    Board<M> next = after(board, action);
    pass_turn(next, rules);
    return next;
}

// The side with the most ejections, or NOBODY if several have as many.
template <Mode M>
inline int leader(const Board<M>& board) {
    int side = 0;
    bool shared = false;
    for (int s = 1; s < Board<M>::SIDES; ++s) {
        if (board.tally.captured(s) == board.tally.captured(side)) shared = true;
        if (board.tally.captured(s) > board.tally.captured(side)) {
            side = s;
            shared = false;
        }
    }
    return shared ? NOBODY : side;
}

// The side that has won by ejections, or NOBODY.
template <Mode M>
SUMITO_INLINE int ejection_winner(const Board<M>& board, const Rules& rules) {
    for (int s = 0; s < Board<M>::SIDES; ++s)
        if (board.tally.captured(s) >= rules.win_at) return s;
    return NOBODY;
}

template <Mode M>
SUMITO_INLINE bool past_ply_limit(const Board<M>& board, const Rules& rules) {
    return rules.ply_limit && board.tally.ply() > static_cast<std::uint32_t>(rules.ply_limit);
}

// The only side with a player left after eliminations, or NOBODY.
template <Mode M>
inline int last_side_in(const Board<M>& board) {
    if (!board.tally.out()) return NOBODY;
    int side = NOBODY;
    for (int c = 0; c < Board<M>::COLOURS; ++c) {
        if (board.is_out(c)) continue;
        if (side != NOBODY && side != side_of(M, c)) return NOBODY;
        side = side_of(M, c);
    }
    return side;
}

// The outcome if the player to move has no move: their side loses, or all draw. (In `three` such a
// player is eliminated and never to move.)
template <Mode M>
inline Outcome stuck_outcome(const Board<M>& board, const Rules& rules) {
    if (Board<M>::SIDES == 2 && stuck_rule(rules, M) == Stuck::loses)
        return {Reason::no_move, board.side() ^ 1};
    return {Reason::no_move, NOBODY};
}

// The outcome, in the order the rules are checked. `repeated`: whether the position is a draw by
// repetition; the search passes false and checks repetition itself.
template <Mode M>
inline Outcome outcome_of(const Board<M>& board, const Rules& rules, bool repeated) {
    if (const int side = ejection_winner(board, rules); side != NOBODY)
        return {Reason::ejected, side};
    if (const int side = last_side_in(board); side != NOBODY) return {Reason::last_in, side};
    if (!can_move(board, board.turn(), rules)) return stuck_outcome(board, rules);
    if (repeated) return {Reason::repetition, NOBODY};
    if (past_ply_limit(board, rules)) return {Reason::ply_limit, leader(board)};
    return {};
}

} // namespace sumito
