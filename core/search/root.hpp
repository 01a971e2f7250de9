// The root of a worker's search: deepening, aspiration windows, several lines, and when to stop.
#pragma once

#include "search/worker.hpp"

#include <algorithm>

namespace sumito {

template <Mode M>
void Worker<M>::prepare(const Line<M>& game, Shared& common, int number) {
    shared = &common;
    rules = game.rules;
    tuning = common.tuning;
    evaluator = Evaluator<M>(tuning.weights, tuning.network.get(), game.board);
    is_main = number == 0;
    stopped = false;
    count = 0;
    nodes = 0;
    finished_depth = 0;
    root_turn = game.board.turn();
    root_party = party(game.board);
    lines.clear();
    memory.forget_killers();
    // Other errors at every ply: a person who comes back to a position judges it anew.
    error_seed =
        common.handicap.any() ? mix(common.handicap.seed * 64 + game.board.tally.ply()) : 0;
    // Entries made under other rules, or for another player of three, must not be taken for ours.
    salt = mix(static_cast<Key>(rules.win_at) * 0x9E3779B97F4A7C15ull ^
               static_cast<Key>(rules.stuck) << 8 ^ static_cast<Key>(rules.partner_sidestep) << 12 ^
               common.handicap.seed << 16 ^ static_cast<Key>(common.handicap.noise) << 40);
    if (M == Mode::three)
        salt = mix(salt + static_cast<Key>(root_turn) + static_cast<Key>(tuning.three) * 4 + 1);

    if (reductions_for != tuning.reduce) plan_reductions();

    path.clear();
    for (const Board<M>& board : game.past) {
        if (board.tally.quiet() == 0) path.clear();
        path.push_back(key_at(board, false));
    }
    if (game.board.tally.quiet() == 0) path.clear();

    ActionList list;
    generate(game.board, rules, list);
    root_moves.clear();
    const auto& wanted = common.limits.searchmoves;
    for (const Action action : list)
        if (wanted.empty() ||
            std::find(wanted.begin(), wanted.end(), int{action.index}) != wanted.end())
            root_moves.push_back({action, -WIN});
    // A first order by gain, so that even the first depth has somewhere to start.
    std::stable_sort(root_moves.begin(), root_moves.end(), [](const Root& a, const Root& b) {
        const auto rank = [](Action x) {
            return 100 * x.ejects() + 2 * x.pushed() + GAIN_TABLE.own[x.own - 1][x.index];
        };
        return rank(a.action) > rank(b.action);
    });
}

// Thousands of logarithms: too many for each of a million short searches.
template <Mode M>
void Worker<M>::plan_reductions() {
    reductions_for = tuning.reduce;
    for (int d = 0; d < 64; ++d)
        for (int n = 0; n < 64; ++n) {
            const double r = d && n ? 0.4 + std::log(d) * std::log(n) / 1.9 : 0;
            reductions[d][n] =
                static_cast<std::uint8_t>(tuning.reduce ? r * tuning.reduce / 100 : 0);
        }
}

// Searches the root moves from `rank` on; those before it are the better lines already found.
template <Mode M>
int Worker<M>::search_root(const Line<M>& game, int alpha, int beta, int depth, int rank) {
    const Board<M>& board = game.board;
    const State state = evaluator.start(board);
    const Key key = key_at(board, false);
    const Node node{board, state, key, 0, NO_MOVE, false};
    int best = -WIN;
    path.push_back(key);
    const auto first = static_cast<std::size_t>(rank);
    for (std::size_t i = first; i < root_moves.size(); ++i) {
        const Action action = root_moves[i].action;
        const Board<M> next = play(board, action, rules);
        const Key next_key = key_at(next, false);
        int score;
        if (next.tally.captured(board.side()) >= rules.win_at) {
            score = WIN - 1;
            pv_length[1] = 0;
        } else {
            const State after = evaluator.next(state, board, next);
            const auto look = [&](int a, int b, int d, Kind k) {
                return child(node, next, after, next_key, action.index, 0, a, b, d, k);
            };
            if (i == first) {
                score = look(alpha, beta, depth - 1, Kind::pv);
            } else {
                int reduction = 0;
                if (!action.ejects() && depth >= 3 && i - first >= 4)
                    reduction = std::min<int>(
                        reductions[std::min(depth, 63)][std::min<std::size_t>(i - first, 63)] / 2,
                        depth - 2);
                score = look(alpha, alpha + 1, depth - 1 - reduction, Kind::cut);
                if (score > alpha && reduction)
                    score = look(alpha, alpha + 1, depth - 1, Kind::cut);
                if (score > alpha) score = look(alpha, beta, depth - 1, Kind::pv);
            }
        }
        if (stopped) break;
        root_moves[i].score = i == first || score > alpha ? score : -WIN;
        if (score > best) {
            best = score;
            if (score > alpha || i == first) {
                extend_pv(0, action.index);
                alpha = std::max(alpha, score);
                // The best so far goes to the front of what is left, for the next depth.
                std::rotate(root_moves.begin() + rank, root_moves.begin() + static_cast<long>(i),
                            root_moves.begin() + static_cast<long>(i) + 1);
            }
            if (score >= beta) break;
        }
    }
    path.pop_back();
    return best;
}

// One line of one depth; false if it was stopped before anything was sure.
template <Mode M>
bool Worker<M>::search_depth(const Line<M>& game, int depth, int rank) {
    const auto slot = static_cast<std::size_t>(rank);
    const int expected = slot < lines.size() ? lines[slot].score : 0;
    int window = tuning.aspiration;
    const bool narrow = window && depth >= 4 && slot < lines.size() && std::abs(expected) < SURE;
    int alpha = narrow ? expected - window : -WIN;
    int beta = narrow ? expected + window : WIN;
    seldepth = 0;
    for (;;) {
        pv_length[0] = 0;
        const int score = search_root(game, alpha, beta, depth, rank);
        const bool usable = pv_length[0] > 0 && (!stopped || score > alpha);
        if (stopped && (!usable || score <= alpha)) return false;
        if (!stopped && score <= alpha && alpha > -WIN) {
            alpha = std::max(-WIN, alpha - window);
            window *= 3;
        } else if (!stopped && score >= beta && beta < WIN) {
            beta = std::min(WIN, beta + window);
            window *= 3;
        } else {
            if (slot >= lines.size()) lines.resize(slot + 1);
            lines[slot] = {score, depth, std::max(seldepth, depth),
                           std::vector<int>(pv[0].begin(), pv[0].begin() + pv_length[0])};
            return !stopped;
        }
        if (window > 2000) alpha = -WIN, beta = WIN;
    }
}

// A later line may turn out better than an earlier one, which was searched with less knowledge.
template <Mode M>
void Worker<M>::order_lines() {
    std::stable_sort(lines.begin(), lines.end(),
                     [](const RootLine& a, const RootLine& b) { return a.score > b.score; });
    for (std::size_t rank = 0; rank < lines.size(); ++rank) {
        const auto first = root_moves.begin() + static_cast<std::ptrdiff_t>(rank);
        const auto at = std::find_if(first, root_moves.end(), [&](const Root& root) {
            return int{root.action.index} == lines[rank].pv[0];
        });
        std::rotate(first, at, at + 1);
    }
}

template <Mode M>
void Worker<M>::run(const Line<M>& game, Shared& common, int number,
                    const std::function<void(int)>& report) {
    prepare(game, common, number);
    if (root_moves.empty()) return;
    const int wanted =
        std::min(std::max(1, common.limits.multipv), static_cast<int>(root_moves.size()));
    // Something to play whatever happens next.
    lines.assign(1, {0, 0, 0, {root_moves[0].action.index}});
    std::uint16_t last_best = NO_MOVE;
    int unsteady = 0;
    for (int depth = 1; depth <= common.depth_limit && !stopped; ++depth) {
        // The other threads skip depths in turn, so that the threads' tables help each other.
        if (!is_main && depth > 2 && (depth + number) % 3 == 0) continue;
        int rank = 0;
        while (rank < wanted && search_depth(game, depth, rank)) ++rank;
        if (rank == wanted) order_lines();
        if (is_main) {
            nodes.store(count, std::memory_order_relaxed);
            for (int r = 0; r < rank; ++r) report(r);
        }
        if (stopped) break;
        finished_depth = depth;
        if (!is_main) continue;
        const auto best = static_cast<std::uint16_t>(lines[0].pv[0]);
        unsteady = best == last_best ? unsteady * 2 / 3 : unsteady + 100;
        last_best = best;
        if (std::abs(lines[0].score) > SURE && WIN - std::abs(lines[0].score) <= depth &&
            wanted == 1)
            break; // the win or loss is proven: a deeper look can't shorten it
        if (root_moves.size() == 1 && common.timer.is_limited()) break;
        if (common.timer.soft_over(55 + std::min(unsteady, 150) / 2)) break;
    }
    nodes.store(count, std::memory_order_relaxed);
}

} // namespace sumito
