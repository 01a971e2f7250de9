// Parser and writer of position texts.
#include "kernel/text.hpp"

#include <algorithm>
#include <vector>

namespace sumito {

namespace {

struct Token {
    std::string_view text;
    std::size_t column; // from 1
};

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::vector<Token> split(std::string_view text, char at) {
    std::vector<Token> tokens;
    std::size_t start = 0;
    for (;;) {
        const std::size_t end = std::min(text.find(at, start), text.size());
        tokens.push_back({text.substr(start, end - start), start + 1});
        if (end == text.size()) return tokens;
        start = end + 1;
    }
}

int colour_of(char letter, int colours) {
    const auto at = LETTERS.find(letter);
    return at < static_cast<std::size_t>(colours) ? static_cast<int>(at) : NOBODY;
}

// Reads field by field and stops at the first error; every step returns whether it succeeded.
template <Mode M>
class PositionReader {
  public:
    explicit PositionReader(std::string& why) : why(why) {}

    std::optional<BoardVariant> read(const std::vector<Token>& fields) {
        std::uint32_t quiet = 0;
        std::uint32_t ply = 0;
        const bool is_valid =
            read_rows(fields[0]) && read_turn(fields[1]) && read_captured(fields[2]) &&
            read_number(fields[3], "the count of quiet plies", MAX_PLIES_IN_TEXT, quiet) &&
            read_number(fields[4], "the ply", MAX_PLIES_IN_TEXT, ply) &&
            check_plies(fields[3], fields[4], quiet, ply) && check_marbles(fields[0]) &&
            (fields.size() < 7 || read_out(fields[6]));
        if (!is_valid) return std::nullopt;
        board.tally.set_quiet(quiet);
        board.tally.set_ply(ply);
        return board;
    }

  private:
    static constexpr std::string_view MODE = MODE_NAMES[static_cast<int>(M)];
    Board<M> board{};
    std::string& why;

    bool fail(const std::string& what, std::size_t column) {
        why = what + " (column " + std::to_string(column) + ")";
        return false;
    }

    // Digits without a leading zero.
    bool read_number(Token token, const std::string& what, std::uint32_t most,
                     std::uint32_t& value) {
        const std::string_view text = token.text;
        const bool digits =
            !text.empty() && text.size() <= 7 &&
            std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!digits || (text[0] == '0' && text.size() > 1))
            return fail(what + " is a whole number, not " + quoted(text), token.column);
        value = 0;
        for (const char c : text) value = 10 * value + static_cast<std::uint32_t>(c - '0');
        if (value > most)
            return fail(what + " is at most " + std::to_string(most) + ", not " + quoted(text),
                        token.column);
        return true;
    }

    bool read_rows(Token token) {
        const std::vector<Token> rows = split(token.text, '/');
        for (std::size_t i = 0; i < rows.size() && i < 9; ++i)
            if (!read_row(rows[i], 4 - static_cast<int>(i))) return false;
        if (rows.size() > 9)
            return fail("there are nine rows, i down to a, and this begins a tenth",
                        rows[9].column - 1);
        if (rows.size() < 9)
            return fail("the rows end at row " +
                            std::string(1, static_cast<char>('j' - rows.size())) +
                            "; nine are needed, i down to a",
                        token.text.size() + 1);
        return true;
    }

    bool read_row(Token token, int row) {
        const int end = detail::highest_digit(row) + 1;
        int digit = detail::lowest_digit(row);
        bool after_gap = false;
        for (std::size_t i = 0; i < token.text.size(); ++i) {
            const char c = token.text[i];
            const std::size_t column = token.column + i;
            const bool gap = c >= '1' && c <= '9';
            const int colour = colour_of(c, Board<M>::COLOURS);
            if (!gap && colour == NOBODY) return unknown_letter(c, column);
            const int next = digit + (gap ? c - '0' : 1);
            if (next > end) return fail(row_name(row) + ", and this is more", column);
            if (gap && after_gap)
                return fail("two numbers of empty cells side by side should be one", column);
            if (!gap) board.marbles[colour] |= bit(detail::cell_at(row, digit));
            after_gap = gap;
            digit = next;
        }
        if (digit != end)
            return fail(row_name(row) + ", and only " +
                            std::to_string(digit - detail::lowest_digit(row)) + " are given",
                        token.column + token.text.size());
        return true;
    }

    static std::string row_name(int row) {
        const int length = detail::highest_digit(row) - detail::lowest_digit(row) + 1;
        return "row " + std::string(1, static_cast<char>('e' + row)) + " has " +
               std::to_string(length) + " cells";
    }
    bool unknown_letter(char c, std::size_t column) {
        if (colour_of(c, 4) != NOBODY)
            return fail(std::string(COLOUR_NAMES[colour_of(c, 4)]) + " doesn't play in mode " +
                            std::string(MODE),
                        column);
        return fail("'" + std::string(1, c) + "' is neither a marble (b, w, r, u) nor a digit",
                    column);
    }

    bool read_turn(Token token) {
        const int colour =
            token.text.size() == 1 ? colour_of(token.text[0], Board<M>::COLOURS) : NOBODY;
        if (colour == NOBODY)
            return fail("the player to move is one of " +
                            std::string(LETTERS.substr(0, Board<M>::COLOURS)) + " in mode " +
                            std::string(MODE) + ", not " + quoted(token.text),
                        token.column);
        board.tally.set_turn(colour);
        return true;
    }

