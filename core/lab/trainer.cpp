// Training of networks from samples.
#include "lab/trainer.hpp"

#include "kernel/symmetry.hpp"
#include "lab/loops.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace sumito {

namespace {

// Offsets of a network's parts in one vector of parameters.
struct Shape {
    Mode mode;
    int hidden;
    int second;
    std::size_t n() const { return static_cast<std::size_t>(hidden); }
    std::size_t width() const { return static_cast<std::size_t>(perspectives(mode)) * n(); }
    std::size_t bias() const { return static_cast<std::size_t>(inputs(mode)) * n(); }
    std::size_t output() const { return bias() + n(); }
    std::size_t output(int bucket) const {
        return output() + static_cast<std::size_t>(bucket) * width();
    }
    std::size_t output_bias() const { return output(outputs(mode)); }
    std::size_t output_bias(int bucket) const {
        return output_bias() + static_cast<std::size_t>(bucket);
    }
    std::size_t second_row(int bucket) const {
        return output_bias(outputs(mode)) + static_cast<std::size_t>(bucket * second) * width();
    }
    std::size_t second_bias(int bucket) const {
        return second_row(outputs(mode)) + static_cast<std::size_t>(bucket * second);
    }
    std::size_t third(int bucket) const {
        return second_bias(outputs(mode)) + static_cast<std::size_t>(2 * bucket * second);
    }
    std::size_t all() const { return third(outputs(mode)); }
};

// The set inputs of a sample in every perspective, and its output bucket.
struct ActiveFeatures {
    std::array<std::array<int, ModeNetwork::FeatureDelta::MAX>, 2> input;
    std::array<int, 2> count{};
    int bucket = 0;

