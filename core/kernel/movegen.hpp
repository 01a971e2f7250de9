// Legal moves as set algebra: for each direction, the heads of rows of one, two and three, the
// cells they face, and one bit for every move. See `RowSets` for the sets.
#pragma once

#include "kernel/board.hpp"

#include <utility>

namespace sumito {

// The sets of one direction. A head is the foremost marble of a row, with a cell ahead of it; the
// four `*_one` and `*_two` sets are cells that face so many opposing marbles which can give way.
// Rotations wrap round the board; masks are left out where a set they meet already excludes the
// wrap.
template <int D>
struct RowSets {
    static constexpr int B = back(D);
    static constexpr Bits AHEAD = GEOMETRY.reached[B]; // cells with a neighbour ahead

    Bits free;       // cells whose neighbour ahead is empty
    Bits two, three; // heads of rows of at least two, three

    SUMITO_INLINE explicit RowSets(const Hand& hand) {
        free = step<B>(hand.empty);
        two = hand.usable & wrap<D>(hand.usable) & (GEOMETRY.reached[D] & AHEAD);
        three = two & wrap<D>(two);
    }

    // Cells that face one marble of `giving`, and those that face two of which the far one gives
    // way.
    struct Facing {
        Bits one, two;
        SUMITO_INLINE Facing(const Hand& hand, Bits giving) {
            one = wrap<B>(giving);
            two = wrap<B>(hand.opposing & AHEAD & one);
        }
    };
    SUMITO_INLINE Facing pushes(const Hand& hand) const { return {hand, hand.opposing & free}; }
    SUMITO_INLINE Facing ejections(const Hand& hand) const {
        return {hand, hand.opposing & GEOMETRY.rim[D]};
    }
    SUMITO_INLINE Facing sumitos(const Hand& hand) const {
        return {hand, hand.opposing & (free | GEOMETRY.rim[D])};
    }

