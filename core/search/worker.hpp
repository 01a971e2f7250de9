// One thread's search of the tree below the root: principal-variation search on one kind of node.
// Every mode is a game of two parties here: sides, or in `three` the player at the root against the
// other two. A value flips its sign only where the party to move changes.
#pragma once

#include "eval/evaluator.hpp"
#include "kernel/position.hpp"
#include "search/history.hpp"
#include "search/picker.hpp"
#include "search/table.hpp"
#include "search/time.hpp"

namespace sumito {

// What the threads of one search share.
struct Shared {
    Table& table;
    const Limits& limits;
    const Handicap& handicap;
    const Tuning& tuning;
    const Watch& watch;
    const Timer& timer;
    std::atomic<bool>& stop; // of all threads of this search
    std::uint64_t node_limit;
    int depth_limit;
    std::atomic<std::uint64_t> nodes{0}; // of all threads, a few hundred behind
};

enum class Kind { pv, cut };

template <Mode M>
class Worker {
  public:
    // Thread number 0 is the main one: it alone minds the time and asks who watches.
    void begin(const Game<M>& game, Shared& common, int number);
    // What a move at the root is worth to the player there; `depth` counts from the root.
    int look(Action action, int alpha, int beta, int depth, Kind kind);
    // The line that the last look at this move found.
    std::vector<int> line_of(Action action) const;
    int reduction(int depth, int tried) const {
        return reductions[std::min(depth, 63)][std::min(tried, 63)];
    }
    // Until one depth is finished no limit counts, so that there is always an answer.
    void finished(int depth) {
        if (finished_depth == 0) look_at = count;
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

    // What a node is told about itself by its parent.
    struct Node {
        const Board<M>& board;
        const State& state;
        Key key;
        int ply;
        bool answered; // BRS+: one of the two others has already played a move of their choice
        int without = NO_MOVE; // the move left out, to see what the others are worth
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

    Shared* shared = nullptr;
    Rules rules;
    Tuning tuning;
    Evaluator<M> evaluator;
    History history;
    MoveStack moves;
    Board<M> root{};
    State root_state;
    Key salt = 0;
    bool near_limit = false; // the ply limit, so that a lead counts by itself
    Key error_seed = 0;
    int root_turn = 0;
    int root_party = 0;
    int seldepth = 0;
    int root_depth = 0;
    int finished_depth = 0;
    bool is_main = true;
    bool stopped = false;
    std::uint64_t count = 0;
    std::uint64_t published = 0; // of our count, in the shared one
    std::uint64_t look_at = 0;   // the count at which limits are looked at again
    std::int64_t asked_us = 0;   // when whoever watches was asked last
    std::vector<Key> path;       // since the last ejection before the root, then of this line
    std::size_t tree = 0;        // where in the path the tree begins, after the root
    std::array<std::array<std::uint16_t, MOST_PLY + 8>, MOST_PLY + 8> pv;
    std::array<int, MOST_PLY + 8> pv_length{};
    std::array<std::array<std::uint8_t, 64>, 64> reductions;
    int reductions_for = -1; // the setting they were made for

    void plan_reductions();
    void begin_path(const Game<M>& game);
    Key salt_of() const;
    int search(const Node& node, int alpha, int beta, int depth, Kind kind);
    int quiesce(const Board<M>& board, const State& state, Key key, int alpha, int beta, int ply,
                bool is_leaf);
    int best_push(const Board<M>& board, const State& state, int best, int beta);
    bool may_stand_alone(const Node& node, const Entry& entry, int depth) const;
    int search_others(const Node& node, int move, int bar, int depth);
    int search_moves(const Node& node, int alpha, int beta, int depth, Kind kind, int value,
                     int extension, int& move);
    int search_move(const Node& node, Action action, int tried, int alpha, int beta, int depth,
                    Kind kind, int extension);
    int child(const Node& node, const Board<M>& next, const State& state, Key key, int tried,
              int alpha, int beta, int depth, Kind kind);
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
    int held(const Board<M>& board, int value) const;
    int value_of_end(const Board<M>& board, int winner, int ply) const;
    bool is_over(const Board<M>& board, Key key, int ply, int& value) const;
    bool repeated(const Board<M>& board, Key key) const;
    bool overlooked(Key key, int move) const;
    bool out_of_time() {
        if (stopped) return true;
        return count >= look_at && must_stop();
    }
    bool must_stop();
    void extend_pv(int ply, int move);
    int late_limit(int depth) const {
        return tuning.late_base + tuning.late_scale.of(M) * depth * depth / 4;
    }
};

} // namespace sumito
