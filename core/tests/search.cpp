// Search tests: forced wins with their distance, limits, rules, determinism, threads, matches.
#include "lab/match.hpp"
#include "search/bench.hpp"
#include "tests/check.hpp"
#include "tests/start_positions.hpp"

using namespace sumito;

namespace {

int number_of(const std::string& name) {
    for (int i = 0; i < MOVES; ++i)
        if (move_name(i) == name) return i;
    return -1;
}

Limits to_depth(int depth) {
    Limits limits;
    limits.depth = depth;
    return limits;
}

Limits with_nodes(std::uint64_t nodes) {
    Limits limits;
    limits.nodes = nodes;
    return limits;
}

void wins_at_once() {
    Searcher searcher(1, 1);
    Position position("5/6/7/8/5bbbw/8/7/6/ww3 b 5,0 0 31");
    const Result result = searcher.search(position, to_depth(4));
    CHECK_EQUAL(result.score, WIN - 1);
    position.push(result.best);
    CHECK_EQUAL(position.outcome().winner, 0);
}

// White's marble at a5 can't get away from the rim in time: a win in three plies.
void wins_in_three() {
    Searcher searcher(1, 1);
    Position position("5/6/w6/4w1b1/9/w7/3bb2/3b1b/4w b 5,5 0 31");
    const Result now = searcher.search(position, to_depth(8));
    CHECK_EQUAL(now.score, WIN - 3);
    // Played out with best replies, the win comes at the predicted ply.
    int plies = 0;
    for (; plies < 10 && !position.outcome(); ++plies)
        position.push(searcher.search(position, to_depth(8)).best);
    CHECK_EQUAL(position.outcome().winner, 0);
    CHECK_EQUAL(plies, 3);
}

void respects_the_win_rule() {
    Searcher searcher(1, 1);
    Rules rules;
    rules.win_at = 2;
    const char* text = "5/6/7/8/5bbbw/8/7/6/ww3 b 1,0 0 31";
    CHECK_EQUAL(searcher.search(Position(text, rules), to_depth(3)).score, WIN - 1);
    CHECK(searcher.search(Position(text), to_depth(3)).score < PROVEN);
}

// At the last ply before the limit a lead is a win.
void respects_the_ply_limit() {
    Searcher searcher(1, 1);
    Rules rules;
    rules.ply_limit = 60;
    const Position position("5/6/7/8/4bb3/8/7/6/ww3 b 2,1 5 60", rules);
    CHECK_EQUAL(searcher.search(position, to_depth(4)).score, WIN - 1);
}

void repetition_is_a_draw() {
    Rules rules;
    rules.repetition = 3;
    Position position("5/6/7/8/4bbb2/8/7/6/5 b 0,0 0 1", rules);
    // White has nothing to move: the game is over and there is nothing to search.
    position.push(number_of("e5e6"));
    Searcher searcher(1, 1);
    CHECK_EQUAL(searcher.search(position, to_depth(3)).best, -1);
}

// Ply limit and repetition are detected at leaves, too.
void leaves_detect_game_end() {
    Searcher searcher(1, 1);
    searcher.tuning.contempt = 0;
    Rules rules;
    rules.ply_limit = 60;
    const Position last("5/6/7/8/4bb3/8/7/6/ww3 b 2,1 5 60", rules);
    CHECK_EQUAL(searcher.search(last, to_depth(1)).score, WIN - 1);

    rules.ply_limit = 0;
    rules.repetition = 3;
    Position again("5/6/7/8/4bb3/8/7/6/ww3 b 4,1 5 60", rules);
    for (const char* name : {"e5d4", "a1b2", "d4e5", "b2a1", "e5d4", "a1b2", "d4e5"})
        again.push(number_of(name));
    Limits limits = to_depth(1);
    limits.searchmoves = {number_of("b2a1")};
    CHECK_EQUAL(searcher.search(again, limits).score, 0);
    // Where the rules know no repetition, the search knows none.
    Position free("5/6/7/8/4bb3/8/7/6/ww3 b 4,1 5 60");
    for (const char* name : {"e5d4", "a1b2", "d4e5", "b2a1", "e5d4", "a1b2", "d4e5"})
        free.push(number_of(name));
    CHECK(searcher.search(free, limits).score < -500);
}

// In `three` a win is proven only if neither opponent can prevent it.
void three_proves_only_certain_wins() {
    Searcher searcher(1, 4);
    const Position unsure("3br/4br/5bw/5wrw/9/8/7/6/5 b 5,5,5 0 1 three");
    for (int depth = 1; depth <= 6; ++depth)
        CHECK(searcher.search(unsure, to_depth(depth)).score < PROVEN);
    const Position sure("5/6/7/8/5bbbw/8/7/6/rr3 b 5,0,0 0 31 three");
    CHECK_EQUAL(searcher.search(sure, to_depth(4)).score, WIN - 1);
}

// Table entries of one mode are not used in another.
void table_separates_modes() {
    const auto search_result = [](Searcher& searcher, const char* text) {
        const Result found = searcher.search(Position(text), to_depth(6));
        return std::pair{found.nodes, found.score};
    };
    Searcher fresh(1, 4);
    Searcher used(1, 4);
    search_result(used, start_positions::TEAMS);
    CHECK(search_result(used, start_positions::TEAMS_DOUBLE) ==
          search_result(fresh, start_positions::TEAMS_DOUBLE));
}

// Nor those of another contempt: every variation here ends in a repetition.
void table_separates_contempt() {
    Rules rules;
    rules.repetition = 2;
    const Position position("5/6/7/8/9/8/b6/wb4/bw3 b 3,3 0 9", rules);
    Searcher searcher(1, 1);
    searcher.tuning.contempt = 5000;
    searcher.search(position, to_depth(8));
    searcher.tuning.contempt = 0;
    Searcher fresh(1, 1);
    fresh.tuning.contempt = 0;
    CHECK_EQUAL(searcher.search(position, to_depth(3)).score,
                fresh.search(position, to_depth(3)).score);
}

void search_is_deterministic() {
    for (const char* text :
         {start_positions::BELGIAN, start_positions::THREE, start_positions::TEAMS}) {
        Searcher searcher(1, 4);
        const Position position(text);
        const Result one = searcher.search(position, with_nodes(20000));
        searcher.clear();
        const Result two = searcher.search(position, with_nodes(20000));
        CHECK_EQUAL(one.best, two.best);
        CHECK_EQUAL(one.score, two.score);
        CHECK_EQUAL(one.nodes, two.nodes);
        CHECK(one.pv == two.pv);
        CHECK(one.nodes < 20200); // checked at every inner node, not at every leaf
    }
    CHECK_EQUAL(bench(6).nodes, bench(6).nodes);
}

// Variations are legal to their end, and those of several ranks start with different moves.
void variations_are_legal() {
    for (const char* text :
         {start_positions::STANDARD, start_positions::BELGIAN, start_positions::THREE,
          start_positions::TEAMS, start_positions::TEAMS_DOUBLE}) {
        Searcher searcher(1, 4);
        Limits limits = to_depth(6);
        limits.multipv = 3;
        const Result result = searcher.search(Position(text), limits);
        CHECK_EQUAL(result.lines.size(), std::size_t{3});
        for (const Info& line : result.lines) {
            Position position(text);
            for (const int move : line.pv) position.push(move); // throws if illegal
            CHECK(!line.pv.empty());
        }
        CHECK(result.lines[0].score >= result.lines[1].score);
        CHECK(result.lines[1].score >= result.lines[2].score);
        CHECK(result.lines[0].pv[0] != result.lines[1].pv[0]);
        CHECK(result.lines[1].pv[0] != result.lines[2].pv[0]);
    }
}

void searchmoves_are_obeyed() {
    Searcher searcher(1, 1);
    Limits limits = to_depth(5);
    limits.searchmoves = {number_of("b1c2")};
    CHECK_EQUAL(move_name(searcher.search(Position(start_positions::STANDARD), limits).best),
                "b1c2");
}

void stops_on_request() {
    for (const int threads : {1, 3}) {
        Searcher searcher(threads, 4);
        std::thread other;
        std::atomic<bool> begun{false};
        other = std::thread([&] {
            while (!begun) std::this_thread::yield();
            searcher.stop();
        });
        SearchMonitor monitor;
        monitor.on_info = [&](const Info&) { begun = true; };
        const Result result =
            searcher.search(Position(start_positions::BELGIAN), Limits{}, {}, monitor);
        other.join();
        CHECK(result.best >= 0);
    }
}

void match_plays_and_cancels() {
    MatchConfig config;
    config.players[0].limits = with_nodes(500);
    config.players[0].hash_mb = 1;
    config.players[1].kind = PlayerKind::random;
    config.openings = {start_positions::BELGIAN};
    config.rules.repetition = 3;
    config.rules.ply_limit = 300;
    config.games = 4;
    Match match(config);
    match.wait();
    CHECK_EQUAL(match.score().wins, 4);
    const auto games = match.games();
    CHECK_EQUAL(games.size(), std::size_t{4});
    for (const GameRecord& game : games) {
        Position position(game.start, config.rules);
        for (const int move : game.moves) position.push(move);
        CHECK_EQUAL(position.outcome().winner, game.outcome.winner);
    }
    config.games = 1000000;
    Match endless(config);
    endless.cancel();
    endless.wait();
    CHECK(endless.done());
}

// In every mode the engine beats random players from each seat.
void beats_random_in_every_mode() {
    for (const char* text :
         {start_positions::THREE, start_positions::TEAMS, start_positions::TEAMS_DOUBLE}) {
        MatchConfig config;
        config.players[0].limits = with_nodes(600);
        config.players[0].hash_mb = 1;
        config.players[1].kind = PlayerKind::random;
        config.openings = {text};
        config.rules.repetition = 3;
        config.rules.ply_limit = 600;
        config.games = 2;
        Match match(config);
        match.wait();
        CHECK_EQUAL(match.score().wins, 2);
    }
}

// Levels make errors, the same ones for the same seed.
void handicaps_are_repeatable() {
    Handicap handicap;
    handicap.noise = 100;
    handicap.blindness = 300;
    handicap.depth = 3;
    std::vector<int> moves;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        handicap.seed = seed;
        Searcher searcher(1, 1);
        const int one =
            searcher.search(Position(start_positions::BELGIAN), Limits{}, handicap).best;
        searcher.clear();
        CHECK_EQUAL(searcher.search(Position(start_positions::BELGIAN), Limits{}, handicap).best,
                    one);
        moves.push_back(one);
    }
    CHECK(std::count(moves.begin(), moves.end(), moves[0]) < 6);
}

} // namespace

int main() {
    wins_at_once();
    wins_in_three();
    respects_the_win_rule();
    respects_the_ply_limit();
    repetition_is_a_draw();
    leaves_detect_game_end();
    three_proves_only_certain_wins();
    table_separates_modes();
    table_separates_contempt();
    search_is_deterministic();
    variations_are_legal();
    searchmoves_are_obeyed();
    stops_on_request();
    match_plays_and_cancels();
    beats_random_in_every_mode();
    handicaps_are_repeatable();
    if (failures)
        std::cerr << failures << " failed\n";
    else
        std::cout << "search: all passed\n";
    return failures != 0;
}
