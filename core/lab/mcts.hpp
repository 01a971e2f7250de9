// Batched Monte Carlo tree search with the caller's network. Each round gathers leaves of all
// games, the caller evaluates them, and the values are backed up.
//
// The search is Gumbel AlphaZero (Danihelka et al., 2022), which improves the network's policy even
// with few simulations: root moves are sampled without replacement by their Gumbel scores and
// reduced by sequential halving. Names follow the paper and its implementation mctx.
#pragma once

#include "env/batch.hpp"

namespace sumito {

struct MctsOptions {
    int simulations = 100;   // of each game
    int max_considered = 16; // root moves sampled, and so leaves per round
    float c_scale = 0.5f;    // weight of values against logits
    float gumbel_scale = 1;  // scale of the Gumbel noise; 0 for none
    std::uint64_t seed = 0;
};

class Mcts {
  public:
    virtual ~Mcts() = default;
    // Starts new trees from the current games.
    virtual void begin() = 0;
    // Writes the observations of leaves; returns how many, at most games × max_considered, and 0
    // when all simulations are done.
    virtual int gather(std::uint8_t* observations, std::uint8_t* masks) = 0;
    // Takes for each leaf 1,272 logits, and a value for every side, the mover's first.
    virtual void evaluate(const float* logits, const float* values) = 0;
    // Visits of each move of each root.
    virtual void visits(std::int32_t* out) const = 0;
    // For each root the improved policy, the move to play, and the value for its mover.
    virtual void improved_policy(float* policy, std::int64_t* actions, float* values) const = 0;
};

std::unique_ptr<Mcts> make_mcts(const Batch& batch, const MctsOptions& options);

} // namespace sumito
