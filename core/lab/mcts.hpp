// Tree search for learners: many games at once, whose leaves are judged together by somebody else's
// network. A round gathers leaves, the caller judges them, and the judgement goes back up.
//
// The search is that of Gumbel AlphaZero (Danihelka and others, 2022), which makes the network's
// policy better even with few simulations: some of the root's moves are drawn by their chances,
// half of them is dropped again and again, and the others are looked at equally often.
#pragma once

#include "env/batch.hpp"

namespace sumito {

struct MctsOptions {
    int simulations = 100; // of each game
    int considered = 16;   // moves of the root that are looked at: so many leaves wait at once
    float trust = 0.5f;    // how much values count beside the network's logits
    float noise = 1;       // how much chance has a say in which moves are looked at
    std::uint64_t seed = 0;
};

class Mcts {
  public:
    virtual ~Mcts() = default;
    // From the games as they stand; nothing is kept of an earlier search.
    virtual void begin() = 0;
    // Writes what leaves look like: how many, at most games × considered. None when all is done.
    virtual int gather(std::uint8_t* observations, std::uint8_t* masks) = 0;
    // For each of them 1,272 logits, and a value for every side, the mover's first.
    virtual void judge(const float* logits, const float* values) = 0;
    // How often each move of each root was looked at.
    virtual void visits(std::int32_t* out) const = 0;
    // How likely each move should be, the move to play, and what its mover may expect of a root.
    virtual void advice(float* policy, std::int64_t* actions, float* values) const = 0;
};

std::unique_ptr<Mcts> make_mcts(const Batch& batch, const MctsOptions& options);

} // namespace sumito
