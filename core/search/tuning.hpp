// Tuning parameters of search and evaluation, by name, so that two settings can play a match in one
// process.
//
// Sources. "SPSA": `sumito lab tune` for two players, 2,912 games at 20,000 nodes per move; the
// five values that moved gained +19 +- 20 Elo over 400 games and lost in the other modes, which
// keep the earlier ones. "Confirmed": set by hand and not moved by more than a tenth in that run.
// "By hand": never tuned. docs/network.md and docs/engine.md have the matches.
#pragma once

#include "eval/handcrafted.hpp"
#include "eval/network.hpp"
#include "kernel/error.hpp"
#include "search/limits.hpp"

#include <array>
#include <string>
#include <string_view>

namespace sumito {

// A parameter with one value for two players and another for the other modes.
struct ByMode {
    int two;
    int more;
    constexpr int of(Mode mode) const { return mode == Mode::two ? two : more; }
};

struct Tuning {
    Weights weights;
    std::shared_ptr<const Network> network; // evaluates instead of the weights; may be null

    // Late-move pruning: quiet moves searched at low depth are base + scale * depth^2 / 4.
    int lmp_base = 4;       // confirmed
    ByMode lmp_scale{5, 4}; // SPSA
    int lmp_depth = 8;      // by hand; 0 turns it off
    // Late-move reductions in per cent of the table; 0 turns them off.
    ByMode lmr_percent{175, 150}; // SPSA
    // Reverse futility pruning: no search if the evaluation is above beta by the margin per ply.
    ByMode rfp_margin{56, 60}; // SPSA; 0 turns it off
    int rfp_depth = 5;         // by hand
    // Futility pruning: quiet moves are skipped if the evaluation is below alpha by the margin per
    // ply.
    ByMode futility_margin{130, 150}; // SPSA; 0 turns it off
    int futility_depth = 4;           // by hand
    // Quiescence pushes: tried at leaves within the margin of alpha.
    int qpush_margin = 72; // SPSA; 0 turns them off
    // Singular extension: +47 [+21, +73] Elo over 300 games at 20,000 nodes.
    int singular_depth = 7;  // least depth, by hand; 0 turns it off
    int singular_margin = 2; // per ply, by which all other moves must stay behind; SPSA (1.6)
    int aspiration = 40;     // half of the first window; confirmed; 0 turns it off
    int history_bonus = 16;  // times depth^2; confirmed; 0 turns history off
    // Move ordering.
    int order_push = 2000;      // bonus of a push; confirmed
    int order_centre_gain = 24; // per step towards the centre; confirmed
    // What a draw costs the player at the root: 5/8 of a marble, so that a stronger player avoids
    // a drawn-out game. By hand.
    int contempt = 250;
    // Towards the ply limit the evaluation fades into the value of a lead: two marbles, over the
    // last 60 plies. By hand; +10 +- 8 Elo over 400 games at 5,000 nodes.
    int lead_value = 800;
    int lead_plies = 60;
    int three_model = 0; // ThreeModel::brs (+58 +- 46 Elo over 180 games) or ThreeModel::paranoid
    int use_table = 1;   // 0 searches without the transposition table, for comparisons
};

// A tuning parameter: name, range and storage. Setting it by name sets it for every mode.
struct Setting {
    std::string_view name;
    int min;
    int max;
    int* value;
    int* more = nullptr; // the value for more players, where it is separate

    void set(int number) const {
        *value = number;
        if (more) *more = number;
    }
};

// Within these ranges no sum of the search overflows, and no score is mistaken for a proven win.
inline auto settings(Tuning& tuning) {
    constexpr int MARGIN = 10000;
    return std::to_array<Setting>({
        {"marble", 0, MARGIN, &tuning.weights.marble},
        {"ring1", -MARGIN, MARGIN, &tuning.weights.ring[1]},
        {"ring2", -MARGIN, MARGIN, &tuning.weights.ring[2]},
        {"ring3", -MARGIN, MARGIN, &tuning.weights.ring[3]},
        {"ring4", -MARGIN, MARGIN, &tuning.weights.ring[4]},
        {"adjacency", -MARGIN, MARGIN, &tuning.weights.adjacency},
        {"lmp_base", 0, 1000, &tuning.lmp_base},
        {"lmp_scale", 0, 1000, &tuning.lmp_scale.two, &tuning.lmp_scale.more},
        {"lmp_depth", 0, MAX_PLY, &tuning.lmp_depth},
        {"lmr_percent", 0, 1000, &tuning.lmr_percent.two, &tuning.lmr_percent.more},
        {"rfp_margin", 0, MARGIN, &tuning.rfp_margin.two, &tuning.rfp_margin.more},
        {"rfp_depth", 0, MAX_PLY, &tuning.rfp_depth},
        {"futility_margin", 0, MARGIN, &tuning.futility_margin.two, &tuning.futility_margin.more},
        {"futility_depth", 0, MAX_PLY, &tuning.futility_depth},
        {"qpush_margin", 0, MARGIN, &tuning.qpush_margin},
        {"singular_depth", 0, MAX_PLY, &tuning.singular_depth},
        {"singular_margin", 0, 1000, &tuning.singular_margin},
        {"aspiration", 0, MARGIN, &tuning.aspiration},
        {"history_bonus", 0, 1000, &tuning.history_bonus},
        {"order_push", -100'000, 100'000, &tuning.order_push},
        {"order_centre_gain", -1000, 1000, &tuning.order_centre_gain},
        {"contempt", -MARGIN, MARGIN, &tuning.contempt},
        {"lead_value", 0, MAX_VALUE, &tuning.lead_value},
        {"lead_plies", 0, MARGIN, &tuning.lead_plies},
        {"three_model", 0, 1, &tuning.three_model},
        {"use_table", 0, 1, &tuning.use_table},
    });
}

// Throws std::invalid_argument if no setting has that name, or the value is out of range.
inline void set(Tuning& tuning, std::string_view name, int number) {
    for (const Setting& setting : settings(tuning)) {
        if (setting.name != name) continue;
        if (number < setting.min || number > setting.max)
            raise(std::string(name) + " is from " + std::to_string(setting.min) + " to " +
                  std::to_string(setting.max) + ", not " + std::to_string(number));
        return setting.set(number);
    }
    raise("no setting is called '" + std::string(name) + "'");
}

} // namespace sumito