    // Those heads whose row of `Length` has one of the player's own marbles at its rear.
    template <Mode M, int Length>
    static SUMITO_INLINE Bits led(Bits heads, const Hand& hand) {
        if constexpr (!in_teams(M)) return heads; // all usable marbles are the player's own
        Bits rears = hand.own;
        for (int k = 1; k < Length; ++k) rears = step<D>(rears);
        return heads & rears;
    }
};

// First cells of groups of two and three along axis A, all of which can step aside.
template <int A>
struct Files {
    Bits two, three;
    SUMITO_INLINE explicit Files(Bits able) {
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

// Groups of D's two other axes that may step aside in direction D, as f<A>(Files<A>).
template <Mode M, int D, class F>
SUMITO_INLINE void each_file(const Hand& hand, Bits free, PartnerSideStep partner, F&& f) {
    const auto visit = [&]<int A>() {
        if constexpr (in_teams(M)) {
            if (partner == PartnerSideStep::none) {
                f.template operator()<A>(Files<A>(hand.own & free));
                return;
            }
            // At least one own marble: every group but those that are all the partner's.
            Files<A> groups(hand.usable & free);
            const Files<A> alien(hand.usable & ~hand.own & free);
            groups.two &= ~alien.two;
            groups.three &= ~alien.three;
            f.template operator()<A>(groups);
        } else {
            f.template operator()<A>(Files<A>(hand.usable & free));
        }
    };
    visit.template operator()<(D + 1) % AXES>();
    visit.template operator()<(D + 2) % AXES>();
}

} // namespace detail

// Which moves to generate: the leaves of a search want ejections alone, or pushes that don't eject.
enum class Stage { all, ejections, pushes };

namespace detail {

inline constexpr Bits SENTINEL = bit(CELLS);

// Writes the table's action for every cell of the set. Most sets hold none to three, in no pattern
// that a branch predictor could learn, so two are written unasked and the end of the list moved
// on.
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
SUMITO_INLINE Action* emit_sumitos(Action* end, const RowSets<D>& sets, const Hand& hand,
                                   const typename RowSets<D>::Facing& facing, bool ejects) {
    const Bits by_three = sets.three & facing.two;
    if (!((sets.two & facing.one) | by_three)) return end;
    const auto rows = [&]<int Length, int Pushed>(Bits heads) {
        each(RowSets<D>::template led<M, Length>(heads, hand), [&](int head) {
            *end++ = {ACTION_TABLE.row[D][Length - 1][head].index, Length,
                      static_cast<std::uint8_t>(Pushed | (ejects ? Action::EJECTS : 0))};
        });
    };
    rows.template operator()<2, 1>(sets.two & facing.one);
    rows.template operator()<3, 1>(sets.three & facing.one);
    rows.template operator()<3, 2>(by_three);
    return end;
}

// All moves of direction D that push nothing.
template <Mode M, int D>
SUMITO_INLINE Action* emit_quiet(Action* end, const RowSets<D>& sets, const Hand& hand,
                                 PartnerSideStep partner) {
    const auto rows = [&]<int Length>(Bits heads) {
        end = emit(end, RowSets<D>::template led<M, Length>(heads & sets.free, hand),
                   ACTION_TABLE.row[D][Length - 1]);
    };
    rows.template operator()<1>(hand.usable);
    rows.template operator()<2>(sets.two);
    rows.template operator()<3>(sets.three);
    each_file<M, D>(hand, sets.free, partner, [&]<int A>(const Files<A>& groups) {
        end = emit(end, groups.two, ACTION_TABLE.side[D][A][0]);
        end = emit(end, groups.three, ACTION_TABLE.side[D][A][1]);
    });
    return end;
}

} // namespace detail

// Writes the moves of the player to move from `end` on, and returns their end. There must be room
// for MOST_MOVES.
template <Mode M, Stage S = Stage::all>
inline Action* generate(const Board<M>& board, const Rules& rules, Action* end) {
    const Hand hand = hand_of(board, board.turn());
    detail::each_direction([&]<int D>() {
        const RowSets<D> sets(hand);
        if constexpr (S != Stage::pushes)
            end = detail::emit_sumitos<M>(end, sets, hand, sets.ejections(hand), true);
        if constexpr (S != Stage::ejections)
            end = detail::emit_sumitos<M>(end, sets, hand, sets.pushes(hand), false);
        if constexpr (S == Stage::all)
            end = detail::emit_quiet<M>(end, sets, hand, rules.partner_sidestep);
    });
    return end;
}

template <Mode M>
inline void generate(const Board<M>& board, const Rules& rules, ActionList& list) {
    list.size = static_cast<int>(generate(board, rules, list.actions.data()) - list.begin());
}

// How many moves: every bit is one.
template <Mode M, Popcount P>
SUMITO_INLINE int count_moves(const Hand& hand, PartnerSideStep partner) {
    int total = 0;
    detail::each_direction([&]<int D>() {
        const RowSets<D> sets(hand);
        const auto facing = sets.sumitos(hand);
        const Bits one = sets.free | facing.one;
        const Bits any = one | facing.two;
        total += count<P>(RowSets<D>::template led<M, 1>(hand.usable & sets.free, hand));
        total += count<P>(RowSets<D>::template led<M, 2>(sets.two & one, hand));
        total += count<P>(RowSets<D>::template led<M, 3>(sets.three & any, hand));
        detail::each_file<M, D>(hand, sets.free, partner, [&]<int A>(const Files<A>& groups) {
            total += count<P>(groups.two) + count<P>(groups.three);
        });
    });
    return total;
}

template <Mode M>
SUMITO_NOINLINE int count_moves(const Board<M>& board, const Rules& rules) {
    const Hand hand = hand_of(board, board.turn());
    return with_popcount(
        [&]<Popcount P>() { return count_moves<M, P>(hand, rules.partner_sidestep); });
}

template <Mode M>
inline bool can_move(const Board<M>& board, int colour, const Rules& rules) {
    const Hand hand = hand_of(board, colour);
    // Almost always a single marble has room; only a tightly held player needs the full count.
    Bits room = 0;
    detail::each_direction([&]<int D>() { room |= step<D>(hand.empty); });
    if (hand.own & room) return true;
    return count_moves<M, Popcount::plain>(hand, rules.partner_sidestep) > 0;
}

// What the move with this number does here, or NO_ACTION if it is illegal.
template <Mode M>
inline Action resolve(const Board<M>& board, const Rules& rules, int index) {
    if (index < 0 || index >= MOVES) return NO_ACTION;
    const Hand hand = hand_of(board, board.turn());
    const MoveShape& shape = MOVE_TABLE.shape[index];
    const auto number = static_cast<std::uint16_t>(index);
    if (index >= IN_LINE_MOVES) {
        const Bits usable =
            rules.partner_sidestep == PartnerSideStep::none ? hand.own : hand.usable;
        if ((shape.from & ~usable) || (shape.to & ~hand.empty) || !(shape.from & hand.own))
            return NO_ACTION;
        return {number, shape.length, 0};
    }
    const auto& ray = GEOMETRY.ray[shape.first][shape.direction];
    if (!(ray[0] & hand.own)) return NO_ACTION;
    int own = 1;
    while (own < 4 && (ray[own] & hand.usable)) ++own;
    if (own == 4 || !ray[own]) return NO_ACTION;
    int pushed = 0;
    while (pushed < own && (ray[own + pushed] & hand.opposing)) ++pushed;
    const Bits behind = ray[own + pushed];
    if (pushed >= own || (behind & ~hand.empty)) return NO_ACTION;
    return {number, static_cast<std::uint8_t>(own),
            static_cast<std::uint8_t>(pushed | (behind ? 0 : Action::EJECTS))};
}

} // namespace sumito
