// One thread's search: iterative deepening over principal-variation search on one kind of node.
// Every mode is a game of two parties here: sides, or in `three` the player at the root against the
// other two. A value flips its sign only where the party to move changes.
#pragma once

#include "eval/evaluator.hpp"
#include "kernel/position.hpp"
#include "search/picker.hpp"
#include "search/time.hpp"

#include <cmath>

namespace sumito {

// What the threads of one search share.
struct Shared {
    Table& table;
    const Limits& limits;
    const Handicap& handicap;
    const Tuning& tuning;
    const Timer& timer;
    std::atomic<bool>& stop;
    std::uint64_t node_limit;
    int depth_limit;
};

struct RootLine {
    int score = -WIN;
    int depth = 0;
    int seldepth = 0;
    std::vector<int> pv;
};

template <Mode M>
class Worker {
  public:
    Worker() { memory.clear(); }

    std::atomic<std::uint64_t> nodes{0};
    std::vector<RootLine> lines; // by rank, of the last depth finished
    int finished_depth = 0;

    void forget() { memory.clear(); }

    // `number` 0 is the main thread: it alone minds the limits and reports.
    void run(const Line<M>& game, Shared& common, int number,
             const std::function<void(int)>& report);

  private:
    using State = typename Evaluator<M>::State;
    enum class Kind { pv, cut };

    // What a node is told about itself by its parent.
    struct Node {
        const Board<M>& board;
        const State& state;
        Key key;
        int ply;
        int previous;  // the move that led here
        bool answered; // BRS+: one of the two others has already played a move of their choice
    };

    // Quiet moves that didn't help; more than these are too many to matter.
    struct Failed {
        std::array<std::uint16_t, 64> moves;
        int size = 0;
        Failed() {}
        void add(std::uint16_t move) {
            if (size < 64) moves[size++] = move;
        }
    };

    struct Root {
        Action action;
        int score;
    };

    Shared* shared = nullptr;
    Rules rules;
    Tuning tuning;
    Evaluator<M> evaluator;
    Memory memory;
    Key salt = 0;
    Key error_seed = 0;
    int root_turn = 0;
    int root_party = 0;
    int seldepth = 0;
    bool is_main = true;
    bool stopped = false;
    std::uint64_t count = 0;
    std::vector<Key> path; // keys since the last ejection before the root, then of this line
    std::vector<Root> root_moves;
    std::array<std::array<std::uint16_t, LONGEST_LINE + 8>, LONGEST_LINE + 8> pv;
    std::array<int, LONGEST_LINE + 8> pv_length{};
    std::array<std::array<std::uint8_t, 64>, 64> reductions;
    int reductions_for = -1; // the setting they were made for

    void prepare(const Line<M>& game, Shared& common, int number);
    void plan_reductions();
    void order_lines();
    bool search_depth(const Line<M>& game, int depth, int rank);
    int search_root(const Line<M>& game, int alpha, int beta, int depth, int rank);
    int search(const Node& node, int alpha, int beta, int depth, Kind kind);
    int quiesce(const Board<M>& board, const State& state, Key key, int alpha, int beta, int ply,
                bool see_ejections);
    int search_moves(const Node& node, int alpha, int beta, int depth, Kind kind, int value,
                     int& move);
    int search_move(const Node& node, Action action, int tried, int alpha, int beta, int depth,
                    Kind kind);
    int child(const Node& node, const Board<M>& next, const State& state, Key key, int move,
              int tried, int alpha, int beta, int depth, Kind kind);
    bool answers(const Node& node, const Board<M>& next, int tried) const;
    void learn(const Node& node, int depth, int move, const Failed& failed);

    int party(const Board<M>& board) const {
        if constexpr (M == Mode::three)
            return board.turn() == root_turn ? 0 : 1;
        else
            return board.side();
    }
    Key key_at(const Board<M>& board, bool answered) const {
        const Key key = key_of(board) ^ salt;
        return M == Mode::three && answered ? ~key : key;
    }
    bool brs() const { return M == Mode::three && tuning.three == static_cast<int>(Three::brs); }

