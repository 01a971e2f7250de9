// Reading and writing moves.
#include "kernel/notation.hpp"

#include <algorithm>

namespace sumito {

namespace {

constexpr int FARTHEST = 5; // three own, two pushed: no text reaches beyond

int distance(int one, int other) {
    return detail::Geometry::distance_from_centre(GEOMETRY.row[other] - GEOMETRY.row[one],
                                                  GEOMETRY.digit[other] - GEOMETRY.digit[one]);
}

int cell_named(std::string_view text) {
    if (text.size() != 2) return NOWHERE;
    return detail::cell_at(text[0] - 'e', text[1] - '0');
}

struct Pair {
    int origin;
    int landing;
    friend bool operator==(const Pair&, const Pair&) = default;
};

// One end's origin and the other end's landing, whichever two lie farthest apart.
Pair far_pair(const MoveShape& shape) {
    const int first = shape.first;
    const int last = lowest(GEOMETRY.ray[first][shape.axis][shape.length - 1]);
    const Pair one{first, GEOMETRY.next[last][shape.direction]};
    const Pair other{last, GEOMETRY.next[first][shape.direction]};
    return distance(other.origin, other.landing) > distance(one.origin, one.landing) ? other : one;
}

// The second cell of an in-line move's text.
int in_line_end(const Effect& effect, Notation notation) {
    if (notation == Notation::playstrategy && !effect.pushed.empty()) {
        const int front = effect.pushed.back();
        return effect.ejected == NOBODY ? GEOMETRY.next[front][effect.direction] : front;
    }
    return GEOMETRY.next[effect.moved.back()][effect.direction];
}

// Whether this move could have these two cells as its text on some board.
bool fits(const MoveShape& shape, Pair cells) {
    if (shape.length) return far_pair(shape) == cells;
    if (shape.first != cells.origin) return false;
    for (int k = 1; k <= FARTHEST; ++k)
        if (GEOMETRY.ray[shape.first][shape.direction][k] == bit(cells.landing)) return true;
    return false;
}

// A UTF-8 text by characters, so that none is cut.
class Characters {
  public:
    explicit Characters(std::string_view text) : text(text) {
        for (std::size_t at = 0; at < text.size(); ++at)
            if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) starts.push_back(at);
        starts.push_back(text.size());
    }

    std::size_t size() const { return starts.size() - 1; }
    std::string part(std::size_t from, std::size_t length) const {
        const std::size_t begin = starts[std::min(from, size())];
        return std::string(text.substr(begin, starts[std::min(from + length, size())] - begin));
    }
    // The text for an error message, truncated if long.
    std::string quoted() const {
        constexpr std::size_t LONGEST_VALUE = 60;
        return part(0, LONGEST_VALUE) + (size() > LONGEST_VALUE ? "\u2026" : "");
    }

  private:
    std::string_view text;
    std::vector<std::size_t> starts;
};

Refusal not_a_move(std::string_view text) {
    const Characters characters(text);
    const std::string whole = characters.quoted();
    const std::size_t parts = (characters.size() + 1) / 2;
    if (parts != 2 && parts != 3) return {"move-length", {{"text", whole}}};
    const auto part = [&](std::size_t n) { return characters.part(2 * n, 2); };
    for (std::size_t n = 0; n < parts; ++n)
        if (cell_named(part(n)) == NOWHERE)
            return {"move-cell", {{"text", whole}, {"part", part(n)}}};
    if (parts == 2)
        return {"not-neighbours", {{"text", whole}, {"one", part(0)}, {"other", part(1)}}};
    return {"not-a-side-step",
            {{"text", whole}, {"one", part(0)}, {"other", part(1)}, {"landing", part(2)}}};
}

// The move with that Aba-Pro text, side-steps from either end; NO_MOVE if there is none.
int move_named(std::string_view text) {
    const int first = cell_named(text.substr(0, 2));
    if (first == NOWHERE || (text.size() != 4 && text.size() != 6)) return NO_MOVE;
    const int second = cell_named(text.substr(2, 2));
    const int third = text.size() == 6 ? cell_named(text.substr(4, 2)) : NOWHERE;
    for (int index = 0; index < MOVES; ++index) {
        const MoveShape& shape = MOVE_TABLE.shape[index];
        const int way = shape.direction;
        if (text.size() == 4) {
            if (!shape.length && shape.first == first && GEOMETRY.next[first][way] == second)
                return index;
        } else if (shape.length && third != NOWHERE && GEOMETRY.next[first][way] == third) {
            const int last = lowest(GEOMETRY.ray[shape.first][shape.axis][shape.length - 1]);
            if ((shape.first == first && last == second) ||
                (shape.first == second && last == first))
                return index;
        }
    }
    return NO_MOVE;
}

ReadMove checked(const Position& position, int index) {
    if (Refusal refusal = why_illegal(position, index)) return {NO_MOVE, std::move(refusal)};
    return {index, {}};
}

ReadMove read_two_cells(const Position& position, std::string_view text, Notation notation) {
    const std::string name(NOTATION_NAMES[static_cast<std::size_t>(notation)]);
    const Characters characters(text);
    const std::string whole = characters.quoted();
    if (characters.size() != 4)
        return {NO_MOVE, {"move-length", {{"text", whole}, {"notation", name}}}};
    for (const std::size_t at : {0, 2})
        if (const std::string part = characters.part(at, 2); cell_named(part) == NOWHERE)
            return {NO_MOVE, {"move-cell", {{"text", whole}, {"notation", name}, {"part", part}}}};
    const Pair cells{cell_named(text.substr(0, 2)), cell_named(text.substr(2, 2))};
    int candidate = NO_MOVE;
    int other = NO_MOVE; // legal, but with another text
    for (int index = 0; index < MOVES; ++index) {
        if (!fits(MOVE_TABLE.shape[index], cells)) continue;
        if (candidate == NO_MOVE) candidate = index;
        const auto effect = effect_of(position, index);
        if (!effect) continue;
        if (write_move(*effect, notation) == text) return {index, {}};
        if (other == NO_MOVE) other = index;
    }
    if (candidate == NO_MOVE)
        return {NO_MOVE,
                {"no-such-row",
                 {{"text", whole},
                  {"notation", name},
                  {"one", cell_name(cells.origin)},
                  {"other", cell_name(cells.landing)}}}};
    if (other == NO_MOVE) return checked(position, candidate);
    return {NO_MOVE,
            {"other-move",
             {{"move", move_name(other)},
              {"right", write_move(*effect_of(position, other), notation)}}}};
}

} // namespace

std::optional<Notation> notation_named(std::string_view text) {
    for (std::size_t n = 0; n < NOTATION_NAMES.size(); ++n)
        if (NOTATION_NAMES[n] == text) return static_cast<Notation>(n);
    return std::nullopt;
}

std::string write_move(const Effect& effect, Notation notation) {
    if (notation == Notation::aba_pro) return move_name(effect.index);
    const MoveShape& shape = MOVE_TABLE.shape[effect.index];
    const Pair cells =
        shape.length ? far_pair(shape) : Pair{shape.first, in_line_end(effect, notation)};
    return cell_name(cells.origin) + cell_name(cells.landing);
}

ReadMove read_move(const Position& position, std::string_view text, Notation notation) {
    if (notation != Notation::aba_pro) return read_two_cells(position, text, notation);
    const int index = move_named(text);
    if (index == NO_MOVE) return {NO_MOVE, not_a_move(text)};
    return checked(position, index);
}

} // namespace sumito
