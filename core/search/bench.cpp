// Benchmark: openings, middle games and endings of every mode, searched to a fixed depth by one
// thread.
#include "search/bench.hpp"

namespace sumito {

Bench bench(int depth, std::shared_ptr<const Network> network, const SearchMonitor& monitor) {
    static constexpr const char* POSITIONS[] = {
        "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1",
        "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww b 0,0 0 1",
        "5/ww2bb/www1bbb/1ww2bb1/9/1bb2ww1/bbb1www/bb2ww/5 b 0,0 0 1",
        "5/2ww2/2wbb2/1wwbbw2/2wbbbw2/2wwbbw1/1wwbb2/2bb2/5 w 1,2 3 41",
        "w4/1w4/2bb3/1wwbb3/2wwbb3/2wbbb2/2wb3/3b2/1w3 b 4,3 12 90",
        "ww1rr/ww2rr/ww3rr/ww4rr/ww5rr/w6r/7/bbbbbb/bbbbb b 0,0,0 0 1 three",
        "rrrr1/1rrr1u/2rr1uu/5uuu/www3uuu/www5/ww1bb2/w1bbb1/1bbbb b 0,0 0 1 teams",
        "rrrr1/1rrr1u/2rr1uu/5uuu/www3uuu/www5/ww1bb2/w1bbb1/1bbbb b 0,0 0 1 teams-double",
    };
    Searcher searcher(1, 16);
    searcher.tuning.network = std::move(network);
    Limits limits;
    limits.depth = depth;
    Bench total;
    for (const char* text : POSITIONS) {
        const Position position(text);
        searcher.clear();
        limits.depth = position.mode() == Mode::two ? depth : std::max(1, depth / 2);
        const Result result = searcher.search(position, limits, Handicap{}, monitor);
        total.nodes += result.nodes;
        total.ms += result.ms;
    }
    return total;
}

} // namespace sumito
