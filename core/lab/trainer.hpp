// Learning a network from samples: Adam on the squared error of the expected result. Each sample is
// seen through another of the board's twelve symmetries every time. No library: the net is so small
// that a batch stays in the cache, and only the marbles' rows are touched.
#pragma once

#include "eval/network.hpp"
#include "lab/selfplay.hpp"

#include <functional>
#include <random>

namespace sumito {

struct TrainConfig {
    int hidden = 128;
    int epochs = 10;
    int batch = 1024;    // larger ones starve a net so small of steps
    double rate = 0.002; // of learning at first; falls to a hundredth along a cosine
    double trust = 0.7;  // how much of the target is the search's score; the rest is the result
    int scale = 400;     // value of a unit of log-odds in the network's judgement
    int validation = 50; // per mille of games kept aside
    int doubt = 3000;    // samples with a score beyond this teach nothing
    int threads = 1;
    std::uint64_t seed = 1;
};

class Trainer {
  public:
    explicit Trainer(const TrainConfig& config);

    // Samples in the order of their games.
    void add(std::span<const Sample> samples);
    // Samples to check on only: the same ones for every training, so that losses compare.
    void keep_aside(std::span<const Sample> samples);
    // After the last samples and before the first epoch.
    void begin();
    struct Loss {
        double training = 0;
        double validation = 0;
    };
    // Asked after every batch, `goes_on` may break it off.
    Loss epoch(const std::function<bool()>& goes_on = {});

    std::size_t training_size() const { return learning.size(); }
    std::size_t validation_size() const { return checking.size(); }
    std::uint64_t games() const { return seen_games; }
    // The score that means odds of e to 1, as the samples' results have it.
    double score_unit() const { return unit; }
    std::string file(std::string_view facts) const;

  private:
    struct Gradient {
        std::vector<float> sums; // as the parameters
        double loss = 0;
    };

    TrainConfig config;
    std::mt19937_64 random;
    std::vector<Sample> learning;
    std::vector<Sample> checking;
    std::uint64_t seen_games = 0;
    bool checks_game = false; // the game being added is one kept aside
    double unit = 400;
    double checking_unit = 400; // of the samples kept aside
    Network::Weights weights;
    std::vector<float> parameters, mean, spread;
    std::vector<Gradient> gradients;
    std::vector<std::uint32_t> order;
    std::uint64_t steps = 0;
    std::uint64_t steps_planned = 0;

    std::size_t parameter_count() const;
    void need_beginning() const;
    void first_weights();
    bool teaches(const Sample& sample) const;
    static double fit_unit(std::span<const Sample> samples);
    float target(const Sample& sample, double score_unit) const;
    double learn(std::span<const std::uint32_t> batch);
    void learn_slice(std::span<const std::uint32_t> slice, Gradient& gradient,
                     std::uint64_t seed) const;
    double check() const;
    void step(std::size_t samples);
    void publish();
};

} // namespace sumito