    // From the perspective of the player `turns_ahead` turns after the one to move.
    ActiveFeatures(const Sample& sample, int turns_ahead, const CellMap& symmetry) {
        const Mode mode = MODES[sample.mode];
        int viewer = sample.turn;
        for (int k = 0; k < turns_ahead; ++k) viewer = next_colour(mode, viewer);
        for (int view = 0; view < perspectives(mode); ++view) {
            const auto order = colour_order(mode, view ? viewer ^ 1 : viewer);
            for (int slot = 0; slot < colours(mode); ++slot) {
                const int at = turns_between(mode, sample.turn, order[slot]);
                each(sample.marbles[at],
                     [&](int cell) { add(view, slot * CELLS + symmetry[cell]); });
                if (mode == Mode::three)
                    for (int n = 0; n < std::min<int>(sample.captured[at], CAPTURE_INPUTS); ++n)
                        add(view, 3 * CELLS + slot * CAPTURE_INPUTS + n);
            }
        }
        const int lost = sample.captured[0] + sample.captured[1] + sample.captured[2];
        bucket = turn_state(mode, viewer, sample.turn) * STAGES + stage(mode, lost);
    }
    void add(int view, int row) { input[view][count[view]++] = row; }
};

float sigmoid(float odds) { return 1.0f / (1.0f + std::exp(-odds)); }

// Divides log-odds in the ranking loss, so that won positions still differ. Set by hand.
constexpr float RANKING_TEMPERATURE = 4;

// Subtracted from the log-odds, so that 0 is each side's chance at the start: 1/2, or 1/3 in
// `three`.
float prior_log_odds(Mode mode) { return mode == Mode::three ? std::numbers::ln2_v<float> : 0.0f; }

// Activations of the layers for one sample.
struct Activations {
    std::array<std::array<float, ModeNetwork::MAX_HIDDEN>, 2> sums;
    std::array<float, 2 * ModeNetwork::MAX_HIDDEN> squares;
    std::array<float, ModeNetwork::SECOND> neurons;
};

// Forward pass: the log-odds of the viewer's win.
float forward(const TrainerLoops& loops, const float* parameters, const Shape& shape,
              const ActiveFeatures& active, Activations& activations) {
    const int width = static_cast<int>(shape.width());
    for (int view = 0; view < perspectives(shape.mode); ++view) {
        float* const sums = activations.sums[view].data();
        loops.sum_rows(parameters, parameters + shape.bias(), active.input[view].data(),
                       active.count[view], shape.hidden, sums);
        loops.square(sums, activations.squares.data() + view * shape.hidden, shape.hidden);
    }
    float odds = parameters[shape.output_bias(active.bucket)] - prior_log_odds(shape.mode);
    odds += loops.dot(activations.squares.data(), parameters + shape.output(active.bucket), width);
    const float* const rows = parameters + shape.second_row(active.bucket);
    const float* const bias = parameters + shape.second_bias(active.bucket);
    const float* const third = parameters + shape.third(active.bucket);
    for (int o = 0; o < shape.second; ++o) {
        const float x = bias[o] + loops.dot(activations.squares.data(), rows + o * width, width);
        activations.neurons[o] = x;
        const float clamped = std::min(std::max(x, -1.0f), 1.0f);
        odds += detail::clip(x) * third[o] + clamped * clamped * third[shape.second + o];
    }
    return odds;
}

// Backward pass: adds to the gradient, given the loss's slope in the log-odds.
void backward(const TrainerLoops& loops, const float* parameters, const Shape& shape,
              const ActiveFeatures& active, Activations& activations, float slope,
              float* gradient) {
    const int width = static_cast<int>(shape.width());
    const float* const squares = activations.squares.data();
    std::array<float, 2 * ModeNetwork::MAX_HIDDEN> input_gradient{};
    gradient[shape.output_bias(active.bucket)] += slope;
    const std::size_t output = shape.output(active.bucket);
    loops.dot_backward(squares, parameters + output, gradient + output, input_gradient.data(),
                       slope, width);
    const std::size_t third = shape.third(active.bucket);
    for (int o = 0; o < shape.second; ++o) {
        const float x = activations.neurons[o];
        const float clamped = std::min(std::max(x, -1.0f), 1.0f);
        const std::size_t clipped = third + static_cast<std::size_t>(o);
        const std::size_t squared = clipped + static_cast<std::size_t>(shape.second);
        gradient[clipped] += slope * detail::clip(x);
        gradient[squared] += slope * clamped * clamped;
        float down = 0;
        if (x > 0.0f && x < 1.0f) down += parameters[clipped];
        if (std::abs(x) < 1.0f) down += 2.0f * x * parameters[squared];
        down *= slope;
        gradient[shape.second_bias(active.bucket) + static_cast<std::size_t>(o)] += down;
        const std::size_t row =
            shape.second_row(active.bucket) + static_cast<std::size_t>(o * width);
        if (down != 0.0f)
            loops.dot_backward(squares, parameters + row, gradient + row, input_gradient.data(),
                               down, width);
    }
    for (int view = 0; view < perspectives(shape.mode); ++view) {
        float* const sums = activations.sums[view].data();
        loops.square_backward(sums, input_gradient.data() + view * shape.hidden, shape.hidden);
        loops.add_rows(gradient, sums, active.input[view].data(), active.count[view], shape.hidden);
        for (int i = 0; i < shape.hidden; ++i) gradient[shape.bias() + i] += sums[i];
    }
}

// A network for two players converted to another mode: its two perspectives side by side, with
// partners as one side and all others as the other.
ModeNetwork::FloatWeights widen(const ModeNetwork::FloatWeights& two, Mode mode) {
    const int n = two.hidden;
    const Shape shape{mode, 2 * n, 0};
    const int neurons = two.second.empty() ? 0 : ModeNetwork::SECOND;
    ModeNetwork::FloatWeights made{mode, 2 * n, {}, {}, {}, {}, {}, {}, {}};
    const auto append = [](std::vector<float>& to, const std::vector<float>& from, int row, int n,
                           float sign) {
        for (int i = 0; i < n; ++i)
            to.push_back(sign * from[static_cast<std::size_t>(row * n + i)]);
    };
    for (int slot = 0; slot < colours(mode); ++slot) {
        const int opposing = side_of(mode, colour_order(mode, 0)[slot]) != 0;
        for (int cell = 0; cell < CELLS; ++cell) {
            append(made.features, two.features, opposing * CELLS + cell, n, 1);
            append(made.features, two.features, (1 - opposing) * CELLS + cell, n, 1);
        }
    }
    made.features.resize(shape.bias(), 0.0f); // ejections
    for (int half = 0; half < 2; ++half) append(made.bias, two.bias, 0, n, 1);
    for (int bucket = 0; bucket < outputs(mode); ++bucket) {
        const int at = bucket % STAGES;
        const int opposing = !moves_for_viewer(mode, bucket / STAGES);
        const float sign = opposing ? -1.0f : 1.0f;
        append(made.output, two.output, 2 * at + opposing, n, sign);
        append(made.output, two.output, 2 * at + 1 - opposing, n, sign);
        made.output_bias.push_back(sign * two.output_bias[static_cast<std::size_t>(at)]);
        for (int o = at * neurons; o < (at + 1) * neurons; ++o) {
            append(made.second, two.second, 2 * o + opposing, n, 1);
            append(made.second, two.second, 2 * o + 1 - opposing, n, 1);
        }
        append(made.second_bias, two.second_bias, at, neurons, 1);
        append(made.third, two.third, at, 2 * neurons, sign);
    }
    return made;
}

Shape shape_of(const TrainConfig& config) {
    return {config.mode, config.hidden, config.second_layer};
}

} // namespace

