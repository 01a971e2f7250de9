// Self-play: games of the engine against itself with fixed nodes a move, as samples to learn from.
// A batch of games follows from its seed and numbers alone, so that whoever plays it, and however
// often, the samples are the same.
#pragma once

#include "search/searcher.hpp"

#include <bit>
#include <string>
#include <vector>

namespace sumito {

// A position as the player to move sees it, with what searches made of it and how the game ended.
struct Sample {
    static constexpr std::uint8_t FIRST = 1;   // of its game
    static constexpr std::uint8_t EJECTS = 2;  // the move found: not a position to judge still
    static constexpr std::uint8_t STRAYED = 4; // a random move came later: the end says little
    static constexpr std::uint8_t COUNTED = 8; // ended at the ply limit: its winner had only a lead
    static constexpr std::int16_t NO_SCORE = -32768;

    std::array<Bits, 4> marbles; // of the player to move, then in the order of turns
    // For the player to move; in `three` also for the two others, who said so at their next turn.
    std::array<std::int16_t, 3> scores;
    std::uint16_t ply;
    std::array<std::uint8_t, 3> captured; // by the side to move, then by the next ones
    std::int8_t winner;                   // a side counted from the one to move, or NOBODY
    std::uint8_t mode;
    std::uint8_t turn;
    std::uint8_t flags;
    std::uint8_t quiet; // plies since the last ejection, at most 255
};
static_assert(sizeof(Sample) == 48);
static_assert(std::endian::native == std::endian::little, "sample files are little-endian");

// Whether a sample from outside can be a position at all, so that no table is read beyond its end.
inline bool is_sound(const Sample& sample) {
    if (sample.mode >= MODES.size()) return false;
    const Mode mode = MODES[sample.mode];
    const int most = mode == Mode::two ? LARGEST_START : most_marbles(mode);
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
    std::vector<std::string> openings; // position texts; repeat one to weigh it
    Rules rules;
    Tuning tuning;
    std::uint64_t nodes = 1000;
    std::uint64_t seed = 1;
    std::uint64_t first = 0; // number of the first game
    int games = 1;
    int fewest_plies = 2; // random ones that begin a game
    int most_plies = 9;
    int stray = 20;       // per mille of later moves that are random, for positions nobody seeks
    int stray_until = 80; // none from this ply on, so that the end tells of play
    int dubious = 1000;   // an opening that stands worse than this is thrown again
    int uneven = 0;       // per mille of games where one side plays a share of its moves at random
                          // to the end, for positions that are won or lost and still to be played
    std::size_t hash_mb = 1;
};

// All samples of the games in order; fewer games only if who watches ended it.
std::vector<Sample> play_games(const SelfplayConfig& config, const Watch& watch = {});

} // namespace sumito
