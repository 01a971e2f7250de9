// Searcher: threads, tables and limits around the root search.
#include "search/searcher.hpp"

#include "kernel/error.hpp"
#include "search/root_search.hpp"

#include <tuple>

#if SUMITO_THREADS
#include <exception>
#include <thread>
#endif

namespace sumito {

namespace {

template <Mode M>
using RootSearches = std::vector<std::unique_ptr<RootSearch<M>>>;

#if SUMITO_THREADS
// Helper threads, joined however the main search ends, including by an exception. An exception in
// one of them ends the search and is rethrown by `join`.
class HelperThreads {
  public:
    explicit HelperThreads(std::atomic<bool>& stop) : stop(stop) {}
    ~HelperThreads() { finish(); }

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

struct Searcher::Impl {
    TranspositionTable table;
    std::atomic<bool> stop{false};
    int threads;
    std::tuple<RootSearches<Mode::two>, RootSearches<Mode::three>, RootSearches<Mode::teams>,
               RootSearches<Mode::teams_double>>
        searches;

    Impl(int threads, std::size_t hash_mb) : table(hash_mb), threads(threads) {}

    template <Mode M>
    RootSearches<M>& searches_of() {
        auto& mine = std::get<RootSearches<M>>(searches);
        while (static_cast<int>(mine.size()) < threads)
            mine.push_back(std::make_unique<RootSearch<M>>());
        return mine;
    }

    template <Mode M>
    Result run(const Game<M>& game, const Limits& limits, const Handicap& handicap,
               const Tuning& tuning, const SearchMonitor& monitor);
};

template <Mode M>
Result Searcher::Impl::run(const Game<M>& game, const Limits& limits, const Handicap& handicap,
                           const Tuning& tuning, const SearchMonitor& monitor) {
    const Timer timer(limits);
    SharedState shared{table, limits, handicap,     tuning,     monitor,
                       timer, stop,   limits.nodes, MAX_PLY - 1};
    if (handicap.nodes)
        shared.node_limit = limits.nodes ? std::min(limits.nodes, handicap.nodes) : handicap.nodes;
    if (limits.depth > 0) shared.depth_limit = std::min(shared.depth_limit, limits.depth);
    if (handicap.depth > 0) shared.depth_limit = std::min(shared.depth_limit, handicap.depth);
    table.new_search();

    RootSearches<M>& all = searches_of<M>();
    const RootSearch<M>& main = *all[0];
    const auto info = [&](std::size_t rank) {
        const Variation& variation = main.variations[rank];
        return Info{variation.depth, variation.seldepth,  static_cast<int>(rank) + 1,
                    variation.score, shared.nodes.load(), timer.ms(),
                    variation.pv};
    };
    const auto report = [&] {
        if (!monitor.on_info) return;
        for (std::size_t rank = 0; rank < main.variations.size(); ++rank)
            monitor.on_info(info(rank));
    };
#if SUMITO_THREADS
    HelperThreads helpers(stop);
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
    if (main.variations.empty()) return result;
    for (std::size_t rank = 0; rank < main.variations.size(); ++rank)
        result.lines.push_back(info(rank));
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
    if (threads < 1 || threads > MAX_THREADS)
        raise("threads are 1 to " + std::to_string(MAX_THREADS) + ", not " +
              std::to_string(threads));
    if (hash_mb < 1 || hash_mb > MAX_HASH_MB)
        raise("hash_mb is 1 to " + std::to_string(MAX_HASH_MB) + ", not " +
              std::to_string(hash_mb));
}

Searcher::Searcher(int threads, std::size_t hash_mb) {
    check(threads, hash_mb);
    impl = std::make_unique<Impl>(threads, hash_mb);
}

Searcher::~Searcher() = default;

void Searcher::stop() { impl->stop = true; }

void Searcher::clear() {
    impl->table.clear();
    std::apply([](auto&... searches) { (searches.clear(), ...); }, impl->searches);
}

Result Searcher::search(const Position& position, const Limits& limits, const Handicap& handicap,
                        const SearchMonitor& monitor) {
    impl->stop = false;
    if (position.outcome()) return {};
    for (const int index : limits.searchmoves)
        if (index < 0 || index >= MOVES)
            raise("moves are numbered 0 to 1271, not " + std::to_string(index));
    return std::visit(
        [&](const auto& game) { return impl->run(game, limits, handicap, tuning, monitor); },
        position.any);
}

} // namespace sumito