Trainer::Trainer(const TrainConfig& config)
    : config(config), loops(trainer_loops(config.simd)), random(config.seed) {
    if (config.hidden != 64 && config.hidden != 128 && config.hidden != 256)
        throw std::invalid_argument("a hidden layer is 64, 128 or 256 wide, not " +
                                    std::to_string(config.hidden));
    if (config.second_layer != 0 && config.second_layer != ModeNetwork::SECOND)
        throw std::invalid_argument("a second layer has " + std::to_string(ModeNetwork::SECOND) +
                                    " neurons or none, not " + std::to_string(config.second_layer));
    if (config.epochs < 1 || config.batch < 1 || config.threads < 1)
        throw std::invalid_argument("epochs, batch and threads are at least 1");
    if (!(config.score_weight >= 0 && config.score_weight <= 1))
        throw std::invalid_argument("score_weight is from 0 to 1");
    if (!(config.td_lambda >= 0 && config.td_lambda <= 1))
        throw std::invalid_argument("td_lambda is from 0 to 1");
    if (config.score_clamp < 0 || config.score_clamp > WIN)
        throw std::invalid_argument("score_clamp is from 0 to " + std::to_string(WIN));
    if (!(config.ranking_weight >= 0 && config.ranking_weight <= 100))
        throw std::invalid_argument("ranking_weight is from 0 to 100");
    if (!(config.held_lead_log_odds >= 0 && config.held_lead_log_odds <= 100))
        throw std::invalid_argument("held_lead_log_odds is from 0 to 100");
}

void Trainer::add(std::span<const Sample> samples) {
    for (const Sample& sample : samples) {
        if (sample.flags & Sample::FIRST) {
            // By a hash of the game's number, so that the split is stable as data grows.
            is_validation_game = mix(++games_seen * 0x9E3779B97F4A7C15ull) % 1000 <
                                 static_cast<std::uint64_t>(config.validation);
        }
        (is_validation_game ? source_validation : source_training).push_back(sample);
    }
}

// Quiescence search resolves ejections, so such positions are not trained on.
bool Trainer::is_training_sample(const Sample& sample) const {
    return MODES[sample.mode] == config.mode && !(sample.flags & Sample::EJECTS);
}

// A score in log-odds, clamped.
float Trainer::odds(int score, double score_unit) const {
    return static_cast<float>(std::clamp(score, -config.score_clamp, config.score_clamp) /
                              score_unit);
}

void Trainer::add_validation(std::span<const Sample> samples) {
    for (const Sample& sample : samples) source_validation.push_back(sample);
}

void Trainer::end_source() {
    const auto convert = [&](std::vector<Sample>& samples, std::vector<Example>& into) {
        if (samples.empty()) return;
        unit = fit_unit(samples);
        const std::vector<Example> made = make_examples(samples, unit);
        into.insert(into.end(), made.begin(), made.end());
        samples = {};
    };
    convert(source_validation, validation_set);
    convert(source_training, training_set);
}

void Trainer::begin(const ModeNetwork* start) {
    end_source();
    if (training_set.empty()) throw std::invalid_argument("there are no samples to learn from");
    if (start)
        load_parameters(start->floats());
    else
        init_parameters();
    first_moment.assign(parameters.size(), 0.0f);
    second_moment.assign(parameters.size(), 0.0f);
    publish();
    order.resize(training_set.size());
    std::iota(order.begin(), order.end(), 0u);
    const std::size_t batches = (order.size() + config.batch - 1) / config.batch;
    steps_planned = batches * static_cast<std::size_t>(config.epochs);
    gradients.resize(static_cast<std::size_t>(config.threads));
    for (Gradient& gradient : gradients) gradient.sums.resize(parameter_count());
}

