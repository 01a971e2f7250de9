// Detection of formations, the players' terms for groups of marbles: singleton, lance, block,
// sumito, pac, det. Groups are of one colour; rows that meet are counted by sides.
#pragma once

#include "kernel/any_board.hpp"

#include <array>
#include <string_view>

namespace sumito {

enum class Word : std::uint8_t {
    singleton,
    pair,
    triple,
    group,
    lance,
    arc,
    shield,
    block,
    sumito,
    pac,
    det
};

inline constexpr int WORDS = 11;
inline constexpr std::array<std::string_view, WORDS> WORD_NAMES = {
    "singleton", "pair",  "triple", "group", "lance", "arc",
    "shield",    "block", "sumito", "pac",   "det"};

struct Formation {
    Word word;
    int colour;
    Cells cells; // in reading order; where rows meet, along the line from the colour's rear

    Word shape = Word::triple; // of a triple: lance, arc or shield

    // Where rows meet: how many of the cells are the side's own row, and which way it faces.
    int row = 0;
    int direction = 0;
    // Of a sumito.
    int behind = NOWHERE; // the cell behind the opposing row; NOWHERE for the rim
    bool playable = false;
    std::vector<int> moves; // that push here once it is playable, the shortest row first
};

// Every formation of the kinds whose bits are set in `words`, by kind and colour. A pac is listed
// once, from the side that comes first.
std::vector<Formation> find_formations(const Position& position,
                                       unsigned words = (1u << WORDS) - 1);

} // namespace sumito
