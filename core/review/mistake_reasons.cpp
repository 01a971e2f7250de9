// Detection of mistakes by comparing the played move with the better one. The bounds below were set
// by hand.
#include "review/mistake_reasons.hpp"

#include "kernel/effect.hpp"
#include "kernel/formations.hpp"

#include <algorithm>

namespace sumito {

namespace {

constexpr int FARTHEST_EJECTION = 4; // moves ahead; later ejections are too uncertain
constexpr int WHOLE_GROUP = 5;       // marbles of a group that should stay together
constexpr int CENTRE = 2;            // rings that are the centre

constexpr unsigned formation_mask(std::initializer_list<Word> all) {
    unsigned bits = 0;
    for (const Word word : all) bits |= 1u << static_cast<int>(word);
    return bits;
}

Bits set_of(const Cells& cells) {
    Bits set = 0;
    for (const int cell : cells) set |= bit(cell);
    return set;
}

unsigned out_of(const Position& position) {
    return std::visit([](const auto& game) { return game.board.tally.out(); }, position.any);
}

// An event in a variation.
struct Event {
    int ply = 0;   // from the position before the move; 0: none
    int count = 0; // number of the move of the side that gains
    int cell = 0;  // where the marble stood at the start of the variation

    explicit operator bool() const { return ply > 0; }
    bool before(const Event& other) const { return ply && (!other.ply || ply < other.ply); }
};

// The first win, loss, ejection and lost marble of a side in a variation.
struct VariationEvents {
    Event win, loss, gain, loss_of_marble;

    VariationEvents(Position position, int side, const std::vector<int>& line) {
        const Mode mode = position.mode();
        std::array<int, CELLS> origin{};
        for (int cell = 0; cell < CELLS; ++cell) origin[cell] = cell;
        std::array<int, 4> moves{};
        int ply = 0;
        for (const int index : line) {
            const auto effect = effect_of(position, index);
            if (!effect) return;
            const int mover = side_of(mode, position.turn());
            const Event now{++ply, ++moves[mover],
                            effect->pushed.empty() ? 0 : origin[effect->pushed.back()]};
            if (effect->ejected != NOBODY) {
                if (mover == side && !gain) gain = now;
                if (side_of(mode, effect->ejected) == side && !loss_of_marble) loss_of_marble = now;
            }
            follow(*effect, origin);
            position.push(index);
            const Outcome outcome = position.outcome();
            if (outcome && outcome.winner == side) win = now;
            if (outcome && outcome.winner != side && outcome.winner != NOBODY) loss = now;
        }
    }

  private:
    static void follow(const Effect& effect, std::array<int, CELLS>& origin) {
        const std::array<int, CELLS> old = origin;
        for (const Cells* cells : {&effect.moved, &effect.pushed})
            for (const int cell : *cells)
                if (const int to = GEOMETRY.next[cell][effect.direction]; to != NOWHERE)
                    origin[to] = old[cell];
    }
};

// The board after a move, with its formations and where the player's marbles moved.
struct After {
    Effect effect;
    AnyBoard board;
    std::vector<Formation> found;
    Bits ejectable; // marbles of the player's side that an opponent could eject

    After(Position position, int index, int side)
        : effect(*effect_of(position, index)), board(played(position, index)),
          found(find_formations(position, formation_mask({Word::group, Word::sumito}))),
          ejectable(ejectable_marbles(found, position, side)) {}

    int cell_of(int before) const {
        const bool moved =
            std::find(effect.moved.begin(), effect.moved.end(), before) != effect.moved.end();
        return moved ? GEOMETRY.next[before][effect.direction] : before;
    }
    Bits cells_of(const Cells& before) const {
        Bits set = 0;
        for (const int cell : before) set |= bit(cell_of(cell));
        return set;
    }

    // Sum of steps away from the centre.
    int steps_out() const {
        int steps = 0;
        for (const int cell : effect.moved)
            steps += GEOMETRY.ring[GEOMETRY.next[cell][effect.direction]] - GEOMETRY.ring[cell];
        return steps;
    }

