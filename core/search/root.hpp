// One thread's search from the root: deepening, aspiration windows, several lines, and when to
// stop.
#pragma once

#include "search/worker.hpp"

namespace sumito {

// A move at the root and what is expected to follow.
struct Line {
    int score = -WIN;
    int depth = 0;
    int seldepth = 0;
    std::vector<int> pv;
};

template <Mode M>
class RootSearch {
  public:
    // Number 0 is the main thread, which calls `report` after every depth it finishes.
    void run(const Game<M>& game, Shared& common, int number, const std::function<void()>& report);

    std::vector<Line> lines; // the best so far, best first, each with another first move

  private:
    Worker<M> worker;
    Shared* shared = nullptr;
    std::vector<Action> moves; // those looked at, most promising first
    Line found;                // by the search of the moves that is going on

    void begin(const Game<M>& game, Shared& common, int number);
    bool search_depth(int depth, int rank, std::vector<Line>& fresh);
    int search_moves(int alpha, int beta, int depth, int rank);
    int look_at(std::size_t at, std::size_t first, int alpha, int beta, int depth);
    void take(std::vector<Line>& fresh, std::size_t wanted);
    void order_moves();
    bool all_proven(int depth) const;
};

} // namespace sumito
