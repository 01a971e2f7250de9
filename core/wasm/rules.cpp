// Questions about boards, for a page. A board is known by the address of its `Position`; cells are
// numbered as people read them, a1 = 0 ... i9 = 60.
#include "kernel/formations.hpp"
#include "kernel/notation.hpp"
#include "wasm/cells.hpp"

#include <array>
#include <optional>

using namespace sumito;
using namespace sumito::border;

namespace {

void tell_effect(const Effect& effect) {
    tell(effect.index);
    tell(effect.direction);
    tell(effect.ejected);
    tell_cells(effect.moved);
    tell_cells(effect.pushed);
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

int say_refusal(const Refusal& refusal) {
    if (!refusal) return say("");
    std::string json = "{\"code\":" + in_json(refusal.code) + ",\"values\":{";
    for (std::size_t i = 0; i < refusal.values.size(); ++i) {
        const auto& [name, is] = refusal.values[i];
        if (i) json += ',';
        json += in_json(name) + ':';
        json += std::holds_alternative<int>(is) ? std::to_string(std::get<int>(is))
                                                : in_json(std::get<std::string>(is));
    }
    return say(json + "}}");
}

} // namespace

// Room for a text or numbers of the coming call, in bytes.
SUMITO_EXPORT(write) void* write(int bytes) {
    written.resize(static_cast<std::size_t>(bytes) / sizeof(double) + 1);
    return written.data();
}
SUMITO_EXPORT(said) const char* said_at() { return said.data(); }
SUMITO_EXPORT(said_size) int said_length() { return static_cast<int>(said.size()); }
SUMITO_EXPORT(told) const double* told_at() { return told.data(); }
SUMITO_EXPORT(told_size) int told_length() { return told_size(); }

// The names of all moves by number, with a blank between.
SUMITO_EXPORT(move_names) int move_names() {
    std::string names;
    for (int index = 0; index < MOVES; ++index) names += (index ? " " : "") + move_name(index);
    return say(std::move(names));
}

// The move of a hand that takes the cells written and goes that way; -1 if there is none.
SUMITO_EXPORT(move_of) int move_of_hand(int count, int direction) {
    Cells cells;
    for (int n = 0; n < count; ++n)
        cells.push_back(GEOMETRY.reading[static_cast<std::size_t>(written[n])]);
    const int index = move_of(cells, direction);
    return index == NO_MOVE ? -1 : index;
}

// A board from the text written, or null: then the reason is said.
SUMITO_EXPORT(board_new)
Position* board_new(int size, int win_at, int repetition, int ply_limit, int partner, int stuck) {
    Rules rules;
    rules.win_at = win_at;
    rules.repetition = repetition;
    rules.ply_limit = ply_limit;
    rules.partner_sidestep = static_cast<PartnerSideStep>(partner);
    rules.stuck = static_cast<Stuck>(stuck);
    std::string why;
    auto position = Position::read(written_text(static_cast<std::size_t>(size)), rules, why);
    if (position) return new Position(std::move(*position));
    say(std::move(why));
    return nullptr;
}
SUMITO_EXPORT(board_copy) Position* board_copy(const Position* board) {
    return new Position(*board);
}
SUMITO_EXPORT(board_free) void board_free(Position* board) { delete board; }

SUMITO_EXPORT(board_text) int board_text_of(const Position* board) { return say(board->text()); }

// Mode, turn, quiet plies, ply, players out as bits, occurrences, reason of the end or 0, winner
// or -1, then what each side has ejected.
SUMITO_EXPORT(board_facts) int board_facts(const Position* board) {
    told.clear();
    tell(static_cast<int>(board->mode()));
    tell(board->turn());
    tell(board->quiet());
    tell(board->ply());
    std::visit(
        [](const auto& game) {
            tell(game.board.tally.out());
            tell(game.occurrences());
        },
        board->any);
    const Outcome outcome = board->outcome();
    tell(static_cast<int>(outcome.reason));
    tell(outcome.winner);
    tell_all(board->captured());
    return told_size();
}

SUMITO_EXPORT(board_legal) int board_legal(const Position* board) {
    told.clear();
    for (const Effect& effect : effects_of(*board)) tell_effect(effect);
    return told_size();
}

// What a move does; nothing is told of an illegal one.
SUMITO_EXPORT(board_effect) int board_effect(const Position* board, int index) {
    told.clear();
    if (const auto effect = effect_of(*board, index)) tell_effect(*effect);
    return told_size();
}

// Plays a legal move; else says why not and returns 0.
SUMITO_EXPORT(board_push) int board_push(Position* board, int index) {
    if (const Refusal refusal = why_illegal(*board, index)) {
        say_refusal(refusal);
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

// A player leaves: turns pass over them, their marbles stay, and nothing before can be taken back.
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
    return say_refusal(why_illegal(*board, index));
}

// The text of a legal move, empty for an illegal one.
SUMITO_EXPORT(board_write) int board_write(const Position* board, int index, int notation) {
    const auto effect = effect_of(*board, index);
    return say(effect ? write_move(*effect, static_cast<Notation>(notation)) : "");
}
// The legal move that the text written names, or -1: then the reason is said.
SUMITO_EXPORT(board_read) int board_read(const Position* board, int size, int notation) {
    const ReadMove read = read_move(*board, written_text(static_cast<std::size_t>(size)),
                                    static_cast<Notation>(notation));
    if (!read.refusal) return read.index;
    say_refusal(read.refusal);
    return -1;
}

SUMITO_EXPORT(board_formations) int board_formations(const Position* board, unsigned words) {
    told.clear();
    for (const Formation& found : find_formations(*board, words)) {
        tell(static_cast<int>(found.word));
        tell(found.colour);
        tell(static_cast<int>(found.shape));
        tell(found.row);
        tell(found.direction);
        tell(found.behind == NOWHERE ? -1 : READING[static_cast<std::size_t>(found.behind)]);
        tell(found.playable);
        tell_cells(found.cells);
        tell_all(found.moves);
    }
    return told_size();
}
