// Ten levels for people, weakest first. The weak ones look a move or two ahead, misjudge and
// overlook; the middle ones see exchanges through; the strong ones only think for a shorter time.
// The steps are even for two players, some 700 Elo each (`sumito lab levels`).
#pragma once

#include "search/limits.hpp"

#include <array>

namespace sumito {

inline constexpr int LEVELS = 10;

//                                  noise, blindness, depth, nodes, quiescence, seed
inline constexpr std::array<Handicap, LEVELS> LEVEL_TABLE = {{
    {520, 440, 1, 0, false, 0},
    {305, 290, 1, 0, false, 0},
    {205, 205, 1, 0, false, 0},
    {132, 105, 1, 0, false, 0},
    {215, 215, 2, 0, false, 0},
    {95, 80, 2, 0, false, 0},
    {85, 60, 3, 0, true, 0},
    {22, 5, 3, 0, true, 0},
    {0, 0, 0, 5000, true, 0},
    {0, 0, 0, 0, true, 0},
}};

} // namespace sumito
