// Limits, handicap, monitor and result of a search.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sumito {

// A win in n plies scores WIN - n, a loss the negative of it.
inline constexpr int WIN = 30000;
inline constexpr int MAX_PLY = 120;       // no search goes deeper
inline constexpr int PROVEN = WIN - 1000; // beyond this a score is a proven win or loss
// In `three`, the score of a win or loss under the search's model of the opponents; less the plies.
inline constexpr int MAX_UNPROVEN = PROVEN - 1;

struct Clock {
    std::int64_t remaining_ms = 0;
    std::int64_t increment_ms = 0;
    int moves_to_go = 0; // to the next time control; 0 for the rest of the game
};

struct Limits {
    int depth = 0; // all: 0 for no limit
    std::uint64_t nodes = 0;
    std::int64_t movetime_ms = 0;
    std::optional<Clock> clock;
    int multipv = 1;
    std::vector<int> searchmoves; // empty for all
};

// Weakening that resembles a person's play: shallow depth, errors of evaluation, overlooked moves.
inline constexpr int MAX_NOISE = 5000;
struct Handicap {
    int noise = 0;           // spread of the error of evaluation, at most MAX_NOISE
    int blindness = 0;       // per mille of moves overlooked below the root
    int depth = 0;           // 0 for no limit
    std::uint64_t nodes = 0; // 0 for no limit
    bool quiescence = true;  // search ejections at the leaves
    std::uint64_t seed = 0;  // of noise and blindness: equal seeds give equal errors

    bool any() const { return noise || blindness; }
};

// How the two opponents are modelled in `three`.
enum class ThreeModel : std::uint8_t { brs, paranoid };

// One of the best variations; rank 1 is the best.
struct Info {
    int depth = 0;
    int seldepth = 0;
    int rank = 1;
    int score = 0;
    std::uint64_t nodes = 0;
    std::int64_t ms = 0;
    std::vector<int> pv;
};

struct Result {
    int best = -1;   // -1 if the game is over
    int ponder = -1; // the expected reply, or -1
    int score = 0;
    int depth = 0;
    int seldepth = 0;
    std::uint64_t nodes = 0;
    std::int64_t ms = 0;
    std::vector<int> pv;
    std::vector<Info> lines; // by rank, each with another first move
};

// Stop flag of a search, settable from any thread before or during the search. It stays set: a new
// search needs a new one.
class Stop {
  public:
    void set() { flag.store(true, std::memory_order_relaxed); }
    bool is_set() const { return flag.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> flag{false};
};

// Callbacks while a search runs, called on the thread that started it; an exception ends it.
struct SearchMonitor {
    std::function<void(const Info&)> on_info; // each variation of each finished depth
    std::function<bool()> should_continue; // polled every few milliseconds; false ends the search
    const Stop* stop = nullptr;
};

} // namespace sumito
