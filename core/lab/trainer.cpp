// Learning a network from samples.
#include "lab/trainer.hpp"

#include "kernel/cells.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <thread>

#if defined(__x86_64__) && defined(__GNUC__)
// The loader picks the copy for the machine at hand.
#define SUMITO_CLONES __attribute__((target_clones("avx2,fma", "default")))
#else
#define SUMITO_CLONES
#endif

namespace sumito {

namespace {

// Where each cell goes in each of the twelve rotations and reflections.
struct Symmetries {
    std::array<std::array<std::uint8_t, CELLS>, 12> cell{};

    Symmetries() {
        for (int c = 0; c < CELLS; ++c) {
            // Row and diagonal seen from the centre; a sixth of a turn sends (r, g) to (g, g - r).
            int r = GEOMETRY.row[c];
            int g = GEOMETRY.digit[c] - 5;
            for (int turn = 0; turn < 6; ++turn) {
                cell[turn][c] = place(r, g);
                cell[turn + 6][c] = place(g, r);
                const int turned = g - r;
                r = g;
                g = turned;
            }
        }
    }
    static std::uint8_t place(int r, int g) {
        return static_cast<std::uint8_t>(detail::cell_at(r, g + 5));
    }
};

const Symmetries SYMMETRIES;

// Where the parts of a network lie in one long vector of parameters.
struct Shape {
    int hidden;
    std::size_t bias() const { return static_cast<std::size_t>(Network::INPUTS * hidden); }
    std::size_t output() const { return bias() + static_cast<std::size_t>(hidden); }
    std::size_t output_bias() const {
        return output() + static_cast<std::size_t>(Network::STAGES * 2 * hidden);
    }
    std::size_t all() const { return output_bias() + Network::STAGES; }
};

// A sample's rows of weights as either side sees them.
struct Seen {
    std::array<std::array<int, Network::INPUTS>, 2> input;
    int count = 0;
    int stage;

    Seen(const Sample& sample, const std::array<std::uint8_t, CELLS>& symmetry)
        : stage(Network::stage(sample.captured[0] + sample.captured[1])) {
        each(sample.marbles[0], [&](int cell) { add(symmetry[cell], symmetry[cell] + CELLS); });
        each(sample.marbles[1], [&](int cell) { add(symmetry[cell] + CELLS, symmetry[cell]); });
    }
    void add(int ours, int theirs) {
        input[0][count] = ours;
        input[1][count++] = theirs;
    }
};

SUMITO_CLONES void sum_rows(const float* weights, const float* bias, const int* rows, int count,
                            int hidden, float* sums) {
    for (int i = 0; i < hidden; ++i) sums[i] = bias[i];
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        const float* a = weights + rows[k] * hidden;
        const float* b = weights + rows[k + 1] * hidden;
        const float* c = weights + rows[k + 2] * hidden;
        const float* d = weights + rows[k + 3] * hidden;
        for (int i = 0; i < hidden; ++i) sums[i] += (a[i] + b[i]) + (c[i] + d[i]);
    }
    for (; k < count; ++k) {
        const float* a = weights + rows[k] * hidden;
        for (int i = 0; i < hidden; ++i) sums[i] += a[i];
    }
}

SUMITO_CLONES float weigh(const float* sums, const float* weights, int hidden) {
    std::array<float, 16> parts{};
    for (int i = 0; i < hidden; i += 16)
        for (int k = 0; k < 16; ++k) {
            const float x = std::min(std::max(sums[i + k], 0.0f), 1.0f);
            parts[k] += x * x * weights[i + k];
        }
    return std::accumulate(parts.begin(), parts.end(), 0.0f);
}

// Turns the sums of a half into their gradients, and adds that of the output weights.
SUMITO_CLONES void weigh_back(float* __restrict sums, const float* __restrict weights,
                              float* __restrict gradient, float slope, int hidden) {
    for (int i = 0; i < hidden; ++i) {
        const float x = std::min(std::max(sums[i], 0.0f), 1.0f);
        gradient[i] += slope * x * x;
        sums[i] = x > 0.0f && x < 1.0f ? 2.0f * slope * x * weights[i] : 0.0f;
    }
}

SUMITO_CLONES void add_rows(float* gradient, const float* sums, const int* rows, int count,
                            int hidden) {
    for (int k = 0; k < count; ++k) {
        float* __restrict row = gradient + rows[k] * hidden;
        for (int i = 0; i < hidden; ++i) row[i] += sums[i];
    }
}

float result(const Sample& sample) {
    return sample.winner == NOBODY ? 0.5f : sample.winner == 0 ? 1.0f : 0.0f;
}

float odds_to_chance(float odds) { return 1.0f / (1.0f + std::exp(-odds)); }

using Halves = std::array<std::array<float, Network::MOST_HIDDEN>, 2>;

float judge(const float* parameters, const Shape& shape, const Seen& seen, Halves& sums) {
    const int n = shape.hidden;
    const float* const output =
        parameters + shape.output() + static_cast<std::size_t>(seen.stage * 2 * n);
    float odds = parameters[shape.output_bias() + static_cast<std::size_t>(seen.stage)];
    for (int half = 0; half < 2; ++half) {
        sum_rows(parameters, parameters + shape.bias(), seen.input[half].data(), seen.count, n,
                 sums[half].data());
        odds += weigh(sums[half].data(), output + half * n, n);
    }
    return odds_to_chance(odds);
}

SUMITO_CLONES void adam(float* __restrict parameters, float* __restrict mean,
                        float* __restrict spread, const float* __restrict gradient,
                        std::size_t count, float share, float rate, float most) {
    for (std::size_t i = 0; i < count; ++i) {
        const float g = gradient[i] * share;
        mean[i] = 0.9f * mean[i] + 0.1f * g;
        spread[i] = 0.999f * spread[i] + 0.001f * g * g;
        const float moved = parameters[i] - rate * mean[i] / (std::sqrt(spread[i]) + 1e-8f);
        parameters[i] = std::min(std::max(moved, -most), most);
    }
}

} // namespace

