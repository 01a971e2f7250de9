// The search as callers know it: a position and limits in, a move with its reasons out. Threads
// live only while a search runs and are joined before it returns.
#pragma once

#include "kernel/position.hpp"
#include "search/limits.hpp"
#include "search/tuning.hpp"

#include <atomic>
#include <memory>

namespace sumito {

class Searcher {
  public:
    explicit Searcher(int threads = 1, std::size_t hash_mb = 64);
    ~Searcher();
    Searcher(const Searcher&) = delete;
    Searcher& operator=(const Searcher&) = delete;

    Tuning tuning;

    // One search at a time; `on_info` is called on the calling thread.
    Result search(const Position& position, const Limits& limits, const Handicap& handicap = {},
                  const OnInfo& on_info = {});
    // From any thread; the running search returns its best so far.
    void stop();
    // Forgets everything learnt, so that equal searches give equal results.
    void clear();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts;
};

} // namespace sumito
