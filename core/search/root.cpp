// The search from the root.
#include "search/root.hpp"

#include <algorithm>

namespace sumito {

namespace {

// A loss in `three` is certain only if the next player has it in hand: the one after may be
// stopped by them.
template <Mode M>
int claimed(int score) {
    if (M == Mode::three && score < -SURE && WIN + score > 2) return -UNPROVEN;
    return score;
}

bool is_sure(int score) { return std::abs(score) > SURE; }

} // namespace

template <Mode M>
void RootSearch<M>::begin(const Game<M>& game, Shared& common, int number) {
    shared = &common;
    worker.begin(game, common, number);
    lines.clear();
    moves.clear();
    ActionList list;
    generate(game.board, game.rules, list);
    const auto& wanted = common.limits.searchmoves;
    for (const Action action : list)
        if (wanted.empty() ||
            std::find(wanted.begin(), wanted.end(), int{action.index}) != wanted.end())
            moves.push_back(action);
    // A first order by gain, so that even the first depth has somewhere to start.
    const auto rank = [](Action x) { return 100 * x.ejects() + 2 * x.pushed() + gain_of(x); };
    std::stable_sort(moves.begin(), moves.end(),
                     [&](Action a, Action b) { return rank(a) > rank(b); });
}

// What the move at that place is worth; all but the first are asked cheaply at first.
template <Mode M>
int RootSearch<M>::look_at(std::size_t at, std::size_t first, int alpha, int beta, int depth) {
    const Action action = moves[at];
    if (at == first) return worker.look(action, alpha, beta, depth, Kind::pv);
    const auto tried = static_cast<int>(at - first);
    int reduced = 0;
    if (!action.ejects() && depth >= 3 && tried >= 4)
        reduced = std::min(worker.reduction(depth, tried) / 2, depth - 2);
    int score = worker.look(action, alpha, alpha + 1, depth - reduced, Kind::cut);
    if (score > alpha && reduced) score = worker.look(action, alpha, alpha + 1, depth, Kind::cut);
    if (score > alpha) score = worker.look(action, alpha, beta, depth, Kind::pv);
    return score;
}

// Searches the moves from `rank` on; those before it begin the better lines already found.
template <Mode M>
int RootSearch<M>::search_moves(int alpha, int beta, int depth, int rank) {
    int best = -WIN;
    const auto first = static_cast<std::size_t>(rank);
    for (std::size_t i = first; i < moves.size(); ++i) {
        const int score = look_at(i, first, alpha, beta, depth);
        if (worker.is_stopped()) break;
        if (score <= best) continue;
        best = score;
        if (score > alpha || i == first) {
            found.pv = worker.line_of(moves[i]);
            alpha = std::max(alpha, score);
            // The best so far goes to the front of what is left, for the next depth.
            const auto begin = moves.begin();
            std::rotate(begin + rank, begin + static_cast<std::ptrdiff_t>(i),
                        begin + static_cast<std::ptrdiff_t>(i) + 1);
        }
        if (score >= beta) break;
    }
    return best;
}

// One line of one depth, added to `fresh`; false if the search was stopped within it.
template <Mode M>
bool RootSearch<M>::search_depth(int depth, int rank, std::vector<Line>& fresh) {
    const auto slot = static_cast<std::size_t>(rank);
    const int expected = slot < lines.size() ? lines[slot].score : 0;
    int window = shared->tuning.aspiration;
    const bool narrow = window && depth >= 4 && slot < lines.size() && !is_sure(expected);
    int alpha = narrow ? expected - window : -WIN;
    int beta = narrow ? expected + window : WIN;
    worker.begin_depth(depth);
    Line failed_high; // the answer if the search is stopped before its exact score is known
    for (;;) {
        found.pv.clear();
        const int score = search_moves(alpha, beta, depth, rank);
        const bool stopped = worker.is_stopped();
        const Line line{claimed<M>(score), depth, std::max(worker.selective_depth(), depth),
                        found.pv};
        if (stopped && found.pv.empty() && !failed_high.pv.empty()) {
            fresh.push_back(std::move(failed_high));
            return false;
        }
        // Of a search that was cut short, only a move that came out well is worth something.
        if (stopped && (found.pv.empty() || score <= alpha)) return false;
        if (!stopped && score <= alpha && alpha > -WIN) {
            alpha = std::max(-WIN, alpha - window);
            window *= 3;
            failed_high.pv.clear(); // refuted
        } else if (!stopped && score >= beta && beta < WIN) {
            beta = std::min(WIN, beta + window);
            window *= 3;
            failed_high = line;
        } else {
            fresh.push_back(line);
            return !stopped;
        }
        if (window > 2000) alpha = -WIN, beta = WIN;
    }
}

// The lines of a depth become ours. A later line may turn out better than an earlier one, which was
// searched with less knowledge. If the depth was cut short, lines of the one before fill the places
// left; they can't be worth more than those that were preferred to them.
template <Mode M>
void RootSearch<M>::take(std::vector<Line>& fresh, std::size_t wanted) {
    if (fresh.empty()) return;
    std::stable_sort(fresh.begin(), fresh.end(),
                     [](const Line& a, const Line& b) { return a.score > b.score; });
    const int most = fresh.back().score;
    for (Line& old : lines) {
        if (fresh.size() >= wanted) break;
        const bool again = std::any_of(fresh.begin(), fresh.end(),
                                       [&](const Line& line) { return line.pv[0] == old.pv[0]; });
        if (again) continue;
        old.score = std::min(old.score, most);
        fresh.push_back(std::move(old));
    }
    lines = std::move(fresh);
}

template <Mode M>
void RootSearch<M>::order_moves() {
    auto place = moves.begin();
    for (const Line& line : lines) {
        const auto at = std::find_if(
            place, moves.end(), [&](Action action) { return int{action.index} == line.pv[0]; });
        std::rotate(place, at, at + 1);
        ++place;
    }
}

// A deeper look can't shorten any of the wins or losses.
template <Mode M>
bool RootSearch<M>::all_proven(int depth) const {
    return std::all_of(lines.begin(), lines.end(), [&](const Line& line) {
        return is_sure(line.score) && WIN - std::abs(line.score) <= depth;
    });
}

template <Mode M>
void RootSearch<M>::run(const Game<M>& game, Shared& common, int number,
                        const std::function<void()>& report) {
    begin(game, common, number);
    if (moves.empty()) return;
    const int wanted = std::min(std::max(1, common.limits.multipv), static_cast<int>(moves.size()));
    int last_best = NO_MOVE;
    int unsteady = 0;
    for (int depth = 1; depth <= common.depth_limit; ++depth) {
        // The other threads skip depths in turn, so that the threads' tables help each other.
        if (number && depth > 2 && (depth + number) % 3 == 0) continue;
        std::vector<Line> fresh;
        int rank = 0;
        while (rank < wanted && search_depth(depth, rank, fresh)) ++rank;
        take(fresh, static_cast<std::size_t>(wanted));
        worker.publish_nodes();
        if (rank < wanted) break;
        order_moves();
        worker.finished(depth);
        if (number) continue;
        report();
        const int best = lines[0].pv[0];
        unsteady = best == last_best ? unsteady * 2 / 3 : unsteady + 100;
        last_best = best;
        if (all_proven(depth)) break;
        if (moves.size() == 1 && common.timer.is_limited()) break;
        if (common.timer.soft_over(55 + std::min(unsteady, 150) / 2)) break;
    }
    worker.publish_nodes();
}

template class RootSearch<Mode::two>;
template class RootSearch<Mode::three>;
template class RootSearch<Mode::teams>;
template class RootSearch<Mode::teams_double>;

} // namespace sumito
