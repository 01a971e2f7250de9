// Ten levels for people, weakest first. The weak ones look a move or two ahead, misjudge and
// overlook; the middle ones see exchanges through; the strong ones only think for a shorter time.
// The steps are even for two players, some 600 Elo each (`sumito lab levels`).
#pragma once

#include "search/limits.hpp"

#include <array>

namespace sumito {

inline constexpr int LEVELS = 10;

//                                  noise, blindness, depth, nodes, quiescence, seed
inline constexpr std::array<Handicap, LEVELS> LEVEL_TABLE = {{
    {587, 475, 1, 0, false, 0},
    {328, 290, 1, 0, false, 0},
    {228, 214, 1, 0, false, 0},
    {150, 130, 1, 0, false, 0},
    {252, 242, 2, 0, false, 0},
    {126, 116, 2, 0, false, 0},
    {95, 74, 3, 0, true, 0},
    {22, 5, 3, 0, true, 0},
    {0, 0, 0, 5000, true, 0},
    {0, 0, 0, 0, true, 0},
}};

} // namespace sumito
