// Perft. For two players every leaf is played straight from the sets of moves without a list of
// moves: nearly twice as fast, but of no use to a search, which needs its moves in order.
#include "kernel/perft.hpp"

#include "kernel/turn.hpp"

namespace sumito {

namespace {

// `ACTION_TABLE` with the cells toggled instead of actions.
struct ChangeTable {
    using Cells = std::array<Bits, CELLS + 1>;
    std::array<std::array<Cells, 3>, 6> row{};
    std::array<std::array<std::array<Cells, 2>, AXES>, 6> side{};

    constexpr ChangeTable() {
        const auto change = [](Action a) {
            return a.own ? ACTION_TABLE.change[a.own - 1][a.index] : Bits{0};
        };
        for (int d = 0; d < DIRECTIONS; ++d)
            for (int cell = 0; cell < CELLS; ++cell) {
                for (int n = 0; n < 3; ++n) row[d][n][cell] = change(ACTION_TABLE.row[d][n][cell]);
                for (int a = 0; a < AXES; ++a)
                    for (int n = 0; n < 2; ++n)
                        side[d][a][n][cell] = change(ACTION_TABLE.side[d][a][n][cell]);
            }
    }
};

constexpr ChangeTable CHANGE_TABLE{};

// Calls f(board) for the board after each move of the player to move.
template <class F>
SUMITO_INLINE void each_successor(const Board<Mode::two>& board, F&& f) {
    const int us = board.turn();
    const MoverView mover = mover_view(board, us);
    Board<Mode::two> next = board;
    next.tally = board.tally.after_quiet();
    next.tally.other_turn();
    const auto quiet = [&](Bits set, const ChangeTable::Cells& changes) {
        each(set, [&](int cell) {
            next.marbles[us] = mover.own ^ changes[cell];
            f(next);
        });
    };
    detail::each_direction([&]<int D>() {
        const RowSets<D> sets(mover);
        const auto& row = CHANGE_TABLE.row[D];
        quiet(mover.own & sets.free, row[0]);
        quiet(sets.two & sets.free, row[1]);
        quiet(sets.three & sets.free, row[2]);

        const auto facing = sets.sumitos(mover);
        const auto push = [&]<int Pushed>(Bits heads, const ChangeTable::Cells& changes) {
            each(heads, [&](int head) {
                const Bits nearest = step<D>(bit(head));
                Bits behind = step<D>(nearest);
                if constexpr (Pushed == 2) behind = step<D>(behind);
                Board<Mode::two> pushed;
                pushed.tally = behind ? board.tally.after_quiet() : board.tally.after_ejection(us);
                pushed.tally.other_turn();
                pushed.marbles[us] = mover.own ^ changes[head];
                pushed.marbles[us ^ 1] = mover.opposing ^ nearest ^ behind;
                f(pushed);
            });
        };
        if ((sets.two & facing.one) | (sets.three & facing.two)) [[unlikely]] {
            push.template operator()<1>(sets.two & facing.one, row[1]);
            push.template operator()<1>(sets.three & facing.one, row[2]);
            push.template operator()<2>(sets.three & facing.two, row[2]);
        }
        detail::each_side_step_group<Mode::two, D>(
            mover, sets.free, PartnerSideStep::any, [&]<int A>(const SideStepGroups<A>& groups) {
                quiet(groups.two, CHANGE_TABLE.side[D][A][0]);
                quiet(groups.three, CHANGE_TABLE.side[D][A][1]);
            });
    });
}

// Marks the value as used, so that the compiler doesn't remove playing a leaf.
template <class T>
SUMITO_INLINE void keep(const T& value) {
#if defined(__GNUC__)
    __asm__ volatile("" : : "m"(value));
#else
    static_cast<void>(static_cast<const volatile T&>(value).marbles[0]);
#endif
}

template <Mode M>
SUMITO_INLINE bool is_decided(const Board<M>& board, const Rules& rules) {
    return ejection_winner(board, rules) != NOBODY || past_ply_limit(board, rules) ||
           (M != Mode::two && last_side_in(board) != NOBODY);
}

// Plays every leaf, without a list of moves.
SUMITO_NOINLINE std::uint64_t perft_full(const Board<Mode::two>& board, const Rules& rules,
                                         int depth) {
    if (is_decided(board, rules)) return 0;
    std::uint64_t total = 0;
    if (depth == 1)
        each_successor(board, [&](const Board<Mode::two>& next) {
            keep(next);
            ++total;
        });
    else
        each_successor(board, [&](const Board<Mode::two>& next) {
            total += perft_full(next, rules, depth - 1);
        });
    return total;
}

template <Mode M, PerftMode L>
SUMITO_NOINLINE std::uint64_t count_leaves(const Board<M>& board, const Rules& rules, int depth) {
    if (is_decided(board, rules)) return 0;
    const MoverView mover = mover_view(board, board.turn());
    if (L == PerftMode::bulk && depth == 1)
        return static_cast<std::uint64_t>(count_moves<M>(mover, rules.partner_sidestep));
    ActionList list;
    generate(board, rules, list);
    std::uint64_t total = 0;
    for (const Action action : list) {
        const Board<M> next = play(board, action, rules);
        if (L == PerftMode::full && depth == 1) {
            keep(next);
            ++total;
        } else {
            total += count_leaves<M, L>(next, rules, depth - 1);
        }
    }
    return total;
}

} // namespace

template <Mode M>
std::uint64_t perft(const Board<M>& board, const Rules& rules, int depth, PerftMode mode) {
    if (depth <= 0) return 1;
    if constexpr (M == Mode::two)
        if (mode == PerftMode::full && rules.stuck != Stuck::passes)
            return perft_full(board, rules, depth);
    return mode == PerftMode::bulk ? count_leaves<M, PerftMode::bulk>(board, rules, depth)
                                   : count_leaves<M, PerftMode::full>(board, rules, depth);
}

template std::uint64_t perft(const Board<Mode::two>&, const Rules&, int, PerftMode);
template std::uint64_t perft(const Board<Mode::three>&, const Rules&, int, PerftMode);
template std::uint64_t perft(const Board<Mode::teams>&, const Rules&, int, PerftMode);
template std::uint64_t perft(const Board<Mode::teams_double>&, const Rules&, int, PerftMode);

} // namespace sumito
