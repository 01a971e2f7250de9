// Self-play with fixed nodes per move, producing training samples. The samples depend on the config
// alone, so that any machine reproduces them.
#pragma once

#include "search/searcher.hpp"

#include <bit>
#include <string>
#include <vector>

namespace sumito {

// A position from the view of the player to move, with search scores and the game's result.
struct Sample {
    static constexpr std::uint8_t FIRST = 1;  // the first of its game
    static constexpr std::uint8_t EJECTS = 2; // the best move ejects: not a quiet position
    static constexpr std::uint8_t BEFORE_RANDOM =
        4; // before a random move: the result is unreliable
    static constexpr std::uint8_t AT_PLY_LIMIT = 8; // decided by count at the ply limit
    static constexpr std::int16_t NO_SCORE = -32768;

    std::array<Bits, 4> marbles; // of the player to move, then in turn order
    // For the player to move; in `three` also for the two others, from their next turns.
    std::array<std::int16_t, 3> scores;
    std::uint16_t ply;
    std::array<std::uint8_t, 3> captured; // by the side to move, then by the next ones
    std::int8_t winner;                   // a side, counted from the one to move, or NOBODY
    std::uint8_t mode;
    std::uint8_t turn;
    std::uint8_t flags;
    std::uint8_t quiet; // plies since the last ejection, at most 255
};
static_assert(sizeof(Sample) == 48);
static_assert(std::endian::native == std::endian::little, "sample files are little-endian");

// Whether a sample from a file is a possible position, so that no table is read out of bounds.
inline bool is_sound(const Sample& sample) {
    if (sample.mode >= MODES.size()) return false;
    const Mode mode = MODES[sample.mode];
    const int most = mode == Mode::two ? LARGEST_START : max_marbles(mode);
    Bits all = 0;
    for (int k = 0; k < 4; ++k) {
        const Bits marbles = sample.marbles[static_cast<std::size_t>(k)];
        if (marbles & ~FULL || marbles & all || (k >= colours(mode) && marbles)) return false;
        if (std::popcount(marbles) > most) return false;
        all |= marbles;
    }
    return sample.turn < colours(mode) && sample.winner >= NOBODY && sample.winner < sides(mode);
}

struct SelfplayConfig {
    std::vector<std::string> openings; // position texts; repeat one to weight it
    Rules rules;
    Tuning tuning;
    std::uint64_t nodes = 1000;
    std::uint64_t seed = 1;
    std::uint64_t first = 0; // number of the first game
    int games = 1;
    int min_random_plies = 2; // random ones at the start of a game
    int max_random_plies = 9;
    int random_permille = 20;     // later moves that are random, for unusual positions
    int random_until_ply = 80;    // none from this ply on, so that results follow from play
    int max_opening_score = 1000; // openings with a worse score for a side are redrawn
    // Games in which one side plays a share of its moves at random to the end, for decided
    // positions that are still to be played out.
    int random_side_permille = 0;
    std::size_t hash_mb = 1;
};

// The samples of all games in order; of fewer games only if the monitor stopped them.
std::vector<Sample> play_games(const SelfplayConfig& config, const SearchMonitor& monitor = {});

} // namespace sumito