std::size_t Trainer::parameter_count() const { return shape_of(config).all(); }

void Trainer::init_parameters() {
    const Shape shape = shape_of(config);
    parameters.assign(shape.all(), 0.0f);
    const auto even = [&](float most) {
        return most * (2.0f * static_cast<float>(random() >> 40) / (1 << 24) - 1.0f);
    };
    for (std::size_t i = 0; i < shape.bias(); ++i) parameters[i] = even(0.2f);
    for (std::size_t i = shape.bias(); i < shape.output(); ++i) parameters[i] = 0.2f + even(0.2f);
    for (std::size_t i = shape.output(); i < shape.output_bias(); ++i)
        parameters[i] = even(0.5f / std::sqrt(static_cast<float>(config.hidden)));
    init_second_layer();
}

// Random first weights of the second layer, whose output weights are zero at first.
void Trainer::init_second_layer() {
    const Shape shape = shape_of(config);
    parameters.resize(shape.all(), 0.0f);
    const float most = 2.0f / std::sqrt(static_cast<float>(shape.width()));
    for (std::size_t i = shape.second_row(0); i < shape.second_bias(0); ++i)
        parameters[i] = most * (2.0f * static_cast<float>(random() >> 40) / (1 << 24) - 1.0f);
}

void Trainer::load_parameters(const ModeNetwork::FloatWeights& start) {
    const bool widened = start.mode == Mode::two && config.mode != Mode::two;
    if (!widened && start.mode != config.mode)
        throw std::invalid_argument("a network for " + std::string(name(start.mode)) +
                                    " can't start one for " + std::string(name(config.mode)));
    if (config.hidden != (widened ? 2 : 1) * start.hidden)
        throw std::invalid_argument("a network " + std::to_string(start.hidden) +
                                    " wide can't start one of " + std::to_string(config.hidden));
    const ModeNetwork::FloatWeights same = widened ? widen(start, config.mode) : start;
    parameters.clear();
    for (const auto* part : {&same.features, &same.bias, &same.output, &same.output_bias})
        parameters.insert(parameters.end(), part->begin(), part->end());
    if (same.second.empty()) return init_second_layer();
    if (!config.second_layer)
        throw std::invalid_argument("a network with a second layer can't start one without");
    for (const auto* part : {&same.second, &same.second_bias, &same.third})
        parameters.insert(parameters.end(), part->begin(), part->end());
}

// The unit under which the scores foretell the results best, by golden section.
double Trainer::fit_unit(std::span<const Sample> samples) const {
    constexpr int WEAK_RESULT = Sample::BEFORE_RANDOM | Sample::AT_PLY_LIMIT;
    if (std::ranges::all_of(samples, [](const Sample& s) { return s.flags & WEAK_RESULT; }))
        return unit;
    const auto error = [&](double candidate) {
        double sum = 0;
        for (std::size_t i = 0; i < samples.size(); i += 7) {
            if (samples[i].flags & WEAK_RESULT) continue;
            const double difference = chance(samples[i], 0, candidate) - result(samples[i], 0);
            sum += difference * difference;
        }
        return sum;
    };
    double low = 50;
    double high = 3000;
    constexpr double GOLDEN = 0.6180339887498949;
    for (int i = 0; i < 30; ++i) {
        const double a = high - GOLDEN * (high - low);
        const double b = low + GOLDEN * (high - low);
        (error(a) < error(b) ? high : low) = error(a) < error(b) ? b : a;
    }
    return (low + high) / 2;
}

// In `three` every player has a score of its own; else the other side has the opposite.
bool Trainer::has_score(const Sample& sample, int side) const {
    return config.mode != Mode::three || sample.scores[side] != Sample::NO_SCORE;
}

// A side's chance of winning by a search's score; sides are counted from the one to move.
float Trainer::chance(const Sample& sample, int side, double score_unit) const {
    if (config.mode == Mode::three)
        return sigmoid(odds(sample.scores[side], score_unit) - prior_log_odds(config.mode));
    const float mover = sigmoid(odds(sample.scores[0], score_unit));
    return side ? 1 - mover : mover;
}

