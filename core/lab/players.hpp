// Baseline players: random, greedy, and alpha-beta of fixed depth with an evaluation by material,
// centre and cohesion.
#pragma once

#include "eval/handcrafted.hpp"
#include "kernel/position.hpp"
#include "search/centre_gain.hpp"
#include "search/limits.hpp"
#include "search/search_side.hpp"

#include <algorithm>
#include <random>

namespace sumito {

enum class PlayerKind : std::uint8_t { engine, alpha_beta, greedy, random };

inline int random_move(const Position& position, std::mt19937_64& random) {
    const std::vector<int> legal = position.legal();
    return legal.empty() ? -1 : legal[random() % legal.size()];
}

// Plain alpha-beta: full width to a fixed depth, ejections and pushes first. Ties are broken at
// random, so that games differ.
template <Mode M>
class AlphaBeta {
  public:
    // Once `stop` is set, returns early with a move of no value.
    AlphaBeta(const Game<M>& game, int depth, std::mt19937_64& random, const Stop* stop)
        : game(game), depth(depth), random(random), stop(stop), evaluator(TEXTBOOK) {}

    int best() {
        ActionList list;
        generate(game.board, game.rules, list);
        std::shuffle(list.actions.begin(), list.actions.begin() + list.size, random);
        order(list);
        int best = -WIN - 1;
        int move = -1;
        for (const Action action : list) {
            const int score = after_move(game.board, action, best, WIN, depth - 1);
            if (score > best) {
                best = score;
                move = action.index;
            }
        }
        return move;
    }

  private:
    static constexpr Weights TEXTBOOK{400, {0, 40, 80, 120, 160}, 8};

    const Game<M>& game;
    int depth;
    std::mt19937_64& random;
    const Stop* stop;
    HandcraftedEvaluator<M> evaluator;

    int side_at(const Board<M>& board) const { return search_side(board, game.board.turn()); }

    static void order(ActionList& list) {
        constexpr int PUSH_WEIGHT = 10;
        sort_statically(list.actions.begin(), list.actions.begin() + list.size, PUSH_WEIGHT);
    }

    int after_move(const Board<M>& board, Action action, int alpha, int beta, int rest) {
        const Board<M> next = play(board, action, game.rules);
        if (ejection_winner(next, game.rules) != NOBODY) return WIN - depth + rest;
        return side_at(next) == side_at(board) ? search(next, alpha, beta, rest)
                                               : -search(next, -beta, -alpha, rest);
    }

    int search(const Board<M>& board, int alpha, int beta, int rest) {
        if (rest <= 0) {
            if constexpr (M == Mode::three) {
                const int value = evaluator.value({}, board, game.board.turn());
                return side_at(board) == 0 ? value : -value;
            } else {
                return evaluator.value({}, board, board.side());
            }
        }
        if (stop && stop->is_set()) return 0;
        ActionList list;
        generate(board, game.rules, list);
        if (list.size == 0) return 0;
        order(list);
        int best = -WIN;
        for (const Action action : list) {
            best = std::max(best, after_move(board, action, std::max(alpha, best), beta, rest - 1));
            if (best >= beta) break;
        }
        return best;
    }
};

inline int alpha_beta_move(const Position& position, int depth, std::mt19937_64& random,
                           const Stop* stop = nullptr) {
    if (position.outcome()) return -1;
    return std::visit(
        [&]<Mode M>(const Game<M>& game) { return AlphaBeta<M>(game, depth, random, stop).best(); },
        position.any);
}

// The best move by the evaluation after it.
inline int greedy_move(const Position& position, std::mt19937_64& random) {
    return alpha_beta_move(position, 1, random);
}

// The move of any player that is not the engine.
inline int simple_move(PlayerKind kind, const Position& position, int depth,
                       std::mt19937_64& random, const Stop* stop = nullptr) {
    switch (kind) {
    case PlayerKind::random:
        return random_move(position, random);
    case PlayerKind::greedy:
        return greedy_move(position, random);
    default:
        return alpha_beta_move(position, std::max(1, depth), random, stop);
    }
}

} // namespace sumito