Trainer::Trainer(const TrainConfig& config) : config(config), random(config.seed) {
    if (config.hidden != 64 && config.hidden != 128 && config.hidden != 256)
        throw std::invalid_argument("a hidden layer is 64, 128 or 256 wide, not " +
                                    std::to_string(config.hidden));
    if (config.epochs < 1 || config.batch < 1 || config.threads < 1)
        throw std::invalid_argument("epochs, batch and threads are at least 1");
    if (config.trust < 0 || config.trust > 1) throw std::invalid_argument("trust is from 0 to 1");
}

void Trainer::add(std::span<const Sample> samples) {
    for (const Sample& sample : samples) {
        if (sample.flags & Sample::FIRST) {
            // By a hash of the game's number, so that more data keeps the split.
            checks_game = mix(++seen_games * 0x9E3779B97F4A7C15ull) % 1000 <
                          static_cast<std::uint64_t>(config.validation);
        }
        if (teaches(sample)) (checks_game ? checking : learning).push_back(sample);
    }
}

// The search looks through ejections by itself, and beyond doubt there is nothing to judge.
bool Trainer::teaches(const Sample& sample) const {
    return !(sample.flags & Sample::EJECTS) && std::abs(int{sample.scores[0]}) <= config.doubt;
}

void Trainer::keep_aside(std::span<const Sample> samples) {
    for (const Sample& sample : samples)
        if (teaches(sample)) checking.push_back(sample);
}

void Trainer::begin() {
    if (learning.empty()) throw std::invalid_argument("there are no samples to learn from");
    unit = fit_unit(learning);
    checking_unit = checking.empty() ? unit : fit_unit(checking);
    first_weights();
    order.resize(learning.size());
    std::iota(order.begin(), order.end(), 0u);
    const std::size_t batches = (order.size() + config.batch - 1) / config.batch;
    steps_planned = batches * static_cast<std::size_t>(config.epochs);
    gradients.resize(static_cast<std::size_t>(config.threads));
    for (Gradient& gradient : gradients) gradient.sums.resize(parameter_count());
}

std::size_t Trainer::parameter_count() const { return Shape{config.hidden}.all(); }

void Trainer::first_weights() {
    const Shape shape{config.hidden};
    parameters.assign(shape.all(), 0.0f);
    mean.assign(shape.all(), 0.0f);
    spread.assign(shape.all(), 0.0f);
    const auto even = [&](float most) {
        return most * (2.0f * static_cast<float>(random() >> 40) / (1 << 24) - 1.0f);
    };
    for (std::size_t i = 0; i < shape.bias(); ++i) parameters[i] = even(0.2f);
    for (std::size_t i = shape.bias(); i < shape.output(); ++i) parameters[i] = 0.2f + even(0.2f);
    for (std::size_t i = shape.output(); i < shape.output_bias(); ++i)
        parameters[i] = even(0.5f / std::sqrt(static_cast<float>(config.hidden)));
    publish();
}

