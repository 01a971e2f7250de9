// Counting the leaves of the game tree, the yardstick of a move generator: right figures first,
// then leaves per second.
#pragma once

#include "turn.hpp"

namespace sumito {

enum class Leaves { counted, made };

namespace detail {

// Tells the compiler that the value is used, so that a leaf counted by making it is really made.
template <class T>
SUMITO_INLINE void keep(const T& value) {
#if defined(__GNUC__)
    __asm__ volatile("" : : "m"(value));
#else
    static_cast<void>(static_cast<const volatile T&>(value).marbles[0]);
#endif
}

template <Mode M>
SUMITO_INLINE bool finished(const Board<M>& board, const Rules& rules) {
    return ejection_winner(board, rules) != NOBODY || past_ply_limit(board, rules) ||
           (M != Mode::two && last_side_in(board) != NOBODY);
}

// Makes every board one move on and counts them one by one. Two players' quiet moves toggle cells
// of one word, so their boards are made without naming the moves.
template <Mode M>
SUMITO_NOINLINE std::uint64_t make_leaves(const Board<M>& board, const Rules& rules) {
    ActionList list;
    std::uint64_t total = 0;
    if constexpr (M == Mode::two) {
        std::array<Bits, MOST_MOVES> changes;
        const int us = board.turn();
        const int n = quiet_changes<M>(hand_of(board, us), rules, changes.data());
        Board<M> quiet = board;
        quiet.tally = board.tally.after_quiet();
        pass_turn(quiet, rules);
        Board<M> next = quiet;
        for (int i = 0; i < n; ++i, ++total) {
            next.tally = quiet.tally;
            next.marbles[us] = board.marbles[us] ^ changes[i];
            if (rules.stuck == Stuck::passes) settle_turn(next, us ^ 1, rules);
            keep(next);
        }
        generate<M, Stage::sumitos>(board, rules, list);
    } else {
        generate(board, rules, list);
    }
    for (const Action action : list) {
        keep(play(board, action, rules));
        ++total;
    }
    return total;
}

template <Mode M, Leaves L, Popcount P>
SUMITO_NOINLINE std::uint64_t perft(const Board<M>& board, const Rules& rules, int depth) {
    if (finished(board, rules)) return 0;
    const Hand hand = hand_of(board, board.turn());
    if (L == Leaves::counted && depth == 1)
        return static_cast<std::uint64_t>(count_moves<M, P>(hand, rules.partner_sidestep));
    if (L == Leaves::made && depth == 1) return make_leaves(board, rules);
    ActionList list;
    generate(board, rules, list);
    std::uint64_t total = 0;
    for (const Action action : list) {
        const Board<M> next = play(board, action, rules);
        total += perft<M, L, P>(next, rules, depth - 1);
    }
    return total;
}

} // namespace detail

template <Mode M>
inline std::uint64_t perft(const Board<M>& board, const Rules& rules, int depth, Leaves leaves) {
    if (depth <= 0) return 1;
    return with_popcount([&]<Popcount P>() {
        return leaves == Leaves::counted ? detail::perft<M, Leaves::counted, P>(board, rules, depth)
                                         : detail::perft<M, Leaves::made, P>(board, rules, depth);
    });
}

} // namespace sumito
