// Detection of formations by set operations.
#include "kernel/formations.hpp"

#include <algorithm>

namespace sumito {

namespace {

constexpr int LONGEST = 3; // marbles of a row that count
// Opposing neighbours that make a lone marble a det; in a corner, with fewer neighbours, all of
// them.
constexpr int SURROUNDED = 4;

class Finder {
  public:
    explicit Finder(const Position& position) : board(position) {}

    std::vector<Formation> find(unsigned words) {
        for (int w = 0; w < WORDS; ++w)
            for (int c = 0; c < colours(board.mode); ++c)
                if (words >> w & 1) find(static_cast<Word>(w), c);
        return std::move(found);
    }

  private:
    AnyBoard board;
    std::vector<Formation> found;

    void find(Word word, int colour) {
        switch (word) {
        case Word::singleton:
            for (const int cell : singletons(colour)) add(word, colour, bit(cell));
            break;
        case Word::pair:
            for (const Bits part : components(board.marbles[colour]))
                if (std::popcount(part) == 2) add(word, colour, part);
            break;
        case Word::triple:
            for (const Word shape : {Word::lance, Word::arc, Word::shield})
                for (const Bits three : shapes(shape, colour))
                    if (!(neighbours(three) & board.marbles[colour] & ~three)) {
                        add(word, colour, three);
                        found.back().shape = shape;
                    }
            break;
        case Word::group:
            for (const Bits part : components(board.marbles[colour])) add(word, colour, part);
            break;
        case Word::block:
            find_blocks(colour);
            break;
        case Word::sumito:
        case Word::pac:
            find_meetings(word, colour);
            break;
        case Word::det:
            for (const int cell : singletons(colour)) {
                const Bits around = neighbours(bit(cell));
                if (std::popcount(around & board.opposing(colour)) >=
                    std::min(SURROUNDED, std::popcount(around)))
                    add(word, colour, bit(cell));
            }
            break;
        default:
            for (const Bits three : shapes(word, colour)) add(word, colour, three);
        }
    }

    void add(Word word, int colour, Bits cells) {
        found.push_back({word, colour, in_reading_order(cells), {}, 0, 0, NOWHERE, false, {}});
    }

    Cells singletons(int colour) const {
        const Bits own = board.marbles[colour];
        return in_reading_order(own & ~neighbours(own));
    }

    // The connected components of a set.
    static std::vector<Bits> components(Bits set) {
        std::vector<Bits> parts;
        for (const int cell : GEOMETRY.reading) {
            if (!(set & bit(cell))) continue;
            Bits part = 0;
            for (Bits grown = bit(cell); grown != part; grown |= neighbours(part) & set)
                part = grown;
            parts.push_back(part);
            set &= ~part;
        }
        return parts;
    }

    // Shapes of three: a marble and two of its neighbours, `turn` sixths of a circle apart.
    std::vector<Bits> shapes(Word shape, int colour) const {
        const int turn = shape == Word::lance ? 3 : shape == Word::arc ? 2 : 1;
        // First directions, so that each shape is found from one of its marbles only: a triangle
        // from its lowest, which has the others E and NE or NE and NW.
        const int ways = shape == Word::lance ? AXES : shape == Word::arc ? DIRECTIONS : 2;
        const Bits own = board.marbles[colour];
        std::vector<Bits> sets;
        for (int way = 0; way < ways; ++way) {
            const int other = (way + turn) % DIRECTIONS;
            const Bits middles = own & step(own, back(way)) & step(own, back(other));
            for (const int cell : in_reading_order(middles))
                sets.push_back(bit(cell) | step(bit(cell), way) | step(bit(cell), other));
        }
        return sets;
    }

    void find_blocks(int colour) {
        const Bits own = board.marbles[colour];
        for (int along = 0; along < AXES; ++along)
            for (int up = along + 1; up < AXES; ++up) {
                const auto three = [](Bits set, int way) {
                    set &= step(set, back(way));
                    return set & step(set, back(way));
                };
                for (const int corner : in_reading_order(three(three(own, along), up))) {
                    Bits block = 0;
                    for (int i = 0; i < LONGEST; ++i) {
                        const Bits start = GEOMETRY.ray[corner][up][i];
                        for (int k = 0; k < LONGEST; ++k)
                            block |= GEOMETRY.ray[lowest(start)][along][k];
                    }
                    add(Word::block, colour, block);
                }
            }
    }

    // Adds every row of the side whose front faces an opposing marble.
    void find_meetings(Word word, int colour) {
        const Bits friends = board.friends(colour);
        const Bits opposing = board.opposing(colour);
        for (int d = 0; d < DIRECTIONS; ++d)
            for (const int front : in_reading_order(friends & step(opposing, back(d)))) {
                Cells row = run_from(front, back(d), friends);
                std::reverse(row.begin(), row.end());
                const Cells against = run_from(GEOMETRY.next[front][d], d, opposing);
                if (word == Word::pac)
                    add_pac(colour, d, row, against);
                else
                    add_sumito(colour, d, row, against);
            }
    }

    Formation& add_meeting(Word word, int colour, int direction, const Cells& row,
                           const Cells& against) {
        Formation meeting{word,      colour,  row,   {}, static_cast<int>(row.size()),
                          direction, NOWHERE, false, {}};
        meeting.cells.insert(meeting.cells.end(), against.begin(), against.end());
        found.push_back(std::move(meeting));
        return found.back();
    }

    void add_pac(int colour, int direction, const Cells& row, const Cells& against) {
        const auto counts = [](const Cells& cells) {
            return std::min<std::size_t>(cells.size(), LONGEST);
        };
        if (counts(row) != counts(against) || is_known_pac(row, against)) return;
        add_meeting(Word::pac, colour, direction, row, against);
    }

    // Whether the same two rows were added for a partner or from the other side.
    bool is_known_pac(const Cells& row, const Cells& against) const {
        Cells whole(row);
        whole.insert(whole.end(), against.begin(), against.end());
        const Cells reversed(whole.rbegin(), whole.rend());
        return std::any_of(found.begin(), found.end(), [&](const Formation& other) {
            const auto length = static_cast<std::size_t>(other.row);
            return other.word == Word::pac &&
                   ((other.cells == whole && length == row.size()) ||
                    (other.cells == reversed && length == against.size()));
        });
    }

    void add_sumito(int colour, int direction, const Cells& row, const Cells& against) {
        std::vector<int> moves;
        for (std::size_t size = against.size() + 1;
             size <= std::min<std::size_t>(row.size(), LONGEST); ++size) {
            const int rear = row[row.size() - size];
            if (board.marbles[colour] & bit(rear)) moves.push_back(in_line_move(rear, direction));
        }
        if (moves.empty()) return;
        Formation& sumito = add_meeting(Word::sumito, colour, direction, row, against);
        sumito.behind = GEOMETRY.next[against.back()][direction];
        sumito.playable = sumito.behind == NOWHERE || (board.empty() & bit(sumito.behind));
        sumito.moves = std::move(moves);
    }

    static int in_line_move(int rear, int direction) {
        for (int index = 0;; ++index) {
            const MoveShape& shape = MOVE_TABLE.shape[index];
            if (shape.first == rear && shape.direction == direction) return index;
        }
    }
};

} // namespace

std::vector<Formation> find_formations(const Position& position, unsigned words) {
    return Finder(position).find(words);
}

} // namespace sumito
