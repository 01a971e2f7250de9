// Each fault is a comparison: the played move against the one that was better.
#include "review/faults.hpp"

#include "kernel/effect.hpp"
#include "kernel/formations.hpp"

#include <algorithm>

namespace sumito {

namespace {

constexpr int FARTHEST_EJECTION = 4; // moves ahead; what lies beyond is guesswork
constexpr int WHOLE_GROUP = 5;       // marbles that make a group worth keeping together
constexpr int CENTRE = 2;            // rings that are the centre

constexpr unsigned words(std::initializer_list<Word> all) {
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

// Something that happens in a line.
struct Event {
    int ply = 0;   // from the position before the move; 0: it doesn't happen
    int count = 0; // with which move of the side that gains
    int cell = 0;  // where the marble stood at the start of the line

    explicit operator bool() const { return ply > 0; }
    bool before(const Event& other) const { return ply && (!other.ply || ply < other.ply); }
};

// What a line brings a side and costs it, first of each.
struct Story {
    Event win, loss, gain, loss_of_marble;

    Story(Position position, int side, const std::vector<int>& line) {
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

// The board after a move, with what stands there and where the player's marbles have gone.
struct After {
    Effect effect;
    Marbles marbles;
    std::vector<Formation> found;
    Bits loose; // marbles of the player's side that an opponent could eject

    After(Position position, int index, int side)
        : effect(*effect_of(position, index)), marbles(played(position, index)),
          found(find_formations(position, words({Word::group, Word::sumito, Word::det}))),
          loose(loose_marbles(found, position, side)) {}

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

    // Steps that the marbles moved went away from the centre, all together.
    int steps_out() const {
        int steps = 0;
        for (const int cell : effect.moved)
            steps += GEOMETRY.ring[GEOMETRY.next[cell][effect.direction]] - GEOMETRY.ring[cell];
        return steps;
    }

    static Bits loose_marbles(const std::vector<Formation>& found, const Position& position,
                              int side) {
        const Marbles marbles(position);
        Bits loose = 0;
        for (const Formation& sumito : found) {
            if (sumito.word != Word::sumito || !sumito.playable || sumito.behind != NOWHERE)
                continue;
            if (out_of(position) >> sumito.colour & 1) continue;
            const int last = sumito.cells.back();
            if (side_of(marbles.mode, sumito.colour) != side &&
                side_of(marbles.mode, marbles.colour_at(last)) == side)
                loose |= bit(last);
        }
        return loose;
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
        : before(position), marbles(position), side(side_of(marbles.mode, marbles.turn)),
          found(
              find_formations(position, words({Word::group, Word::pac, Word::sumito, Word::det}))),
          loose(After::loose_marbles(found, position, side)), now(position, played, side),
          best(position, better.front(), side) {
        compare_lines(played, better, punishment);
        compare_exposure();
        compare_pacs();
        compare_dets();
        compare_groups();
        compare_centre();
        std::stable_sort(faults.begin(), faults.end(),
                         [](const Fault& a, const Fault& b) { return rank(a) < rank(b); });
    }

    std::vector<Fault> faults;

  private:
    const Position& before;
    Marbles marbles;
    int side;
    std::vector<Formation> found;
    Bits loose;
    After now;  // after the played move
    After best; // after the better one

    // Wins before all else; of ejections, the sooner the more telling.
    static int rank(const Fault& fault) {
        constexpr int EACH = 100;
        switch (fault.kind) {
        case FaultKind::missed_ejection:
        case FaultKind::allowed_ejection:
            return EACH * static_cast<int>(FaultKind::missed_ejection) + fault.count;
        default:
            return EACH * static_cast<int>(fault.kind);
        }
    }

    void add(FaultKind kind, int count, Bits cells) {
        faults.push_back({kind, count, in_reading_order(cells)});
    }

    void compare_lines(int played, const std::vector<int>& better,
                       const std::vector<int>& punishment) {
        std::vector<int> line{played};
        line.insert(line.end(), punishment.begin(), punishment.end());
        const Story was(before, side, line);
        const Story should(before, side, better);
        if (should.win && !was.win) add(FaultKind::missed_win, should.win.count, 0);
        if (was.loss && !should.loss) add(FaultKind::allowed_win, was.loss.count, 0);
        // The ejection that wins is told already.
        if (counts(should.gain, was.gain) && should.gain.ply != should.win.ply)
            add(FaultKind::missed_ejection, should.gain.count, bit(should.gain.cell));
        if (!counts(was.loss_of_marble, should.loss_of_marble)) return;
        if (was.loss_of_marble.ply != was.loss.ply)
            add(FaultKind::allowed_ejection, was.loss_of_marble.count,
                bit(now.cell_of(was.loss_of_marble.cell)));
        compare_support(was.loss_of_marble.cell);
    }

    static bool counts(const Event& event, const Event& other) {
        return event.before(other) && event.count <= FARTHEST_EJECTION;
    }

    // Marbles that went where they can be ejected at once, and would not have been.
    void compare_exposure() {
        Bits walked = 0;
        for (const int cell : now.effect.moved)
            if (const int to = now.cell_of(cell); !(loose & bit(cell)) && (now.loose & bit(to)) &&
                                                  !(best.loose & bit(best.cell_of(cell))))
                walked |= bit(to);
        if (walked) add(FaultKind::exposed, std::popcount(walked), walked);
    }

    // A marble that will be ejected, stayed where it was, and has lost neighbours of its side.
    void compare_support(int cell) {
        if (now.cell_of(cell) != cell) return;
        const auto support = [&](const Marbles& board) {
            return std::popcount(beside(bit(cell)) & board.friends(marbles.turn));
        };
        if (support(now.marbles) < support(marbles)) add(FaultKind::unsupported, 1, bit(cell));
    }

    // Rows that held each other, until the player's own row gave way and can be pushed.
    void compare_pacs() {
        for (const Formation& pac : found) {
            if (pac.word != Word::pac) continue;
            const auto row = static_cast<std::ptrdiff_t>(pac.row);
            Cells own(pac.cells.begin(), pac.cells.begin() + row);
            Cells theirs(pac.cells.begin() + row, pac.cells.end());
            int push = back(pac.direction);
            if (side_of(marbles.mode, pac.colour) != side) {
                own.swap(theirs);
                push = pac.direction;
            }
            // Each row from where they meet.
            const int front = push == pac.direction ? own.front() : own.back();
            if (side_of(marbles.mode, marbles.colour_at(front)) != side) continue;
            if (!pushable(now, front, push) || pushable(best, front, push)) continue;
            const auto held = std::min<std::size_t>(std::min(own.size(), theirs.size()), 3);
            add(FaultKind::gave_up_pac, static_cast<int>(held), bit(front));
        }
    }

    bool pushable(const After& after, int front, int direction) const {
        return std::any_of(after.found.begin(), after.found.end(), [&](const Formation& sumito) {
            return sumito.word == Word::sumito && sumito.playable &&
                   sumito.direction == direction && side_of(marbles.mode, sumito.colour) != side &&
                   sumito.cells[static_cast<std::size_t>(sumito.row)] == front &&
                   after.cell_of(front) == front;
        });
    }

    static Bits dets(const std::vector<Formation>& found, Mode mode, int side) {
        Bits cells = 0;
        for (const Formation& det : found)
            if (det.word == Word::det && side_of(mode, det.colour) == side)
                cells |= set_of(det.cells);
        return cells;
    }

    void compare_dets() {
        const Bits old = dets(found, marbles.mode, side);
        const Bits should = dets(best.found, marbles.mode, side);
        Bits left = 0;
        each(old ^ FULL, [&](int cell) {
            const int to = now.cell_of(cell);
            if ((dets(now.found, marbles.mode, side) & bit(to)) &&
                !(should & bit(best.cell_of(cell))))
                left |= bit(to);
        });
        if (left) add(FaultKind::left_det, std::popcount(left), left);
    }

    // The parts in which the marbles of a group are now.
    static std::vector<Bits> parts(const After& after, int colour, Bits group) {
        std::vector<Bits> all;
        for (const Formation& part : after.found)
            if (part.word == Word::group && part.colour == colour)
                if (const Bits share = set_of(part.cells) & group) all.push_back(share);
        return all;
    }

    void compare_groups() {
        for (const Formation& group : found) {
            if (group.word != Word::group || side_of(marbles.mode, group.colour) != side) continue;
            const int size = static_cast<int>(group.cells.size());
            if (size < WHOLE_GROUP) continue;
            const auto split = parts(now, group.colour, now.cells_of(group.cells));
            const auto kept = parts(best, group.colour, best.cells_of(group.cells));
            if (split.size() < 2 || split.size() <= kept.size()) continue;
            const auto largest = std::max_element(split.begin(), split.end(), [](Bits a, Bits b) {
                return std::popcount(a) < std::popcount(b);
            });
            add(FaultKind::broke_group, size, now.cells_of(group.cells) & ~*largest);
        }
    }

    void compare_centre() {
        if (now.effect.ejected != NOBODY || best.steps_out() > 0) return;
        Bits gone = 0;
        for (const int cell : now.effect.moved) {
            const int to = GEOMETRY.next[cell][now.effect.direction];
            if (GEOMETRY.ring[cell] <= CENTRE && GEOMETRY.ring[to] > GEOMETRY.ring[cell])
                gone |= bit(to);
        }
        if (gone && now.steps_out() > 0) add(FaultKind::left_centre, now.steps_out(), gone);
    }
};

} // namespace

std::vector<Fault> find_faults(const Position& position, int played, const std::vector<int>& better,
                               const std::vector<int>& punishment) {
    if (better.empty() || better.front() == played) return {};
    return Comparison(position, played, better, punishment).faults;
}

} // namespace sumito
