// Without pruning, reductions, extensions and table, the search must agree with plain minimax in
// every mode.
#include "lab/players.hpp"
#include "search/searcher.hpp"
#include "tests/check.hpp"
#include "tests/start_positions.hpp"

using namespace sumito;

namespace {

template <Mode M>
class Minimax {
  public:
    Minimax(const Game<M>& game) : game(game), root(game.board.turn()) {}

    // For the side to move.
    int value(const Board<M>& board, int ply, int depth) const {
        if constexpr (M == Mode::three)
            if (const int side = last_side_in(board); side != NOBODY) return end(board, side, ply);
        if (past_ply_limit(board, game.rules)) return end(board, leader(board), ply);
        if (depth == 0) return evaluate(board);
        ActionList list;
        generate(board, game.rules, list);
        if (list.size == 0) return end(board, stuck_outcome(board, game.rules).winner, ply);
        int best = -WIN;
        for (const Action action : list) {
            const Board<M> next = play(board, action, game.rules);
            int score;
            if (next.tally.captured(board.side()) >= game.rules.win_at)
                score = end(board, board.side(), ply + 1);
            else if (side_at(next) == side_at(board))
                score = value(next, ply + 1, depth - 1);
            else
                score = -value(next, ply + 1, depth - 1);
            best = std::max(best, score);
        }
        return best;
    }

  private:
    const Game<M>& game;
    int root;
    HandcraftedEvaluator<M> evaluator{Weights{}};

    int side_at(const Board<M>& board) const { return search_side(board, root); }
    int evaluate(const Board<M>& board) const {
        if constexpr (M == Mode::three) {
            const int value = evaluator.value({}, board, root);
            return side_at(board) ? -value : value;
        } else {
            return evaluator.value({}, board, board.side());
        }
    }
    int end(const Board<M>& board, int winner, int ply) const {
        if (winner == NOBODY) return 0;
        const bool ours =
            M == Mode::three ? (winner == root) == (side_at(board) == 0) : winner == board.side();
        return ours ? WIN - ply : ply - WIN;
    }
};

int minimax(const Position& position, int depth) {
    return std::visit(
        [&]<Mode M>(const Game<M>& game) { return Minimax<M>(game).value(game.board, 0, depth); },
        position.any);
}

int searched(const Position& position, int depth) {
    Searcher searcher(1, 1);
    for (const char* name :
         {"lmp_depth", "lmr_percent", "rfp_margin", "futility_margin", "aspiration",
          "singular_depth", "qpush_margin", "contempt", "lead_plies", "use_table"})
        set(searcher.tuning, name, 0);
    searcher.tuning.three_model = static_cast<int>(ThreeModel::paranoid);
    Limits limits;
    limits.depth = depth;
    Handicap handicap;
    handicap.quiescence = false;
    return searcher.search(position, limits, handicap).score;
}

// In `three` a loss is reported only if it is proven.
bool agree(const Position& position, int wanted, int got) {
    if (position.mode() == Mode::three && wanted < -PROVEN) return got < -MAX_UNPROVEN + MAX_PLY;
    return wanted == got;
}

void along_a_game(const char* start, unsigned seed, int depth) {
    std::mt19937_64 random(seed);
    Rules rules;
    rules.win_at = 2;
    rules.ply_limit = 70;
    Position position(start, rules);
    for (int ply = 0; ply < 70 && !position.outcome(); ++ply) {
        if (ply % 9 == 0 || position.ply() > 66) {
            const int wanted = minimax(position, depth);
            const int got = searched(position, depth);
            if (!agree(position, wanted, got)) {
                std::cerr << position.text() << " depth " << depth << ": " << got << ", not "
                          << wanted << "\n";
                ++failures;
            }
        }
        position.push(ply % 2 ? greedy_move(position, random) : random_move(position, random));
    }
}

} // namespace

int main() {
    const char* all[] = {start_positions::BELGIAN, start_positions::THREE, start_positions::TEAMS,
                         start_positions::TEAMS_DOUBLE};
    for (const char* start : all)
        for (unsigned seed = 0; seed < 3; ++seed)
            for (int depth = 1; depth <= 3; ++depth) along_a_game(start, seed, depth);
    if (!failures) std::cout << "minimax: all passed\n";
    return failures != 0;
}
