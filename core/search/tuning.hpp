// The numbers of the search and the evaluation that matches decide, each by name, so that two
// settings can meet in one program.
#pragma once

#include "eval/hand.hpp"
#include "eval/network.hpp"
#include "search/limits.hpp"

#include <array>
#include <string_view>

namespace sumito {

// A number that two players' searches, tuned at 20,000 nodes and more, want otherwise than those of
// more players.
struct ByMode {
    int two;
    int more;
    constexpr int of(Mode mode) const { return mode == Mode::two ? two : more; }
};

struct Tuning {
    Weights weights;
    std::shared_ptr<const Network> network; // judges instead of the weights; may be null
    int late_base = 4; // quiet moves tried at low depth: base + scale * depth^2 / 4
    ByMode late_scale{5, 4};
    int late_depth = 8;      // 0 to try all
    ByMode reduce{175, 150}; // strength of late-move reductions in hundredths; 0 for none
    // A position so much above beta per ply is not searched; 0 for none.
    ByMode reverse_margin{56, 60};
    int reverse_depth = 5;
    // Quiet moves that can't reach alpha by so much per ply are left out; 0 for none.
    ByMode futile_margin{130, 150};
    int futile_depth = 4;
    int leaf_margin = 72;    // at leaves pushes are looked at if so much would do; 0 for never
    int singular_depth = 7;  // from this depth on a move that stands alone is looked at further; 0
                             // for never
    int singular_margin = 2; // by so much a ply the others must stay behind it
    int aspiration = 40;     // first window; 0 for none
    int history = 16;        // what a cut teaches, times depth^2; 0 to learn nothing
    int push = 2000;         // in the order of moves: pushes
    int gain = 24;           // weight of the static gain in the order of moves
    int contempt = 250;      // what a draw costs the player at the root
    int hold = 800;          // what a lead is worth at the ply limit
    int hold_plies = 60;     // and how long before it begins to count
    int three = 0;           // Three::brs, Three::paranoid
    int table = 1;           // 0 to search without the table, to compare with
};

// A number by its name. Set so, it is the same in every mode.
struct Setting {
    std::string_view name;
    int* value;
    int* more = nullptr; // with more players, where that has a value of its own

    void set(int number) const {
        *value = number;
        if (more) *more = number;
    }
};

inline auto settings(Tuning& tuning) {
    return std::to_array<Setting>({
        {"marble", &tuning.weights.marble},
        {"ring1", &tuning.weights.ring[1]},
        {"ring2", &tuning.weights.ring[2]},
        {"ring3", &tuning.weights.ring[3]},
        {"ring4", &tuning.weights.ring[4]},
        {"adjacency", &tuning.weights.adjacency},
        {"late_base", &tuning.late_base},
        {"late_scale", &tuning.late_scale.two, &tuning.late_scale.more},
        {"late_depth", &tuning.late_depth},
        {"reduce", &tuning.reduce.two, &tuning.reduce.more},
        {"reverse_margin", &tuning.reverse_margin.two, &tuning.reverse_margin.more},
        {"reverse_depth", &tuning.reverse_depth},
        {"futile_margin", &tuning.futile_margin.two, &tuning.futile_margin.more},
        {"futile_depth", &tuning.futile_depth},
        {"leaf_margin", &tuning.leaf_margin},
        {"singular_depth", &tuning.singular_depth},
        {"singular_margin", &tuning.singular_margin},
        {"aspiration", &tuning.aspiration},
        {"history", &tuning.history},
        {"push", &tuning.push},
        {"gain", &tuning.gain},
        {"contempt", &tuning.contempt},
        {"hold", &tuning.hold},
        {"hold_plies", &tuning.hold_plies},
        {"three", &tuning.three},
        {"table", &tuning.table},
    });
}

// Whether there is a setting of that name, which then has that value.
inline bool set(Tuning& tuning, std::string_view name, int number) {
    for (const Setting& setting : settings(tuning))
        if (setting.name == name) {
            setting.set(number);
            return true;
        }
    return false;
}

} // namespace sumito
