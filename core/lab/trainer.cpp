// Learning a network from samples.
#include "lab/trainer.hpp"

#include "kernel/cells.hpp"
#include "lab/loops.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <thread>

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
    Mode mode;
    int hidden;
    int second;
    std::size_t n() const { return static_cast<std::size_t>(hidden); }
    std::size_t width() const { return static_cast<std::size_t>(views(mode)) * n(); }
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

// A sample's rows of weights in every view, and its set of output weights.
struct Seen {
    std::array<std::array<int, Layers::Change::MOST>, 2> input;
    std::array<int, 2> count{};
    int bucket = 0;

    // As the player sees it who is `steps_on` turns after the one to move.
    Seen(const Sample& sample, int steps_on, const std::array<std::uint8_t, CELLS>& symmetry) {
        const Mode mode = MODES[sample.mode];
        int viewer = sample.turn;
        for (int k = 0; k < steps_on; ++k) viewer = next_colour(mode, viewer);
        for (int view = 0; view < views(mode); ++view) {
            const auto order = seen_by(mode, view ? viewer ^ 1 : viewer);
            for (int slot = 0; slot < colours(mode); ++slot) {
                const int at = steps(mode, sample.turn, order[slot]);
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

float odds_to_chance(float odds) { return 1.0f / (1.0f + std::exp(-odds)); }

// By how much the curve that orders won positions is flatter than that of chances.
constexpr float FLATTER = 4;

// Odds of nought are what everybody has at the start: an even chance, or one in three.
float level(Mode mode) { return mode == Mode::three ? std::numbers::ln2_v<float> : 0.0f; }

// What the layers say of one sample.
struct Thought {
    std::array<std::array<float, Layers::MOST_HIDDEN>, 2> sums;
    std::array<float, 2 * Layers::MOST_HIDDEN> squares;
    std::array<float, Layers::SECOND> neurons;
};

// The log-odds of the viewer's chance.
float judge(const TrainerLoops& loops, const float* parameters, const Shape& shape,
            const Seen& seen, Thought& thought) {
    const int width = static_cast<int>(shape.width());
    for (int view = 0; view < views(shape.mode); ++view) {
        float* const sums = thought.sums[view].data();
        loops.sum_rows(parameters, parameters + shape.bias(), seen.input[view].data(),
                       seen.count[view], shape.hidden, sums);
        loops.square(sums, thought.squares.data() + view * shape.hidden, shape.hidden);
    }
    float odds = parameters[shape.output_bias(seen.bucket)] - level(shape.mode);
    odds += loops.weigh(thought.squares.data(), parameters + shape.output(seen.bucket), width);
    const float* const rows = parameters + shape.second_row(seen.bucket);
    const float* const bias = parameters + shape.second_bias(seen.bucket);
    const float* const third = parameters + shape.third(seen.bucket);
    for (int o = 0; o < shape.second; ++o) {
        const float x = bias[o] + loops.weigh(thought.squares.data(), rows + o * width, width);
        thought.neurons[o] = x;
        const float bent = std::min(std::max(x, -1.0f), 1.0f);
        odds += detail::clip(x) * third[o] + bent * bent * third[shape.second + o];
    }
    return odds;
}

// Adds to the gradient what an error in the odds teaches.
void judge_back(const TrainerLoops& loops, const float* parameters, const Shape& shape,
                const Seen& seen, Thought& thought, float slope, float* gradient) {
    const int width = static_cast<int>(shape.width());
    const float* const squares = thought.squares.data();
    std::array<float, 2 * Layers::MOST_HIDDEN> asked{};
    gradient[shape.output_bias(seen.bucket)] += slope;
    const std::size_t output = shape.output(seen.bucket);
    loops.weigh_back(squares, parameters + output, gradient + output, asked.data(), slope, width);
    const std::size_t third = shape.third(seen.bucket);
    for (int o = 0; o < shape.second; ++o) {
        const float x = thought.neurons[o];
        const float bent = std::min(std::max(x, -1.0f), 1.0f);
        const std::size_t clipped = third + static_cast<std::size_t>(o);
        const std::size_t squared = clipped + static_cast<std::size_t>(shape.second);
        gradient[clipped] += slope * detail::clip(x);
        gradient[squared] += slope * bent * bent;
        float down = 0;
        if (x > 0.0f && x < 1.0f) down += parameters[clipped];
        if (std::abs(x) < 1.0f) down += 2.0f * x * parameters[squared];
        down *= slope;
        gradient[shape.second_bias(seen.bucket) + static_cast<std::size_t>(o)] += down;
        const std::size_t row = shape.second_row(seen.bucket) + static_cast<std::size_t>(o * width);
        if (down != 0.0f)
            loops.weigh_back(squares, parameters + row, gradient + row, asked.data(), down, width);
    }
    for (int view = 0; view < views(shape.mode); ++view) {
        float* const sums = thought.sums[view].data();
        loops.square_back(sums, asked.data() + view * shape.hidden, shape.hidden);
        loops.add_rows(gradient, sums, seen.input[view].data(), seen.count[view], shape.hidden);
        for (int i = 0; i < shape.hidden; ++i) gradient[shape.bias() + i] += sums[i];
    }
}

// A network for two as one viewer of another mode would use it: its two halves side by side, with
// partners as one side and all others as the other.
Layers::Floats widen(const Layers::Floats& two, Mode mode) {
    const int n = two.hidden;
    const Shape shape{mode, 2 * n, 0};
    const int neurons = two.second.empty() ? 0 : Layers::SECOND;
    Layers::Floats made{mode, 2 * n, {}, {}, {}, {}, {}, {}, {}};
    const auto append = [](std::vector<float>& to, const std::vector<float>& from, int row, int n,
                           float sign) {
        for (int i = 0; i < n; ++i)
            to.push_back(sign * from[static_cast<std::size_t>(row * n + i)]);
    };
    for (int slot = 0; slot < colours(mode); ++slot) {
        const int opposing = side_of(mode, seen_by(mode, 0)[slot]) != 0;
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

Shape shape_of(const TrainConfig& config) { return {config.mode, config.hidden, config.second}; }

} // namespace

Trainer::Trainer(const TrainConfig& config)
    : config(config), loops(trainer_loops(config.registers)), random(config.seed) {
    if (config.hidden != 64 && config.hidden != 128 && config.hidden != 256)
        throw std::invalid_argument("a hidden layer is 64, 128 or 256 wide, not " +
                                    std::to_string(config.hidden));
    if (config.second != 0 && config.second != Layers::SECOND)
        throw std::invalid_argument("a second layer has " + std::to_string(Layers::SECOND) +
                                    " neurons or none, not " + std::to_string(config.second));
    if (config.epochs < 1 || config.batch < 1 || config.threads < 1)
        throw std::invalid_argument("epochs, batch and threads are at least 1");
    if (!(config.trust >= 0 && config.trust <= 1))
        throw std::invalid_argument("trust is from 0 to 1");
    if (!(config.lookahead >= 0 && config.lookahead <= 1))
        throw std::invalid_argument("lookahead is from 0 to 1");
    if (config.doubt < 0 || config.doubt > WIN)
        throw std::invalid_argument("doubt is from 0 to " + std::to_string(WIN));
    if (!(config.order >= 0 && config.order <= 100))
        throw std::invalid_argument("order is from 0 to 100");
    if (!(config.held >= 0 && config.held <= 100))
        throw std::invalid_argument("held is from 0 to 100");
}

void Trainer::add(std::span<const Sample> samples) {
    for (const Sample& sample : samples) {
        if (sample.flags & Sample::FIRST) {
            // By a hash of the game's number, so that more data keeps the split.
            checks_game = mix(++seen_games * 0x9E3779B97F4A7C15ull) % 1000 <
                          static_cast<std::uint64_t>(config.validation);
        }
        (checks_game ? checking : learning).push_back(sample);
    }
}

// The search looks through ejections by itself.
bool Trainer::teaches(const Sample& sample) const {
    return MODES[sample.mode] == config.mode && !(sample.flags & Sample::EJECTS);
}

// A score in log-odds; beyond doubt, all are as good.
float Trainer::odds(int score, double score_unit) const {
    return static_cast<float>(std::clamp(score, -config.doubt, config.doubt) / score_unit);
}

void Trainer::keep_aside(std::span<const Sample> samples) {
    for (const Sample& sample : samples) checking.push_back(sample);
}

void Trainer::next_teacher() {
    const auto teach = [&](std::vector<Sample>& samples, std::vector<Lesson>& into) {
        if (samples.empty()) return;
        unit = fit_unit(samples);
        const std::vector<Lesson> made = lessons_of(samples, unit);
        into.insert(into.end(), made.begin(), made.end());
        samples = {};
    };
    teach(checking, exams);
    teach(learning, lessons);
}

void Trainer::begin(const Layers* start) {
    next_teacher();
    if (lessons.empty()) throw std::invalid_argument("there are no samples to learn from");
    if (start)
        go_on_from(start->floats());
    else
        first_weights();
    mean.assign(parameters.size(), 0.0f);
    spread.assign(parameters.size(), 0.0f);
    publish();
    order.resize(lessons.size());
    std::iota(order.begin(), order.end(), 0u);
    const std::size_t batches = (order.size() + config.batch - 1) / config.batch;
    steps_planned = batches * static_cast<std::size_t>(config.epochs);
    gradients.resize(static_cast<std::size_t>(config.threads));
    for (Gradient& gradient : gradients) gradient.sums.resize(parameter_count());
}

std::size_t Trainer::parameter_count() const { return shape_of(config).all(); }

void Trainer::first_weights() {
    const Shape shape = shape_of(config);
    parameters.assign(shape.all(), 0.0f);
    const auto even = [&](float most) {
        return most * (2.0f * static_cast<float>(random() >> 40) / (1 << 24) - 1.0f);
    };
    for (std::size_t i = 0; i < shape.bias(); ++i) parameters[i] = even(0.2f);
    for (std::size_t i = shape.bias(); i < shape.output(); ++i) parameters[i] = 0.2f + even(0.2f);
    for (std::size_t i = shape.output(); i < shape.output_bias(); ++i)
        parameters[i] = even(0.5f / std::sqrt(static_cast<float>(config.hidden)));
    first_second_weights();
}

// The second layer's own; at first it adds nothing to what the others say.
void Trainer::first_second_weights() {
    const Shape shape = shape_of(config);
    parameters.resize(shape.all(), 0.0f);
    const float most = 2.0f / std::sqrt(static_cast<float>(shape.width()));
    for (std::size_t i = shape.second_row(0); i < shape.second_bias(0); ++i)
        parameters[i] = most * (2.0f * static_cast<float>(random() >> 40) / (1 << 24) - 1.0f);
}

void Trainer::go_on_from(const Layers::Floats& start) {
    const bool widened = start.mode == Mode::two && config.mode != Mode::two;
    if (!widened && start.mode != config.mode)
        throw std::invalid_argument("a network for " + std::string(name(start.mode)) +
                                    " can't go on as one for " + std::string(name(config.mode)));
    if (config.hidden != (widened ? 2 : 1) * start.hidden)
        throw std::invalid_argument("a network " + std::to_string(start.hidden) +
                                    " wide can't go on as one of " + std::to_string(config.hidden));
    const Layers::Floats same = widened ? widen(start, config.mode) : start;
    parameters.clear();
    for (const auto* part : {&same.features, &same.bias, &same.output, &same.output_bias})
        parameters.insert(parameters.end(), part->begin(), part->end());
    if (same.second.empty()) return first_second_weights();
    if (!config.second) throw std::invalid_argument("a network can't go on without a layer it has");
    for (const auto* part : {&same.second, &same.second_bias, &same.third})
        parameters.insert(parameters.end(), part->begin(), part->end());
}

// The unit under which the scores foretell the results best, by golden section.
double Trainer::fit_unit(std::span<const Sample> samples) const {
    constexpr int SAYS_LITTLE = Sample::STRAYED | Sample::COUNTED;
    if (std::ranges::all_of(samples, [](const Sample& s) { return s.flags & SAYS_LITTLE; }))
        return unit;
    const auto error = [&](double candidate) {
        double sum = 0;
        for (std::size_t i = 0; i < samples.size(); i += 7) {
            if (samples[i].flags & SAYS_LITTLE) continue;
            const double miss = chance(samples[i], 0, candidate) - result(samples[i], 0);
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

// Among three everybody has a score of their own; else the other side has the opposite.
bool Trainer::has_score(const Sample& sample, int side) const {
    return config.mode != Mode::three || sample.scores[side] != Sample::NO_SCORE;
}

// A side's chance of winning by a search's score, the sides counted from the one to move.
float Trainer::chance(const Sample& sample, int side, double score_unit) const {
    if (config.mode == Mode::three)
        return odds_to_chance(odds(sample.scores[side], score_unit) - level(config.mode));
    const float mover = odds_to_chance(odds(sample.scores[0], score_unit));
    return side ? 1 - mover : mover;
}

// What the game brought a side, by its last sample. A draw is worth what everybody has at the
// start; a lead that was only held until the ply limit is less than a win, so that who leads learns
// to press.
float Trainer::result(const Sample& sample, int side) const {
    if (sample.flags & Sample::COUNTED && config.mode != Mode::three) {
        const int lead = sample.captured[side] - sample.captured[1 - side];
        return odds_to_chance(static_cast<float>(config.held * lead));
    }
    if (sample.winner == NOBODY) return odds_to_chance(-level(config.mode));
    return sample.winner == side ? 1.0f : 0.0f;
}

// What each sample teaches. A score is what a short search saw; those of the plies after it saw
// further, so that all of them count, each less than the one before, and the result last of all.
std::vector<Trainer::Lesson> Trainer::lessons_of(std::span<const Sample> samples,
                                                 double score_unit) const {
    const int sides = sumito::sides(config.mode);
    const auto look = static_cast<float>(config.lookahead);
    const auto trust = static_cast<float>(config.trust);
    std::vector<Lesson> lessons;
    std::array<float, 3> ahead{}; // by side
    std::array<float, 3> end{};
    for (std::size_t i = samples.size(); i-- > 0;) {
        const Sample& sample = samples[i];
        const bool strayed = sample.flags & Sample::STRAYED;
        const bool last = i + 1 == samples.size() || samples[i + 1].flags & Sample::FIRST;
        Lesson lesson{sample, {}, odds(sample.scores[0], score_unit)};
        for (int k = 0; k < sides; ++k) {
            const int side = (side_of(config.mode, sample.turn) + k) % sides;
            float& seen = ahead[side];
            if (last) seen = end[side] = result(sample, k);
            if (has_score(sample, k)) {
                const float now = chance(sample, k, score_unit);
                seen = strayed ? now : now + look * (seen - now);
            }
            lesson.target[k] = strayed ? seen : trust * seen + (1 - trust) * end[side];
        }
        if (teaches(sample)) lessons.push_back(lesson);
    }
    std::reverse(lessons.begin(), lessons.end());
    return lessons;
}

// Through whose eyes a sample is seen: for two players both look at once, with more anyone may.
int Trainer::viewer(const Sample& sample, std::uint64_t number) const {
    if (config.mode == Mode::two) return 0;
    const int steps_on = static_cast<int>(number % static_cast<unsigned>(colours(config.mode)));
    const bool says_nothing = config.mode == Mode::three && sample.flags & Sample::STRAYED &&
                              !has_score(sample, steps_on);
    return says_nothing ? 0 : steps_on;
}

float Trainer::target(const Lesson& lesson, int steps_on) const {
    if (config.mode == Mode::three) return lesson.target[steps_on];
    return lesson.target[!for_mover(lesson.sample, steps_on)];
}

// Whether who is so many turns after the one to move is of the same side.
bool Trainer::for_mover(const Sample& sample, int steps_on) const {
    int colour = sample.turn;
    for (int k = 0; k < steps_on; ++k) colour = next_colour(config.mode, colour);
    return side_of(config.mode, colour) == side_of(config.mode, sample.turn);
}

void Trainer::need_beginning() const {
    if (parameters.empty())
        throw std::logic_error("a trainer begins, once it has its samples, before it learns");
}

std::string Trainer::file(std::string_view facts) const {
    need_beginning();
    return Layers::file_of(weights, config.scale, facts);
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
    const Shape shape = shape_of(config);
    std::fill(gradient.sums.begin(), gradient.sums.end(), 0.0f);
    gradient.loss = 0;
    Thought thought;
    for (const std::uint32_t number : slice) {
        const Sample& sample = lessons[number].sample;
        const std::uint64_t dice = mix(seed + number * 0x9E3779B97F4A7C15ull);
        const int steps_on = viewer(sample, dice >> 32);
        const Seen seen(sample, steps_on, SYMMETRIES.cell[dice % 12]);
        const float odds = judge(loops, parameters.data(), shape, seen, thought);
        const float chance = odds_to_chance(odds);
        const float miss = chance - target(lessons[number], steps_on);
        gradient.loss += static_cast<double>(miss * miss);
        float slope = 2 * miss * chance * (1 - chance);
        if (config.order > 0 && config.mode != Mode::three) {
            // Won positions all have a chance of about 1: only their scores tell which is nearer
            // to the end, and a flatter curve still sees a difference there.
            const float score = lessons[number].score;
            const float wide = odds_to_chance(odds / FLATTER);
            const float wanted =
                odds_to_chance((for_mover(sample, steps_on) ? score : -score) / FLATTER);
            slope += static_cast<float>(config.order) * 2 * (wide - wanted) * wide * (1 - wide) /
                     FLATTER;
        }
        judge_back(loops, parameters.data(), shape, seen, thought, slope, gradient.sums.data());
    }
}

double Trainer::check() const {
    if (exams.empty()) return 0;
    const Shape shape = shape_of(config);
    Thought thought;
    double loss = 0;
    for (std::size_t i = 0; i < exams.size(); ++i) {
        const int steps_on = viewer(exams[i].sample, i);
        const Seen seen(exams[i].sample, steps_on, SYMMETRIES.cell[0]);
        const float miss = odds_to_chance(judge(loops, parameters.data(), shape, seen, thought)) -
                           target(exams[i], steps_on);
        loss += static_cast<double>(miss * miss);
    }
    return loss / static_cast<double>(exams.size());
}

void Trainer::step(std::size_t samples) {
    ++steps;
    const double done = static_cast<double>(steps) / static_cast<double>(steps_planned);
    const double fall = 0.505 + 0.495 * std::cos(std::numbers::pi * std::min(done, 1.0));
    // Adam's two averages begin at nought and are made up for that.
    const auto t = static_cast<double>(steps);
    const double rate =
        config.rate * fall * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
    loops.adam(parameters.data(), mean.data(), spread.data(), gradients[0].sums.data(),
               parameters.size(), 1.0f / static_cast<float>(samples), static_cast<float>(rate),
               1.98f);
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
