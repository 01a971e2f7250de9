// Move generation as set algebra: for each direction, the heads of rows of one, two and three, the
// cells they face, and one bit per move. See `RowSets` for the sets.
#pragma once

#include "kernel/board.hpp"

#include <utility>

namespace sumito {

// The sets of one direction. A head is the foremost marble of a row, with a cell ahead of it.
// Rotations wrap round the board; masks are omitted where a set they are intersected with already
// excludes the wrap.
template <int D>
struct RowSets {
    static constexpr int B = back(D);
    static constexpr Bits AHEAD = GEOMETRY.reached[B]; // cells with a neighbour ahead

    Bits free;       // cells whose neighbour ahead is empty
    Bits two, three; // heads of rows of at least two, three

    SUMITO_INLINE explicit RowSets(const MoverView& mover) {
        free = step<B>(mover.empty);
        two = mover.usable & wrap<D>(mover.usable) & (GEOMETRY.reached[D] & AHEAD);
        three = two & wrap<D>(two);
    }

    // Cells that face one opposing marble that can be pushed (`giving`), and those that face two of
    // which the far one can.
    struct Facing {
        Bits one, two;
        SUMITO_INLINE Facing(const MoverView& mover, Bits giving) {
            one = wrap<B>(giving);
            two = wrap<B>(mover.opposing & AHEAD & one);
        }
    };
    SUMITO_INLINE Facing pushes(const MoverView& mover) const {
        return {mover, mover.opposing & free};
    }
    SUMITO_INLINE Facing ejections(const MoverView& mover) const {
        return {mover, mover.opposing & GEOMETRY.rim[D]};
    }
    SUMITO_INLINE Facing sumitos(const MoverView& mover) const {
        return {mover, mover.opposing & (free | GEOMETRY.rim[D])};
    }

