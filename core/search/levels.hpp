// Ten levels for people, weakest first. The weak ones look a move or two ahead, misjudge and
// overlook; the middle ones see exchanges through; the strong ones only think for a shorter time.
// Each scores at least 65 % against the one below.
#pragma once

#include "search/limits.hpp"

#include <array>

namespace sumito {

inline constexpr int LEVELS = 10;

//                                  noise, blindness, depth, nodes, quiescence, seed
inline constexpr std::array<Handicap, LEVELS> LEVEL_TABLE = {{
    {600, 500, 1, 0, false, 0},
    {200, 200, 1, 0, false, 0},
    {90, 50, 1, 0, false, 0},
    {150, 150, 2, 0, false, 0},
    {80, 60, 2, 0, false, 0},
    {50, 20, 2, 0, true, 0},
    {30, 10, 3, 0, true, 0},
    {15, 0, 4, 0, true, 0},
    {0, 0, 0, 5000, true, 0},
    {0, 0, 0, 0, true, 0},
}};

} // namespace sumito
