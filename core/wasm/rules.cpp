// WebAssembly exports of the rules. A board is the address of its `Position`; cells are numbered in
// reading order, a1 = 0 ... i9 = 60.
#include "kernel/formations.hpp"
#include "kernel/notation.hpp"
#include "wasm/cells.hpp"

#include <array>
#include <optional>

using namespace sumito;
using namespace sumito::abi;

namespace {

void put_effect(const Effect& effect) {
    put_number(effect.index);
    put_number(effect.direction);
    put_number(effect.ejected);
    put_cells(effect.moved);
    put_cells(effect.pushed);
}

std::string in_json(std::string_view text) {
    constexpr std::string_view HEX = "0123456789abcdef";
    std::string json = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            json += '\\';
            json += c;
        } else if (byte < 0x20) {
            json += "\\u00";
            json += HEX[byte >> 4];
            json += HEX[byte & 15];
        } else {
            json += c;
        }
    }
    return json + '"';
}

int put_refusal(const Refusal& refusal) {
    if (!refusal) return put_text("");
    std::string json = "{\"code\":" + in_json(refusal.code) + ",\"values\":{";
    for (std::size_t i = 0; i < refusal.values.size(); ++i) {
        const auto& [name, is] = refusal.values[i];
        if (i) json += ',';
        json += in_json(name) + ':';
        json += std::holds_alternative<int>(is) ? std::to_string(std::get<int>(is))
                                                : in_json(std::get<std::string>(is));
    }
    return put_text(json + "}}");
}

} // namespace

// The input buffer, resized to a number of bytes.
SUMITO_EXPORT(in_buffer) void* in_buffer_data(int bytes) {
    in_buffer.resize(static_cast<std::size_t>(bytes) / sizeof(double) + 1);
    return in_buffer.data();
}
SUMITO_EXPORT(out_text) const char* out_text_data() { return out_text.data(); }
SUMITO_EXPORT(out_text_size) int out_text_length() { return static_cast<int>(out_text.size()); }
SUMITO_EXPORT(out_numbers) const double* out_numbers_data() { return out_numbers.data(); }
SUMITO_EXPORT(out_numbers_size) int out_numbers_length() { return out_numbers_size(); }

// Output: the names of all moves by number, separated by blanks.
SUMITO_EXPORT(move_names) int move_names() {
    std::string names;
    for (int index = 0; index < MOVES; ++index) names += (index ? " " : "") + move_name(index);
    return put_text(std::move(names));
}

// The move of the cells of the input in a direction; -1 if there is none.
SUMITO_EXPORT(move_of) int move_of_hand(int count, int direction) {
    Cells cells;
    for (int n = 0; n < count; ++n)
        cells.push_back(GEOMETRY.reading[static_cast<std::size_t>(in_buffer[n])]);
    const int index = move_of(cells, direction);
    return index == NO_MOVE ? -1 : index;
}

// A board from the text of the input, or null with the reason as text.
SUMITO_EXPORT(board_new)
Position* board_new(int size, int win_at, int repetition, int ply_limit, int partner, int stuck) {
    Rules rules;
    rules.win_at = win_at;
    rules.repetition = repetition;
    rules.ply_limit = ply_limit;
    rules.partner_sidestep = static_cast<PartnerSideStep>(partner);
    rules.stuck = static_cast<Stuck>(stuck);
    std::string why;
    auto position = Position::read(input_text(static_cast<std::size_t>(size)), rules, why);
    if (position) return new Position(std::move(*position));
    put_text(std::move(why));
    return nullptr;
}
SUMITO_EXPORT(board_copy) Position* board_copy(const Position* board) {
    return new Position(*board);
}
SUMITO_EXPORT(board_free) void board_free(Position* board) { delete board; }

SUMITO_EXPORT(board_text) int board_text_of(const Position* board) {
    return put_text(board->text());
}

// Mode, turn, quiet plies, ply, players out as bits, occurrences, reason of the end or 0, winner
// or -1, then what each side has ejected.
SUMITO_EXPORT(board_facts) int board_facts(const Position* board) {
    out_numbers.clear();
    put_number(static_cast<int>(board->mode()));
    put_number(board->turn());
    put_number(board->quiet());
    put_number(board->ply());
    std::visit(
        [](const auto& game) {
            put_number(game.board.tally.out());
            put_number(game.occurrences());
        },
        board->any);
    const Outcome outcome = board->outcome();
    put_number(static_cast<int>(outcome.reason));
    put_number(outcome.winner);
    put_all(board->captured());
    return out_numbers_size();
}

SUMITO_EXPORT(board_legal) int board_legal(const Position* board) {
    out_numbers.clear();
    for (const Effect& effect : effects_of(*board)) put_effect(effect);
    return out_numbers_size();
}

// Output: the effect of a move; nothing for an illegal one.
SUMITO_EXPORT(board_effect) int board_effect(const Position* board, int index) {
    out_numbers.clear();
    if (const auto effect = effect_of(*board, index)) put_effect(*effect);
    return out_numbers_size();
}

// Plays a legal move; otherwise returns 0 with the refusal as text.
SUMITO_EXPORT(board_push) int board_push(Position* board, int index) {
    if (const Refusal refusal = why_illegal(*board, index)) {
        put_refusal(refusal);
        return 0;
    }
    board->push(index);
    return 1;
}
SUMITO_EXPORT(board_pop) int board_pop(Position* board) {
    const bool can = std::visit([](const auto& game) { return !game.past.empty(); }, board->any);
    if (can) board->pop();
    return can;
}

// Removes a player: turns pass over them, their marbles stay, earlier moves can no longer be
// undone.
SUMITO_EXPORT(board_leave) int board_leave(Position* board, int colour) {
    return std::visit(
        [&]<Mode M>(Game<M>& game) {
            const unsigned out = game.board.tally.out() | 1u << colour;
            if (M == Mode::two || colour >= colours(M) || out == (1u << colours(M)) - 1) return 0;
            game.board.tally.set_out(out);
            game.past.clear();
            settle_turn(game.board, game.board.turn(), game.rules);
            return 1;
        },
        board->any);
}

SUMITO_EXPORT(board_why) int board_why(const Position* board, int index) {
    return put_refusal(why_illegal(*board, index));
}

// The text of a legal move, empty for an illegal one.
SUMITO_EXPORT(board_write) int board_write(const Position* board, int index, int notation) {
    const auto effect = effect_of(*board, index);
    return put_text(effect ? write_move(*effect, static_cast<Notation>(notation)) : "");
}
// The legal move of the text of the input, or -1 with the refusal as text.
SUMITO_EXPORT(board_read) int board_read(const Position* board, int size, int notation) {
    const ReadMove read = read_move(*board, input_text(static_cast<std::size_t>(size)),
                                    static_cast<Notation>(notation));
    if (!read.refusal) return read.index;
    put_refusal(read.refusal);
    return -1;
}

SUMITO_EXPORT(board_formations) int board_formations(const Position* board, unsigned words) {
    out_numbers.clear();
    for (const Formation& found : find_formations(*board, words)) {
        put_number(static_cast<int>(found.word));
        put_number(found.colour);
        put_number(static_cast<int>(found.shape));
        put_number(found.row);
        put_number(found.direction);
        put_number(found.behind == NOWHERE ? -1 : READING[static_cast<std::size_t>(found.behind)]);
        put_number(found.playable);
        put_cells(found.cells);
        put_all(found.moves);
    }
    return out_numbers_size();
}
