// Network tests: incremental updates equal full ones, SIMD equals scalar code, files round-trip or
// are refused with a reason, training reduces the loss.
#include "eval/evaluator.hpp"
#include "lab/players.hpp"
#include "lab/selfplay.hpp"
#include "lab/trainer.hpp"
#include "tests/check.hpp"
#include "tests/start_positions.hpp"

#include <cmath>
#include <functional>

using namespace sumito;

namespace {

ModeNetwork::FloatWeights random_weights(Mode mode, int hidden, std::uint64_t seed, float most,
                                         int second = ModeNetwork::SECOND) {
    std::mt19937_64 random(seed);
    const auto fill = [&](std::vector<float>& part, int count) {
        part.resize(static_cast<std::size_t>(count));
        for (float& weight : part)
            weight = most * (2.0f * static_cast<float>(random() >> 40) / (1 << 24) - 1.0f);
    };
    ModeNetwork::FloatWeights weights;
    weights.mode = mode;
    weights.hidden = hidden;
    fill(weights.features, inputs(mode) * hidden);
    fill(weights.bias, hidden);
    fill(weights.output, outputs(mode) * perspectives(mode) * hidden);
    fill(weights.output_bias, outputs(mode));
    fill(weights.second, outputs(mode) * second * perspectives(mode) * hidden);
    fill(weights.second_bias, outputs(mode) * second);
    fill(weights.third, outputs(mode) * second * 2);
    return weights;
}

Network random_network(Mode mode, int hidden, std::uint64_t seed, float most = 0.5f,
                       int second = ModeNetwork::SECOND, Simd simd = Simd::avx512) {
    return Network(
        ModeNetwork::file_of(random_weights(mode, hidden, seed, most, second), 265, "{}"), simd);
}

template <Mode M>
bool same(const typename Evaluator<M>::State& a, const typename Evaluator<M>::State& b, int size) {
    for (std::size_t view = 0; view < perspectives(M); ++view)
        if (!std::equal(a.sums[view].at.begin(), a.sums[view].at.begin() + size,
                        b.sums[view].at.begin()))
            return false;
    return true;
}

template <Mode M>
void incremental_update_equals_refresh(const char* start, int hidden) {
    const Network network = random_network(M, hidden, 7);
    std::mt19937_64 random(11);
    Position position(start);
    const auto board = [&]() -> const Board<M>& { return std::get<Game<M>>(position.any).board; };
    const Evaluator<M> evaluator({}, &network, board());
    auto state = evaluator.start(board());
    for (int ply = 0; ply < 400 && !position.outcome(); ++ply) {
        const Board<M> before = board();
        // Greedy every other ply, so that marbles are pushed and ejected as well.
        position.push(ply % 2 ? greedy_move(position, random) : random_move(position, random));
        const auto after = evaluator.next(state, before, board());
        CHECK(same<M>(after, evaluator.start(board()), hidden));
        state = after;
    }
    CHECK(board().tally.captured(0) + board().tally.captured(1) > 0);
}

// The largest weights a file may hold, where overflow of sixteen bits is closest.
void simd_equals_scalar() {
    for (const Mode mode : MODES)
        for (const int hidden : {64, 128, 256})
            for (const float most : {0.1f, 1.0f, 1.8f}) {
                const int second = hidden == 64 ? 0 : ModeNetwork::SECOND;
                const Network wide = random_network(mode, hidden, 3, most, second);
                const auto with = [&](Simd simd) {
                    return random_network(mode, hidden, 3, most, second, simd);
                };
                const Network plain = with(Simd::scalar);
                const Network middle = with(Simd::avx2);
                CHECK(!plain.of(mode)->uses_simd());
                std::mt19937_64 random(5);
                for (int i = 0; i < 50; ++i) {
                    ModeNetwork::FeatureDelta all;
                    for (int input = 0; input < inputs(mode) && all.added_count < 30; ++input)
                        if (random() % 4 == 0) all.add(input);
                    ModeNetwork::Accumulator a;
                    ModeNetwork::Accumulator b;
                    wide.of(mode)->refresh(all, a);
                    plain.of(mode)->refresh(all, b);
                    ModeNetwork::Accumulator c;
                    middle.of(mode)->refresh(all, c);
                    for (int bucket = 0; bucket < outputs(mode); ++bucket) {
                        const auto value = [&](const Network& network,
                                               const ModeNetwork::Accumulator& sums) {
                            return perspectives(mode) == 2
                                       ? network.of(mode)->value(sums, sums, bucket)
                                       : network.of(mode)->value(sums, bucket);
                        };
                        CHECK_EQUAL(value(wide, a), value(plain, b));
                        CHECK_EQUAL(value(middle, c), value(plain, b));
                    }
                }
            }
}

// The evaluation in floating point.
double exact_value(const ModeNetwork::FloatWeights& weights,
                   const std::array<std::vector<int>, 2>& inputs, int bucket) {
    const auto n = static_cast<std::size_t>(weights.hidden);
    const std::size_t width = 2 * n;
    std::vector<double> squares;
    for (const std::vector<int>& view : inputs)
        for (std::size_t i = 0; i < n; ++i) {
            double sum = static_cast<double>(weights.bias[i]);
            for (const int input : view)
                sum +=
                    static_cast<double>(weights.features[static_cast<std::size_t>(input) * n + i]);
            squares.push_back(std::pow(std::clamp(sum, 0.0, 1.0), 2));
        }
    const auto dot = [&](const std::vector<float>& rows, std::size_t row) {
        double sum = 0;
        for (std::size_t i = 0; i < width; ++i)
            sum += squares[i] * static_cast<double>(rows[row * width + i]);
        return sum;
    };
    const auto at = static_cast<std::size_t>(bucket);
    double odds = dot(weights.output, at) + static_cast<double>(weights.output_bias[at]);
    for (std::size_t o = 0; o < ModeNetwork::SECOND; ++o) {
        const std::size_t neuron = at * ModeNetwork::SECOND + o;
        const double x =
            dot(weights.second, neuron) + static_cast<double>(weights.second_bias[neuron]);
        const float* const third = &weights.third[2 * at * ModeNetwork::SECOND];
        odds += std::clamp(x, 0.0, 1.0) * static_cast<double>(third[o]);
        odds += std::pow(std::clamp(x, -1.0, 1.0), 2) *
                static_cast<double>(third[ModeNetwork::SECOND + o]);
    }
    return odds * 265;
}

// With the weights as rounded in the file.
void quantised_value_approaches_float() {
    const Network network = random_network(Mode::two, 128, 17, 0.2f);
    const ModeNetwork& layers = *network.of(Mode::two);
    const ModeNetwork::FloatWeights weights = layers.floats();
    std::mt19937_64 random(5);
    for (int i = 0; i < 40; ++i) {
        std::array<std::vector<int>, 2> inputs;
        std::array<ModeNetwork::Accumulator, 2> sums;
        for (std::size_t view = 0; view < 2; ++view) {
            ModeNetwork::FeatureDelta all;
            for (int input = 0; input < 122 && all.added_count < 28; ++input)
                if (random() % 4 == 0) {
                    all.add(input);
                    inputs[view].push_back(input);
                }
            layers.refresh(all, sums[view]);
        }
        const int bucket = i % STAGES;
        const double exact = exact_value(weights, inputs, bucket);
        CHECK(std::abs(layers.value(sums[0], sums[1], bucket) - exact) < 8);
    }
}

std::string refusal(const std::string& file) {
    try {
        const Network network(file);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

// The first version of the file format has no second layer.
void reads_first_file_version() {
    std::string file = ModeNetwork::file_of(random_weights(Mode::two, 64, 1, 0.5f, 0), 265, "{}");
    CHECK_EQUAL(Network(file).of(Mode::two)->second_size(), 0);
    file[8] = 1;
    file.erase(36, 4);
    CHECK_EQUAL(refusal(file), "");
    CHECK_EQUAL(Network(file).of(Mode::two)->second_size(), 0);
    CHECK_EQUAL(refusal(file.substr(0, 30)), "the file ends within its header");
}

// Reading and writing a file gives the same file.
void file_round_trips() {
    const ModeNetwork::FloatWeights weights = random_weights(Mode::teams, 64, 3, 0.9f);
    const std::string file = ModeNetwork::file_of(weights, 265, "{}");
    CHECK(ModeNetwork::file_of(Network(file).of(Mode::teams)->floats(), 265, "{}") == file);
}

void perspectives_are_symmetric() {
    const Network network = random_network(Mode::two, 128, 9);
    Position position(start_positions::BELGIAN);
    Board<Mode::two> board = std::get<Game<Mode::two>>(position.any).board;
    const Evaluator<Mode::two> evaluator({}, &network, board);
    const int ours = evaluator.value(evaluator.start(board), board, 0);
    std::swap(board.marbles[0], board.marbles[1]);
    CHECK_EQUAL(evaluator.value(evaluator.start(board), board, 1), ours);
}

// Perspectives don't depend on the colour: with all colours moved on by one turn, the next player
// gets the same value.
template <Mode M>
void perspectives_are_equivariant(const char* start, int moved_on) {
    const Network network = random_network(M, 64, 9);
    std::mt19937_64 random(5);
    Position position(start);
    for (int ply = 0; ply < 60; ++ply) position.push(random_move(position, random));
    Board<M> board = std::get<Game<M>>(position.any).board;
    const Evaluator<M> evaluator({}, &network, board);
    const int ours = evaluator.value(evaluator.start(board), board, board.side());
    Board<M> other = board;
    const auto next = [&](int colour) {
        for (int i = 0; i < moved_on; ++i) colour = next_colour(M, colour);
        return colour;
    };
    for (int c = 0; c < Board<M>::COLOURS; ++c) {
        other.marbles[next(c)] = board.marbles[c];
        other.tally.set_captured(side_of(M, next(c)), board.tally.captured(side_of(M, c)));
    }
    other.tally.set_turn(next(board.turn()));
    const Evaluator<M> theirs({}, &network, other);
    CHECK_EQUAL(theirs.value(theirs.start(other), other, other.side()), ours);
}

template <Mode M>
bool is_from_full_start(const char* text) {
    return Evaluator<M>::is_from_full_start(std::get<Game<M>>(Position(text).any).board);
}

void composed_positions_use_handcrafted_evaluation() {
    CHECK(is_from_full_start<Mode::two>(start_positions::STANDARD));
    CHECK(
        is_from_full_start<Mode::two>("ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/b2ww b 0,1 0 9"));
    CHECK(!is_from_full_start<Mode::two>(
        "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww b 4,0 0 1"));
    CHECK(!is_from_full_start<Mode::two>("5/6/7/8/5bbbw/8/7/6/ww3 b 0,0 0 31"));
    CHECK(is_from_full_start<Mode::three>(start_positions::THREE));
    CHECK(is_from_full_start<Mode::teams>(start_positions::TEAMS));
    CHECK(!is_from_full_start<Mode::teams>("5/6/7/8/5bbbw/8/7/6/uu3 b 0,0 0 31 teams"));
}

void refuses_invalid_files() {
    const std::string good =
        ModeNetwork::file_of(random_weights(Mode::two, 64, 1, 0.5f), 265, "{\"games\": 3}");
    CHECK_EQUAL(refusal(good), "");
    CHECK_EQUAL(Network(good).of(Mode::two)->facts(), "{\"games\": 3}");
    CHECK_EQUAL(Network(good).of(Mode::two)->hidden(), 64);
    CHECK_EQUAL(Network(good).of(Mode::two)->second_size(), ModeNetwork::SECOND);
    CHECK(!Network(good).of(Mode::three));
    const auto changed = [&](std::size_t at, char to) {
        std::string file = good;
        file[at] = to;
        return refusal(file);
    };
    CHECK_EQUAL(refusal("nonsense"), "not a network file");
    CHECK_EQUAL(refusal(""), "not a network file");
    CHECK_EQUAL(refusal(good.substr(0, 20)), "the file ends within its header");
    CHECK(refusal(good.substr(0, good.size() - 1)).find("bytes, and it has") != std::string::npos);
    CHECK(changed(8, 9).find("version 9") != std::string::npos);
    CHECK(changed(12, 60).find("60 inputs") != std::string::npos);
    CHECK(changed(16, 65).find("hidden layer of 65") != std::string::npos);
    CHECK(changed(36, 15).find("second layer of 15") != std::string::npos);
    CHECK(changed(good.size() - 50, 'x').find("checksum") != std::string::npos);
    CHECK_EQUAL(refusal(good + good), "it has two parts for two");
    CHECK_EQUAL(refusal(good + "more"), "not a network file");
}

void reads_part_of_each_mode() {
    std::string file;
    for (const Mode mode : MODES)
        file += ModeNetwork::file_of(random_weights(mode, 64, 1, 0.5f), 200, name(mode));
    const Network network(file);
    for (const Mode mode : MODES) CHECK_EQUAL(network.of(mode)->facts(), name(mode));
    CHECK_EQUAL(network.all().size(), MODES.size());
}

// Weights that could overflow the accumulator on some board.
void refuses_overflowing_weights() {
    ModeNetwork::FloatWeights weights = random_weights(Mode::three, 256, 1, 1.0f);
    std::fill(weights.output.begin(), weights.output.end(), 1.98f);
    CHECK_EQUAL(refusal(ModeNetwork::file_of(weights, 265, "")), "");
    weights = random_weights(Mode::two, 256, 1, 1.0f);
    std::fill(weights.output.begin(), weights.output.end(), 1.98f);
    CHECK_EQUAL(refusal(ModeNetwork::file_of(weights, 265, "")),
                "its output weights are too large to add up");
}

SelfplayConfig quick_games() {
    SelfplayConfig config;
    config.openings = {start_positions::BELGIAN, start_positions::STANDARD};
    config.rules.repetition = 3;
    config.rules.ply_limit = 60;
    config.nodes = 50;
    config.games = 6;
    return config;
}

bool equal(const Sample& a, const Sample& b) {
    return a.marbles == b.marbles && a.scores == b.scores && a.winner == b.winner &&
           a.flags == b.flags && a.captured == b.captured && a.turn == b.turn;
}

void selfplay_is_divisible() {
    SelfplayConfig config = quick_games();
    const std::vector<Sample> whole = play_games(config);
    config.games = 2;
    std::vector<Sample> parts;
    for (config.first = 0; config.first < 6; config.first += 2)
        for (const Sample& sample : play_games(config)) parts.push_back(sample);
    CHECK(whole.size() > 100);
    CHECK(std::equal(whole.begin(), whole.end(), parts.begin(), parts.end(), equal));
    int games = 0;
    for (const Sample& sample : whole) {
        games += sample.flags & Sample::FIRST;
        CHECK(is_sound(sample));
        CHECK_EQUAL(std::popcount(sample.marbles[0]), 14 - sample.captured[1]);
    }
    CHECK_EQUAL(games, 6);
}

void selfplay_stops_between_games() {
    Stop stop;
    stop.set();
    CHECK(play_games(quick_games(), {{}, {}, &stop}).empty());
    CHECK(play_games(quick_games(), {{}, [] { return false; }, nullptr}).empty());
}

// Before its first step, a network converted from two players to teams evaluates like the original
// with the partners' marbles together.
void converts_network_for_two() {
    const Network two = random_network(Mode::two, 64, 4);
    SelfplayConfig games = quick_games();
    games.openings = {start_positions::TEAMS};
    games.games = 1;
    TrainConfig config;
    config.mode = Mode::teams;
    config.hidden = 128;
    config.second_layer = ModeNetwork::SECOND;
    config.scale = 265;
    Trainer trainer(config);
    trainer.add(play_games(games));
    trainer.begin(two.of(Mode::two));
    const Network four(trainer.file(""));
    std::mt19937_64 random(5);
    Position position(start_positions::TEAMS);
    for (int ply = 0; ply < 60; ++ply) position.push(random_move(position, random));
    const auto first = std::get<Game<Mode::teams>>(position.any).board;
    const Evaluator<Mode::teams> from_first({}, &four, first);
    for (int ply = 0; ply < 8; ++ply, position.push(random_move(position, random))) {
        const auto board = std::get<Game<Mode::teams>>(position.any).board;
        const Evaluator<Mode::teams> evaluator({}, &four, board);
        ModeNetwork::Accumulator sums[2];
        for (int side = 0; side < 2; ++side) {
            ModeNetwork::FeatureDelta all;
            for (int c = 0; c < 4; ++c)
                each(board.marbles[c], [&](int cell) { all.add((c % 2 != side) * CELLS + cell); });
            two.of(Mode::two)->refresh(all, sums[side]);
        }
        const int us = board.side();
        const int lost = board.tally.captured(0) + board.tally.captured(1);
        const int expected =
            two.of(Mode::two)->value(sums[us], sums[us ^ 1], stage(Mode::two, lost));
        CHECK(std::abs(evaluator.value(evaluator.start(board), board, us) - expected) <= 1);
        CHECK(std::abs(from_first.value(from_first.start(board), board, us) - expected) <= 1);
    }
}

void training_reduces_loss(Mode mode, const char* start, int second) {
    SelfplayConfig games = quick_games();
    games.openings = {start};
    games.games = 40;
    const std::vector<Sample> samples = play_games(games);
    TrainConfig config;
    config.mode = mode;
    config.hidden = 64;
    config.second_layer = second;
    config.epochs = 20;
    config.batch = 256;
    config.validation = 100;
    const auto train = [&] {
        auto trainer = std::make_unique<Trainer>(config);
        trainer->add(samples);
        trainer->begin();
        return trainer;
    };
    const auto trainer = train();
    const double first = trainer->epoch().training;
    double last = first;
    for (int i = 1; i < config.epochs; ++i) last = trainer->epoch().training;
    CHECK(last < (mode == Mode::two ? 0.8 : 0.95) * first);
    CHECK(trainer->validation_size() > 0);
    const auto again = train();
    for (int i = 0; i < config.epochs; ++i) again->epoch();
    CHECK(trainer->file("{}") == again->file("{}"));
    CHECK_EQUAL(refusal(trainer->file("{}")), "");
}

// All instruction sets train bit-identical networks.
void training_is_bit_identical_across_simd() {
    SelfplayConfig games = quick_games();
    games.games = 6;
    const std::vector<Sample> samples = play_games(games);
    const auto trained = [&](Simd simd) {
        TrainConfig config;
        config.hidden = 128;
        config.second_layer = ModeNetwork::SECOND;
        config.ranking_weight = 0.4;
        config.epochs = 2;
        config.batch = 64;
        config.simd = simd;
        Trainer trainer(config);
        trainer.add(samples);
        trainer.begin();
        trainer.epoch();
        trainer.epoch();
        return trainer.file("{}");
    };
    const std::string plain = trained(Simd::scalar);
    CHECK(trained(Simd::avx2) == plain);
    CHECK(trained(Simd::avx512) == plain);
}

// A file with any byte changed is read or refused with a reason.
void corrupted_files_are_read_or_refused() {
    const std::string good =
        ModeNetwork::file_of(random_weights(Mode::two, 64, 1, 0.5f), 265, "{}");
    std::mt19937_64 random(21);
    for (int i = 0; i < 3000; ++i) {
        std::string file = good;
        for (int k = 0; k < 3; ++k)
            file[random() % (i % 2 ? file.size() : 44)] = static_cast<char>(random());
        if (i % 5 == 0) file.resize(random() % file.size());
        CHECK(!refusal(file).empty() || file == good);
    }
}

void training_requires_begin() {
    Trainer trainer{TrainConfig{}};
    const auto refuses = [](auto&& act) {
        try {
            act();
        } catch (const std::logic_error&) {
            return true;
        }
        return false;
    };
    CHECK(refuses([&] { trainer.epoch(); }));
    CHECK(refuses([&] { trainer.file("{}"); }));
    CHECK(refuses([&] { trainer.begin(); }));
}

// Arbitrary bytes are valid samples or refused; accepted ones can be trained on.
void arbitrary_samples_are_read_or_refused() {
    std::mt19937_64 random(23);
    std::vector<Sample> sound = play_games(quick_games());
    std::vector<Sample> taken;
    for (int i = 0; i < 20000; ++i) {
        Sample sample = sound[random() % sound.size()];
        auto* const bytes = reinterpret_cast<unsigned char*>(&sample);
        for (int k = 0; k < 2; ++k)
            bytes[random() % sizeof sample] = static_cast<unsigned char>(random());
        if (i % 100 == 0) sample.marbles[0] |= Bits{1} << (61 + random() % 3);
        const bool beyond = (sample.marbles[0] | sample.marbles[1]) & ~FULL;
        if (is_sound(sample)) taken.push_back(sample);
        CHECK(!(beyond && is_sound(sample)));
    }
    CHECK(taken.size() > 100);
    TrainConfig config;
    config.hidden = 64;
    Trainer trainer(config);
    trainer.add(taken);
    trainer.begin();
    trainer.epoch();
}

} // namespace

int main() {
    for (const int hidden : {64, 128, 256})
        incremental_update_equals_refresh<Mode::two>(start_positions::BELGIAN, hidden);
    incremental_update_equals_refresh<Mode::teams>(start_positions::TEAMS, 128);
    incremental_update_equals_refresh<Mode::teams_double>(start_positions::TEAMS_DOUBLE, 128);
    incremental_update_equals_refresh<Mode::three>(start_positions::THREE, 128);
    simd_equals_scalar();
    perspectives_are_equivariant<Mode::three>(start_positions::THREE, 1);
    perspectives_are_equivariant<Mode::teams>(start_positions::TEAMS, 1);
    perspectives_are_equivariant<Mode::teams_double>(start_positions::TEAMS_DOUBLE, 2);
    reads_part_of_each_mode();
    refuses_overflowing_weights();
    perspectives_are_symmetric();
    composed_positions_use_handcrafted_evaluation();
    refuses_invalid_files();
    selfplay_is_divisible();
    selfplay_stops_between_games();
    converts_network_for_two();
    quantised_value_approaches_float();
    reads_first_file_version();
    file_round_trips();
    training_reduces_loss(Mode::two, start_positions::BELGIAN, ModeNetwork::SECOND);
    training_reduces_loss(Mode::three, start_positions::THREE, 0);
    training_reduces_loss(Mode::teams, start_positions::TEAMS, ModeNetwork::SECOND);
    training_reduces_loss(Mode::teams_double, start_positions::TEAMS_DOUBLE, 0);
    training_is_bit_identical_across_simd();
    corrupted_files_are_read_or_refused();
    arbitrary_samples_are_read_or_refused();
    training_requires_begin();
    if (!failures) std::cout << "network: all well\n";
    return failures != 0;
}
