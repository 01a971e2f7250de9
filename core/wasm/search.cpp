// The search, for a worker of a page: it runs on the worker's one thread and asks the page, through
// two imported functions, whether to go on, and tells it each line that it finds.
#include "eval/hand.hpp"
#include "eval/network.hpp"
#include "search/bench.hpp"
#include "search/levels.hpp"
#include "search/searcher.hpp"
#include "wasm/border.hpp"

#include <cmath>

using namespace sumito;
using namespace sumito::border;

SUMITO_IMPORT(line) void line_found();
SUMITO_IMPORT(goes_on) int should_continue();

namespace {

std::shared_ptr<const Network> network;

// Plies to a certain win, negative to a certain loss, 0 if neither is in sight.
int win_in(int score) {
    return score > PROVEN ? WIN - score : score < -PROVEN ? -(WIN + score) : 0;
}

void tell_line(const Info& info) {
    tell(info.rank);
    tell(info.depth);
    tell(info.seldepth);
    tell(std::nearbyint(info.score * 100.0 / Weights{}.marble)); // hundredths of a marble
    tell(win_in(info.score));
    tell(static_cast<double>(info.nodes));
    tell(static_cast<double>(info.ms));
    tell_all(info.pv);
}

// The limits as they are written: numbers in this order, then the moves to choose from.
struct Written {
    Limits limits;
    Handicap handicap;

    explicit Written(int count) {
        const double* at = written.data();
        const double* const end = at + count;
        limits.depth = static_cast<int>(*at++);
        limits.nodes = static_cast<std::uint64_t>(*at++);
        limits.movetime_ms = static_cast<std::int64_t>(*at++);
        const double remaining = *at++; // below 0: no clock
        const double increment = *at++;
        const double moves_to_go = *at++;
        if (remaining >= 0)
            limits.clock =
                Clock{static_cast<std::int64_t>(remaining), static_cast<std::int64_t>(increment),
                      static_cast<int>(moves_to_go)};
        limits.multipv = static_cast<int>(*at++);
        handicap = LEVEL_TABLE[static_cast<std::size_t>(*at++) - 1];
        handicap.seed = static_cast<std::uint64_t>(*at++);
        for (; at < end; ++at) limits.searchmoves.push_back(static_cast<int>(*at));
    }
};

} // namespace

SUMITO_EXPORT(levels) int levels() { return LEVELS; }

// The network written, for all searches to come. One that can't be used ends the kernel.
SUMITO_EXPORT(use_network) void use_network(int size) {
    network = std::make_shared<Network>(written_text(static_cast<std::size_t>(size)));
    written = {};
}

SUMITO_EXPORT(search_new) Searcher* search_new(int hash_mb) {
    return new Searcher(1, static_cast<std::size_t>(hash_mb));
}
SUMITO_EXPORT(search_free) void search_free(Searcher* searcher) { delete searcher; }
SUMITO_EXPORT(search_clear) void search_clear(Searcher* searcher) { searcher->clear(); }

// Searches within the limits written, and tells the lines found, best first. `analysis` counts a
// draw as even; else the player at the root would rather play on.
SUMITO_EXPORT(search_run)
int search_run(Searcher* searcher, const Position* board, int count, int analysis) {
    const Written wanted(count);
    searcher->tuning = Tuning{};
    searcher->tuning.network = network;
    if (analysis) searcher->tuning.contempt = 0;
    SearchMonitor monitor;
    monitor.on_info = [](const Info& info) {
        told.clear();
        tell_line(info);
        line_found();
    };
    monitor.should_continue = [] { return should_continue() != 0; };
    const Result result = searcher->search(*board, wanted.limits, wanted.handicap, monitor);
    told.clear();
    for (const Info& line : result.lines) tell_line(line);
    return told_size();
}

// The fixed task of `sumito bench`: nodes and milliseconds are told.
SUMITO_EXPORT(bench) void run_bench(int depth) {
    const Bench done = bench(depth, network);
    told.clear();
    tell(static_cast<double>(done.nodes));
    tell(static_cast<double>(done.ms));
}
