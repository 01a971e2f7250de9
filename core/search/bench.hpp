// Benchmark of the search. Its node count is a signature that changes only with the behaviour of
// the search.
#pragma once

#include "search/searcher.hpp"

namespace sumito {

struct Bench {
    std::uint64_t nodes = 0;
    std::int64_t ms = 0;
    double nodes_per_second() const {
        return 1000.0 * static_cast<double>(nodes) / static_cast<double>(ms > 0 ? ms : 1);
    }
};

Bench bench(int depth, std::shared_ptr<const Network> network = nullptr,
            const SearchMonitor& monitor = {});

} // namespace sumito
