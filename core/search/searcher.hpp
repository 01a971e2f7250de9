// Public interface of the search: position and limits in, move and variations out. Threads live
// only while a search runs and are joined before it returns.
#pragma once

#include "kernel/position.hpp"
#include "search/limits.hpp"
#include "search/tuning.hpp"

#include <memory>

// Without threads (WebAssembly) a search has one.
#ifndef SUMITO_THREADS
#define SUMITO_THREADS 1
#endif

namespace sumito {

inline constexpr int MAX_THREADS = SUMITO_THREADS ? 1024 : 1;
inline constexpr std::size_t MAX_HASH_MB = std::size_t{1} << 20;

class Searcher {
  public:
    // Throws std::invalid_argument for a size out of range, std::bad_alloc if memory runs out.
    explicit Searcher(int threads = 1, std::size_t hash_mb = 64);
    ~Searcher();
    Searcher(const Searcher&) = delete;
    Searcher& operator=(const Searcher&) = delete;

    Tuning tuning;

    // One search at a time. Depth 1 is always finished, whatever the limits, so that every game
    // that is not over has an answer.
    Result search(const Position& position, const Limits& limits, const Handicap& handicap = {},
                  const SearchMonitor& monitor = {});
    // From any thread: the running search returns its best so far. Does nothing if none is running;
    // a `Stop` in the monitor works before the search has started, too.
    void stop();
    // Clears table and history, so that equal searches give equal results.
    void clear();

    // Throws std::invalid_argument if a searcher of this size is not possible.
    static void check(int threads, std::size_t hash_mb);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

} // namespace sumito
