// What a search may spend, how it may be weakened, who may watch and stop it, and what it reports.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sumito {

// A win in n plies scores WIN - n, a loss the negative of it.
inline constexpr int WIN = 30000;
inline constexpr int MOST_PLY = 120;    // no search looks further
inline constexpr int SURE = WIN - 1000; // beyond this a score is a certain win or loss
// In `three` what wins or loses only if the others play as the search supposes; less the plies.
inline constexpr int UNPROVEN = SURE - 1;

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

// Ways to play worse that look like a person's: a shallow look, an unsure judgement, moves
// overlooked.
inline constexpr int MOST_NOISE = 5000;
struct Handicap {
    int noise = 0;           // spread of the error in judging a position, at most MOST_NOISE
    int blindness = 0;       // per mille of moves overlooked below the root
    int depth = 0;           // looks no deeper; 0 for no limit
    std::uint64_t nodes = 0; // nor further; 0 for no limit
    bool quiescence = true;  // sees exchanges at the end of a line through
    std::uint64_t seed = 0;  // of noise and blindness; the same seed errs the same way

    bool any() const { return noise || blindness; }
};

// How the two others are modelled in `three`.
enum class Three : std::uint8_t { brs, paranoid };

// One of the best lines of play, best first by rank.
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
    int ponder = -1; // the expected answer, or -1
    int score = 0;
    int depth = 0;
    int seldepth = 0;
    std::uint64_t nodes = 0;
    std::int64_t ms = 0;
    std::vector<int> pv;
    std::vector<Info> lines; // by rank, each with another first move
};

// Ends the search it is given to, from any thread, whether that search has begun or not. Once set
// it stays set: a new search takes a new one.
class Stop {
  public:
    void set() { flag.store(true, std::memory_order_relaxed); }
    bool is_set() const { return flag.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> flag{false};
};

// Who looks on while a search runs. Both functions are called on the thread that asked for the
// search, and what they throw ends it.
struct Watch {
    std::function<void(const Info&)> on_info; // each line of each finished depth
    std::function<bool()> goes_on;            // asked every few milliseconds; false ends the search
    const Stop* stop = nullptr;
};

} // namespace sumito