// The game's result for a side, by its last sample. A draw counts as the chance at the start; a
// lead at the ply limit counts less than a win, so that the leader learns to keep attacking.
float Trainer::result(const Sample& sample, int side) const {
    if (sample.flags & Sample::AT_PLY_LIMIT && config.mode != Mode::three) {
        const int lead = sample.captured[side] - sample.captured[1 - side];
        return sigmoid(static_cast<float>(config.held_lead_log_odds * lead));
    }
    if (sample.winner == NOBODY) return sigmoid(-prior_log_odds(config.mode));
    return sample.winner == side ? 1.0f : 0.0f;
}

// Targets of the samples: scores of later plies saw further, so a TD(lambda) return of the scores
// is mixed with the result.
std::vector<Trainer::Example> Trainer::make_examples(std::span<const Sample> samples,
                                                     double score_unit) const {
    const int sides = sumito::sides(config.mode);
    const auto lambda = static_cast<float>(config.td_lambda);
    const auto score_weight = static_cast<float>(config.score_weight);
    std::vector<Example> examples;
    std::array<float, 3> ahead{}; // by side
    std::array<float, 3> end{};
    for (std::size_t i = samples.size(); i-- > 0;) {
        const Sample& sample = samples[i];
        const bool before_random = sample.flags & Sample::BEFORE_RANDOM;
        const bool last = i + 1 == samples.size() || samples[i + 1].flags & Sample::FIRST;
        Example example{sample, {}, odds(sample.scores[0], score_unit)};
        for (int k = 0; k < sides; ++k) {
            const int side = (side_of(config.mode, sample.turn) + k) % sides;
            float& outlook = ahead[side];
            if (last) outlook = end[side] = result(sample, k);
            if (has_score(sample, k)) {
                const float now = chance(sample, k, score_unit);
                outlook = before_random ? now : now + lambda * (outlook - now);
            }
            example.target[k] =
                before_random ? outlook : score_weight * outlook + (1 - score_weight) * end[side];
        }
        if (is_training_sample(sample)) examples.push_back(example);
    }
    std::reverse(examples.begin(), examples.end());
    return examples;
}

// The perspective in which a sample is trained: with two players both at once, else any player's.
int Trainer::viewer(const Sample& sample, std::uint64_t number) const {
    if (config.mode == Mode::two) return 0;
    const int turns_ahead = static_cast<int>(number % static_cast<unsigned>(colours(config.mode)));
    const bool has_no_target = config.mode == Mode::three && sample.flags & Sample::BEFORE_RANDOM &&
                               !has_score(sample, turns_ahead);
    return has_no_target ? 0 : turns_ahead;
}

float Trainer::target(const Example& example, int turns_ahead) const {
    if (config.mode == Mode::three) return example.target[turns_ahead];
    return example.target[!for_mover(example.sample, turns_ahead)];
}

// Whether the player `turns_ahead` turns after the mover is of the mover's side.
bool Trainer::for_mover(const Sample& sample, int turns_ahead) const {
    int colour = sample.turn;
    for (int k = 0; k < turns_ahead; ++k) colour = next_colour(config.mode, colour);
    return side_of(config.mode, colour) == side_of(config.mode, sample.turn);
}

void Trainer::require_begun() const {
    if (parameters.empty())
        throw std::logic_error("a trainer begins, once it has its samples, before it learns");
}

std::string Trainer::file(std::string_view facts) const {
    require_begun();
    return ModeNetwork::file_of(weights, config.scale, facts);
}

Trainer::Loss Trainer::epoch(const std::function<bool()>& should_continue) {
    require_begun();
    std::shuffle(order.begin(), order.end(), random);
    double sum = 0;
    const std::span<const std::uint32_t> all(order);
    const auto batch = static_cast<std::size_t>(config.batch);
    for (std::size_t at = 0; at < all.size() && (!should_continue || should_continue());
         at += batch)
        sum += train_batch(all.subspan(at, std::min(batch, all.size() - at)));
    publish();
    return {sum / static_cast<double>(order.size()), validation_loss()};
}

