// Vectorised environment: each step plays one move in every game and writes the observations into
// the caller's arrays.
#pragma once

#include "kernel/board.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sumito {

// When a finished game is reset.
enum class Autoreset : std::uint8_t {
    same_step, // in the step that ends it; its final observation is written separately
    next_step, // in the next step, whatever its action
    disabled,  // by `reset` only
};

struct BatchOptions {
    std::string start; // a position that is not over
    Rules rules;
    int games = 1;
    int history = 1;                     // positions in an observation
    std::uint32_t ply_limit = 1'000'000; // plies after which a game is truncated
    Autoreset autoreset = Autoreset::same_step;
    int threads = 1;
    bool disable_simd = false; // for comparisons

    // Plies left until a game is truncated or ends by its rules.
    std::uint32_t plies_left(std::int64_t ply, std::int64_t start_ply) const {
        std::int64_t left = start_ply + ply_limit - ply;
        if (rules.ply_limit) left = std::min<std::int64_t>(left, rules.ply_limit + 1 - ply);
        return static_cast<std::uint32_t>(std::max<std::int64_t>(left, 0));
    }
};

// Observations of the players to move, a row for each game.
struct ViewArrays {
    std::uint8_t* observations = nullptr; // planes of 81 bytes
    std::uint8_t* masks = nullptr;        // 1,272 bytes; all zero where the rules ended the game
    std::uint8_t* to_move = nullptr;      // the colour
    std::uint8_t* captured = nullptr;     // by side
};

// The caller's arrays, a row for each game.
struct BatchArrays {
    ViewArrays now;
    ViewArrays final;                   // of games that ended in this step; for `same_step` only
    float* rewards = nullptr;           // of the player who moved
    float* rewards_by_colour = nullptr; // of all
    bool* terminations = nullptr;
    bool* truncations = nullptr;
};

// Why a step was refused, before anything was played.
struct StepRefusal {
    int game;
    bool is_over; // else its action is illegal
};

// Snapshot of a game, for tree search from it.
template <Mode M>
struct GameSnapshot {
    Board<M> board;
    std::vector<Board<M>> since_ejection; // since the last ejection, where repetitions count
    std::vector<std::array<Bits, colours(M)>>
        past; // marbles of earlier plies in observations, last first
    bool is_over;
};
using AnySnapshot = std::variant<GameSnapshot<Mode::two>, GameSnapshot<Mode::three>,
                                 GameSnapshot<Mode::teams>, GameSnapshot<Mode::teams_double>>;

class Batch {
  public:
    virtual ~Batch() = default;
    // Restarts all games, or the marked ones.
    virtual void reset(const bool* marks = nullptr) = 0;
    // Plays an action in each game, or none at all if one of them is refused.
    virtual std::optional<StepRefusal> step(const std::int64_t* actions) = 0;
    // Uniformly random legal actions; 0 for games that are over.
    virtual void sample_actions(std::uint64_t seed, std::int64_t* actions) = 0;
    virtual std::string text(int game) const = 0;
    virtual AnySnapshot snapshot(int game) const = 0;
    // All games as bytes, for `restore` in a batch with the same options; without the caller's
    // arrays. `restore` throws std::invalid_argument if the bytes are of another batch.
    virtual std::string state() const = 0;
    virtual void restore(std::string_view state) = 0;
    virtual Mode mode() const = 0;
    virtual const BatchOptions& settings() const = 0;
    virtual std::uint32_t start_ply() const = 0;
};

std::unique_ptr<Batch> make_batch(const BatchOptions& options, const BatchArrays& arrays);

} // namespace sumito
