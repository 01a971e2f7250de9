// Start positions shared by native tests and benchmarks.
#pragma once

namespace start_positions {

inline constexpr const char* STANDARD = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1";
inline constexpr const char* BELGIAN = "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww b 0,0 0 1";
inline constexpr const char* GERMAN = "5/ww2bb/www1bbb/1ww2bb1/9/1bb2ww1/bbb1www/bb2ww/5 b 0,0 0 1";
inline constexpr const char* THREE =
    "ww1rr/ww2rr/ww3rr/ww4rr/ww5rr/w6r/7/bbbbbb/bbbbb b 0,0,0 0 1 three";
inline constexpr const char* TEAMS =
    "rrrr1/1rrr1u/2rr1uu/5uuu/www3uuu/www5/ww1bb2/w1bbb1/1bbbb b 0,0 0 1 teams";
inline constexpr const char* TEAMS_DOUBLE =
    "rrrr1/1rrr1u/2rr1uu/5uuu/www3uuu/www5/ww1bb2/w1bbb1/1bbbb b 0,0 0 1 teams-double";

} // namespace start_positions
