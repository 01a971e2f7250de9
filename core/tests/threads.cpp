// Concurrency tests: stopping searches, limits over several threads, cancelling and waiting for
// matches, contention on the table, small stacks. Also run under the thread sanitizer.
#include "env/thread_pool.hpp"
#include "lab/match.hpp"
#include "search/transposition_table.hpp"
#include "tests/check.hpp"
#include "tests/start_positions.hpp"

#include <set>

#if __has_include(<pthread.h>)
#include <pthread.h>
#endif

using namespace sumito;

namespace {

Limits with_nodes(std::uint64_t nodes) {
    Limits limits;
    limits.nodes = nodes;
    return limits;
}

SearchMonitor stopped_by(const Stop& stop) {
    SearchMonitor monitor;
    monitor.stop = &stop;
    return monitor;
}

// A stop before the search starts is not lost, and there is still an answer.
void stops_before_it_starts() {
    for (const int threads : {1, 2}) {
        Searcher searcher(threads, 1);
        Stop stop;
        stop.set();
        const Result result =
            searcher.search(Position(start_positions::BELGIAN), Limits{}, {}, stopped_by(stop));
        CHECK(result.best >= 0);
        CHECK_EQUAL(result.depth, 1);
    }
}

void stops_at_any_time() {
    Searcher searcher(2, 1);
    for (int delay = 0; delay < 20; ++delay) {
        Stop stop;
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::microseconds(delay * 300));
            stop.set();
        });
        CHECK(searcher.search(Position(start_positions::BELGIAN), Limits{}, {}, stopped_by(stop))
                  .best >= 0);
        other.join();
    }
}

