// Kernel tests: known leaf counts, random games of every mode and rule option against the reference
// rules, invalid position texts.
#include "tests/check.hpp"
#include "tests/reference_rules.hpp"
#include "tests/start_positions.hpp"

#include <random>

using namespace sumito;

namespace {

void leaf_counts() {
    const struct {
        const char* text;
        std::vector<std::uint64_t> leaves;
    } known[] = {
        {start_positions::STANDARD, {44, 1936, 98912, 5045110}},
        {start_positions::BELGIAN, {52, 2692, 149322, 8270666}},
        {start_positions::GERMAN, {80, 6244, 493480}},
        {start_positions::THREE, {40, 1587, 62440}},
        {start_positions::TEAMS, {43, 1696, 71767}},
        {start_positions::TEAMS_DOUBLE, {43, 1849, 71767}},
    };
    for (const auto& [text, leaves] : known)
        for (std::size_t depth = 1; depth <= leaves.size(); ++depth) {
            const Position position(text);
            CHECK_EQUAL(position.perft(static_cast<int>(depth), PerftMode::bulk),
                        leaves[depth - 1]);
            CHECK_EQUAL(position.perft(static_cast<int>(depth), PerftMode::full),
                        leaves[depth - 1]);
        }
}

std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }

// Compares every position of a random game: all 1,272 moves, and the effect of the chosen one.
void compare_game(const char* start, const Rules& rules, unsigned seed, int plies) {
    std::mt19937 random(seed);
    Position position(start, rules);
    for (int ply = 0; ply < plies && !position.outcome(); ++ply) {
        const std::string before = position.text();
        const reference::Grid grid(first_word(before), position.mode(), LETTERS[position.turn()]);
        const auto effects =
            reference::effects(grid, rules.partner_sidestep == PartnerSideStep::any);
        CHECK_EQUAL(effects.size(), std::size_t{MOVES});
        std::vector<int> expected;
        std::vector<int> ejecting;
        for (int i = 0; i < MOVES; ++i) {
            if (effects[i].moved.empty()) continue;
            expected.push_back(i);
            reference::Grid after = grid;
            if (after.move(effects[i].moved, effects[i].direction)) ejecting.push_back(i);
        }
        const std::vector<int> legal = position.legal();
        CHECK(legal == expected);
        CHECK_EQUAL(position.count(), static_cast<int>(expected.size()));
        if (legal != expected || legal.empty()) return;

        const bool eject = !ejecting.empty() && random() % 3;
        const auto& choice = eject ? ejecting : expected;
        const int index = choice[random() % choice.size()];
        reference::Grid after = grid;
        const int out = after.move(effects[index].moved, effects[index].direction);
        const auto captured = position.captured();
        const int side = side_of(position.mode(), position.turn());
        const Key hash = position.hash();
        position.push(index);
        CHECK_EQUAL(first_word(position.text()), after.rows());
        CHECK_EQUAL(position.captured()[side], captured[side] + out);
        CHECK_EQUAL(position.quiet() == 0, out > 0);
        CHECK(position.hash() != hash);
        CHECK_EQUAL(Position(position.text(), rules).text(), position.text());
        position.pop();
        CHECK_EQUAL(position.text(), before);
        CHECK_EQUAL(position.hash(), hash);
        position.push(index);
    }
}

void random_games() {
    const char* all[] = {start_positions::STANDARD, start_positions::BELGIAN,
                         start_positions::GERMAN,   start_positions::THREE,
                         start_positions::TEAMS,    start_positions::TEAMS_DOUBLE};
    for (const char* start : all)
        for (unsigned seed = 0; seed < 6; ++seed) {
            Rules rules;
            compare_game(start, rules, seed, 150);
            rules.partner_sidestep = PartnerSideStep::none;
            rules.win_at = 9;
            compare_game(start, rules, seed + 100, 100);
        }
}

