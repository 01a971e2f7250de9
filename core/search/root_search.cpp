// Iterative deepening.
#include "search/root_search.hpp"

#include <algorithm>

namespace sumito {

namespace {

// A loss in `three` is proven only if the next player can force it: the one after may be stopped.
template <Mode M>
int provable_score(int score) {
    if (M == Mode::three && score < -PROVEN && WIN + score > 2) return -MAX_UNPROVEN;
    return score;
}

bool is_proven(int score) { return std::abs(score) > PROVEN; }

} // namespace

template <Mode M>
void RootSearch<M>::begin(const Game<M>& game, SharedState& common, int number) {
    shared = &common;
    worker.begin(game, common, number);
    variations.clear();
    moves.clear();
    ActionList list;
    generate(game.board, game.rules, list);
    const auto& multipv = common.limits.searchmoves;
    for (const Action action : list)
        if (multipv.empty() ||
            std::find(multipv.begin(), multipv.end(), int{action.index}) != multipv.end())
            moves.push_back(action);
    constexpr int PUSH_WEIGHT = 2;
    sort_statically(moves.begin(), moves.end(), PUSH_WEIGHT);
}

// The score of the move at an index; all but the first are searched with a null window first.
template <Mode M>
int RootSearch<M>::search_move(std::size_t at, std::size_t first, int alpha, int beta, int depth) {
    const Action action = moves[at];
    if (at == first) return worker.search_root_move(action, alpha, beta, depth, NodeType::pv);
    const auto tried = static_cast<int>(at - first);
    int reduced = 0;
    if (!action.ejects() && depth >= 3 && tried >= 4)
        reduced = std::min(worker.reduction(depth, tried) / 2, depth - 2);
    int score = worker.search_root_move(action, alpha, alpha + 1, depth - reduced, NodeType::cut);
    if (score > alpha && reduced)
        score = worker.search_root_move(action, alpha, alpha + 1, depth, NodeType::cut);
    if (score > alpha) score = worker.search_root_move(action, alpha, beta, depth, NodeType::pv);
    return score;
}

// Searches the moves from `rank` on; those before it start the better variations already found.
template <Mode M>
int RootSearch<M>::search_moves(int alpha, int beta, int depth, int rank) {
    int best = -WIN;
    const auto first = static_cast<std::size_t>(rank);
    for (std::size_t i = first; i < moves.size(); ++i) {
        const int score = search_move(i, first, alpha, beta, depth);
        if (worker.is_stopped()) break;
        if (score <= best) continue;
        best = score;
        if (score > alpha || i == first) {
            found.pv = worker.variation_from(moves[i]);
            alpha = std::max(alpha, score);
            // Move the best so far to the front of the rest, for the next depth.
            const auto begin = moves.begin();
            std::rotate(begin + rank, begin + static_cast<std::ptrdiff_t>(i),
                        begin + static_cast<std::ptrdiff_t>(i) + 1);
        }
        if (score >= beta) break;
    }
    return best;
}

// Adds one variation of one depth to `fresh`; false if the search was stopped within it.
template <Mode M>
bool RootSearch<M>::search_depth(int depth, int rank, std::vector<Variation>& fresh) {
    const auto slot = static_cast<std::size_t>(rank);
    const int expected = slot < variations.size() ? variations[slot].score : 0;
    int window = shared->tuning.aspiration;
    const bool narrow = window && depth >= 4 && slot < variations.size() && !is_proven(expected);
    int alpha = narrow ? expected - window : -WIN;
    int beta = narrow ? expected + window : WIN;
    worker.begin_depth(depth);
    Variation failed_high; // the answer if stopped before its exact score is known
    for (;;) {
        found.pv.clear();
        const int score = search_moves(alpha, beta, depth, rank);
        const bool stopped = worker.is_stopped();
        const Variation variation{provable_score<M>(score), depth,
                                  std::max(worker.selective_depth(), depth), found.pv};
        if (stopped && found.pv.empty() && !failed_high.pv.empty()) {
            fresh.push_back(std::move(failed_high));
            return false;
        }
        // Of a search that was stopped, only a move that raised alpha is usable.
        if (stopped && (found.pv.empty() || score <= alpha)) return false;
        if (!stopped && score <= alpha && alpha > -WIN) {
            alpha = std::max(-WIN, alpha - window);
            window *= 3;
            failed_high.pv.clear(); // refuted
        } else if (!stopped && score >= beta && beta < WIN) {
            beta = std::min(WIN, beta + window);
            window *= 3;
            failed_high = variation;
        } else {
            fresh.push_back(variation);
            return !stopped;
        }
        if (window > 2000) alpha = -WIN, beta = WIN;
    }
}

// Takes over the variations of a depth, sorted, since a later one may score better than an earlier
// one. If the depth was cut short, variations of the previous one fill the remaining places, with
// scores no better than those preferred to them.
template <Mode M>
void RootSearch<M>::merge(std::vector<Variation>& fresh, std::size_t multipv) {
    if (fresh.empty()) return;
    std::stable_sort(fresh.begin(), fresh.end(),
                     [](const Variation& a, const Variation& b) { return a.score > b.score; });
    const int most = fresh.back().score;
    for (Variation& previous : variations) {
        if (fresh.size() >= multipv) break;
        const bool again = std::any_of(fresh.begin(), fresh.end(), [&](const Variation& variation) {
            return variation.pv[0] == previous.pv[0];
        });
        if (again) continue;
        previous.score = std::min(previous.score, most);
        fresh.push_back(std::move(previous));
    }
    variations = std::move(fresh);
}

template <Mode M>
void RootSearch<M>::order_moves() {
    auto place = moves.begin();
    for (const Variation& variation : variations) {
        const auto at = std::find_if(place, moves.end(), [&](Action action) {
            return int{action.index} == variation.pv[0];
        });
        std::rotate(place, at, at + 1);
        ++place;
    }
}

// Whether a deeper search can't shorten any of the wins and losses.
template <Mode M>
bool RootSearch<M>::all_proven(int depth) const {
    return std::all_of(variations.begin(), variations.end(), [&](const Variation& variation) {
        return is_proven(variation.score) && WIN - std::abs(variation.score) <= depth;
    });
}

template <Mode M>
void RootSearch<M>::run(const Game<M>& game, SharedState& common, int number,
                        const std::function<void()>& report) {
    begin(game, common, number);
    if (moves.empty()) return;
    const int multipv =
        std::min(std::max(1, common.limits.multipv), static_cast<int>(moves.size()));
    int last_best = NO_MOVE;
    int instability = 0;
    for (int depth = 1; depth <= common.depth_limit; ++depth) {
        // Lazy SMP: helper threads skip depths in turn, so that threads search different ones.
        if (number && depth > 2 && (depth + number) % 3 == 0) continue;
        std::vector<Variation> fresh;
        int rank = 0;
        while (rank < multipv && search_depth(depth, rank, fresh)) ++rank;
        merge(fresh, static_cast<std::size_t>(multipv));
        worker.publish_nodes();
        if (rank < multipv) break;
        order_moves();
        worker.depth_finished(depth);
        if (number) continue;
        report();
        const int best = variations[0].pv[0];
        instability = best == last_best ? instability * 2 / 3 : instability + 100;
        last_best = best;
        if (all_proven(depth)) break;
        if (moves.size() == 1 && common.timer.has_time_limit()) break;
        if (common.timer.is_past_soft_limit(55 + std::min(instability, 150) / 2)) break;
    }
    worker.publish_nodes();
}

template class RootSearch<Mode::two>;
template class RootSearch<Mode::three>;
template class RootSearch<Mode::teams>;
template class RootSearch<Mode::teams_double>;

} // namespace sumito