    bool read_captured(Token token) {
        const std::vector<Token> counts = split(token.text, ',');
        if (counts.size() != Board<M>::SIDES)
            return fail("mode " + std::string(MODE) + " has " + std::to_string(Board<M>::SIDES) +
                            " counts of ejected marbles, parted by commas, not " +
                            quoted(token.text),
                        token.column);
        for (int s = 0; s < Board<M>::SIDES; ++s) {
            const Token& count = counts[static_cast<std::size_t>(s)];
            std::uint32_t n = 0;
            if (!read_number({count.text, token.column + count.column - 1},
                             "a count of ejected marbles", CELLS, n))
                return false;
            board.tally.set_captured(s, static_cast<int>(n));
        }
        return true;
    }

    bool check_plies(Token quiet_token, Token ply_token, std::uint32_t quiet, std::uint32_t ply) {
        if (ply == 0) return fail("plies count from 1", ply_token.column);
        if (quiet >= ply) return fail("more quiet plies than have been played", quiet_token.column);
        return true;
    }

    // A 15th marble belongs only to a game for two in which both began with 15.
    bool check_marbles(Token rows) {
        int most = max_marbles(M);
        if constexpr (M == Mode::two) {
            const int black = std::popcount(board.marbles[0]) + board.tally.captured(1);
            const int white = std::popcount(board.marbles[1]) + board.tally.captured(0);
            if (std::min(black, white) >= LARGEST_START) most = LARGEST_START;
        }
        for (int c = 0; c < Board<M>::COLOURS; ++c)
            if (std::popcount(board.marbles[c]) > most)
                return fail("more than " + std::to_string(most) + " " +
                                std::string(COLOUR_NAMES[c]) + " marbles",
                            rows.column);
        return true;
    }

    bool read_out(Token token) {
        if constexpr (M == Mode::two) return fail("nobody is out in mode two", token.column);
        if (!token.text.starts_with("out:"))
            return fail(quoted(token.text) + " is more than a position has", token.column);
        if (token.text.size() == 4) return fail("'out:' names nobody", token.column);
        int last = NOBODY;
        for (std::size_t i = 4; i < token.text.size(); ++i) {
            const int colour = colour_of(token.text[i], Board<M>::COLOURS);
            if (colour == NOBODY) return unknown_letter(token.text[i], token.column + i);
            if (colour <= last)
                return fail("players who are out stand once each, in the order b, w, r, u",
                            token.column + i);
            last = colour;
            board.tally.set_out(board.tally.out() | 1u << colour);
        }
        if (board.tally.out() == (1u << Board<M>::COLOURS) - 1)
            return fail("everybody is out", token.column);
        if (board.is_out(board.turn()))
            return fail(std::string(COLOUR_NAMES[board.turn()]) + " is to move but out",
                        token.column);
        return true;
    }
};

} // namespace

std::optional<BoardVariant> parse_board(std::string_view text, std::string& why) {
    const std::vector<Token> fields = split(text, ' ');
    const auto fail = [&](const std::string& what, std::size_t column) {
        why = what + " (column " + std::to_string(column) + ")";
        return std::nullopt;
    };
    for (const Token& field : fields)
        if (field.text.empty()) return fail("fields have one blank between them", field.column);
    if (fields.size() < 5)
        return fail("a position is rows, turn, captured, quiet, ply and a mode unless it is two; " +
                        std::to_string(fields.size()) + " of these are given",
                    text.size() + 1);
    if (fields.size() > 7)
        return fail(quoted(fields[7].text) + " is more than a position has", fields[7].column);
    const auto mode = fields.size() == 5 ? Mode::two : mode_named(fields[5].text);
    if (!mode)
        return fail(quoted(fields[5].text) +
                        " is not a mode; modes are two, three, teams and teams-double",
                    fields[5].column);
    switch (*mode) {
    case Mode::two:
        return PositionReader<Mode::two>(why).read(fields);
    case Mode::three:
        return PositionReader<Mode::three>(why).read(fields);
    case Mode::teams:
        return PositionReader<Mode::teams>(why).read(fields);
    default:
        return PositionReader<Mode::teams_double>(why).read(fields);
    }
}

template <Mode M>
std::string board_text(const Board<M>& board) {
    std::string text;
    for (int row = 4; row >= -4; --row) {
        int gap = 0;
        const auto close_gap = [&] {
            if (gap) text += static_cast<char>('0' + gap);
            gap = 0;
        };
        for (int g = detail::lowest_digit(row); g <= detail::highest_digit(row); ++g) {
            const Bits cell = bit(detail::cell_at(row, g));
            int colour = 0;
            while (colour < Board<M>::COLOURS && !(board.marbles[colour] & cell)) ++colour;
            if (colour == Board<M>::COLOURS) {
                ++gap;
            } else {
                close_gap();
                text += LETTERS[colour];
            }
        }
        close_gap();
        if (row > -4) text += '/';
    }
    text += ' ';
    text += LETTERS[board.turn()];
    for (int s = 0; s < Board<M>::SIDES; ++s)
        text += (s ? "," : " ") + std::to_string(board.tally.captured(s));
    text += ' ' + std::to_string(board.tally.quiet()) + ' ' + std::to_string(board.tally.ply());
    if (M != Mode::two) text += ' ' + std::string(name(M));
    if (board.tally.out()) {
        text += " out:";
        for (int c = 0; c < Board<M>::COLOURS; ++c)
            if (board.is_out(c)) text += LETTERS[c];
    }
    return text;
}

template std::string board_text(const Board<Mode::two>&);
template std::string board_text(const Board<Mode::three>&);
template std::string board_text(const Board<Mode::teams>&);
template std::string board_text(const Board<Mode::teams_double>&);

} // namespace sumito
