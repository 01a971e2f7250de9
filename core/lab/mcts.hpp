// Tree search for learners (PUCT): many games at once, whose leaves are judged together by somebody
// else's network. A round gathers leaves, the caller judges them, and the judgement goes back up.
#pragma once

#include "env/batch.hpp"

namespace sumito {

struct MctsOptions {
    int simulations = 100; // of each game
    int leaves = 8;        // of each game that may wait for a judgement at the same time
    float exploration = 1.5f;
    float caution = 0.2f;   // how much worse than its parent an unseen move is taken to be
    float noise = 0.25f;    // the part of the root's priors that is left to chance
    float dirichlet = 0.2f; // how uneven chance is: the smaller, the more so
    std::uint64_t seed = 0;
};

class Mcts {
  public:
    virtual ~Mcts() = default;
    // From the games as they stand; nothing is kept of an earlier search.
    virtual void begin() = 0;
    // Writes what leaves look like: how many, at most games × leaves. None when the search is done.
    virtual int gather(std::uint8_t* observations, std::uint8_t* masks) = 0;
    // For each of them 1,272 logits, and a value for every side, the mover's first.
    virtual void judge(const float* logits, const float* values) = 0;
    // How often each move of each root was looked at, and what the root is worth to its mover.
    virtual void visits(std::int32_t* out) const = 0;
    virtual void values(float* out) const = 0;
};

std::unique_ptr<Mcts> make_mcts(const Batch& batch, const MctsOptions& options);

} // namespace sumito
