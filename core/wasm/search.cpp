// WebAssembly exports of the search, for a Worker of the page. It runs on the Worker's thread and
// calls two imported functions: to report each variation and to ask whether to continue.
#include "eval/handcrafted.hpp"
#include "eval/network.hpp"
#include "search/bench.hpp"
#include "search/levels.hpp"
#include "search/searcher.hpp"
#include "wasm/abi.hpp"

#include <cmath>

using namespace sumito;
using namespace sumito::abi;

SUMITO_IMPORT(line) void line_found();
SUMITO_IMPORT(goes_on) int should_continue();

namespace {

std::shared_ptr<const Network> network;

// Plies to a certain win, negative to a certain loss, 0 if neither is in sight.
int win_in(int score) {
    return score > PROVEN ? WIN - score : score < -PROVEN ? -(WIN + score) : 0;
}

void put_variation(const Info& info) {
    put_number(info.rank);
    put_number(info.depth);
    put_number(info.seldepth);
    put_number(std::nearbyint(info.score * 100.0 / Weights{}.marble)); // hundredths of a marble
    put_number(win_in(info.score));
    put_number(static_cast<double>(info.nodes));
    put_number(static_cast<double>(info.ms));
    put_all(info.pv);
}

// Limits and handicap read from the input: numbers in this order, then the root moves.
struct SearchRequest {
    Limits limits;
    Handicap handicap;

    explicit SearchRequest(int count) {
        const double* at = in_buffer.data();
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

// Sets the network of the input for later searches. An invalid one aborts the kernel.
SUMITO_EXPORT(use_network) void use_network(int size) {
    network = std::make_shared<Network>(input_text(static_cast<std::size_t>(size)));
    in_buffer = {};
}

SUMITO_EXPORT(search_new) Searcher* search_new(int hash_mb) {
    return new Searcher(1, static_cast<std::size_t>(hash_mb));
}
SUMITO_EXPORT(search_free) void search_free(Searcher* searcher) { delete searcher; }
SUMITO_EXPORT(search_clear) void search_clear(Searcher* searcher) { searcher->clear(); }

// Searches within the limits of the input. Output: the variations, best first. `analysis` turns
// contempt off.
SUMITO_EXPORT(search_run)
int search_run(Searcher* searcher, const Position* board, int count, int analysis) {
    const SearchRequest request(count);
    searcher->tuning = Tuning{};
    searcher->tuning.network = network;
    if (analysis) searcher->tuning.contempt = 0;
    SearchMonitor monitor;
    monitor.on_info = [](const Info& info) {
        out_numbers.clear();
        put_variation(info);
        line_found();
    };
    monitor.should_continue = [] { return should_continue() != 0; };
    const Result result = searcher->search(*board, request.limits, request.handicap, monitor);
    out_numbers.clear();
    for (const Info& line : result.lines) put_variation(line);
    return out_numbers_size();
}

// The benchmark of `sumito bench`. Output: nodes and milliseconds.
SUMITO_EXPORT(bench) void run_bench(int depth) {
    const Bench done = bench(depth, network);
    out_numbers.clear();
    put_number(static_cast<double>(done.nodes));
    put_number(static_cast<double>(done.ms));
}
