// Counting the leaves of the game tree, the yardstick of a move generator: right figures first,
// then leaves per second.
#pragma once

#include "kernel/successors.hpp"

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

// Every leaf made, and no list of moves on the way.
SUMITO_NOINLINE inline std::uint64_t perft_made(const Board<Mode::two>& board, const Rules& rules,
                                                int depth) {
    if (finished(board, rules)) return 0;
    std::uint64_t total = 0;
    if (depth == 1)
        each_successor(board, [&](const Board<Mode::two>& next) {
            keep(next);
            ++total;
        });
    else
        each_successor(board, [&](const Board<Mode::two>& next) {
            total += perft_made(next, rules, depth - 1);
        });
    return total;
}

template <Mode M, Leaves L, Popcount P>
SUMITO_NOINLINE std::uint64_t perft(const Board<M>& board, const Rules& rules, int depth) {
    if (finished(board, rules)) return 0;
    const Hand hand = hand_of(board, board.turn());
    if (L == Leaves::counted && depth == 1)
        return static_cast<std::uint64_t>(count_moves<M, P>(hand, rules.partner_sidestep));
    ActionList list;
    generate(board, rules, list);
    std::uint64_t total = 0;
    for (const Action action : list) {
        const Board<M> next = play(board, action, rules);
        if (L == Leaves::made && depth == 1) {
            keep(next);
            ++total;
        } else {
            total += perft<M, L, P>(next, rules, depth - 1);
        }
    }
    return total;
}

} // namespace detail

template <Mode M>
inline std::uint64_t perft(const Board<M>& board, const Rules& rules, int depth, Leaves leaves) {
    if (depth <= 0) return 1;
    if constexpr (M == Mode::two)
        if (leaves == Leaves::made && rules.stuck != Stuck::passes)
            return detail::perft_made(board, rules, depth);
    return with_popcount([&]<Popcount P>() {
        return leaves == Leaves::counted ? detail::perft<M, Leaves::counted, P>(board, rules, depth)
                                         : detail::perft<M, Leaves::made, P>(board, rules, depth);
    });
}

} // namespace sumito
