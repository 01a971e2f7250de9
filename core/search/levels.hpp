// The ten levels of play as handicaps, weakest first. The weak ones search a move or two deep with
// errors and overlooked moves, the middle ones add quiescence, the strong ones are limited in nodes
// only. Set with `sumito lab levels` to even steps of about 600 Elo for two players.
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