double Trainer::train_batch(std::span<const std::uint32_t> batch) {
    const std::uint64_t seed = random();
    const std::size_t n = gradients.size();
    const auto slice = [&](std::size_t i) {
        const std::size_t begin = batch.size() * i / n;
        return batch.subspan(begin, batch.size() * (i + 1) / n - begin);
    };
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < n; ++i)
        others.emplace_back([&, i] { accumulate_gradient(slice(i), gradients[i], seed + i); });
    accumulate_gradient(slice(0), gradients[0], seed);
    for (std::thread& thread : others) thread.join();
    double loss = gradients[0].loss;
    for (std::size_t i = 1; i < n; ++i) {
        loss += gradients[i].loss;
        for (std::size_t k = 0; k < gradients[0].sums.size(); ++k)
            gradients[0].sums[k] += gradients[i].sums[k];
    }
    step(batch.size());
    return loss;
}

void Trainer::accumulate_gradient(std::span<const std::uint32_t> slice, Gradient& gradient,
                                  std::uint64_t seed) const {
    const Shape shape = shape_of(config);
    std::fill(gradient.sums.begin(), gradient.sums.end(), 0.0f);
    gradient.loss = 0;
    Activations activations;
    for (const std::uint32_t number : slice) {
        const Sample& sample = training_set[number].sample;
        const std::uint64_t random_bits = mix(seed + number * 0x9E3779B97F4A7C15ull);
        const int turns_ahead = viewer(sample, random_bits >> 32);
        const ActiveFeatures active(sample, turns_ahead, CELL_MAPS[random_bits % SYMMETRIES]);
        const float odds = forward(loops, parameters.data(), shape, active, activations);
        const float chance = sigmoid(odds);
        const float error = chance - target(training_set[number], turns_ahead);
        gradient.loss += static_cast<double>(error * error);
        float slope = 2 * error * chance * (1 - chance);
        if (config.ranking_weight > 0 && config.mode != Mode::three) {
            // Won positions all have a chance near 1; flattened scores still rank them by how near
            // they are to the end.
            const float score = training_set[number].score;
            const float flattened = sigmoid(odds / RANKING_TEMPERATURE);
            const float wanted =
                sigmoid((for_mover(sample, turns_ahead) ? score : -score) / RANKING_TEMPERATURE);
            slope += static_cast<float>(config.ranking_weight) * 2 * (flattened - wanted) *
                     flattened * (1 - flattened) / RANKING_TEMPERATURE;
        }
        backward(loops, parameters.data(), shape, active, activations, slope, gradient.sums.data());
    }
}

double Trainer::validation_loss() const {
    if (validation_set.empty()) return 0;
    const Shape shape = shape_of(config);
    Activations activations;
    double loss = 0;
    for (std::size_t i = 0; i < validation_set.size(); ++i) {
        const int turns_ahead = viewer(validation_set[i].sample, i);
        const ActiveFeatures active(validation_set[i].sample, turns_ahead, CELL_MAPS[0]);
        const float error = sigmoid(forward(loops, parameters.data(), shape, active, activations)) -
                            target(validation_set[i], turns_ahead);
        loss += static_cast<double>(error * error);
    }
    return loss / static_cast<double>(validation_set.size());
}

void Trainer::step(std::size_t samples) {
    ++steps;
    const double done = static_cast<double>(steps) / static_cast<double>(steps_planned);
    const double fall = 0.505 + 0.495 * std::cos(std::numbers::pi * std::min(done, 1.0));
    // Adam, with bias correction of its two averages.
    const auto t = static_cast<double>(steps);
    const double rate =
        config.learning_rate * fall * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
    loops.adam(parameters.data(), first_moment.data(), second_moment.data(),
               gradients[0].sums.data(), parameters.size(), 1.0f / static_cast<float>(samples),
               static_cast<float>(rate), 1.98f);
}

void Trainer::publish() {
    const Shape shape = shape_of(config);
    const auto part = [&](std::size_t from, std::size_t to) {
        return std::vector<float>(parameters.begin() + static_cast<std::ptrdiff_t>(from),
                                  parameters.begin() + static_cast<std::ptrdiff_t>(to));
    };
    weights.mode = config.mode;
    weights.hidden = config.hidden;
    weights.features = part(0, shape.bias());
    weights.bias = part(shape.bias(), shape.output());
    weights.output = part(shape.output(), shape.output_bias());
    weights.output_bias = part(shape.output_bias(), shape.second_row(0));
    weights.second = part(shape.second_row(0), shape.second_bias(0));
    weights.second_bias = part(shape.second_bias(0), shape.third(0));
    weights.third = part(shape.third(0), shape.all());
}

} // namespace sumito
