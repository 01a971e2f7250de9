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
    Mode mode = Mode::two;
    int hidden = 128;
    int second = 0; // neurons of a second layer: 16 or none
    int epochs = 10;
    int batch = 1024;     // larger ones starve a net so small of steps
    double rate = 0.002;  // of learning at first; falls to a hundredth along a cosine
    double trust = 0.7;   // how much of the target is the search's score; the rest is the result
    double lookahead = 0; // how much the scores of later plies count: each so much less
    double held = 0.6;    // log-odds a marble's lead is worth where the ply limit ended a game
    int scale = 400;      // value of a unit of log-odds in the network's judgement
    int validation = 50;  // per mille of games kept aside
    int doubt = 4000;     // scores beyond this, and wins that were seen, count as this
    double order = 0;     // how much it counts that positions far ahead are told apart
    int threads = 1;
    std::uint64_t seed = 1;
    Registers registers = Registers::widest; // narrower ones learn the same, slower
};

struct TrainerLoops;

class Trainer {
  public:
    explicit Trainer(const TrainConfig& config);

    // Samples in the order of their games.
    void add(std::span<const Sample> samples);
    // Samples to check on only: the same ones for every training, so that losses compare.
    void keep_aside(std::span<const Sample> samples);
    // What follows was scored by another searcher, in a unit of its own.
    void next_teacher();
    // After the last samples and before the first epoch. Goes on from a network where one is given:
    // of the same shape, with or without a second layer, or one for two players half as wide for
    // any other mode.
    void begin(const Layers* start = nullptr);
    struct Loss {
        double training = 0;
        double validation = 0;
    };
    // Asked after every batch, `goes_on` may break it off.
    Loss epoch(const std::function<bool()>& goes_on = {});

    Mode mode() const { return config.mode; }
    std::size_t training_size() const { return lessons.size(); }
    std::size_t validation_size() const { return exams.size(); }
    std::uint64_t games() const { return seen_games; }
    // The score that means odds of e to 1, as the results of the last teacher's games have it.
    double score_unit() const { return unit; }
    std::string file(std::string_view facts) const;

  private:
    struct Lesson {
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
    std::vector<Sample> learning; // of the teacher at hand
    std::vector<Sample> checking;
    std::vector<Lesson> lessons;
    std::vector<Lesson> exams;
    std::uint64_t seen_games = 0;
    bool checks_game = false; // the game being added is one kept aside
    double unit = 400;
    Layers::Floats weights;
    std::vector<float> parameters, mean, spread;
    std::vector<Gradient> gradients;
    std::vector<std::uint32_t> order;
    std::uint64_t steps = 0;
    std::uint64_t steps_planned = 0;

    std::size_t parameter_count() const;
    void need_beginning() const;
    void first_weights();
    void first_second_weights();
    void go_on_from(const Layers::Floats& start);
    bool teaches(const Sample& sample) const;
    double fit_unit(std::span<const Sample> samples) const;
    bool has_score(const Sample& sample, int side) const;
    float odds(int score, double score_unit) const;
    float chance(const Sample& sample, int side, double score_unit) const;
    float result(const Sample& sample, int side) const;
    std::vector<Lesson> lessons_of(std::span<const Sample> samples, double score_unit) const;
    float target(const Lesson& lesson, int steps_on) const;
    bool for_mover(const Sample& sample, int steps_on) const;
    int viewer(const Sample& sample, std::uint64_t number) const;
    double learn(std::span<const std::uint32_t> batch);
    void learn_slice(std::span<const std::uint32_t> slice, Gradient& gradient,
                     std::uint64_t seed) const;
    double check() const;
    void step(std::size_t samples);
    void publish();
};

} // namespace sumito