void numbering() {
    CHECK_EQUAL(move_name(0), "a1a2");
    CHECK_EQUAL(move_name(IN_LINE_MOVES), "a1a2b2");
    CHECK_EQUAL(move_name(MOVES - 1), "i8i9h8");
    CHECK_EQUAL(IN_LINE_MOVES, 312);
}

std::string error_of(const char* text) {
    try {
        const Position position(text);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

void bad_texts() {
    const auto says = [](const char* text, const char* what) {
        const std::string error = error_of(text);
        if (error.find(what) == std::string::npos) {
            std::cerr << text << ": says '" << error << "', not '" << what << "'\n";
            ++failures;
        }
    };
    says("", "fields have one blank between them (column 1)");
    says("5/6/7/8/9/8/7/6/5 b 0,0", "3 of these are given");
    says("wwwwww/6/7/8/9/8/7/6/5 b 0,0 0 1", "row i has 5 cells, and this is more (column 6)");
    says("wwww/6/7/8/9/8/7/6/5 b 0,0 0 1", "row i has 5 cells, and only 4 are given (column 5)");
    says("5/6/7/8/9/8/7/6/5/1 b 0,0 0 1", "begins a tenth");
    says("5/6/7/8/9/8/7/6 b 0,0 0 1", "the rows end at row b");
    says("5/6/7/8/9/8/7/6/4x b 0,0 0 1", "'x' is neither");
    says("5/6/7/8/9/8/7/6/4r b 0,0 0 1", "red doesn't play in mode two");
    says("5/6/7/8/9/8/7/6/5 r 0,0 0 1", "the player to move is one of bw");
    says("5/6/7/8/9/8/7/6/5 b 0,0,0 0 1", "mode two has 2 counts");
    says("5/6/7/8/9/8/7/6/5 b 0,x 0 1", "a count of ejected marbles is a whole number");
    says("5/6/7/8/9/8/7/6/5 b 0,0 -1 1", "quiet plies is a whole number");
    says("5/6/7/8/9/8/7/6/5 b 0,0 0 0", "plies count from 1");
    says("11111/6/7/8/9/8/7/6/5 b 0,0 0 1", "should be one (column 2)");
    says("5/6/7/8/9/8/7/6/5 b 00,0 0 1", "is a whole number, not '00'");
    says("5/6/7/8/9/8/7/6/5 b 0,0 0 01", "the ply is a whole number, not '01'");
    says("5/6/7/8/9/8/7/6/5  b 0,0 0 1", "one blank between them (column 19)");
    says("5/6/7/8/9/8/7/6/5 b 62,0 0 1", "is at most 61");
    says("5/6/7/8/9/8/7/6/5 b 0,0 0 1000001", "is at most 1000000");
    says("5/6/7/8/9/8/7/6/5 b 0,0 0 1 four", "'four' is not a mode");
    says("5/6/7/8/9/8/7/6/5 b 0,0,0 0 1 three x", "'x' is more than a position has");
    says("bbbbb/bbbbbb/bbbbb2/8/9/8/7/6/5 b 0,0 0 1", "more than 14 black marbles");
    says("5/6/7/8/9/8/7/6/5 r 0,0,0 0 1 three out:r", "red is to move but out");
    says("5/6/7/8/9/8/7/6/5 b 0,0 0 1 two out:w", "nobody is out in mode two");
}

// Mutated position texts are either refused with an error or read and written unchanged.
void fuzzed_texts() {
    const char* good[] = {start_positions::STANDARD, start_positions::THREE, start_positions::TEAMS,
                          "b4/6/7/8/w8/8/7/6/r4 b 0,0,0 0 9 three out:w"};
    const std::string alphabet = "bwru/123456789 0,out:thremsdl-x\n";
    std::mt19937 random(17);
    int taken = 0;
    for (int i = 0; i < 60000; ++i) {
        std::string text = good[random() % 4];
        for (unsigned changes = 1 + random() % 3; changes; --changes) {
            const std::size_t at = random() % text.size();
            const char c =
                random() % 50 ? alphabet[random() % alphabet.size()] : static_cast<char>(random());
            switch (random() % 3) {
            case 0:
                text[at] = c;
                break;
            case 1:
                text.insert(at, 1, c);
                break;
            default:
                text.erase(at, 1);
            }
        }
        std::string why;
        const auto board = parse_board(text, why);
        CHECK(board.has_value() == why.empty());
        if (!board) continue;
        ++taken;
        const std::string again =
            std::visit([](const auto& board) { return board_text(board); }, *board);
        if (again != text) CHECK_EQUAL(text, again + " two"); // the one field that may be left out
    }
    CHECK(taken > 100);
}

void endings() {
    Rules rules;
    rules.win_at = 1;
    // Two black marbles beside one white at the rim: a push ejects it and wins at once.
    Position push("5/6/7/8/6bbw/8/7/6/w4 b 0,0 3 7", rules);
    const std::vector<int> before = push.legal();
    for (const int index : before) {
        push.push(index);
        if (push.captured()[0] == 1) {
            CHECK(push.outcome().reason == Reason::ejected);
            CHECK_EQUAL(push.outcome().winner, 0);
            CHECK_EQUAL(push.count(), 0);
            CHECK_EQUAL(push.text(), "5/6/7/8/7bb/8/7/6/w4 w 1,0 0 8");
        }
        push.pop();
    }
    CHECK(push.legal() == before);

    // Shut in a corner by rows that can't be pushed.
    const char* shut = "5/6/7/8/9/8/bbb4/bbb3/wbbb1 w 0,0 0 9";
    CHECK(Position(shut).outcome().reason == Reason::no_move);
    CHECK_EQUAL(Position(shut).outcome().winner, 0);
    Rules draws;
    draws.stuck = Stuck::draws;
    CHECK_EQUAL(Position(shut, draws).outcome().winner, NOBODY);

    // In `three`, the last player left wins, and turns pass over eliminated ones.
    CHECK(Position("b4/6/7/8/w8/8/7/6/r4 b 0,0,0 0 9 three out:wr").outcome().reason ==
          Reason::last_in);
    Position skip("b4/6/7/8/w8/8/7/6/r4 b 0,0,0 0 9 three out:w");
    skip.push(skip.legal().front());
    CHECK_EQUAL(skip.turn(), 2);

    Rules limit;
    limit.ply_limit = 10;
    Position late("5/6/7/8/6bb1/8/7/6/w4 b 0,1 3 10", limit);
    CHECK(!late.outcome());
    late.push(late.legal().front());
    CHECK(late.outcome().reason == Reason::ply_limit);
    CHECK_EQUAL(late.outcome().winner, 1);
}

void repetition() {
    Rules rules;
    rules.repetition = 3;
    Position position("5/6/7/8/6bb1/8/7/6/w4 b 0,0 0 1", rules);
    const auto play = [&](const char* name) {
        for (int i = 0; i < MOVES; ++i)
            if (move_name(i) == name) return position.push(i);
        CHECK(false);
    };
    for (int round = 0; round < 2; ++round)
        for (const char* name : {"e7f8", "a1b2", "f8e7", "b2a1"}) {
            CHECK(!position.outcome());
            play(name);
        }
    CHECK(position.outcome().reason == Reason::repetition);
    CHECK_EQUAL(position.count(), 0);
    position.pop();
    CHECK(!position.outcome());
    CHECK_EQUAL(position.perft(1, PerftMode::bulk), static_cast<std::uint64_t>(position.count()));
}

} // namespace

int main() {
    numbering();
    leaf_counts();
    random_games();
    bad_texts();
    fuzzed_texts();
    endings();
    repetition();
    if (failures)
        std::cerr << failures << " failed\n";
    else
        std::cout << "kernel: all passed\n";
    return failures != 0;
}
