// Every board one move on, made straight from the sets of moves without a list of them between.
// For two players only, where a move that pushes nothing changes one word.
#pragma once

#include "kernel/turn.hpp"

namespace sumito {

// Calls f(board) for every board that a move of the player to move leads to.
template <class F>
SUMITO_INLINE void each_successor(const Board<Mode::two>& board, F&& f) {
    const int us = board.turn();
    const Hand hand = hand_of(board, us);
    Board<Mode::two> next = board;
    next.tally = board.tally.after_quiet();
    next.tally.other_turn();
    const auto quiet = [&](Bits set, const detail::ChangeTable::Cells& changes) {
        each(set, [&](int cell) {
            next.marbles[us] = hand.own ^ changes[cell];
            f(next);
        });
    };
    detail::each_direction([&]<int D>() {
        const Lines<D> sets(hand);
        const auto& row = CHANGE_TABLE.row[D];
        quiet(hand.own & sets.free, row[0]);
        quiet(sets.two & sets.free, row[1]);
        quiet(sets.three & sets.free, row[2]);

        const auto facing = sets.sumitos(hand);
        const auto push = [&]<int Pushed>(Bits heads, const detail::ChangeTable::Cells& changes) {
            each(heads, [&](int head) {
                const Bits nearest = step<D>(bit(head));
                Bits behind = step<D>(nearest);
                if constexpr (Pushed == 2) behind = step<D>(behind);
                Board<Mode::two> pushed;
                pushed.tally = behind ? board.tally.after_quiet() : board.tally.after_ejection(us);
                pushed.tally.other_turn();
                pushed.marbles[us] = hand.own ^ changes[head];
                pushed.marbles[us ^ 1] = hand.opposing ^ nearest ^ behind;
                f(pushed);
            });
        };
        if ((sets.two & facing.one) | (sets.three & facing.two)) [[unlikely]] {
            push.template operator()<1>(sets.two & facing.one, row[1]);
            push.template operator()<1>(sets.three & facing.one, row[2]);
            push.template operator()<2>(sets.three & facing.two, row[2]);
        }
        detail::each_file<Mode::two, D>(hand, sets.free, PartnerSideStep::any,
                                        [&]<int A>(const Files<A>& groups) {
                                            quiet(groups.two, CHANGE_TABLE.side[D][A][0]);
                                            quiet(groups.three, CHANGE_TABLE.side[D][A][1]);
                                        });
    });
}

} // namespace sumito
