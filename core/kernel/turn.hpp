// Whose turn comes next, and whether the game is over as far as one position can tell.
#pragma once

#include "kernel/movegen.hpp"

namespace sumito {

// Does the turn go on from a player who can't move? In `three` those who lose by it are passed
// over.
template <Mode M>
inline bool turn_passes(const Board<M>& board, Stuck stuck) {
    if (stuck == Stuck::loses) return M == Mode::three && std::popcount(board.tally.out()) < 2;
    return stuck == Stuck::passes;
}

// Gives the turn to that colour, or to the first after it who is in and can move.
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

// Hands the turn on after a move.
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

// The side with the most ejections, or NOBODY if that is shared.
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

// The only side with a player in, when players have gone out; else NOBODY.
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

// The end of the game when the player to move can't: their side loses, or all draw. (In `three` who
// loses by it is out, and never to move.)
template <Mode M>
inline Outcome stuck_outcome(const Board<M>& board, const Rules& rules) {
    if (Board<M>::SIDES == 2 && stuck_rule(rules, M) == Stuck::loses)
        return {Reason::no_move, board.side() ^ 1};
    return {Reason::no_move, NOBODY};
}

// Everything but repetition, in the order the rules are checked. `repeated` says whether the past
// makes this position a draw; the search passes false and looks for itself.
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
