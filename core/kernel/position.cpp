// A game so far, whatever its mode.
#include "kernel/position.hpp"

#include <algorithm>
#include <stdexcept>

namespace sumito {

namespace {

Position::Any make_line(std::string_view text, const Rules& rules) {
    return std::visit(
        [&]<Mode M>(Board<M> board) -> Position::Any {
            // A text may give the turn to a player who would be passed over.
            if (M != Mode::two || rules.stuck == Stuck::passes)
                settle_turn(board, board.turn(), rules);
            return Line<M>(board, rules);
        },
        parse_board(text));
}

// Room to spare for a search that looks ahead from the last ply.
constexpr std::uint32_t LONGEST_GAME = Tally::MOST_PLIES - 1024;

std::string why_over(const Outcome& outcome) {
    return "the game is over (" + std::string(outcome.reason_name()) + ")";
}

} // namespace

template <Mode M>
std::uint64_t Line<M>::perft(int depth, Leaves leaves) {
    if (!rules.repetition) return sumito::perft(board, rules, depth, leaves);
    // Repetition looks at the past, which only the slow way keeps.
    if (depth <= 0) return 1;
    if (outcome()) return 0;
    ActionList list;
    generate(board, rules, list);
    if (leaves == Leaves::counted && depth == 1) return static_cast<std::uint64_t>(list.size);
    std::uint64_t total = 0;
    for (const Action action : list) {
        push(action);
        total += perft(depth - 1, leaves);
        pop();
    }
    return total;
}

Position::Position(std::string_view text, const Rules& rules) : any(make_line(text, rules)) {}

const Rules& Position::rules() const {
    return std::visit([](const auto& line) -> const Rules& { return line.rules; }, any);
}

std::string Position::text() const {
    return std::visit([](const auto& line) { return board_text(line.board); }, any);
}

std::vector<int> Position::legal() const {
    return std::visit(
        [](const auto& line) {
            std::vector<int> indices;
            if (line.outcome()) return indices;
            ActionList list;
            generate(line.board, line.rules, list);
            indices.reserve(static_cast<std::size_t>(list.size));
            for (const Action action : list) indices.push_back(action.index);
            std::sort(indices.begin(), indices.end());
            return indices;
        },
        any);
}

int Position::count() const {
    return std::visit(
        [](const auto& line) { return line.outcome() ? 0 : count_moves(line.board, line.rules); },
        any);
}

void Position::push(int index) {
    std::visit(
        [&](auto& line) {
            if (index < 0 || index >= MOVES)
                throw std::invalid_argument("moves are numbered 0 to 1271, not " +
                                            std::to_string(index));
            if (const Outcome outcome = line.outcome())
                throw std::invalid_argument("move " + move_name(index) + ": " + why_over(outcome));
            const Action action = line.resolve(index);
            if (!action)
                throw std::invalid_argument("move " + move_name(index) + " is illegal in " +
                                            board_text(line.board));
            if (line.board.tally.ply() >= LONGEST_GAME)
                throw std::invalid_argument("a game ends at the latest after " +
                                            std::to_string(LONGEST_GAME) + " plies");
            line.push(action);
        },
        any);
}

void Position::pop() {
    std::visit(
        [](auto& line) {
            if (line.past.empty()) throw std::out_of_range("no move to take back");
            line.pop();
        },
        any);
}

Outcome Position::outcome() const {
    return std::visit([](const auto& line) { return line.outcome(); }, any);
}

std::uint64_t Position::perft(int depth, Leaves leaves) const {
    return std::visit([&](auto line) { return line.perft(depth, leaves); }, any);
}

Key Position::hash() const {
    return std::visit([](const auto& line) { return key_of(line.board); }, any);
}

int Position::turn() const {
    return std::visit([](const auto& line) { return line.board.turn(); }, any);
}

std::vector<int> Position::captured() const {
    return std::visit(
        []<Mode M>(const Line<M>& line) {
            std::vector<int> counts;
            for (int s = 0; s < sides(M); ++s) counts.push_back(line.board.tally.captured(s));
            return counts;
        },
        any);
}

std::uint32_t Position::quiet() const {
    return std::visit([](const auto& line) { return line.board.tally.quiet(); }, any);
}

std::uint32_t Position::ply() const {
    return std::visit([](const auto& line) { return line.board.tally.ply(); }, any);
}

template class Line<Mode::two>;
template class Line<Mode::three>;
template class Line<Mode::teams>;
template class Line<Mode::teams_double>;

} // namespace sumito
