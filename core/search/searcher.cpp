// Threads, tables and limits around the search from the root.
#include "search/searcher.hpp"

#include "kernel/error.hpp"
#include "search/root.hpp"

#include <tuple>

#if SUMITO_THREADS
#include <exception>
#include <thread>
#endif

namespace sumito {

namespace {

template <Mode M>
using Roots = std::vector<std::unique_ptr<RootSearch<M>>>;

#if SUMITO_THREADS
// Threads that are joined however the main search ends, a throwing callback included. What one of
// them throws ends the search and is thrown again by `join`.
class Helpers {
  public:
    explicit Helpers(std::atomic<bool>& stop) : stop(stop) {}
    ~Helpers() { finish(); }

    template <class F>
    void start(F work) {
        threads.emplace_back([this, work] {
            try {
                work();
            } catch (...) {
                if (!failed.exchange(true)) error = std::current_exception();
                stop = true;
            }
        });
    }
    void join() {
        finish();
        if (error) std::rethrow_exception(error);
    }

  private:
    std::atomic<bool>& stop;
    std::atomic<bool> failed{false};
    std::exception_ptr error;
    std::vector<std::thread> threads;

    void finish() {
        stop = true;
        for (std::thread& thread : threads) thread.join();
        threads.clear();
    }
};
#endif

} // namespace

struct Searcher::Parts {
    Table table;
    std::atomic<bool> stop{false};
    int threads;
    std::tuple<Roots<Mode::two>, Roots<Mode::three>, Roots<Mode::teams>, Roots<Mode::teams_double>>
        roots;

    Parts(int threads, std::size_t hash_mb) : table(hash_mb), threads(threads) {}

    template <Mode M>
    Roots<M>& roots_of() {
        auto& mine = std::get<Roots<M>>(roots);
        while (static_cast<int>(mine.size()) < threads)
            mine.push_back(std::make_unique<RootSearch<M>>());
        return mine;
    }

    template <Mode M>
    Result run(const Game<M>& game, const Limits& limits, const Handicap& handicap,
               const Tuning& tuning, const Watch& watch);
};

template <Mode M>
Result Searcher::Parts::run(const Game<M>& game, const Limits& limits, const Handicap& handicap,
                            const Tuning& tuning, const Watch& watch) {
    const Timer timer(limits);
    Shared shared{table, limits, handicap, tuning, watch, timer, stop, limits.nodes, MOST_PLY - 1};
    if (handicap.nodes)
        shared.node_limit = limits.nodes ? std::min(limits.nodes, handicap.nodes) : handicap.nodes;
    if (limits.depth > 0) shared.depth_limit = std::min(shared.depth_limit, limits.depth);
    if (handicap.depth > 0) shared.depth_limit = std::min(shared.depth_limit, handicap.depth);
    table.new_search();

    Roots<M>& all = roots_of<M>();
    const RootSearch<M>& main = *all[0];
    const auto info = [&](std::size_t rank) {
        const Line& line = main.lines[rank];
        return Info{line.depth, line.seldepth,       static_cast<int>(rank) + 1,
                    line.score, shared.nodes.load(), timer.ms(),
                    line.pv};
    };
    const auto report = [&] {
        if (!watch.on_info) return;
        for (std::size_t rank = 0; rank < main.lines.size(); ++rank) watch.on_info(info(rank));
    };
#if SUMITO_THREADS
    Helpers helpers(stop);
    for (int i = 1; i < threads; ++i)
        helpers.start([&, i] { all[static_cast<std::size_t>(i)]->run(game, shared, i, report); });
    all[0]->run(game, shared, 0, report);
    helpers.join();
#else
    all[0]->run(game, shared, 0, report);
#endif

    Result result;
    result.nodes = shared.nodes;
    result.ms = timer.ms();
    if (main.lines.empty()) return result;
    for (std::size_t rank = 0; rank < main.lines.size(); ++rank) result.lines.push_back(info(rank));
    const Info& best = result.lines.front();
    result.best = best.pv[0];
    result.ponder = best.pv.size() > 1 ? best.pv[1] : -1;
    result.score = best.score;
    result.depth = best.depth;
    result.seldepth = best.seldepth;
    result.pv = best.pv;
    return result;
}

void Searcher::check(int threads, std::size_t hash_mb) {
    if (threads < 1 || threads > MOST_THREADS)
        raise("threads are 1 to " + std::to_string(MOST_THREADS) + ", not " +
              std::to_string(threads));
    if (hash_mb < 1 || hash_mb > MOST_HASH_MB)
        raise("hash_mb is 1 to " + std::to_string(MOST_HASH_MB) + ", not " +
              std::to_string(hash_mb));
}

Searcher::Searcher(int threads, std::size_t hash_mb) {
    check(threads, hash_mb);
    parts = std::make_unique<Parts>(threads, hash_mb);
}

Searcher::~Searcher() = default;

void Searcher::stop() { parts->stop = true; }

void Searcher::clear() {
    parts->table.clear();
    std::apply([](auto&... roots) { (roots.clear(), ...); }, parts->roots);
}

Result Searcher::search(const Position& position, const Limits& limits, const Handicap& handicap,
                        const Watch& watch) {
    parts->stop = false;
    if (position.outcome()) return {};
    for (const int index : limits.searchmoves)
        if (index < 0 || index >= MOVES)
            raise("moves are numbered 0 to 1271, not " + std::to_string(index));
    return std::visit(
        [&](const auto& game) { return parts->run(game, limits, handicap, tuning, watch); },
        position.any);
}

} // namespace sumito
