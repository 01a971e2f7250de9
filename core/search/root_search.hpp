// Iterative deepening by one thread: aspiration windows, multi-PV, and time management.
#pragma once

#include "search/tree_search.hpp"

namespace sumito {

// A root move with the play expected after it.
struct Variation {
    int score = -WIN;
    int depth = 0;
    int seldepth = 0;
    std::vector<int> pv;
};

template <Mode M>
class RootSearch {
  public:
    // Number 0 is the main thread, which calls `report` after every depth it finishes.
    void run(const Game<M>& game, SharedState& common, int number,
             const std::function<void()>& report);

    std::vector<Variation> variations; // best first, each with another first move

  private:
    TreeSearch<M> worker;
    SharedState* shared = nullptr;
    std::vector<Action> moves; // root moves, most promising first
    Variation found;           // by the search of the moves in progress

    void begin(const Game<M>& game, SharedState& common, int number);
    bool search_depth(int depth, int rank, std::vector<Variation>& fresh);
    int search_moves(int alpha, int beta, int depth, int rank);
    int search_move(std::size_t at, std::size_t first, int alpha, int beta, int depth);
    void merge(std::vector<Variation>& fresh, std::size_t multipv);
    void order_moves();
    bool all_proven(int depth) const;
};

} // namespace sumito