    static Bits ejectable_marbles(const std::vector<Formation>& found, const Position& position,
                                  int side) {
        const AnyBoard board(position);
        Bits ejectable = 0;
        for (const Formation& sumito : found) {
            if (sumito.word != Word::sumito || !sumito.playable || sumito.behind != NOWHERE)
                continue;
            if (out_of(position) >> sumito.colour & 1) continue;
            const int last = sumito.cells.back();
            if (side_of(board.mode, sumito.colour) != side &&
                side_of(board.mode, board.colour_at(last)) == side)
                ejectable |= bit(last);
        }
        return ejectable;
    }

  private:
    static const Position& played(Position& position, int index) {
        position.push(index);
        return position;
    }
};

class Comparison {
  public:
    Comparison(const Position& position, int played, const std::vector<int>& better,
               const std::vector<int>& punishment)
        : before(position), board(position), side(side_of(board.mode, board.turn)),
          found(find_formations(position, formation_mask({Word::group, Word::pac, Word::sumito}))),
          ejectable(After::ejectable_marbles(found, position, side)), now(position, played, side),
          best(position, better.front(), side) {
        compare_lines(played, better, punishment);
        compare_exposure();
        compare_pacs();
        compare_groups();
        compare_centre();
        std::stable_sort(
            reasons.begin(), reasons.end(),
            [](const MistakeReason& a, const MistakeReason& b) { return rank(a) < rank(b); });
    }

    std::vector<MistakeReason> reasons;

  private:
    const Position& before;
    AnyBoard board;
    int side;
    std::vector<Formation> found;
    Bits ejectable;
    After now;  // after the played move
    After best; // after the better one

    // Wins first; of ejections, the sooner the more important.
    static int rank(const MistakeReason& reason) {
        constexpr int EACH = 100;
        switch (reason.kind) {
        case MistakeKind::missed_ejection:
        case MistakeKind::allowed_ejection:
            return EACH * static_cast<int>(MistakeKind::missed_ejection) + reason.count;
        default:
            return EACH * static_cast<int>(reason.kind);
        }
    }

    void add(MistakeKind kind, int count, Bits cells) {
        reasons.push_back({kind, count, in_reading_order(cells)});
    }

    void compare_lines(int played, const std::vector<int>& better,
                       const std::vector<int>& punishment) {
        std::vector<int> line{played};
        line.insert(line.end(), punishment.begin(), punishment.end());
        const VariationEvents actual(before, side, line);
        const VariationEvents preferred(before, side, better);
        if (preferred.win && !actual.win) add(MistakeKind::missed_win, preferred.win.count, 0);
        if (actual.loss && !preferred.loss) add(MistakeKind::allowed_win, actual.loss.count, 0);
        // The ejection that wins is reported already.
        if (counts(preferred.gain, actual.gain) && preferred.gain.ply != preferred.win.ply)
            add(MistakeKind::missed_ejection, preferred.gain.count, bit(preferred.gain.cell));
        if (!counts(actual.loss_of_marble, preferred.loss_of_marble)) return;
        if (actual.loss_of_marble.ply != actual.loss.ply)
            add(MistakeKind::allowed_ejection, actual.loss_of_marble.count,
                bit(now.cell_of(actual.loss_of_marble.cell)));
        compare_support(actual.loss_of_marble.cell);
    }

    static bool counts(const Event& event, const Event& other) {
        return event.before(other) && event.count <= FARTHEST_EJECTION;
    }

    // Marbles moved to where they can be ejected at once, unlike before and after the better move.
    void compare_exposure() {
        Bits exposed = 0;
        for (const int cell : now.effect.moved)
            if (const int to = now.cell_of(cell); !(ejectable & bit(cell)) &&
                                                  (now.ejectable & bit(to)) &&
                                                  !(best.ejectable & bit(best.cell_of(cell))))
                exposed |= bit(to);
        if (exposed) add(MistakeKind::exposed, std::popcount(exposed), exposed);
    }

