// Why a move is illegal: the rule that forbids it, with the cells and counts that show it.
#include "kernel/refusal.hpp"

#include <algorithm>

namespace sumito {

namespace {

constexpr std::size_t LONGEST = 3;

int number(std::size_t n) { return static_cast<int>(n); }

// Whether the game has ended for a reason other than having no legal move.
bool is_decided(const Position& position) {
    return std::visit(
        [](const auto& game) {
            return ejection_winner(game.board, game.rules) != NOBODY ||
                   last_side_in(game.board) != NOBODY || past_ply_limit(game.board, game.rules) ||
                   (game.rules.repetition && game.occurrences() >= game.rules.repetition);
        },
        position.any);
}

Refusal about_cell(std::string_view code, int cell) { return {code, {{"cell", cell_name(cell)}}}; }

Refusal not_a_mover(const AnyBoard& board, int cell) {
    const int owner = board.colour_at(cell);
    if (owner == NOBODY) return about_cell("empty-cell", cell);
    const auto named = [](int colour) { return std::string(COLOUR_NAMES[colour]); };
    return {"not-yours",
            {{"cell", cell_name(cell)}, {"owner", named(owner)}, {"turn", named(board.turn)}}};
}

Refusal no_majority(std::size_t own, std::size_t opposing) {
    // Marbles beyond three don't count, so three against four is a pac as well.
    if (own == std::min(opposing, LONGEST))
        return {"pac", {{"own", number(own)}, {"opposing", number(own)}}};
    return {"outnumbered", {{"own", number(own)}, {"opposing", number(opposing)}}};
}

Refusal why_no_side_step(const AnyBoard& board, const Rules& rules, const MoveShape& shape) {
    const Bits own = board.marbles[board.turn];
    const Bits friends = board.friends(board.turn);
    for (const int cell : in_reading_order(shape.from & ~friends)) return not_a_mover(board, cell);
    if (!(own & shape.from)) return {"partner-only", {}};
    if (rules.partner_sidestep == PartnerSideStep::none)
        for (const int cell : in_reading_order(shape.from & ~own))
            return about_cell("partner-side-step", cell);
    for (const int cell : in_reading_order(shape.to & board.occupied()))
        return about_cell("occupied", cell);
    return {};
}

Refusal why_not_in_line(const AnyBoard& board, const MoveShape& shape) {
    const int rear = shape.first;
    const Bits friends = board.friends(board.turn);
    if (!(board.marbles[board.turn] & bit(rear)))
        return friends & bit(rear) ? about_cell("partner-rear", rear) : not_a_mover(board, rear);
    const Cells row = run_from(rear, shape.direction, friends);
    if (row.size() > LONGEST) return {"four", {}};
    const int ahead = GEOMETRY.next[row.back()][shape.direction];
    if (ahead == NOWHERE) return about_cell("own-rim", row.back());
    const Cells pushed = run_from(ahead, shape.direction, board.opposing(board.turn));
    if (pushed.empty()) return {};
    if (row.size() == 1 && pushed.size() > 1) return about_cell("alone", ahead);
    if (pushed.size() >= row.size()) return no_majority(row.size(), pushed.size());
    const int behind = GEOMETRY.next[pushed.back()][shape.direction];
    if (behind == NOWHERE || board.empty() & bit(behind)) return {};
    return about_cell("blocked", behind);
}

} // namespace

Refusal why_illegal(const Position& position, int index) {
    if (index < 0 || index >= MOVES) return {"invalid-move", {{"index", index}}};
    if (is_decided(position)) return {"game-over", {}};
    const AnyBoard board(position);
    const MoveShape& shape = MOVE_TABLE.shape[index];
    return shape.length ? why_no_side_step(board, position.rules(), shape)
                        : why_not_in_line(board, shape);
}

} // namespace sumito
