// Principal variation search of the tree below the root, by one thread. Every mode is a game of two
// sides here: see `search_side`.
#pragma once

#include "eval/evaluator.hpp"
#include "kernel/position.hpp"
#include "search/history.hpp"
#include "search/move_picker.hpp"
#include "search/search_side.hpp"
#include "search/time.hpp"
#include "search/transposition_table.hpp"

namespace sumito {

// State shared by the threads of one search.
struct SharedState {
    TranspositionTable& table;
    const Limits& limits;
    const Handicap& handicap;
    const Tuning& tuning;
    const SearchMonitor& monitor;
    const Timer& timer;
    std::atomic<bool>& stop; // of all threads of this search
    std::uint64_t node_limit;
    int depth_limit;
    std::atomic<std::uint64_t> nodes{0}; // of all threads, a few hundred behind
};

enum class NodeType { pv, cut };

template <Mode M>
class TreeSearch {
  public:
    // Thread 0 is the main one: it alone checks the time and polls the monitor.
    void begin(const Game<M>& game, SharedState& common, int number);
    // The score of a root move for the player at the root; `depth` counts from the root.
    int search_root_move(Action action, int alpha, int beta, int depth, NodeType kind);
    // The principal variation of the last search of this root move.
    std::vector<int> variation_from(Action action) const;
    int reduction(int depth, int tried) const {
        return reductions[std::min(depth, 63)][std::min(tried, 63)];
    }
    // No limit applies until one depth is finished, so that there is always an answer.
    void depth_finished(int depth) {
        if (finished_depth == 0) next_check = nodes;
        finished_depth = depth;
    }
    void publish_nodes();

    bool is_stopped() const { return stopped; }
    int selective_depth() const { return seldepth; }
    void begin_depth(int depth) {
        seldepth = 0;
        root_depth = depth;
    }

  private:
    using State = typename Evaluator<M>::State;

    // What a node receives from its parent.
    struct Node {
        const Board<M>& board;
        const State& state;
        Key key;
        int ply;
        bool brs_replied; // BRS+: one of the two opponents has already played a move of choice
        int excluded = NO_MOVE; // the move excluded in a singular search
    };

    // Quiet moves that did not cut; beyond 64 they are ignored.
    struct QuietsTried {
        std::array<std::uint16_t, 64> moves;
        int size = 0;
        QuietsTried() {}
        void add(std::uint16_t move) {
            if (size < 64) moves[size++] = move;
        }
    };

    SharedState* shared = nullptr;
    Rules rules;
    Tuning tuning;
    Evaluator<M> evaluator;
    History history;
    MoveStack moves;
    Board<M> root{};
    State root_state;
    Key key_salt = 0;
    bool near_ply_limit = false; // close enough for a lead to change evaluations
    Key error_seed = 0;
    int root_turn = 0;
    int root_side = 0;
    int seldepth = 0;
    int root_depth = 0;
    int finished_depth = 0;
    bool is_main = true;
    bool stopped = false;
    std::uint64_t nodes = 0;
    std::uint64_t published_nodes = 0; // of these, already added to the shared count
    std::uint64_t next_check = 0;      // node count of the next check of the limits
    std::int64_t last_poll_us = 0;     // when the monitor was last polled
    std::vector<Key> path;      // keys since the last ejection before the root, then below it
    std::size_t tree_start = 0; // index in the path of the first key below the root
    std::array<std::array<std::uint16_t, MAX_PLY + 8>, MAX_PLY + 8> pv;
    std::array<int, MAX_PLY + 8> pv_length{};
    std::array<std::array<std::uint8_t, 64>, 64> reductions;
    int reductions_percent = -1; // the setting they were computed for

    void fill_reductions();
    void begin_path(const Game<M>& game);
    Key make_key_salt() const;
    int search(const Node& node, int alpha, int beta, int depth, NodeType kind);
    int quiesce(const Board<M>& board, const State& state, Key key, int alpha, int beta, int ply,
                bool is_leaf);
    int search_pushes(const Board<M>& board, const State& state, int best, int beta);
    bool can_be_singular(const Node& node, const Entry& entry, int depth) const;
    int search_excluding(const Node& node, int move, int bar, int depth);
    int search_moves(const Node& node, int alpha, int beta, int depth, NodeType kind, int value,
                     int extension, int& move);
    int search_move(const Node& node, Action action, int tried, int alpha, int beta, int depth,
                    NodeType kind, int extension);
    int child(const Node& node, const Board<M>& next, const State& state, Key key, int tried,
              int alpha, int beta, int depth, NodeType kind);
    bool makes_brs_reply(const Node& node, const Board<M>& next, int tried) const;
    void update_history(const Node& node, int depth, int move, const QuietsTried& quiets_tried);

    int search_side(const Board<M>& board) const { return sumito::search_side(board, root_turn); }
    Key key_at(const Board<M>& board, bool brs_replied) const {
        const Key key = key_of(board) ^ key_salt;
        return M == Mode::three && brs_replied ? ~key : key;
    }
    bool brs() const {
        return M == Mode::three && tuning.three_model == static_cast<int>(ThreeModel::brs);
    }

    // Contempt: a draw costs the player at the root.
    int draw_value(const Board<M>& board) const {
        return search_side(board) == root_side ? -tuning.contempt : tuning.contempt;
    }
    int evaluate(const Board<M>& board, const State& state, Key key) const;
    int blend_lead(const Board<M>& board, int value) const;
    int final_value(const Board<M>& board, int winner, int ply) const;
    bool is_over(const Board<M>& board, Key key, int ply, int& value) const;
    bool is_repetition(const Board<M>& board, Key key) const;
    bool is_overlooked(Key key, int move) const;
    bool should_stop() {
        if (stopped) return true;
        return nodes >= next_check && check_limits();
    }
    bool check_limits();
    void extend_pv(int ply, int move);
    int lmp_limit(int depth) const {
        return tuning.lmp_base + tuning.lmp_scale.of(M) * depth * depth / 4;
    }
};

} // namespace sumito