    // A marble that stayed, lost neighbours of its side, and will be ejected.
    void compare_support(int cell) {
        if (now.cell_of(cell) != cell) return;
        const auto support = [&](const AnyBoard& any) {
            return std::popcount(neighbours(bit(cell)) & any.friends(board.turn));
        };
        if (support(now.board) < support(board)) add(MistakeKind::unsupported, 1, bit(cell));
    }

    // Balanced rows of which the player's own can now be pushed.
    void compare_pacs() {
        for (const Formation& pac : found) {
            if (pac.word != Word::pac) continue;
            const auto row = static_cast<std::ptrdiff_t>(pac.row);
            Cells own(pac.cells.begin(), pac.cells.begin() + row);
            Cells theirs(pac.cells.begin() + row, pac.cells.end());
            int push = back(pac.direction);
            if (side_of(board.mode, pac.colour) != side) {
                own.swap(theirs);
                push = pac.direction;
            }
            // The player's marble where the rows meet.
            const int front = push == pac.direction ? own.front() : own.back();
            if (side_of(board.mode, board.colour_at(front)) != side) continue;
            if (!pushable(now, front, push) || pushable(best, front, push)) continue;
            const auto held = std::min<std::size_t>(std::min(own.size(), theirs.size()), 3);
            add(MistakeKind::gave_up_pac, static_cast<int>(held), bit(front));
        }
    }

    bool pushable(const After& after, int front, int direction) const {
        return std::any_of(after.found.begin(), after.found.end(), [&](const Formation& sumito) {
            return sumito.word == Word::sumito && sumito.playable &&
                   sumito.direction == direction && side_of(board.mode, sumito.colour) != side &&
                   sumito.cells[static_cast<std::size_t>(sumito.row)] == front &&
                   after.cell_of(front) == front;
        });
    }

    // The parts into which the marbles of a group are split now.
    static std::vector<Bits> parts(const After& after, int colour, Bits group) {
        std::vector<Bits> all;
        for (const Formation& part : after.found)
            if (part.word == Word::group && part.colour == colour)
                if (const Bits share = set_of(part.cells) & group) all.push_back(share);
        return all;
    }

    void compare_groups() {
        for (const Formation& group : found) {
            if (group.word != Word::group || side_of(board.mode, group.colour) != side) continue;
            const int size = static_cast<int>(group.cells.size());
            if (size < WHOLE_GROUP) continue;
            const auto actual_parts = parts(now, group.colour, now.cells_of(group.cells));
            const auto preferred_parts = parts(best, group.colour, best.cells_of(group.cells));
            if (actual_parts.size() < 2 || actual_parts.size() <= preferred_parts.size()) continue;
            const auto largest =
                std::max_element(actual_parts.begin(), actual_parts.end(), [](Bits a, Bits b) {
                    return std::popcount(a) < std::popcount(b);
                });
            add(MistakeKind::broke_group, size, now.cells_of(group.cells) & ~*largest);
        }
    }

    void compare_centre() {
        if (now.effect.ejected != NOBODY || best.steps_out() > 0) return;
        Bits moved_out = 0;
        for (const int cell : now.effect.moved) {
            const int to = GEOMETRY.next[cell][now.effect.direction];
            if (GEOMETRY.ring[cell] <= CENTRE && GEOMETRY.ring[to] > GEOMETRY.ring[cell])
                moved_out |= bit(to);
        }
        if (moved_out && now.steps_out() > 0)
            add(MistakeKind::left_centre, now.steps_out(), moved_out);
    }
};

} // namespace

std::vector<MistakeReason> find_mistake_reasons(const Position& position, int played,
                                                const std::vector<int>& better,
                                                const std::vector<int>& punishment) {
    if (better.empty() || better.front() == played) return {};
    return Comparison(position, played, better, punishment).reasons;
}

} // namespace sumito
