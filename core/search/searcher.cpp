// Threads, tables and limits around the workers.
#include "search/searcher.hpp"

#include "search/root.hpp"

#include <stdexcept>
#include <thread>

namespace sumito {

namespace {

template <Mode M>
using Workers = std::vector<std::unique_ptr<Worker<M>>>;

} // namespace

struct Searcher::Parts {
    Table table;
    std::atomic<bool> stop{false};
    int threads;
    std::tuple<Workers<Mode::two>, Workers<Mode::three>, Workers<Mode::teams>,
               Workers<Mode::teams_double>>
        workers;

    Parts(int threads, std::size_t hash_mb) : table(hash_mb), threads(threads) {}

    template <Mode M>
    Workers<M>& crew() {
        auto& crew = std::get<Workers<M>>(workers);
        while (static_cast<int>(crew.size()) < threads)
            crew.push_back(std::make_unique<Worker<M>>());
        return crew;
    }

    template <Mode M>
    Result run(const Line<M>& game, const Limits& limits, const Handicap& handicap,
               const Tuning& tuning, const OnInfo& on_info);
};

template <Mode M>
Result Searcher::Parts::run(const Line<M>& game, const Limits& limits, const Handicap& handicap,
                            const Tuning& tuning, const OnInfo& on_info) {
    const Timer timer(limits);
    Shared shared{table, limits, handicap, tuning, timer, stop, limits.nodes, LONGEST_LINE - 1};
    if (handicap.nodes)
        shared.node_limit = limits.nodes ? std::min(limits.nodes, handicap.nodes) : handicap.nodes;
    if (limits.depth > 0) shared.depth_limit = std::min(shared.depth_limit, limits.depth);
    if (handicap.depth > 0) shared.depth_limit = std::min(shared.depth_limit, handicap.depth);
    table.new_search();

    Workers<M>& all = crew<M>();
    Worker<M>& main = *all[0];
    const auto total = [&] {
        std::uint64_t sum = 0;
        for (const auto& worker : all) sum += worker->nodes.load(std::memory_order_relaxed);
        return sum;
    };
    const auto line = [&](int rank) {
        const RootLine& found = main.lines[static_cast<std::size_t>(rank)];
        return Info{found.depth, found.seldepth, rank + 1, found.score,
                    total(),     timer.ms(),     found.pv};
    };
    const auto report = [&](int rank) {
        if (on_info) on_info(line(rank));
    };

    // Joins the others however the main search ends, a throwing callback included.
    struct Others {
        std::atomic<bool>& stop;
        std::vector<std::thread> threads;
        ~Others() {
            stop = true;
            for (std::thread& thread : threads) thread.join();
        }
    };
    {
        Others others{stop, {}};
        for (int i = 1; i < threads; ++i)
            others.threads.emplace_back([&, i] { all[i]->run(game, shared, i, report); });
        main.run(game, shared, 0, report);
    }

    Result result;
    result.nodes = total();
    result.ms = timer.ms();
    if (main.lines.empty()) return result;
    for (std::size_t rank = 0; rank < main.lines.size(); ++rank)
        result.lines.push_back(line(static_cast<int>(rank)));
    const Info& best = result.lines.front();
    result.best = best.pv[0];
    result.ponder = best.pv.size() > 1 ? best.pv[1] : -1;
    result.score = best.score;
    result.depth = best.depth;
    result.seldepth = best.seldepth;
    result.pv = best.pv;
    return result;
}

Searcher::Searcher(int threads, std::size_t hash_mb) {
    if (threads < 1 || threads > 1024) throw std::invalid_argument("threads are 1 to 1024");
    if (hash_mb < 1 || hash_mb > (1u << 20)) throw std::invalid_argument("hash_mb is 1 to 1048576");
    parts = std::make_unique<Parts>(threads, hash_mb);
}

Searcher::~Searcher() = default;

void Searcher::stop() { parts->stop = true; }

void Searcher::clear() {
    parts->table.clear();
    std::apply([](auto&... crews) { (crews.clear(), ...); }, parts->workers);
}

Result Searcher::search(const Position& position, const Limits& limits, const Handicap& handicap,
                        const OnInfo& on_info) {
    parts->stop = false;
    if (position.outcome()) return {};
    for (const int index : limits.searchmoves)
        if (index < 0 || index >= MOVES)
            throw std::invalid_argument("moves are numbered 0 to 1271, not " +
                                        std::to_string(index));
    return std::visit(
        [&](const auto& game) { return parts->run(game, limits, handicap, tuning, on_info); },
        position.any);
}

} // namespace sumito
