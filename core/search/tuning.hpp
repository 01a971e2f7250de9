// The numbers of the search and the evaluation that matches decide, each by name, so that two
// settings can meet in one program.
#pragma once

#include "eval/hand.hpp"
#include "eval/network.hpp"
#include "kernel/error.hpp"
#include "search/limits.hpp"

#include <array>
#include <string>
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

// A number by its name, and what it may be. Set so, it is the same in every mode.
struct Setting {
    std::string_view name;
    int least;
    int most;
    int* value;
    int* more = nullptr; // with more players, where that has a value of its own

    void set(int number) const {
        *value = number;
        if (more) *more = number;
    }
};

// Within these ranges no sum of the search overflows, and no score is taken for a certain win.
inline auto settings(Tuning& tuning) {
    constexpr int MARGIN = 10000;
    return std::to_array<Setting>({
        {"marble", 0, MARGIN, &tuning.weights.marble},
        {"ring1", -MARGIN, MARGIN, &tuning.weights.ring[1]},
        {"ring2", -MARGIN, MARGIN, &tuning.weights.ring[2]},
        {"ring3", -MARGIN, MARGIN, &tuning.weights.ring[3]},
        {"ring4", -MARGIN, MARGIN, &tuning.weights.ring[4]},
        {"adjacency", -MARGIN, MARGIN, &tuning.weights.adjacency},
        {"late_base", 0, 1000, &tuning.late_base},
        {"late_scale", 0, 1000, &tuning.late_scale.two, &tuning.late_scale.more},
        {"late_depth", 0, MOST_PLY, &tuning.late_depth},
        {"reduce", 0, 1000, &tuning.reduce.two, &tuning.reduce.more},
        {"reverse_margin", 0, MARGIN, &tuning.reverse_margin.two, &tuning.reverse_margin.more},
        {"reverse_depth", 0, MOST_PLY, &tuning.reverse_depth},
        {"futile_margin", 0, MARGIN, &tuning.futile_margin.two, &tuning.futile_margin.more},
        {"futile_depth", 0, MOST_PLY, &tuning.futile_depth},
        {"leaf_margin", 0, MARGIN, &tuning.leaf_margin},
        {"singular_depth", 0, MOST_PLY, &tuning.singular_depth},
        {"singular_margin", 0, 1000, &tuning.singular_margin},
        {"aspiration", 0, MARGIN, &tuning.aspiration},
        {"history", 0, 1000, &tuning.history},
        {"push", -100'000, 100'000, &tuning.push},
        {"gain", -1000, 1000, &tuning.gain},
        {"contempt", -MARGIN, MARGIN, &tuning.contempt},
        {"hold", 0, MOST_VALUE, &tuning.hold},
        {"hold_plies", 0, MARGIN, &tuning.hold_plies},
        {"three", 0, 1, &tuning.three},
        {"table", 0, 1, &tuning.table},
    });
}

// Throws std::invalid_argument if no setting has that name, or it can't have that value.
inline void set(Tuning& tuning, std::string_view name, int number) {
    for (const Setting& setting : settings(tuning)) {
        if (setting.name != name) continue;
        if (number < setting.least || number > setting.most)
            raise(std::string(name) + " is from " + std::to_string(setting.least) + " to " +
                  std::to_string(setting.most) + ", not " + std::to_string(number));
        return setting.set(number);
    }
    raise("no setting is called '" + std::string(name) + "'");
}

} // namespace sumito