    // The heads whose row of `Length` has one of the player's own marbles at its rear.
    template <Mode M, int Length>
    static SUMITO_INLINE Bits with_own_rear(Bits heads, const MoverView& mover) {
        if constexpr (!in_teams(M)) return heads; // all usable marbles are the player's own
        Bits rears = mover.own;
        for (int k = 1; k < Length; ++k) rears = step<D>(rears);
        return heads & rears;
    }
};

// First cells of groups of two and three along axis A whose marbles can all step aside.
template <int A>
struct SideStepGroups {
    Bits two, three;
    SUMITO_INLINE explicit SideStepGroups(Bits able) {
        two = able & step<back(A)>(able);
        three = two & wrap<back(A)>(two);
    }
};

namespace detail {

template <class F, int... Is>
SUMITO_INLINE void unroll(F&& f, std::integer_sequence<int, Is...>) {
    (f.template operator()<Is>(), ...);
}

template <class F>
SUMITO_INLINE void each_direction(F&& f) {
    unroll(std::forward<F>(f), std::make_integer_sequence<int, DIRECTIONS>{});
}

// Calls f<A>(SideStepGroups<A>) for each of the two other axes with the groups that may step aside
// in direction D.
template <Mode M, int D, class F>
SUMITO_INLINE void each_side_step_group(const MoverView& mover, Bits free, PartnerSideStep partner,
                                        F&& f) {
    const auto visit = [&]<int A>() {
        if constexpr (in_teams(M)) {
            if (partner == PartnerSideStep::none) {
                f.template operator()<A>(SideStepGroups<A>(mover.own & free));
                return;
            }
            // At least one own marble: drop the groups that are all the partner's.
            SideStepGroups<A> groups(mover.usable & free);
            const SideStepGroups<A> alien(mover.usable & ~mover.own & free);
            groups.two &= ~alien.two;
            groups.three &= ~alien.three;
            f.template operator()<A>(groups);
        } else {
            f.template operator()<A>(SideStepGroups<A>(mover.usable & free));
        }
    };
    visit.template operator()<(D + 1) % AXES>();
    visit.template operator()<(D + 2) % AXES>();
}

} // namespace detail

// Which moves to generate: quiescence needs ejections alone, or pushes that don't eject.
enum class Stage { all, ejections, pushes };

namespace detail {

inline constexpr Bits SENTINEL = bit(CELLS);

// Writes the table's action for every cell of the set. Most sets hold none to three, in no pattern
// a branch predictor could learn, so two are written unconditionally and only the end depends on
// the set.
SUMITO_INLINE Action* emit(Action* end, Bits set, const ActionTable::Cells& table) {
    for (int k = 0; k < 2; ++k) {
        *end = table[lowest(set | SENTINEL)];
        end += set != 0;
        set &= set - 1;
    }
    while (set) [[unlikely]] {
        *end++ = table[lowest(set)];
        set &= set - 1;
    }
    return end;
}

template <Mode M, int D>
SUMITO_INLINE Action* emit_sumitos(Action* end, const RowSets<D>& sets, const MoverView& mover,
                                   const typename RowSets<D>::Facing& facing, bool ejects) {
    const Bits by_three = sets.three & facing.two;
    if (!((sets.two & facing.one) | by_three)) return end;
    const auto rows = [&]<int Length, int Pushed>(Bits heads) {
        each(RowSets<D>::template with_own_rear<M, Length>(heads, mover), [&](int head) {
            *end++ = {ACTION_TABLE.row[D][Length - 1][head].index, Length,
                      static_cast<std::uint8_t>(Pushed | (ejects ? Action::EJECTS : 0))};
        });
    };
    rows.template operator()<2, 1>(sets.two & facing.one);
    rows.template operator()<3, 1>(sets.three & facing.one);
    rows.template operator()<3, 2>(by_three);
    return end;
}

// Writes all moves of direction D that push nothing.
template <Mode M, int D>
SUMITO_INLINE Action* emit_quiet(Action* end, const RowSets<D>& sets, const MoverView& mover,
                                 PartnerSideStep partner) {
    const auto rows = [&]<int Length>(Bits heads) {
        end = emit(end, RowSets<D>::template with_own_rear<M, Length>(heads & sets.free, mover),
                   ACTION_TABLE.row[D][Length - 1]);
    };
    rows.template operator()<1>(mover.usable);
    rows.template operator()<2>(sets.two);
    rows.template operator()<3>(sets.three);
    each_side_step_group<M, D>(mover, sets.free, partner,
                               [&]<int A>(const SideStepGroups<A>& groups) {
                                   end = emit(end, groups.two, ACTION_TABLE.side[D][A][0]);
                                   end = emit(end, groups.three, ACTION_TABLE.side[D][A][1]);
                               });
    return end;
}

} // namespace detail

// Writes the moves of the player to move at `end` and returns the new end. There must be room for
// MAX_MOVES.
template <Mode M, Stage S = Stage::all>
inline Action* generate(const Board<M>& board, const Rules& rules, Action* end) {
    const MoverView mover = mover_view(board, board.turn());
    detail::each_direction([&]<int D>() {
        const RowSets<D> sets(mover);
        if constexpr (S != Stage::pushes)
            end = detail::emit_sumitos<M>(end, sets, mover, sets.ejections(mover), true);
        if constexpr (S != Stage::ejections)
            end = detail::emit_sumitos<M>(end, sets, mover, sets.pushes(mover), false);
        if constexpr (S == Stage::all)
            end = detail::emit_quiet<M>(end, sets, mover, rules.partner_sidestep);
    });
    return end;
}

template <Mode M>
inline void generate(const Board<M>& board, const Rules& rules, ActionList& list) {
    list.size = static_cast<int>(generate(board, rules, list.actions.data()) - list.begin());
}

// The number of moves: each bit of the sets is one.
template <Mode M>
SUMITO_INLINE int count_moves(const MoverView& mover, PartnerSideStep partner) {
    int total = 0;
    detail::each_direction([&]<int D>() {
        const RowSets<D> sets(mover);
        const auto facing = sets.sumitos(mover);
        const Bits one = sets.free | facing.one;
        const Bits any = one | facing.two;
        total += count(RowSets<D>::template with_own_rear<M, 1>(mover.usable & sets.free, mover),
                       RowSets<D>::template with_own_rear<M, 2>(sets.two & one, mover),
                       RowSets<D>::template with_own_rear<M, 3>(sets.three & any, mover));
        detail::each_side_step_group<M, D>(mover, sets.free, partner,
                                           [&]<int A>(const SideStepGroups<A>& groups) {
                                               total += count(groups.two, groups.three);
                                           });
    });
    return total;
}

template <Mode M>
SUMITO_NOINLINE int count_moves(const Board<M>& board, const Rules& rules) {
    const MoverView mover = mover_view(board, board.turn());
    return count_moves<M>(mover, rules.partner_sidestep);
}

template <Mode M>
inline bool can_move(const Board<M>& board, int colour, const Rules& rules) {
    const MoverView mover = mover_view(board, colour);
    // Almost always a single marble has room; only a hemmed-in player needs the full count.
    Bits room = 0;
    detail::each_direction([&]<int D>() { room |= step<D>(mover.empty); });
    if (mover.own & room) return true;
    return count_moves<M>(mover, rules.partner_sidestep) > 0;
}

// The action of the move with this number, or NO_ACTION if it is illegal.
template <Mode M>
inline Action resolve(const Board<M>& board, const Rules& rules, int index) {
    if (index < 0 || index >= MOVES) return NO_ACTION;
    const MoverView mover = mover_view(board, board.turn());
    const MoveShape& shape = MOVE_TABLE.shape[index];
    const auto number = static_cast<std::uint16_t>(index);
    if (index >= IN_LINE_MOVES) {
        const Bits usable =
            rules.partner_sidestep == PartnerSideStep::none ? mover.own : mover.usable;
        if ((shape.from & ~usable) || (shape.to & ~mover.empty) || !(shape.from & mover.own))
            return NO_ACTION;
        return {number, shape.length, 0};
    }
    const auto& ray = GEOMETRY.ray[shape.first][shape.direction];
    if (!(ray[0] & mover.own)) return NO_ACTION;
    int own = 1;
    while (own < 4 && (ray[own] & mover.usable)) ++own;
    if (own == 4 || !ray[own]) return NO_ACTION;
    int pushed = 0;
    while (pushed < own && (ray[own + pushed] & mover.opposing)) ++pushed;
    const Bits behind = ray[own + pushed];
    if (pushed >= own || (behind & ~mover.empty)) return NO_ACTION;
    return {number, static_cast<std::uint8_t>(own),
            static_cast<std::uint8_t>(pushed | (behind ? 0 : Action::EJECTS))};
}

} // namespace sumito
