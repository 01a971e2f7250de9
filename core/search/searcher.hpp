// The search as callers know it: a position and limits in, a move with its reasons out. Threads
// live only while a search runs and are joined before it returns.
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

inline constexpr int MOST_THREADS = SUMITO_THREADS ? 1024 : 1;
inline constexpr std::size_t MOST_HASH_MB = std::size_t{1} << 20;

class Searcher {
  public:
    // Throws std::invalid_argument for what can't be had, std::bad_alloc for what isn't there.
    explicit Searcher(int threads = 1, std::size_t hash_mb = 64);
    ~Searcher();
    Searcher(const Searcher&) = delete;
    Searcher& operator=(const Searcher&) = delete;

    Tuning tuning;

    // One search at a time. Whatever its limits, one depth is finished, so that every game that
    // isn't over has an answer.
    Result search(const Position& position, const Limits& limits, const Handicap& handicap = {},
                  const Watch& watch = {});
    // From any thread: the search that runs returns its best so far. Does nothing if none runs; who
    // can't know gives the search a `Stop` to watch.
    void stop();
    // Forgets everything learnt, so that equal searches give equal results.
    void clear();

    // std::invalid_argument if a searcher of this size can't be made.
    static void check(int threads, std::size_t hash_mb);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts;
};

} // namespace sumito