// The unit under which the scores foretell the results best, by golden section.
double Trainer::fit_unit(std::span<const Sample> samples) {
    const auto error = [&](double candidate) {
        double sum = 0;
        for (std::size_t i = 0; i < samples.size(); i += 7) {
            if (samples[i].flags & Sample::STRAYED) continue;
            const double chance = 1 / (1 + std::exp(-samples[i].scores[0] / candidate));
            const double miss = chance - static_cast<double>(result(samples[i]));
            sum += miss * miss;
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

float Trainer::target(const Sample& sample, double score_unit) const {
    const auto trust = static_cast<float>(sample.flags & Sample::STRAYED ? 1.0 : config.trust);
    const float score = odds_to_chance(static_cast<float>(sample.scores[0] / score_unit));
    return trust * score + (1 - trust) * result(sample);
}

void Trainer::need_beginning() const {
    if (parameters.empty())
        throw std::logic_error("a trainer begins, once it has its samples, before it learns");
}

std::string Trainer::file(std::string_view facts) const {
    need_beginning();
    return Network::file_of(weights, config.scale, facts);
}

Trainer::Loss Trainer::epoch(const std::function<bool()>& goes_on) {
    need_beginning();
    std::shuffle(order.begin(), order.end(), random);
    double sum = 0;
    const std::span<const std::uint32_t> all(order);
    const auto batch = static_cast<std::size_t>(config.batch);
    for (std::size_t at = 0; at < all.size() && (!goes_on || goes_on()); at += batch)
        sum += learn(all.subspan(at, std::min(batch, all.size() - at)));
    publish();
    return {sum / static_cast<double>(order.size()), check()};
}

double Trainer::learn(std::span<const std::uint32_t> batch) {
    const std::uint64_t seed = random();
    const std::size_t n = gradients.size();
    const auto slice = [&](std::size_t i) {
        const std::size_t begin = batch.size() * i / n;
        return batch.subspan(begin, batch.size() * (i + 1) / n - begin);
    };
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < n; ++i)
        others.emplace_back([&, i] { learn_slice(slice(i), gradients[i], seed + i); });
    learn_slice(slice(0), gradients[0], seed);
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

void Trainer::learn_slice(std::span<const std::uint32_t> slice, Gradient& gradient,
                          std::uint64_t seed) const {
    const Shape shape{config.hidden};
    const int n = shape.hidden;
    std::fill(gradient.sums.begin(), gradient.sums.end(), 0.0f);
    gradient.loss = 0;
    float* const sums_of = gradient.sums.data();
    Halves sums;
    for (const std::uint32_t number : slice) {
        const Sample& sample = learning[number];
        const auto turn = mix(seed + number * 0x9E3779B97F4A7C15ull) % 12;
        const Seen seen(sample, SYMMETRIES.cell[turn]);
        const float chance = judge(parameters.data(), shape, seen, sums);
        const float miss = chance - target(sample, unit);
        gradient.loss += static_cast<double>(miss * miss);
        const float slope = 2 * miss * chance * (1 - chance);
        const std::size_t output = shape.output() + static_cast<std::size_t>(seen.stage * 2 * n);
        sums_of[shape.output_bias() + static_cast<std::size_t>(seen.stage)] += slope;
        for (int half = 0; half < 2; ++half) {
            const std::size_t at = output + static_cast<std::size_t>(half * n);
            weigh_back(sums[half].data(), &parameters[at], sums_of + at, slope, n);
            add_rows(sums_of, sums[half].data(), seen.input[half].data(), seen.count, n);
            for (int i = 0; i < n; ++i) sums_of[shape.bias() + i] += sums[half][i];
        }
    }
}

double Trainer::check() const {
    if (checking.empty()) return 0;
    const Shape shape{config.hidden};
    Halves sums;
    double loss = 0;
    for (const Sample& sample : checking) {
        const Seen seen(sample, SYMMETRIES.cell[0]);
        const float miss =
            judge(parameters.data(), shape, seen, sums) - target(sample, checking_unit);
        loss += static_cast<double>(miss * miss);
    }
    return loss / static_cast<double>(checking.size());
}

void Trainer::step(std::size_t samples) {
    ++steps;
    const double done = static_cast<double>(steps) / static_cast<double>(steps_planned);
    const double fall = 0.505 + 0.495 * std::cos(std::numbers::pi * std::min(done, 1.0));
    // Adam's two averages begin at nought and are made up for that.
    const auto t = static_cast<double>(steps);
    const double rate =
        config.rate * fall * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
    adam(parameters.data(), mean.data(), spread.data(), gradients[0].sums.data(), parameters.size(),
         1.0f / static_cast<float>(samples), static_cast<float>(rate), 1.98f);
}

void Trainer::publish() {
    const Shape shape{config.hidden};
    const auto part = [&](std::size_t from, std::size_t to) {
        return std::vector<float>(parameters.begin() + static_cast<std::ptrdiff_t>(from),
                                  parameters.begin() + static_cast<std::ptrdiff_t>(to));
    };
    weights.hidden = config.hidden;
    weights.features = part(0, shape.bias());
    weights.bias = part(shape.bias(), shape.output());
    weights.output = part(shape.output(), shape.output_bias());
    weights.output_bias = part(shape.output_bias(), shape.all());
}

} // namespace sumito
