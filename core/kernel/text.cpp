// Reading and writing of position texts.
#include "kernel/text.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace sumito {

namespace {

struct Token {
    std::string_view text;
    std::size_t column; // from 1
};

[[noreturn]] void fail(const std::string& what, std::size_t column) {
    throw PositionError(what + " (column " + std::to_string(column) + ")");
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::vector<Token> split(std::string_view text) {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == ' ') {
            ++i;
            continue;
        }
        const std::size_t end = std::min(text.find(' ', i), text.size());
        tokens.push_back({text.substr(i, end - i), i + 1});
        i = end;
    }
    return tokens;
}

std::uint32_t number(Token token, std::string_view what, std::uint32_t most) {
    std::uint32_t value = 0;
    const auto [end, error] =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    if (error != std::errc{} || end != token.text.data() + token.text.size())
        fail(std::string(what) + " is a whole number, not " + quoted(token.text), token.column);
    if (value > most)
        fail(std::string(what) + " is at most " + std::to_string(most) + ", not " +
                 quoted(token.text),
             token.column);
    return value;
}

int colour_of(char letter, int colours) {
    const auto at = LETTERS.find(letter);
    return at < static_cast<std::size_t>(colours) ? static_cast<int>(at) : NOBODY;
}

template <Mode M>
class Reader {
  public:
    Board<M> read(const std::vector<Token>& tokens) {
        read_rows(tokens[0]);
        read_turn(tokens[1]);
        read_captured(tokens[2]);
        constexpr std::uint32_t most = 1'000'000;
        board.tally.set_quiet(number(tokens[3], "the count of quiet plies", most));
        board.tally.set_ply(number(tokens[4], "the ply", most));
        if (board.tally.ply() == 0) fail("plies count from 1", tokens[4].column);
        if (board.tally.quiet() >= board.tally.ply())
            fail("more quiet plies than have been played", tokens[3].column);
        if (tokens.size() > 5 && tokens.back().text.starts_with("out:")) read_out(tokens.back());
        return board;
    }

  private:
    static constexpr std::string_view MODE = MODE_NAMES[static_cast<int>(M)];
    Board<M> board{};

    void read_rows(Token token) {
        int row = 4;
        int digit = detail::lowest_digit(row);
        for (std::size_t i = 0; i < token.text.size(); ++i) {
            const char c = token.text[i];
            const std::size_t column = token.column + i;
            if (c == '/') {
                end_row(row, digit, column);
                if (--row < -4)
                    fail("there are nine rows, i down to a, and this begins a tenth", column);
                digit = detail::lowest_digit(row);
            } else if (c >= '1' && c <= '9') {
                digit += c - '0';
                check_length(row, digit, column);
            } else {
                const int colour = colour_of(c, Board<M>::COLOURS);
                if (colour == NOBODY) unknown_letter(c, column);
                check_length(row, ++digit, column);
                board.marbles[colour] |= bit(detail::cell_at(row, digit - 1));
                if (std::popcount(board.marbles[colour]) > most_marbles(M))
                    fail("more than " + std::to_string(most_marbles(M)) + " " +
                             std::string(COLOUR_NAMES[colour]) + " marbles",
                         column);
            }
        }
        const std::size_t end = token.column + token.text.size();
        end_row(row, digit, end);
        if (row != -4)
            fail("the rows end at row " + std::string(1, static_cast<char>('e' + row)) +
                     "; nine are needed, i down to a",
                 end);
    }

