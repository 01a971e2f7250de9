// A game of any mode.
#include "kernel/position.hpp"

#include "kernel/error.hpp"

#include <algorithm>

namespace sumito {

namespace {

Position::Any make_game(const BoardVariant& any, const Rules& rules) {
    return std::visit(
        [&]<Mode M>(Board<M> board) -> Position::Any {
            // A text may give the turn to a player who has to pass.
            if (M != Mode::two || rules.stuck == Stuck::passes)
                settle_turn(board, board.turn(), rules);
            return Game<M>(board, rules);
        },
        any);
}

BoardVariant board_of(std::string_view text) {
    std::string why;
    if (const auto board = parse_board(text, why)) return *board;
    raise<PositionError>(why);
}

// Leaves room for the plies of a search from the last one.
constexpr std::uint32_t LONGEST_GAME = Tally::MAX_PLIES - 1024;

std::string why_over(const Outcome& outcome) {
    return "the game is over (" + std::string(outcome.reason_name()) + ")";
}

} // namespace

template <Mode M>
std::uint64_t Game<M>::perft(int depth, PerftMode mode) {
    if (!rules.repetition) return sumito::perft(board, rules, depth, mode);
    // Repetition needs the history, which only this slower way keeps.
    if (depth <= 0) return 1;
    if (outcome()) return 0;
    ActionList list;
    generate(board, rules, list);
    if (mode == PerftMode::bulk && depth == 1) return static_cast<std::uint64_t>(list.size);
    std::uint64_t total = 0;
    for (const Action action : list) {
        push(action);
        total += perft(depth - 1, mode);
        pop();
    }
    return total;
}

Position::Position(const BoardVariant& board, const Rules& rules) : any(make_game(board, rules)) {}

Position::Position(std::string_view text, const Rules& rules) : Position(board_of(text), rules) {}

std::optional<Position> Position::read(std::string_view text, const Rules& rules,
                                       std::string& why) {
    const auto board = parse_board(text, why);
    if (!board) return std::nullopt;
    return Position(*board, rules);
}

const Rules& Position::rules() const {
    return std::visit([](const auto& game) -> const Rules& { return game.rules; }, any);
}

std::string Position::text() const {
    return std::visit([](const auto& game) { return board_text(game.board); }, any);
}

std::vector<int> Position::legal() const {
    return std::visit(
        [](const auto& game) {
            std::vector<int> indices;
            if (game.outcome()) return indices;
            ActionList list;
            generate(game.board, game.rules, list);
            indices.reserve(static_cast<std::size_t>(list.size));
            for (const Action action : list) indices.push_back(action.index);
            std::sort(indices.begin(), indices.end());
            return indices;
        },
        any);
}

int Position::count() const {
    return std::visit(
        [](const auto& game) { return game.outcome() ? 0 : count_moves(game.board, game.rules); },
        any);
}

void Position::push(int index) {
    std::visit(
        [&](auto& game) {
            if (index < 0 || index >= MOVES)
                raise("moves are numbered 0 to 1271, not " + std::to_string(index));
            if (const Outcome outcome = game.outcome())
                raise("move " + move_name(index) + ": " + why_over(outcome));
            const Action action = game.resolve(index);
            if (!action)
                raise("move " + move_name(index) + " is illegal in " + board_text(game.board));
            if (game.board.tally.ply() >= LONGEST_GAME)
                raise("a game ends at the latest after " + std::to_string(LONGEST_GAME) + " plies");
            game.push(action);
        },
        any);
}

void Position::pop() {
    std::visit(
        [](auto& game) {
            if (game.past.empty()) raise<std::out_of_range>("no move to take back");
            game.pop();
        },
        any);
}

Outcome Position::outcome() const {
    return std::visit([](const auto& game) { return game.outcome(); }, any);
}

std::uint64_t Position::perft(int depth, PerftMode mode) const {
    return std::visit([&](auto game) { return game.perft(depth, mode); }, any);
}

Key Position::hash() const {
    return std::visit([](const auto& game) { return key_of(game.board); }, any);
}

int Position::turn() const {
    return std::visit([](const auto& game) { return game.board.turn(); }, any);
}

std::vector<int> Position::captured() const {
    return std::visit(
        []<Mode M>(const Game<M>& game) {
            std::vector<int> counts;
            for (int s = 0; s < sides(M); ++s) counts.push_back(game.board.tally.captured(s));
            return counts;
        },
        any);
}

std::uint32_t Position::quiet() const {
    return std::visit([](const auto& game) { return game.board.tally.quiet(); }, any);
}

std::uint32_t Position::ply() const {
    return std::visit([](const auto& game) { return game.board.tally.ply(); }, any);
}

template class Game<Mode::two>;
template class Game<Mode::three>;
template class Game<Mode::teams>;
template class Game<Mode::teams_double>;

} // namespace sumito
