// Training of networks from samples: Adam on the squared error of the expected result, with random
// symmetries of the board as augmentation. No library: the network is so small that a batch stays
// in the cache, and only the rows of set inputs are touched.
#pragma once

#include "eval/network.hpp"
#include "lab/selfplay.hpp"

#include <functional>
#include <random>

namespace sumito {

struct TrainConfig {
    Mode mode = Mode::two;
    int hidden = 128;
    int second_layer = 0; // neurons: 16 or 0
    int epochs = 10;
    int batch = 1024;             // +389 Elo over 8192 on the same samples
    double learning_rate = 0.002; // initial; cosine decay to a hundredth
    double score_weight = 0.7; // share of the search's score in the target; the rest is the result
    double td_lambda = 0;      // weight of later scores: each ply's is multiplied by it once more
    double held_lead_log_odds = 0.6; // target per marble of lead at the ply limit
    int scale = 400;                 // value of a unit of log-odds
    int validation = 50;             // per mille of games in the validation set
    int score_clamp = 4000;          // scores, proven wins included, are clamped to this
    double ranking_weight = 0;       // weight of the loss that ranks decided positions
    int threads = 1;
    std::uint64_t seed = 1;
    Simd simd = Simd::avx512; // all give the same network
};

struct TrainerLoops;

class Trainer {
  public:
    explicit Trainer(const TrainConfig& config);

    // Samples in the order of their games.
    void add(std::span<const Sample> samples);
    // Adds samples for validation only, so that losses of several trainings compare.
    void add_validation(std::span<const Sample> samples);
    // Ends a source: later samples have scores in a unit of their own.
    void end_source();
    // After the last samples and before the first epoch. Starts from the given network: one of the
    // same shape, with or without a second layer, or for other modes one for two players of half
    // the width.
    void begin(const ModeNetwork* start = nullptr);
    struct Loss {
        double training = 0;
        double validation = 0;
    };
    // `should_continue` is polled after every batch.
    Loss epoch(const std::function<bool()>& should_continue = {});

    Mode mode() const { return config.mode; }
    std::size_t training_size() const { return training_set.size(); }
    std::size_t validation_size() const { return validation_set.size(); }
    std::uint64_t games() const { return games_seen; }
    // The score that means odds of e to 1, fitted to the results of the last source.
    double score_unit() const { return unit; }
    std::string file(std::string_view facts) const;

  private:
    struct Example {
        Sample sample;
        std::array<float, 3> target; // by side, counted from the one to move
        float score;                 // of the side to move, in log-odds
    };
    struct Gradient {
        std::vector<float> sums; // as the parameters
        double loss = 0;
    };

    TrainConfig config;
    const TrainerLoops& loops;
    std::mt19937_64 random;
    std::vector<Sample> source_training; // of the current source
    std::vector<Sample> source_validation;
    std::vector<Example> training_set;
    std::vector<Example> validation_set;
    std::uint64_t games_seen = 0;
    bool is_validation_game = false; // the game being added is in the validation set
    double unit = 400;
    ModeNetwork::FloatWeights weights;
    std::vector<float> parameters, first_moment, second_moment;
    std::vector<Gradient> gradients;
    std::vector<std::uint32_t> order;
    std::uint64_t steps = 0;
    std::uint64_t steps_planned = 0;

    std::size_t parameter_count() const;
    void require_begun() const;
    void init_parameters();
    void init_second_layer();
    void load_parameters(const ModeNetwork::FloatWeights& start);
    bool is_training_sample(const Sample& sample) const;
    double fit_unit(std::span<const Sample> samples) const;
    bool has_score(const Sample& sample, int side) const;
    float odds(int score, double score_unit) const;
    float chance(const Sample& sample, int side, double score_unit) const;
    float result(const Sample& sample, int side) const;
    std::vector<Example> make_examples(std::span<const Sample> samples, double score_unit) const;
    float target(const Example& example, int turns_ahead) const;
    bool for_mover(const Sample& sample, int turns_ahead) const;
    int viewer(const Sample& sample, std::uint64_t number) const;
    double train_batch(std::span<const std::uint32_t> batch);
    void accumulate_gradient(std::span<const std::uint32_t> slice, Gradient& gradient,
                             std::uint64_t seed) const;
    double validation_loss() const;
    void step(std::size_t samples);
    void publish();
};

} // namespace sumito