    static int length(int row) {
        return detail::highest_digit(row) - detail::lowest_digit(row) + 1;
    }
    static std::string row_name(int row) {
        return "row " + std::string(1, static_cast<char>('e' + row)) + " has " +
               std::to_string(length(row)) + " cells";
    }
    static void check_length(int row, int digit, std::size_t column) {
        if (digit > detail::highest_digit(row) + 1)
            fail(row_name(row) + ", and this is more", column);
    }
    static void end_row(int row, int digit, std::size_t column) {
        if (digit != detail::highest_digit(row) + 1)
            fail(row_name(row) + ", and only " + std::to_string(digit - detail::lowest_digit(row)) +
                     " are given",
                 column);
    }
    [[noreturn]] static void unknown_letter(char c, std::size_t column) {
        if (colour_of(c, 4) != NOBODY)
            fail(std::string(COLOUR_NAMES[colour_of(c, 4)]) + " doesn't play in mode " +
                     std::string(MODE),
                 column);
        fail("'" + std::string(1, c) + "' is neither a marble (b, w, r, u) nor a digit", column);
    }

    void read_turn(Token token) {
        const int colour =
            token.text.size() == 1 ? colour_of(token.text[0], Board<M>::COLOURS) : NOBODY;
        if (colour == NOBODY)
            fail("the player to move is one of " +
                     std::string(LETTERS.substr(0, Board<M>::COLOURS)) + " in mode " +
                     std::string(MODE) + ", not " + quoted(token.text),
                 token.column);
        board.tally.set_turn(colour);
    }

    void read_captured(Token token) {
        const auto commas = std::count(token.text.begin(), token.text.end(), ',');
        if (commas + 1 != Board<M>::SIDES)
            fail("mode " + std::string(MODE) + " has " + std::to_string(Board<M>::SIDES) +
                     " counts of ejected marbles, parted by commas, not " + quoted(token.text),
                 token.column);
        std::size_t start = 0;
        for (int s = 0; s < Board<M>::SIDES; ++s) {
            const std::size_t end = std::min(token.text.find(',', start), token.text.size());
            const Token part{token.text.substr(start, end - start), token.column + start};
            board.tally.set_captured(
                s, static_cast<int>(number(part, "a count of ejected marbles", 61)));
            start = end + 1;
        }
    }

    void read_out(Token token) {
        if constexpr (M == Mode::two) fail("nobody is out in mode two", token.column);
        if (token.text.size() == 4) fail("'out:' names nobody", token.column);
        for (std::size_t i = 4; i < token.text.size(); ++i) {
            const int colour = colour_of(token.text[i], Board<M>::COLOURS);
            if (colour == NOBODY) unknown_letter(token.text[i], token.column + i);
            if (board.is_out(colour))
                fail(std::string(COLOUR_NAMES[colour]) + " is out twice", token.column + i);
            board.tally.set_out(board.tally.out() | 1u << colour);
        }
        if (board.tally.out() == (1u << Board<M>::COLOURS) - 1)
            fail("everybody is out", token.column);
        if (board.is_out(board.turn()))
            fail(std::string(COLOUR_NAMES[board.turn()]) + " is to move but out", token.column);
    }
};

Mode mode_of(const std::vector<Token>& tokens) {
    if (tokens.size() == 5 || (tokens.size() == 6 && tokens[5].text.starts_with("out:")))
        return Mode::two;
    if (const auto mode = mode_named(tokens[5].text)) return *mode;
    fail(quoted(tokens[5].text) + " is not a mode; modes are two, three, teams and teams-double",
         tokens[5].column);
}

} // namespace

AnyBoard parse_board(std::string_view text) {
    const std::vector<Token> tokens = split(text);
    if (tokens.size() < 5)
        fail("a position is rows, turn, captured, quiet, ply and a mode unless it is two; " +
                 std::to_string(tokens.size()) + " of these are given",
             text.size() + 1);
    if (tokens.size() > 7 || (tokens.size() == 7 && !tokens[6].text.starts_with("out:"))) {
        const Token& extra = tokens[tokens.size() > 7 ? 7 : 6];
        fail(quoted(extra.text) + " is more than a position has", extra.column);
    }
    switch (mode_of(tokens)) {
    case Mode::two:
        return Reader<Mode::two>().read(tokens);
    case Mode::three:
        return Reader<Mode::three>().read(tokens);
    case Mode::teams:
        return Reader<Mode::teams>().read(tokens);
    default:
        return Reader<Mode::teams_double>().read(tokens);
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