    // The player at the root would rather play on than draw.
    int draw_value(const Board<M>& board) const {
        return party(board) == root_party ? -tuning.contempt : tuning.contempt;
    }
    int value_of(const Board<M>& board, const State& state, Key key) const;
    int value_of_end(const Board<M>& board, int winner, int ply) const;
    bool repeated(const Board<M>& board, Key key) const;
    bool overlooked(Key key, int move) const;
    bool out_of_time();
    void extend_pv(int ply, int move);
    int late_limit(int depth) const {
        return tuning.late_base + tuning.late_scale * depth * depth / 4;
    }
};

template <Mode M>
int Worker<M>::value_of(const Board<M>& board, const State& state, Key key) const {
    int value;
    if constexpr (M == Mode::three) {
        value = evaluator.value(state, board, root_turn);
        if (party(board) == 1) value = -value;
    } else {
        value = evaluator.value(state, board, board.side());
    }
    if (tuning.fade) {
        const int quiet = std::min(static_cast<int>(board.tally.quiet()), tuning.fade - 1);
        value = value * (tuning.fade - quiet / 2) / tuning.fade;
    }
    if (const int noise = shared->handicap.noise) {
        // The sum of four even errors is near enough to a person's.
        const Key h = mix((key ^ error_seed) * 0x9E3779B97F4A7C15ull);
        const int error =
            static_cast<int>((h & 255) + (h >> 8 & 255) + (h >> 16 & 255) + (h >> 24 & 255)) - 510;
        value += noise * error / 150;
    }
    return value;
}

// A finished game as the party to move sees it: NOBODY is a draw.
template <Mode M>
int Worker<M>::value_of_end(const Board<M>& board, int winner, int ply) const {
    if (winner == NOBODY) return draw_value(board);
    bool ours;
    if constexpr (M == Mode::three)
        ours = (winner == root_turn) == (party(board) == 0);
    else
        ours = winner == board.side();
    return ours ? WIN - ply : ply - WIN;
}

template <Mode M>
bool Worker<M>::repeated(const Board<M>& board, Key key) const {
    if (!tuning.threefold) return false;
    const auto quiet = static_cast<std::size_t>(board.tally.quiet());
    const std::size_t window = std::min(quiet, path.size());
    for (std::size_t back = 1; back <= window; ++back)
        if (path[path.size() - back] == key) return true;
    return false;
}

template <Mode M>
bool Worker<M>::overlooked(Key key, int move) const {
    const Handicap& handicap = shared->handicap;
    if (!handicap.blindness) return false;
    const Key h = mix((key ^ error_seed) + static_cast<Key>(move) * 0x9E3779B97F4A7C15ull);
    return static_cast<int>((h >> 20) % 1000) < handicap.blindness;
}

template <Mode M>
bool Worker<M>::out_of_time() {
    if (stopped) return true;
    if (is_main && shared->node_limit && count >= shared->node_limit && finished_depth > 0)
        return stopped = true;
    if ((count & 511) == 0) {
        nodes.store(count, std::memory_order_relaxed);
        if (shared->stop.load(std::memory_order_relaxed)) return stopped = true;
        if (is_main && shared->timer.hard_over()) return stopped = true;
    }
    return false;
}

template <Mode M>
void Worker<M>::extend_pv(int ply, int move) {
    pv[ply][0] = static_cast<std::uint16_t>(move);
    const int length = pv_length[ply + 1];
    std::copy_n(pv[ply + 1].begin(), length, pv[ply].begin() + 1);
    pv_length[ply] = length + 1;
}

template <Mode M>
int Worker<M>::quiesce(const Board<M>& board, const State& state, Key key, int alpha, int beta,
                       int ply, bool see_ejections) {
    ++count;
    if (ply > seldepth) seldepth = ply;
    pv_length[ply] = 0;
    const int value = value_of(board, state, key);
    if (value >= beta || !see_ejections || ply >= LONGEST_LINE || out_of_time()) return value;
    alpha = std::max(alpha, value);
    int best = value;
    ActionList list;
    generate<M, Stage::ejections>(board, rules, list);
    for (const Action action : list) {
        if (overlooked(key, action.index)) continue;
        const Board<M> next = play(board, action, rules);
        int score;
        if (next.tally.captured(board.side()) >= rules.win_at) {
            score = value_of_end(board, board.side(), ply + 1);
        } else {
            const State after = evaluator.next(state, board, next);
            const Key next_key = key_at(next, false);
            score = party(next) == party(board)
                        ? quiesce(next, after, next_key, alpha, beta, ply + 1, true)
                        : -quiesce(next, after, next_key, -beta, -alpha, ply + 1, true);
        }
        if (score <= best) continue;
        best = score;
        if (score >= beta) break;
        alpha = std::max(alpha, score);
    }
    return best;
}

// BRS+: of the two others, one may choose a move and the other plays the first in order. Once a
// move other than the first was chosen, the one after has no choice left.
template <Mode M>
bool Worker<M>::answers(const Node& node, const Board<M>& next, int tried) const {
    return brs() && party(next) == 1 && party(node.board) == 1 && (node.answered || tried > 0);
}

template <Mode M>
int Worker<M>::child(const Node& node, const Board<M>& next, const State& state, Key key, int move,
                     int tried, int alpha, int beta, int depth, Kind kind) {
    const Node below{next, state, key, node.ply + 1, move, answers(node, next, tried)};
    return party(next) == party(node.board) ? search(below, alpha, beta, depth, kind)
                                            : -search(below, -beta, -alpha, depth, kind);
}

// What one move is worth: later quiet moves are first asked at less depth whether they are worth
// it.
template <Mode M>
int Worker<M>::search_move(const Node& node, Action action, int tried, int alpha, int beta,
                           int depth, Kind kind) {
    const Board<M>& board = node.board;
    const Board<M> next = play(board, action, rules);
    if (action.ejects() && next.tally.captured(board.side()) >= rules.win_at) {
        pv_length[node.ply + 1] = 0;
        return value_of_end(board, board.side(), node.ply + 1);
    }
    const Key key = key_at(next, answers(node, next, tried));
    shared->table.prefetch(key);
    const State state = evaluator.next(node.state, board, next);
    const auto look = [&](int a, int b, int d, Kind k) {
        return child(node, next, state, key, action.index, tried, a, b, d, k);
    };
    const int below = depth - 1;
    if (tried == 0) return look(alpha, beta, below, kind);

    int reduction = 0;
    if (!action.ejects() && tried >= 2 && depth >= 3)
        reduction =
            std::clamp(reductions[std::min(depth, 63)][std::min(tried, 63)] - (kind == Kind::pv), 0,
                       below - 1);
    int score = look(alpha, alpha + 1, below - reduction, Kind::cut);
    if (score > alpha && reduction) score = look(alpha, alpha + 1, below, Kind::cut);
    if (score > alpha && kind == Kind::pv) score = look(alpha, beta, below, Kind::pv);
    return score;
}

// A quiet move has cut the branch: it is to come earlier next time, those tried before it later.
template <Mode M>
void Worker<M>::learn(const Node& node, int depth, int move, const Failed& failed) {
    const int colour = node.board.turn();
    const int bonus = std::min(tuning.history * depth * depth, 1200);
    memory.reward(colour, move, bonus);
    memory.refuted(node.ply, colour, node.previous, move);
    for (int i = 0; i < failed.size; ++i) memory.reward(colour, failed.moves[i], -bonus);
}

// Tries the moves in order until one refutes; `move` becomes the best of them.
template <Mode M>
int Worker<M>::search_moves(const Node& node, int alpha, int beta, int depth, Kind kind, int value,
                            int& move) {
    const bool quiet_window = std::abs(beta) < SURE && std::abs(alpha) < SURE;
    const bool futile = kind == Kind::cut && quiet_window && tuning.futile_margin &&
                        depth <= tuning.futile_depth &&
                        value + tuning.futile_margin * depth <= alpha;
    const int enough = depth <= tuning.late_depth && quiet_window ? late_limit(depth) : MOST_MOVES;
    Picker<M> picker(node.board, rules, memory, tuning, node.ply, node.previous, move);
    Failed failed;
    int best = -WIN;
    int seen = 0;
    int tried = 0;
    int quiets = 0;
    while (const Action action = picker.next()) {
        const bool quiet = !action.ejects();
        ++seen;
        // Late quiet moves are left out, unless all so far lose and a defence may be among them.
        if (quiet && tried && best > -SURE) {
            if (quiets >= enough) break;
            if (futile) continue;
        }
        if (overlooked(node.key, action.index)) continue;
        const int score = search_move(node, action, tried++, alpha, beta, depth, kind);
        if (stopped) return 0;
        best = std::max(best, score);
        if (score > alpha) {
            alpha = score;
            move = action.index;
            if (kind == Kind::pv) extend_pv(node.ply, action.index);
            if (score >= beta) {
                if (quiet) learn(node, depth, action.index, failed);
                break;
            }
        }
        if (quiet) {
            ++quiets;
            failed.add(action.index);
        }
        if (brs() && node.answered) break; // one of the two others has had the choice already
    }
    if (seen == 0)
        return value_of_end(node.board, stuck_outcome(node.board, rules).winner, node.ply);
    return tried ? best : value; // a weak level may overlook every move
}

template <Mode M>
int Worker<M>::search(const Node& node, int alpha, int beta, int depth, Kind kind) {
    const auto& [board, state, key, ply, previous, answered] = node;
    if (depth <= 0 || ply >= LONGEST_LINE)
        return quiesce(board, state, key, alpha, beta, ply, shared->handicap.quiescence);
    ++count;
    if (ply > seldepth) seldepth = ply;
    pv_length[ply] = 0;
    if (out_of_time()) return 0;
    if constexpr (M == Mode::three)
        if (const int side = last_side_in(board); side != NOBODY)
            return value_of_end(board, side, ply);
    if (past_ply_limit(board, rules)) return value_of_end(board, leader(board), ply);
    if (repeated(board, key)) return draw_value(board);

    // No line from here can beat a quicker win found elsewhere.
    alpha = std::max(alpha, ply - WIN);
    beta = std::min(beta, WIN - ply - 1);
    if (alpha >= beta) return alpha;

    // Judged before the table is asked: the judgement is cheaper than a miss in memory, and for
    // most positions near the leaves it is all that is needed.
    const int value = value_of(board, state, key);
    if (kind == Kind::cut && std::abs(beta) < SURE && tuning.reverse_margin &&
        depth <= tuning.reverse_depth && value - tuning.reverse_margin * depth >= beta)
        return value;

    // Near a ply limit the same marbles are worth something else a ply later.
    const bool table_holds = !rules.ply_limit || board.tally.ply() + static_cast<unsigned>(depth) <
                                                     static_cast<unsigned>(rules.ply_limit);
    Entry entry;
    const bool known = shared->table.probe(key, entry);
    if (known && kind == Kind::cut && table_holds && entry.depth >= depth &&
        entry.settles(alpha, beta, ply))
        return entry.score_at(ply);

    int move = known ? entry.move : NO_MOVE;
    path.push_back(key);
    const int best = search_moves(node, alpha, beta, depth, kind, value, move);
    path.pop_back();
    if (stopped) return 0;
    if (table_holds)
        shared->table.store(key, Entry::of(move, best, ply, depth,
                                           best >= beta   ? Bound::lower
                                           : best > alpha ? Bound::exact
                                                          : Bound::upper));
    return best;
}

} // namespace sumito
