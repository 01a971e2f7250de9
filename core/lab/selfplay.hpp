// Self-play: games of the engine against itself with fixed nodes a move, as samples to learn from.
// A batch of games follows from its seed and numbers alone, so that whoever plays it, and however
// often, the samples are the same.
#pragma once

#include "search/searcher.hpp"

#include <atomic>
#include <bit>
#include <string>
#include <vector>

namespace sumito {

// A position as the side to move sees it, with what a search made of it and how the game ended.
struct Sample {
    enum class End : std::uint8_t { lost, drawn, won };
    static constexpr std::uint8_t FIRST = 1; // of its game
    static constexpr std::uint8_t EJECTS =
        2; // the move found ejects: not a position to judge still

    Bits own;
    Bits opposing;
    std::int16_t score;
    std::uint16_t ply;
    std::uint8_t captured; // by the side to move, then in the high half by the other
    End end;
    std::uint8_t flags;
    std::uint8_t quiet; // plies since the last ejection, at most 255

    int own_captured() const { return captured & 15; }
    int other_captured() const { return captured >> 4; }
};
static_assert(sizeof(Sample) == 24);
static_assert(std::endian::native == std::endian::little, "sample files are little-endian");

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
    int stray = 20;     // per mille of later moves that are random, for positions nobody seeks
    int dubious = 1000; // an opening that stands worse than this is thrown again
    std::size_t hash_mb = 1;
};

// All samples of the games in order; fewer games only if `stop` was set meanwhile.
std::vector<Sample> play_games(const SelfplayConfig& config, const std::atomic<bool>& stop);

} // namespace sumito