void stops_when_monitor_says_so() {
    Searcher searcher(1, 1);
    int search_result = 0;
    SearchMonitor monitor;
    monitor.should_continue = [&] { return ++search_result < 3; };
    CHECK(searcher.search(Position(start_positions::BELGIAN), Limits{}, {}, monitor).best >= 0);
    CHECK_EQUAL(search_result, 3);
    monitor.should_continue = []() -> bool { throw std::runtime_error("enough"); };
    bool thrown = false;
    try {
        searcher.search(Position(start_positions::BELGIAN), Limits{}, {}, monitor);
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    CHECK(thrown);
    CHECK(searcher.search(Position(start_positions::BELGIAN), with_nodes(1000)).best >= 0);
}

void counts_the_nodes_of_all_threads() {
    for (const int threads : {1, 3}) {
        Searcher searcher(threads, 1);
        const Result result =
            searcher.search(Position(start_positions::BELGIAN), with_nodes(30000));
        CHECK(result.nodes < 30000 + 600u * static_cast<unsigned>(threads));
    }
}

// However a multi-PV search is cut short, its variations start differently and are in order.
void interrupted_multipv_is_consistent() {
    Searcher searcher(1, 1);
    Limits limits;
    limits.multipv = 4;
    for (limits.nodes = 50; limits.nodes < 6000; limits.nodes += 97) {
        searcher.clear();
        const Result result = searcher.search(Position(start_positions::BELGIAN), limits);
        CHECK_EQUAL(result.lines.size(), std::size_t{4});
        std::set<int> firsts;
        for (const Info& line : result.lines) {
            firsts.insert(line.pv[0]);
            CHECK_EQUAL(line.rank, static_cast<int>(firsts.size()));
            if (line.rank > 1)
                CHECK(line.score <= result.lines[static_cast<std::size_t>(line.rank) - 2].score);
        }
        CHECK_EQUAL(firsts.size(), std::size_t{4});
    }
}

template <class F>
std::string refusal(F&& act) {
    try {
        act();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

MatchConfig match_config() {
    MatchConfig config;
    config.players[0].limits = with_nodes(200);
    config.players[0].hash_mb = 1;
    config.players[1].kind = PlayerKind::random;
    config.openings = {start_positions::BELGIAN};
    config.rules.ply_limit = 200;
    config.games = 4;
    config.concurrency = 2;
    return config;
}

// Impossible configs are refused before a thread is started.
void refuses_impossible_configs() {
    CHECK(!refusal([] { Searcher(0, 1); }).empty());
    CHECK(!refusal([] { Searcher(1, 0); }).empty());
    CHECK(!refusal([] { Searcher(1, std::size_t{1} << 20); }).empty());
    CHECK(!refusal([] { Searcher(1, ~std::size_t{0}); }).empty());
    const auto refuses = [](auto&& change) {
        MatchConfig config = match_config();
        change(config);
        return !refusal([&] { Match(config).wait(); }).empty();
    };
    CHECK(refuses([](MatchConfig& config) { config.players[0].threads = 0; }));
    CHECK(refuses([](MatchConfig& config) { config.players[0].hash_mb = 0; }));
    CHECK(refuses([](MatchConfig& config) { config.players[0].hash_mb = std::size_t{1} << 20; }));
    CHECK(refuses([](MatchConfig& config) { config.concurrency = 0; }));
    CHECK(refuses([](MatchConfig& config) { config.concurrency = 100000; }));
    CHECK(refuses([](MatchConfig& config) { config.games = -1; }));
    CHECK(refuses([](MatchConfig& config) { config.random_plies = -1; }));
    // An error that only shows within a game ends the match, not the program.
    CHECK(refuses([](MatchConfig& config) { config.players[0].limits.searchmoves = {5000}; }));
}

void cancelling_reaches_the_searches() {
    MatchConfig config = match_config();
    config.players[0].limits = {};
    config.players[0].limits.movetime_ms = 3'600'000;
    config.players[1].kind = PlayerKind::alpha_beta;
    config.players[1].limits.depth = 30;
    Match match(config);
    CHECK(!match.wait_for(std::chrono::milliseconds(30)));
    match.cancel();
    match.wait();
    CHECK(match.done());
    CHECK(match.games().empty());
}

void several_threads_may_wait() {
    Match match(match_config());
    std::vector<std::thread> waiting;
    for (int i = 0; i < 3; ++i) waiting.emplace_back([&] { match.wait(); });
    match.wait();
    for (std::thread& thread : waiting) thread.join();
    CHECK_EQUAL(match.score().games(), 4);
}

// Many threads on few slots: an entry found is one that was stored under its key.
void table_never_mixes_entries() {
    TranspositionTable table(1);
    constexpr int KEYS = 1 << 14;
    const auto key_of = [](unsigned n) { return mix(Key{n} * 0x9E3779B97F4A7C15ull + 1); };
    const auto entry_of = [](Key key, unsigned round) {
        const int move = static_cast<int>((key + round) % MOVES);
        return Entry{static_cast<std::uint16_t>(move), static_cast<std::int16_t>(move * 3),
                     static_cast<std::int16_t>(-move), static_cast<std::int8_t>(move % 50),
                     Bound::exact};
    };
    std::atomic<int> mixed{0};
    std::atomic<int> hits{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            unsigned state = t + 1;
            for (unsigned i = 0; i < 200000; ++i) {
                state = state * 1664525u + 1013904223u;
                const Key key = key_of((state >> 8) % KEYS);
                if (state >> 31) {
                    table.store(key, entry_of(key, state >> 20));
                    continue;
                }
                Entry entry;
                if (!table.probe(key, entry)) continue;
                ++hits;
                mixed += entry.score != entry.move * 3 || entry.value != -entry.move ||
                         entry.depth != entry.move % 50 || entry.bound != Bound::exact;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK_EQUAL(mixed.load(), 0);
    CHECK(hits > 1000);
}

#if __has_include(<pthread.h>) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Threads on some systems have 512 kB of stack: a variation to the last ply must fit.
void small_stack_is_enough() {
    static int deepest;
    const auto work = [](void*) -> void* {
        Searcher searcher(1, 4);
        Limits limits = with_nodes(30'000'000);
        const Position position("5/6/7/8/4b4/8/7/6/4w b 0,0 0 1");
        deepest = searcher.search(position, limits).seldepth;
        return nullptr;
    };
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 384 << 10);
    pthread_t thread;
    CHECK_EQUAL(pthread_create(&thread, &attributes, work, nullptr), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    CHECK(deepest >= MAX_PLY - 1);
}
#else
void small_stack_is_enough() {} // sanitizers make frames larger
#endif

// Whichever part throws, the others finish first and the pool is usable again.
void thread_pool_rethrows() {
    ThreadPool pool(3);
    for (int bad = 0; bad < 3; ++bad) {
        std::atomic<int> finished{0};
        const auto run = [&] {
            pool.parallel_for(3, [&](int first, int) {
                if (first == bad) throw std::runtime_error(std::to_string(bad));
                ++finished;
            });
        };
        CHECK_EQUAL(refusal(run), std::to_string(bad));
        CHECK_EQUAL(finished.load(), 2);
    }
    std::atomic<int> sum{0};
    pool.parallel_for(100, [&](int first, int end) { sum += end - first; });
    CHECK_EQUAL(sum.load(), 100);
}

} // namespace

int main() {
    stops_before_it_starts();
    stops_at_any_time();
    stops_when_monitor_says_so();
    counts_the_nodes_of_all_threads();
    interrupted_multipv_is_consistent();
    refuses_impossible_configs();
    cancelling_reaches_the_searches();
    several_threads_may_wait();
    table_never_mixes_entries();
    small_stack_is_enough();
    thread_pool_rethrows();
    if (failures)
        std::cerr << failures << " failed\n";
    else
        std::cout << "threads: all passed\n";
    return failures != 0;
}
